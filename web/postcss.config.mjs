import { readFileSync } from 'node:fs';

/** Named widths in CSS pixels: where the next larger layout begins. 1128 px is that of spec A section 9. */
const widths = JSON.parse(readFileSync(new URL('./src/lib/breakpoints.json', import.meta.url), 'utf8'));

/** The width in em, so that larger letters need a wider window. Any other fails the build. */
function em(name, less = 0) {
  if (!(name in widths)) throw new Error(`No width is called ${name}: see src/lib/breakpoints.json`);
  return `${(widths[name] - less) / 16}em`;
}

/** The first two are the kit's mixins of these names, for named widths. */
const mixins = {
  'smaller-than': (_mixin, name) => ({ [`@media (max-width: ${em(name, 0.1)})`]: { '@mixin-content': {} } }),
  'larger-than': (_mixin, name) => ({ [`@media (min-width: ${em(name)})`]: { '@mixin-content': {} } }),
  /** Text of two lines at most; what is longer ends in "…". */
  'two-lines': {
    display: '-webkit-box',
    overflow: 'hidden',
    '-webkit-box-orient': 'vertical',
    '-webkit-line-clamp': '2',
    'line-clamp': '2',
    'overflow-wrap': 'anywhere',
  },
};

export default { plugins: { 'postcss-preset-mantine': { mixins } } };
