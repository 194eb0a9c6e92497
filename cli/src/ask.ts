import { createInterface } from 'node:readline';
import type { Context } from './command.ts';

/** Asks a person at the terminal. */
export type Prompt = {
  /** Asks until one of the choices is given, by its first letter or more of it; an empty line is the last choice. */
  choose: <T extends string>(question: string, choices: readonly [T, ...T[]]) => Promise<T>;
  close: () => void;
};

/** Nothing where nobody can answer: no terminal, or programs read what is said. */
export const openPrompt = ({ stdin, out, signal }: Context): Prompt | undefined => {
  if (!stdin.isTTY || out.json) return undefined;
  // Not as a terminal: then Ctrl-C would be a character of the line, not a signal.
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
