import type { Totals } from './lines.ts';

/** Writes a line for the operator. Standard output may be the backup itself. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`);

const countOf = (n = 0, name: string): string => `${n} ${name}${n === 1 ? '' : 's'}`;

/** Returns the totals in words. */
export const totalsText = ({ rows, attachments, missing = 0 }: Totals): string => {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const lost =
    missing > 0 ? `. The bytes of ${countOf(missing, 'more attachment')} are missing in the store` : '';
  const named = [
    countOf(rows.organization, 'organization'),
    countOf(rows.project, 'project'),
    countOf(rows.record, 'record'),
  ];
  return `${countOf(all, 'row')}, among them ${named[0]}, ${named[1]} and ${named[2]}, and ${countOf(attachments, 'attachment')}${lost}`;
};

/** Runs a program of the operator with its arguments. An error becomes a sentence and the exit code 1. */
export const runProgram = (program: (words: string[]) => Promise<void>): void => {
  program(process.argv.slice(2)).catch((error: Error) => {
    say(`dokima: ${error.message}`);
    process.exitCode = 1;
  });
};
