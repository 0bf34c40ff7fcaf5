import 'driver.js/dist/driver.css';
import './tour.css';
import { type DriveStep, driver } from 'driver.js';
import i18next from 'i18next';
import { loadTexts } from '@/i18n/i18n';
import { writePreference } from '@/lib/preferences';
import { type Place, PLACES, placesOf, screenOf, type TourScreen } from './tour.utils';

export { screenOf };

/** Explains a screen step by step; only what is visible now gets a step. Escape ends it. */
export async function startTour(screen: TourScreen): Promise<void> {
  await loadTexts('tour');
  const t = i18next.getFixedT(i18next.language, 'tour');
  const heading = document.querySelector<HTMLElement>('[data-page-heading]');
  const steps: DriveStep[] = [
    {
      element: heading ?? 'main',
      popover: { title: heading?.textContent ?? 'Berth', description: t(`screen.${screen}`) },
    },
    ...placesOf(screen).flatMap((place): DriveStep[] => {
      const element = findVisible(place);
      if (!element) return [];
      return [{ element, popover: { title: t(`place.${place}.title`), description: t(`place.${place}.text`) } }];
    }),
  ];
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
    progressText: t('progress', { current: '{{current}}', total: '{{total}}' }),
    nextBtnText: t('next'),
    prevBtnText: t('previous'),
    doneBtnText: t('done'),
    onPopoverRender: (popover) => popover.closeButton.setAttribute('aria-label', t('close')),
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

/** The first element of a place that can be seen: a phone has some of them twice, in the drawer too. */
function findVisible(place: Place): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(PLACES[place])].find(
    (element) => element.getClientRects().length > 0,
  );
}
