import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { loadTypeBoxBundled } from './typebox-bundle.ts';

// What is compiled at the first start need not be again. Before anything else is loaded, hence the import below it.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/dokima/compiled', import.meta.url)));
loadTypeBoxBundled();
await import('./start.ts');
