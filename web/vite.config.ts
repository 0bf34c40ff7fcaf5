import { fileURLToPath } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumLaunchOptions } from './scripts/chromium.mjs';

const server = process.env.BERTH_DEV_SERVER ?? 'http://127.0.0.1:8080';

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
        optimizeDeps: { include: ['axe-core', 'msw/browser', 'vitest-browser-react'] },
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
