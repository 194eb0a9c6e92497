/** Computes the numbers of a decision's file again, without a service. Prints them as JSON. Usage: node recompute.ts FILE. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { recompute } from '../agents/decision-file/recompute.ts';

const [path = '-'] = process.argv.slice(2);
const given = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8');
process.stdout.write(JSON.stringify(await recompute(JSON.parse(given))));
