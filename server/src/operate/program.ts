import type { Totals } from './lines.ts';

/** Writes a line for the operator. Standard output may be the backup itself. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Returns the totals in words. */
export const totalsText = ({ rows, attachments, missing = 0 }: Totals): string => {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const lost = missing > 0 ? `. The bytes of ${missing} more attachments are missing in the store` : '';
  return `${all} rows, among them ${rows.organization} organizations, ${rows.project} projects and ${rows.record} records, and ${attachments} attachments${lost}`;
};

/** Runs a program of the operator with its arguments. An error becomes a sentence and the exit code 1. */
export const runProgram = (program: (words: string[]) => Promise<void>): void => {
  program(process.argv.slice(2)).catch((error: Error) => {
    say(`dokima: ${error.message}`);
    process.exitCode = 1;
  });
};
