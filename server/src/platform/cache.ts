import { fileURLToPath } from 'node:url';

/** Directory of what the build prepares and any process may make again: beside the installed packages, gone with them. */
export const cacheDirectory = fileURLToPath(new URL('../../../node_modules/.cache/dokima/', import.meta.url));
