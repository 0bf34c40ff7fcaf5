import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * What a page shows before its scripts and styles have come, which takes seconds on a slow line: logo and name in the colors
 * that the person has chosen. It stands in the document itself, goes when the app has drawn something, and moves nothing.
 */

const STYLE = `
      #shell {
        position: fixed;
        z-index: 1000;
        inset: 0;
        display: grid;
        grid-template-rows: auto 1fr;
        background: #f6f8f8;
        color: #1b2326;
        font: 600 1.25rem/1.75rem system-ui, -apple-system, 'Segoe UI', sans-serif;
      }
      #shell > p {
        margin: 0;
        padding: 8px 16px;
        border-bottom: 1px solid #dce3e4;
        background: #fff;
        font-size: 0.9375rem;
        line-height: 1.375rem;
        text-align: center;
      }
      #shell > div {
        display: grid;
        grid-row: 2;
        gap: 12px;
        place-content: center;
        place-items: center;
      }
      #shell i {
        display: none;
        overflow: hidden;
        width: 96px;
        height: 3px;
        border-radius: 2px;
        background: #dce3e4;
      }
      [data-mantine-color-scheme] #shell i {
        display: block;
      }
      #shell i::before {
        display: block;
        width: 40%;
        height: 100%;
        animation: shell 1.2s infinite alternate ease-in-out;
        background: #0b6e6e;
        content: '';
      }
      @keyframes shell {
        to {
          transform: translateX(150%);
        }
      }
      @media (prefers-reduced-motion: reduce) {
        #shell i::before {
          animation: none;
        }
      }
      [data-mantine-color-scheme='dark'] #shell {
        background: #15191b;
        color: #d5dadb;
      }
      [data-mantine-color-scheme='dark'] #shell > p {
        border-color: #323c3f;
        background: #1d2426;
      }
      [data-mantine-color-scheme='dark'] #shell i {
        background: #323c3f;
      }
      [data-mantine-color-scheme='dark'] #shell i::before {
        background: #78d9d3;
      }
      :root:lang(es) #shell [lang='en'],
      :root:not(:lang(es)) #shell [lang='es'] {
        display: none;
      }
    `;

/** Before the first paint, so that a dark page never flashes white. The keys are those of lib/preferences.ts. */
const FIRST = `
      const root = document.documentElement;
      let scheme, language;
      try {
        scheme = localStorage.getItem('berth.colorScheme');
        language = localStorage.getItem('berth.language');
      } catch {
        // Where storage is forbidden, the system decides.
      }
      const isDark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
      root.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
      const readsEnglish = navigator.languages.some((one) => one.startsWith('en'));
      root.lang = /^e[ns]$/.test(language) ? language : readsEnglish || !navigator.language.startsWith('es') ? 'en' : 'es';
    `;

/**
 * The sheets have come when this runs. A copy goes to the head, where those of the routes follow it and have the last word.
 * The kit writes its style elements into the root first, and what the person sees after them.
 */
const LAST = `
      for (const sheet of document.querySelectorAll('body > link')) {
        const copy = sheet.cloneNode();
        copy.onload = () => sheet.remove();
        document.head.append(copy);
      }
      new MutationObserver((_, observer) => {
        if (!document.querySelector('#root > :not(style)')) return;
        observer.disconnect();
        document.getElementById('shell').remove();
      }).observe(document.getElementById('root'), { childList: true });
    `;

const LOGO =
  '<svg width="48" height="48" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b6e6e" />' +
  '<path d="M7 9v14M7 19h18v4M25 19v-2a4 4 0 0 0-4-4h-8v6" fill="none" stroke="#fff" stroke-width="2.4" ' +
  'stroke-linecap="round" stroke-linejoin="round" /><circle cx="10.2" cy="15.2" r="1.9" fill="#fff" /></svg>';

/** The words of the page /find, which are those of its texts. */
const LANGUAGES = ['en', 'es'] as const;
const findTexts = (language: string) =>
  JSON.parse(
    readFileSync(fileURLToPath(new URL(`../src/i18n/locales/${language}/find.json`, import.meta.url)), 'utf8'),
  ) as { title: string; emergency: string };

/** A text of /find in each language; that of the page is shown. */
const inBoth = (name: 'title' | 'emergency') =>
  LANGUAGES.map((language) => `<span lang="${language}">${findTexts(language)[name]}</span>`).join('');

/** What the shell of a document shows: whom to call in an emergency on /find, and the name of the page. */
function shellOf(filename: string): string {
  const isFind = filename.endsWith('find.html');
  const notice = isFind ? `<p>${inBoth('emergency')}</p>` : '';
  return `<div id="shell" role="status">${notice}<div>${LOGO}<span>${isFind ? inBoth('title') : 'Berth'}</span><i></i></div></div>`;
}

/**
 * Puts the shell into the documents of the build, and their style sheets behind it: one above it would keep it from being
 * painted. Modules wait for the style sheets all the same, so that nothing is drawn without looks.
 */
export function pageShell(): Plugin {
  return {
    name: 'page-shell',
    transformIndexHtml: {
      order: 'post',
      handler(html, { filename }) {
        const place = '<div id="root"></div>';
        if (!html.includes(place)) return html;
        const nonce = ' nonce="__BERTH_CSP_NONCE__"';
        const sheets = html.match(/\s*<link rel="stylesheet"[^>]*>/g) ?? [];
        const first = `</title>\n    <script${nonce}>${FIRST}</script>\n    <style${nonce}>${STYLE}</style>`;
        // The kit writes the theme into the root: what comes later wins, so the sheets stand before it.
        const last = `${sheets.join('').trim()}\n    ${place}\n    <script${nonce}>${LAST}</script>`;
        return sheets
          .reduce((text, sheet) => text.replace(sheet, ''), html)
          .replace('</title>', () => first)
          .replace(place, () => `${shellOf(filename)}\n    ${last}`);
      },
    },
  };
}
