import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const systems = ['6b_finetuning', '6b_verification', '175b_finetuning', '175b_verification'] as const;
export type System = (typeof systems)[number];

/** One line of the data: a problem, its reference solution, and the answer of each system. */
export type Problem = { question: string; ground_truth: string } & Record<
  System,
  { solution: string; is_correct: boolean }
>;

/** The data in this folder. */
export const shippedData = fileURLToPath(new URL('./data/gsm8k-solutions.jsonl', import.meta.url));

export const readProblems = async (path: string = shippedData): Promise<Problem[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Problem);

/** Returns the text after the last `A:` of a solution, without commas; undefined if there is no `A:`. */
export const finalAnswer = (solution: string): string | undefined =>
  solution.split('A:').length > 1 ? solution.split('A:').at(-1)?.replaceAll(',', '').trim() : undefined;

export const mentionsMoney = ({ question }: Problem): boolean =>
  /\$|\b(dollars?|cents?|money|prices?|costs?|pays?|paid|earns?|spends?|spent)\b/i.test(question);
