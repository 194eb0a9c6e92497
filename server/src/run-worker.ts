import { loadPrograms } from './load-programs.ts';

const { work } = await loadPrograms();
await work();
