import './app/kit.css';
import './app/global.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { colorSchemeManager } from './app/color-scheme';
import { pressHeldEnterOnce } from './app/held-enter';
import { styleNonce } from './app/style-nonce';
import { cssVariablesResolver, theme } from './app/theme';
import { FindApp } from './features/find/find-app';
import { loadTexts, startTexts } from './i18n/i18n';

// The public page is a build of its own (vite.find.config.ts): nothing of the signed-in app is in it.
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });
const root = document.getElementById('root');
if (!root) throw new Error('No #root element.');

pressHeldEnterOnce();
await startTexts();
await loadTexts('find', 'catalog', 'shell');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
        getStyleNonce={styleNonce}
      >
        <FindApp />
      </MantineProvider>
    </QueryClientProvider>
  </StrictMode>,
);
