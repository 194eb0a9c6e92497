// In JavaScript, with what it imports: Node takes a tenth of a start to begin to read TypeScript, and the bundle needs none.
import { loadPrograms } from './load-programs.js';

const { serve } = await loadPrograms();
await serve();
