import { findBundle } from './bundle.js';
import { prepareEmbedded } from './db/prepare-embedded.ts';
import { makeBundle } from './make-bundle.ts';

// Run after an install: what would otherwise be waited for at the first start, or at each.
const bundled = (findBundle() ? Promise.resolve() : makeBundle()).catch((error: Error) => {
  process.stderr.write(`No bundle was made; the service works, and starts slower. ${error.message}\n`);
});
await Promise.all([prepareEmbedded(), bundled]);
