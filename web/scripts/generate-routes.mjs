/** Writes src/routeTree.gen.ts from the files in src/routes, without starting Vite. */
import { Generator, getConfig } from '@tanstack/router-generator';

const root = process.cwd();
const config = getConfig({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single' }, root);
await new Generator({ config, root }).run();
