import type { Page } from '@playwright/test';

/** The least that a finger needs, in CSS pixels. */
const FINGER = 44;
const CONTROLS =
  'button, a[href], input:not([type=hidden]), select, textarea, summary, [role=tab], [role=menuitem], [role=option]';

/**
 * What a finger could miss on the page as it now stands: controls less than 44 pixels wide or high, together with the label
 * that is pressed as well. Links within a sentence are as high as its lines.
 */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ least, controls }) => {
      const modal = document.querySelector('[aria-modal="true"]');
      const small: string[] = [];
      for (const control of (modal ?? document).querySelectorAll<HTMLElement>(controls)) {
        if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }))
          continue;
        const own = control.getBoundingClientRect();
        // Hidden from the eye alone, or out of the window until the focus of a keyboard comes.
        if (own.width <= 1 || own.height <= 1 || own.right <= 0 || own.left >= innerWidth || own.bottom + scrollY <= 0)
          continue;
        if (control.parentElement?.closest('a, button')) continue;
        const isInSentence =
          getComputedStyle(control).display === 'inline' &&
          [...(control.parentElement?.childNodes ?? [])].some(
            (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim().length > 1,
          );
        if (isInSentence) continue;
        const boxes = [own];
        if (control instanceof HTMLInputElement && /checkbox|radio|file/.test(control.type))
          for (const label of control.labels ?? []) boxes.push(label.getBoundingClientRect());
        const field = control.closest('.mantine-PasswordInput-wrapper');
        if (field) boxes.push(field.getBoundingClientRect());
        // A link that fills its card, a handle with room around it.
        for (const part of ['::before', '::after']) {
          const { position, content, width, height } = getComputedStyle(control, part);
          if (position === 'absolute' && content !== 'none')
            boxes.push(new DOMRect(0, 0, Number.parseFloat(width) || 0, Number.parseFloat(height) || 0));
        }
        const width = Math.max(...boxes.map((box) => box.width));
        const height = Math.max(...boxes.map((box) => box.height));
        // Half a pixel may be lost when boxes are laid out.
        if (Math.min(width, height) >= least - 0.5) continue;
        const name = (control.ariaLabel ?? (control.textContent.trim() || control.id)).slice(0, 40);
        small.push(`${control.localName} "${name}" is ${Math.round(width)} x ${Math.round(height)} pixels`);
      }
      return [...new Set(small)];
    },
    { least: FINGER, controls: CONTROLS },
  );
}
