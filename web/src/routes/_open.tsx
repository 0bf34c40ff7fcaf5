import { createFileRoute } from '@tanstack/react-router';
import { currentUserQuery } from '@/access/current-user';
import { publicSettingsQuery } from '@/features/shell/api/public-settings';
import { loadTexts } from '@/i18n/i18n';
import { OpenLayout } from '@/pages/open-layout';

/** Pages for everyone, signed in or not. */
export const Route = createFileRoute('/_open')({
  loader: async ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(publicSettingsQuery);
    // A server that cannot be reached hides no page that needs nothing of it.
    await Promise.all([queryClient.ensureQueryData(currentUserQuery).catch(() => null), loadTexts('shell')]);
  },
  component: OpenLayout,
});
