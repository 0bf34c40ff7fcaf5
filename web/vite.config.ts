import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { chromiumLaunchOptions } from './scripts/chromium.mjs';
import { pageShell } from './scripts/page-shell.ts';

const server = process.env.BERTH_DEV_SERVER ?? 'http://127.0.0.1:8080';

/** What every page uses of the framework. The parts named first load with the signed-in screens that use them. */
const FRAMEWORK =
  /node_modules\/(?!.*(useBlocker|useCanGoBack|useInfiniteQuery|infiniteQueryObserver|useIsFetching)\.js)(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|react-store|store|react-query|query-core)|i18next|react-i18next|openapi-fetch|use-sync-external-store|clsx)\//;

/** Modules of packages below node_modules. */
const packages = (...paths: string[]) => new RegExp(`node_modules/(${paths.join('|')})`);
const MANTINE = '@mantine/core/esm';

/** What a form on a sign-in page is made of: no dialog, menu or tooltip, since its budget is the smallest (guide web 15). */
const KIT = packages(
  `${MANTINE}/core/(MantineProvider|utils/noop)/`,
  `${MANTINE}/components/(ActionIcon|Alert|Anchor|Checkbox|CloseButton|Input|InputBase|PasswordInput|TextInput)/`,
  'lucide-react/dist/esm/(?!icons/(?!circle-exclamation-point|languages|moon|sun))',
);
const SIGN_IN =
  /src\/(components\/submit-button|features\/(auth\/(use-auth-|components\/(auth-layout|auth\.module))|shell\/components\/(public-frame|footer|logo|moved-banner|preference-buttons|shell\.module)))/;

/** What a form on a sign-in page has of our own beside the page around it. */
const SIGN_IN_FORM =
  /src\/features\/(auth\/(schema|api\/(code|sign-in)\.|ui\/(form-error|use-auth-error)|use-countdown)|legal\/ui\/agreement-checkbox)/;

/** What lies over a page. The frame of the signed-in screens has a drawer, a dialog and menus itself. */
const OVERLAYS = packages(
  `${MANTINE}/components/(Badge|Drawer|Menu|Modal|ModalBase|Popover|ScrollArea|Tooltip)/`,
  '@mantine/notifications/esm/notifications\\.store',
  '@mantine/hooks/esm/use-disclosure/',
);

/** What all selects of the kit share, the browser's own one too. */
const OPTIONS = packages(`${MANTINE}/components/Combobox/(Combobox\\.module|ComboboxChevron|get-parsed-combobox-data)`);

/** What nearly every signed-in screen has of our own, the frame around it too; the sign-in has none of it. */
const SCREENS =
  /src\/(pages\/signed-in-layout|api\/ask-until-known|access\/use-user|i18n\/text-key|components\/(form\/use-unsaved-guard|popup-menu|toast|reason-tooltip|refusal|use-catalog-names|dialog\/(confirm-dialog|stay-here|not-opened|dialog(-context|-frame|-stack)?)\.tsx?|page-header)|features\/(account\/api\/session|shell\/components\/(account-links|help-menu))|features\/guests\/api\/(guest-commands|open-commands)|features\/tour\/ui\/use-explain-page|lib\/time\.)/;

/** What forms that save a record have of our own. */
const FORMS = /src\/(api\/field-errors|components\/form\/(changed-fields|use-held-fields|use-record)\.)/;

/** What a list shows that failed to load. Its icon would go with the guests, which have it, too. */
const ERROR_STATE = /src\/components\/error-state|lucide-react\/dist\/esm\/icons\/cloud-off/;

/** What every screen with guests shows of them: many small files, which would each be a request. */
const GUESTS =
  /src\/features\/guests\/(ui\/(command-(mark|wait)|guest-facts\.(utils|module)|hold(-left|\.utils)|use-changed-by)|api\/(use-(site-guests|when-hold-ends)|with-guest))/;

/** What Today and the screens with guests do and say, where it is short. */
const STAYS =
  /src\/(features\/(guests\/(ui\/(guest-name|use-place-guest|known-time-zone|use-refusal-text|use-placed-text)|api\/(use-undo-decision|own-arrivals|use-arrive|update-guest))|houses\/ui\/(bed-tile\.utils|use-bed-texts)|reservations\/(reservations\.utils|use-guest-place|ui\/new-reservations))|lib\/new-rows|components\/use-new-rows)/;

/** What the screens of a site show of its houses and beds. */
const HOUSES =
  /src\/(components\/counts|features\/houses\/ui\/(bed-tile\.(tsx|module)|beds\.utils|use-placement-rules|meant-for|use-meant-for|house-jump|use-compact-beds))/;

/** Short modules of most screens with a list. */
const LISTS =
  /src\/(access\/views|components\/(breakable|contact-link|empty-state|use-change-search|use-is-shown)|pages\/use-site-search|lib\/breakpoints)/;

/** What a table with a search needs beside the table itself. */
const TABLES = /src\/components\/(search-input|data-table\/use-table-look)/;

/**
 * Tests that make their tab a touch screen (`testing/touch.ts`), in a browser of their own: Chromium goes on saying that nothing
 * can hover there, and tests of other files that run in the tab afterwards would be on a phone.
 */
const TOUCH_TESTS = [
  'src/app/touch.browser.test.tsx',
  'src/components/contact-link.browser.test.tsx',
  'src/features/bed-board/components/move-handle.browser.test.tsx',
];

const VIEWPORT = { width: 1360, height: 900 };

const browserTestDependencies = [
  '@dnd-kit/core',
  '@hookform/resolvers/zod',
  '@mantine/core',
  '@mantine/hooks',
  '@mantine/notifications',
  '@stripe/react-stripe-js',
  '@stripe/stripe-js/pure',
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
  'react-number-format',
  'react/jsx-dev-runtime',
  'react/jsx-runtime',
  'vitest-browser-react',
  'zod/mini',
];

/** A picture of one pixel in place of every uploaded one: where none came, its placeholder would, sooner or later. */
const picturesOfTests: Plugin = {
  name: 'pictures-of-tests',
  configureServer({ middlewares }) {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mOo6FkAAAMkAaWUiIv5AAAAAElFTkSuQmCC';
    middlewares.use((request, response, next) => {
      const isUploaded =
        request.headers['sec-fetch-dest'] === 'image' && !/^\/(src|node_modules|@)/.test(request.url ?? '');
      if (!isUploaded) return next();
      response.setHeader('Content-Type', 'image/png').end(Buffer.from(pixel, 'base64'));
    });
  },
};

/** In development the public page has the address that the server gives it. */
const publicPage: Plugin = {
  name: 'public-page',
  configureServer({ middlewares }) {
    middlewares.use((request, _, next) => {
      if (request.url?.split('?')[0] === '/find') request.url = '/find.html';
      next();
    });
  },
};

export default defineConfig({
  plugins: [
    publicPage,
    tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single' }),
    react(),
    pageShell(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The server puts a fresh nonce here in each answer (guide web, section 12).
  html: { cspNonce: '__BERTH_CSP_NONCE__' },
  build: {
    manifest: true,
    // Every browser of the target knows `modulepreload`.
    modulePreload: { polyfill: false },
    target: 'es2023',
    // Small files stay files: `data:` addresses would need an entry in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Every name stands in the entry's list of what each route loads: short ones keep the sign-in light.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
        // What many pages need stands in few files: they compress better than thirty and change seldom. Each group is
        // named by its modules, not by how many routes share them: a new route must not make the sign-in heavier.
        codeSplitting: {
          groups: [
            { name: 'framework', test: FRAMEWORK, priority: 6 },
            { name: 'base', tags: ['$initial'], test: /^(?!.*(main\.tsx|index\.html))/, priority: 5 },
            { name: 'kit', test: KIT, priority: 4 },
            { name: 'overlays', test: OVERLAYS, priority: 3 },
            { name: 'sign-in', test: SIGN_IN, priority: 2 },
            { name: 'sign-in-form', test: SIGN_IN_FORM, priority: 2 },
            { name: 'options', test: OPTIONS, priority: 3 },
            { name: 'screens', test: SCREENS, priority: 2 },
            { name: 'error-state', test: ERROR_STATE, priority: 2 },
            { name: 'forms', test: FORMS, priority: 2 },
            { name: 'guests', test: GUESTS, priority: 1 },
            { name: 'stays', test: STAYS, priority: 1 },
            { name: 'houses', test: HOUSES, priority: 1 },
            { name: 'lists', test: LISTS, priority: 1 },
            { name: 'tables', test: TABLES, priority: 1 },
            { name: 'icons', test: packages('lucide-react/'), minShareCount: 8, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    // The stand-in of Stripe.js, which the server serves and our tests import.
    fs: { allow: ['.', '../crates/stripe/src/sandbox'] },
    proxy: Object.fromEntries(
      ['/api', '/connect', '/files', '/dev'].map((path) => [path, { target: server, changeOrigin: false }]),
    ),
  },
  test: {
    // Vitest leaves a core free. Of two cores that would leave one: one test file after another.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: { name: 'unit', environment: 'node', include: ['src/**/*.test.ts'] },
      },
      {
        extends: true,
        plugins: [picturesOfTests],
        // All of them before the first test: a dependency found late makes Vite reload the page in the middle of a test.
        optimizeDeps: { include: browserTestDependencies },
        test: {
          name: 'browser',
          include: ['src/**/*.browser.test.tsx'],
          setupFiles: ['src/testing/browser-setup.ts'],
          // What is looked for appears at once on a quiet machine; on a crowded one the wait ends nothing that works.
          testTimeout: 60_000,
          // A test that needs a second try is a bug.
          retry: 0,
          expect: { poll: { timeout: 10_000 } },
          browser: {
            enabled: true,
            headless: true,
            // Only tests need a browser: building the web app must not ask for one.
            provider: playwright({ launchOptions: process.env.VITEST ? chromiumLaunchOptions() : {} }),
            instances: [
              { browser: 'chromium', viewport: VIEWPORT, exclude: TOUCH_TESTS },
              { browser: 'chromium', viewport: VIEWPORT, include: TOUCH_TESTS, name: 'touch' },
            ],
            screenshotFailures: false,
          },
        },
      },
    ],
  },
});
