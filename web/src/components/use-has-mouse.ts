import { useMediaQuery } from '@mantine/hooks';

/** Returns true if things can be dragged onto the page: with a mouse or a touchpad, not with a finger. */
export function useHasMouse(): boolean {
  return !useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false });
}
