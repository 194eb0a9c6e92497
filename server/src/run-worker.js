import { loadPrograms } from './load-programs.js';

const { work } = await loadPrograms();
await work();
