import { prepareEmbedded } from './db/prepare-embedded.ts';
import { bundleTypeBox } from './typebox-bundle.ts';

// Run after an install: what would otherwise be waited for at the first start, or at each.
await Promise.all([prepareEmbedded(), bundleTypeBox()]);
