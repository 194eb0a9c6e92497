import { fileURLToPath } from 'node:url';

/** Directory for files that the build prepares and any process can make again, beside the installed packages. */
export const cacheDirectory = fileURLToPath(new URL('../../../node_modules/.cache/dokima/', import.meta.url));
