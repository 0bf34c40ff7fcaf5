import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lazyNamed } from '@/components/lazy-named';
import { colorSchemeManager } from './color-scheme';
import { styleNonce } from './style-nonce';
import { cssVariablesResolver, theme } from './theme';

interface ProvidersProps {
  queryClient: QueryClient;
  children: ReactNode;
}

/** Nothing speaks before the first action; what is said before it loads waits in its store. */
const Toasts = lazyNamed(() => import('./toasts'), 'Toasts', { optional: true });

/** Everything the screens take for granted: server data, looks, messages. */
export function Providers({ queryClient, children }: ProvidersProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
        getStyleNonce={styleNonce}
      >
        {children}
        <Toasts />
      </MantineProvider>
    </QueryClientProvider>
  );
}
