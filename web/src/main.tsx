import './app/kit.css';
import './app/global.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { endSession, finishSignOut, followOtherTabs } from './access/end-session';
import { pressHeldEnterOnce } from './app/held-enter';
import { keepPageWithoutNetwork } from './app/lost-code';
import { Providers } from './app/providers';
import { createQueryClient } from './app/query-client';
import { createAppRouter } from './app/router';
import { leaveOnSessionEnd } from './app/signed-out';
import { startTexts } from './i18n/i18n';
import { followLinks } from './lib/link-token';

followLinks();
pressHeldEnterOnce();

const queryClient = createQueryClient((refused) => endSession(queryClient, 'refused', refused));
const router = createAppRouter(queryClient);
leaveOnSessionEnd(router);
const loadAgain = () => {
  finishSignOut(queryClient);
  void router.invalidate();
};
keepPageWithoutNetwork(() => finishSignOut(queryClient));
// Whatever shows by then: after Back it is no longer the screen that signs out.
window.addEventListener('online', () => finishSignOut(queryClient));
followOtherTabs(queryClient, loadAgain);
const root = document.getElementById('root');
if (!root) throw new Error('No #root element.');

await startTexts();
createRoot(root).render(
  <StrictMode>
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
