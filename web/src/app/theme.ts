import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { ButtonElement } from '@/components/button-element';

const brand: MantineColorsTuple = [
  '#e6fbfa',
  '#d3f3f1',
  '#a7e6e2',
  '#78d9d3',
  '#52cec6',
  '#3ac7be',
  '#0f8c86',
  '#0b7a75',
  '#0b6e6e',
  '#005652',
];

/** Cool neutrals: the dark scheme is drawn with them, not inverted. 0 is text, 7 the page, 6 a card. */
const dark: MantineColorsTuple = [
  '#d5dadb',
  '#b8b8b8',
  '#8b9496',
  '#5b6568',
  '#394346',
  '#2a3336',
  '#1d2426',
  '#15191b',
  '#101415',
  '#0a0d0e',
];

/** Reduced-motion is honoured and nothing moves longer than 150 ms (DESIGN section 10). */
const transition = { duration: 120 };

/** The looks of the product: guide web section 12, DESIGN section 10. */
export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: 8,
  colors: { brand, dark },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontSizes: { xs: '0.8125rem', sm: '0.9375rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.4667', md: '1.4667', lg: '1.5', xl: '1.4' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { sm: '6px', md: '8px', lg: '12px' },
  defaultRadius: 'md',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '2rem' },
      h2: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.5rem' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusClassName: 'berth-focus',
  // Plain objects instead of `Component.extend`: a theme that imports the kit's components would put them into the entry chunk.
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'lg' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 } },
    Button: { defaultProps: { fw: 600, component: ButtonElement } },
    Card: { defaultProps: { withBorder: true, padding: 'lg' } },
    Drawer: { defaultProps: { transitionProps: transition } },
    // The kit's invisible first element inside a menu is no menu item, which screen readers are told to expect.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { transitionProps: transition, centered: true } },
    NativeSelect: { defaultProps: { size: 'md' } },
    Notification: { defaultProps: { withBorder: true } },
    NumberInput: { defaultProps: { size: 'md' } },
    Checkbox: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md', visibilityToggleFocusable: true } },
    Select: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: { size: 'md' } },
    Tooltip: {
      defaultProps: { withArrow: true, multiline: true, maw: 320, events: { hover: true, focus: true, touch: true } },
    },
  },
});

/** Colours with enough contrast where the kit's own have too little (measured, guide web section 12). */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f6f8f8',
    '--mantine-color-text': '#1b2326',
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#646c74',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-green-light-color': '#1b6b2c',
    '--mantine-color-yellow-light-color': '#7a5200',
    '--mantine-color-gray-light-color': '#495057',
    '--mantine-color-red-light-color': '#a51111',
    '--mantine-color-anchor': 'var(--mantine-color-brand-8)',
    '--berth-focus': 'var(--mantine-color-brand-8)',
    '--berth-surface': '#ffffff',
    '--berth-surface-raised': '#ffffff',
    '--berth-surface-sunken': '#eef2f2',
    '--berth-border': '#dce3e4',
    '--berth-border-strong': '#8a9699',
    '--berth-hover': '#f0f5f5',
    '--berth-banner': '#ffe58a',
    '--berth-banner-text': '#3d2f00',
    '--berth-vacant': '#0b6e6e',
    '--berth-vacant-surface': '#e6f6f4',
    '--berth-pending': '#7a5200',
    '--berth-pending-surface': '#fff4d6',
    '--berth-occupied': '#33475b',
    '--berth-occupied-surface': '#e8edf2',
    '--berth-disabled': '#5c636a',
    '--berth-disabled-surface': '#eceeef',
  },
  // Page and text are 7 and 0 of the neutrals, as the kit has it.
  dark: {
    '--mantine-color-dimmed': '#b8b8b8',
    '--mantine-color-placeholder': '#b8b8b8',
    '--mantine-color-error': '#ffa8a8',
    '--mantine-color-anchor': 'var(--mantine-color-brand-3)',
    '--berth-focus': 'var(--mantine-color-brand-4)',
    '--berth-surface': '#1d2426',
    '--berth-surface-raised': '#242c2f',
    '--berth-surface-sunken': '#101415',
    '--berth-border': '#323c3f',
    '--berth-border-strong': '#76848a',
    '--berth-hover': '#242d30',
    '--berth-banner': '#4a3b07',
    '--berth-banner-text': '#ffe9a6',
    '--berth-vacant': '#78d9d3',
    '--berth-vacant-surface': '#12302f',
    '--berth-pending': '#ffd97a',
    '--berth-pending-surface': '#35290a',
    '--berth-occupied': '#b9cbdd',
    '--berth-occupied-surface': '#222e39',
    '--berth-disabled': '#a6afb2',
    '--berth-disabled-surface': '#23282a',
  },
});
