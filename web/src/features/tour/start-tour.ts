import 'driver.js/dist/driver.css';
import './tour.css';
import { type DriveStep, driver } from 'driver.js';
import type { TFunction } from 'i18next';
import { writePreference } from '@/lib/preferences';
import { screenOf, TOUR_PLACES } from './tour.utils';

/** Explains the present screen step by step; only what is visible now gets a step. Escape ends it. */
export function startTour(t: TFunction<'shell'>, path: string): void {
  const heading = document.querySelector<HTMLElement>('[data-page-heading]');
  const steps: DriveStep[] = [
    {
      element: heading ?? 'main',
      popover: { title: heading?.textContent ?? 'Berth', description: t(`tour.screen.${screenOf(path)}`) },
    },
  ];
  for (const { key, selector } of TOUR_PLACES) {
    const element = [...document.querySelectorAll<HTMLElement>(selector)].find(isVisible);
    if (element)
      steps.push({ element, popover: { title: t(`tour.${key}.title`), description: t(`tour.${key}.text`) } });
  }
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const returnTo = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
  driver({
    steps,
    animate: !calm,
    duration: 150,
    smoothScroll: !calm,
    stageRadius: 8,
    overlayOpacity: 0.55,
    showProgress: true,
    progressText: t('tour.progress', { current: '{{current}}', total: '{{total}}' }),
    nextBtnText: t('tour.next'),
    prevBtnText: t('tour.previous'),
    doneBtnText: t('tour.done'),
    onPopoverRender: (popover) => popover.closeButton.setAttribute('aria-label', t('tour.close')),
    // The package calls each place a button with a dialog; a heading, a list or a table is none.
    onHighlighted: (element) => {
      for (const name of ['aria-haspopup', 'aria-expanded', 'aria-controls']) element?.removeAttribute(name);
    },
    onDestroyed: () => {
      writePreference('tourSeen', 'yes');
      returnTo?.focus();
    },
  }).drive();
}

function isVisible(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}
