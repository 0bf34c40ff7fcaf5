import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { pageShell } from './scripts/page-shell.ts';

/**
 * The public page /find as a build of its own, written beside the app's: the two share no chunk, so neither makes the other
 * heavier, and nothing of the signed-in app reaches the public.
 */
export default defineConfig({
  plugins: [react(), pageShell()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  html: { cspNonce: '__BERTH_CSP_NONCE__' },
  publicDir: false,
  build: {
    emptyOutDir: false,
    manifest: '.vite/find.json',
    modulePreload: { polyfill: false },
    target: 'es2023',
    assetsInlineLimit: 0,
    // One file for the whole page, which a phone loads at once; its budget is that of bundle-budget.mjs.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: 'find.html',
      output: {
        entryFileNames: 'assets/find-[hash:8].js',
        chunkFileNames: 'assets/[hash:8].js',
        assetFileNames: 'assets/[hash:8][extname]',
      },
    },
  },
});
