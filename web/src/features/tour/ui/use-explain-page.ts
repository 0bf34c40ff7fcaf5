import { useRouter } from '@tanstack/react-router';

/** Starts the explanation of the screen that is open (spec A section 2, Page Explanation). */
export function useExplainPage(): () => void {
  const router = useRouter();
  return () => {
    void import('../start-tour').then(({ startTour, screenOf }) => startTour(screenOf(router.state.matches)));
  };
}
