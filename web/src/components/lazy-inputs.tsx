import { Skeleton } from '@mantine/core';
import { lazyNamed } from './lazy-named';

/* Fields that few visits need: their code comes when one is shown, not with the page (guide web, section 15). */

/** `PictureInput`, loaded when it is shown. */
export const PictureInputLater = lazyNamed(() => import('./picture-input'), 'PictureInput', {
  fallback: <Skeleton height={130} radius="md" />,
});

/** `PhoneInput`, loaded when it is shown. */
export const PhoneInputLater = lazyNamed(() => import('./phone-input'), 'PhoneInput', {
  fallback: <Skeleton height={62} radius="md" />,
});

/** `CountInput`, loaded when it is shown. */
export const CountInputLater = lazyNamed(() => import('./count-input'), 'CountInput', {
  fallback: <Skeleton height={66} radius="md" />,
});

/** `PlacesInput`, loaded when it is shown. Its place is kept free, so that nothing below moves away from a press. */
export const PlacesInputLater = lazyNamed(() => import('./places-input'), 'PlacesInput', {
  fallback: ({ description }) => <Skeleton height={description ? 84 : 62} radius="md" />,
});
