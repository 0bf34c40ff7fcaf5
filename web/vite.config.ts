import { fileURLToPath } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumLaunchOptions } from './scripts/chromium.mjs';

const server = process.env.BERTH_DEV_SERVER ?? 'http://127.0.0.1:8080';

const FRAMEWORK =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|react-store|store|react-query|query-core)|i18next|react-i18next|openapi-fetch|use-sync-external-store|clsx)\//;

const browserTestDependencies = [
  '@dnd-kit/core',
  '@hookform/resolvers/zod',
  '@mantine/core',
  '@mantine/hooks',
  '@mantine/notifications',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-table',
  'axe-core',
  'driver.js',
  'i18next',
  'lucide-react',
  'msw',
  'openapi-fetch',
  'react',
  'react-dom',
  'react-dom/client',
  'react-hook-form',
  'react-i18next',
  'react/jsx-dev-runtime',
  'react/jsx-runtime',
  'vitest-browser-react',
  'zod/mini',
];

export default defineConfig({
  plugins: [tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single' }), react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The server puts a fresh nonce here in each answer (guide web, section 12).
  html: { cspNonce: '__BERTH_CSP_NONCE__' },
  build: {
    manifest: true,
    target: 'es2023',
    // Small files stay files: `data:` addresses would need an entry in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every page needs stands in one file: it compresses better than thirty and changes seldom.
        codeSplitting: {
          groups: [
            { name: 'framework', test: FRAMEWORK, priority: 3 },
            { name: 'base', tags: ['$initial'], test: /^(?!.*(main\.tsx|index\.html))/, priority: 2 },
            { name: 'kit', test: /node_modules\/(@mantine|lucide-react)\//, minShareCount: 14, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/connect', '/files', '/dev'].map((path) => [path, { target: server, changeOrigin: false }]),
    ),
  },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', environment: 'node', include: ['src/**/*.test.ts'] },
      },
      {
        extends: true,
        // All of them before the first test: a dependency found late makes Vite load the page anew in the middle of one.
        optimizeDeps: { include: browserTestDependencies },
        test: {
          name: 'browser',
          include: ['src/**/*.browser.test.tsx'],
          setupFiles: ['src/testing/browser-setup.ts'],
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({ launchOptions: chromiumLaunchOptions() }),
            instances: [{ browser: 'chromium', viewport: { width: 1360, height: 900 } }],
            screenshotFailures: false,
          },
        },
      },
    ],
  },
});
