import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// What is compiled at the first start need not be again. Before anything else is loaded, hence the import below it.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/dokima/compiled', import.meta.url)));
await import('./start.ts');
