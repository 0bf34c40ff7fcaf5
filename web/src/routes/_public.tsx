import { createFileRoute } from '@tanstack/react-router';
import { publicSettingsQuery } from '@/features/shell/api/public-settings';
import { loadTexts } from '@/i18n/i18n';
import { PublicLayout } from '@/pages/public-layout';

/** Screens that need no sign-in. */
export const Route = createFileRoute('/_public')({
  loader: async ({ context: { queryClient } }) => {
    // The frame fills its banner and phone in when the settings arrive; a failure there must not hide the sign-in.
    void queryClient.prefetchQuery(publicSettingsQuery);
    await loadTexts('shell');
  },
  component: PublicLayout,
});
