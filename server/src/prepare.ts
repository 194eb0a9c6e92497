import { prepareEmbedded } from './db/prepare-embedded.ts';
import { bundleTypeBox } from './typebox-bundle.ts';

// Run after an install: what would otherwise be waited for at the first start, or at each.
const bundled = bundleTypeBox().catch((error: Error) => {
  process.stderr.write(`TypeBox was not bundled; the service works, and starts slower. ${error.message}\n`);
});
await Promise.all([prepareEmbedded(), bundled]);
