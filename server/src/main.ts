import { loadPrograms } from './load-programs.ts';

const { serve } = await loadPrograms();
await serve();
