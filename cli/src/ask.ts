import { createInterface } from 'node:readline';
import type { Context, Values } from './command.ts';
import { CliError } from './errors.ts';

/** Asks the person at the terminal. */
export type Prompt = {
  /** Repeats the question until the answer is the beginning of a choice. An empty line selects the last choice. */
  choose: <T extends string>(question: string, choices: readonly [T, ...T[]]) => Promise<T>;
  close: () => void;
};

/** Returns undefined if no one can answer: stdin is not a terminal, or a program reads the output (`--json`). */
export const openPrompt = ({ stdin, out, signal }: Context): Prompt | undefined => {
  if (!stdin.isTTY || out.json) return undefined;
  // In terminal mode readline takes Ctrl-C as a character, so the process would get no signal.
  const reader = createInterface({ input: stdin, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  return {
    choose: async (question, choices) => {
      const last = choices.at(-1)!;
      for (;;) {
        signal.throwIfAborted();
        out.note(`${question} [${choices.join('/')}; Enter: ${last}]`);
        const { value, done } = await Promise.race([lines.next(), aborted]);
        const answer = done ? '' : value.trim().toLowerCase();
        if (answer === '') return last;
        const chosen = choices.find((choice) => choice.startsWith(answer));
        if (chosen) return chosen;
      }
    },
    close: () => reader.close(),
  };
};

/** Asks whether to start, after showing the cost. */
export const isConfirmed = async (context: Context, values: Values): Promise<boolean> => {
  if (values.flag('yes')) return true;
  const prompt = openPrompt(context);
  if (!prompt)
    throw new CliError('Nothing was started.', 'Read the cost above, and repeat the command with --yes.');
  try {
    return (await prompt.choose('Start?', ['yes', 'no'])) === 'yes';
  } finally {
    prompt.close();
  }
};
