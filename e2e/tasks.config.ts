import { defineConfig } from '@playwright/test';
import base from './playwright.config.ts';

/** Counts clicks, keys and seconds of everyday tasks on the demo and writes docs/tasks.md: `make tasks`. */
export default defineConfig({ ...base, testDir: 'tasks', projects: [{ name: 'tasks' }], workers: 1 });
