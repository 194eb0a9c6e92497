import { writeSync } from 'node:fs';
import { makeImage } from './interpreter.ts';

let rest: Uint8Array = await makeImage();
while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
