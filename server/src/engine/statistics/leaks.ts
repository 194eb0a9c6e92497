/** Finds testcases whose text stands in a prompt. */

/** Two texts do not share this many words in a row by chance. Brown et al. (2020), arXiv 2005.14165, appendix C, take 13 as well. */
const wordsInARow = 13;
/** Texts in more testcases than these are part of the testset's form. */
const mostShared = 3;
/** A shorter text stands in a prompt by chance. */
const shortest = { words: 5, characters: 25 };

/** A text that testcases should not stand in, such as a version of a prompt. */
export type Prompt = { name: string; text: string; systemId?: string | null; metricId?: string | null };
/** The texts of a testcase: its inputs, and its key. */
export type CaseTexts = { inputs: string; key: string };
export type Leak = { of: 'inputs' | 'key'; prompt: Prompt; quote: string };

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Each run of words of a text; a text that is shorter, but long enough, is one run. */
const rowsOf = (words: readonly string[]): string[] => {
  if (words.length >= wordsInARow)
    return Array.from({ length: words.length - wordsInARow + 1 }, (_, i) =>
      words.slice(i, i + wordsInARow).join(' '),
    );
  const all = words.join(' ');
  return words.length >= shortest.words && all.length >= shortest.characters ? [all] : [];
};

type Known = { rows: Map<string, Prompt>; texts: { prompt: Prompt; text: string }[] };

const promptRows = (prompts: readonly Prompt[]): Known => {
  const rows = new Map<string, Prompt>();
  const texts = prompts.map((prompt) => {
    const words = wordsOf(prompt.text);
    for (const row of rowsOf(words)) if (!rows.has(row)) rows.set(row, prompt);
    return { prompt, text: ` ${words.join(' ')} ` };
  });
  return { rows, texts };
};

/** Returns for each testcase where a text of it stands in a prompt, or null. Texts that several testcases share do not count. */
export const findLeaks = (cases: readonly CaseTexts[], prompts: readonly Prompt[]): (Leak | null)[] => {
  if (prompts.length === 0) return cases.map(() => null);
  const { rows, texts } = promptRows(prompts);
  const standsIn = (row: string): Prompt | undefined =>
    rows.get(row) ??
    (row.split(' ').length < wordsInARow
      ? texts.find(({ text }) => text.includes(` ${row} `))?.prompt
      : undefined);
  const found = cases.map((texts) =>
    (['inputs', 'key'] as const).flatMap((of) =>
      rowsOf(wordsOf(texts[of])).flatMap((quote): Leak[] => {
        const prompt = standsIn(quote);
        return prompt === undefined ? [] : [{ of, prompt, quote }];
      }),
    ),
  );
  const shared = new Map<string, number>();
  for (const leaks of found)
    for (const quote of new Set(leaks.map(({ quote }) => quote)))
      shared.set(quote, (shared.get(quote) ?? 0) + 1);
  return found.map((leaks) => leaks.find(({ quote }) => shared.get(quote)! <= mostShared) ?? null);
};
