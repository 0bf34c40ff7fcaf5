import { defineConfig } from '@playwright/test';
import base from './playwright.config.ts';

/** The pictures of the README, written to docs/pictures: `make pictures`. */
export default defineConfig({ ...base, testDir: 'pictures', workers: 1 });
