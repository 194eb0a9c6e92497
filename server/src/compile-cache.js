// Loaded with `node --import`, before the program: Node caches only the modules that are loaded after this call. JavaScript,
// because a start that finds everything in the cache need not load the compiler for TypeScript.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/dokima/compiled/', import.meta.url)));
