import { Skeleton } from '@mantine/core';
import { type ComponentProps, lazy, Suspense } from 'react';

/* Fields that few visits need: their code comes when one is shown, not with the page (guide web, section 15). */

const Picture = lazy(async () => ({ default: (await import('./picture-input')).PictureInput }));
const Places = lazy(async () => ({ default: (await import('./places-input')).PlacesInput }));

/** `PictureInput`, loaded when it is shown. */
export function PictureInputLater(props: ComponentProps<typeof Picture>) {
  return (
    <Suspense fallback={<Skeleton height={130} radius="md" />}>
      <Picture {...props} />
    </Suspense>
  );
}

/** `PlacesInput`, loaded when it is shown. Its place is kept free, so that nothing below moves away from a press. */
export function PlacesInputLater(props: ComponentProps<typeof Places>) {
  return (
    <Suspense fallback={<Skeleton height={props.description ? 84 : 62} radius="md" />}>
      <Places {...props} />
    </Suspense>
  );
}
