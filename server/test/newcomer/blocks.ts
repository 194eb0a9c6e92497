/** A fenced block of a page. */
export type Block = {
  page: string;
  /** Line of its fence. */
  line: number;
  language: string;
  text: string;
  /** What a newcomer does with it. */
  kind: 'run' | 'file' | 'output' | 'request' | 'value' | 'metric' | 'text' | 'marked';
  /** `file`: where to save it. `marked`: why it is not meant to run. */
  note: string;
};

const shells = ['sh', 'bash', 'console'];
const programs = [...shells, 'python', 'js', 'ts'];

/** Returns the kind of a block. The words after the language decide: `no-run: reason`, `output`, or the name of a file. */
const kindOf = (language: string, words: string, text: string): Pick<Block, 'kind' | 'note'> => {
  const marked = /^no-run: (.+)$/.exec(words);
  if (marked) return { kind: 'marked', note: marked[1]! };
  if (words === 'output') return { kind: 'output', note: '' };
  if (words) return { kind: 'file', note: words };
  // The code of a metric begins with a record and its score: docs/code-metrics.md.
  if (/^(\/\/|#) \{.*\} -> /.test(text)) return { kind: 'metric', note: '' };
  if (programs.includes(language)) return { kind: 'run', note: '' };
  if (language === 'http') return { kind: 'request', note: '' };
  return { kind: ['json', 'yaml'].includes(language) ? 'value' : 'text', note: '' };
};

/** Returns the fenced blocks of a page, in order. */
export const blocksOf = (page: string, markdown: string): Block[] => {
  const blocks: Block[] = [];
  for (const match of markdown.matchAll(/^( *)```(\w*) ?(.*)\n([\s\S]*?)^ *```$/gm)) {
    const [, indent, language = '', words = '', body = ''] = match;
    const text = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const line = markdown.slice(0, match.index).split('\n').length;
    blocks.push({ page, line, language, text, ...kindOf(language, words.trim(), text) });
  }
  return blocks;
};

/** Separates what the blocks of a page print. No page prints it. */
const boundary = '\u001e';
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns the blocks of a page as one shell script, as a reader runs them: in one terminal, from top to bottom. Python blocks with
 * none of another kind between them are one program. Each block first prints its number, so that `outputsOf` finds what it printed.
 */
export const scriptOf = (blocks: Block[]): string => {
  const lines = ['set -eu'];
  const announce = (n: number) => lines.push(`printf '\\n${boundary}${n}\\n'`);
  let python: string[] = [];
  const endPython = () => {
    if (python.length > 0) lines.push(`python3 -u -c ${quote(python.join('\n'))}`);
    python = [];
  };
  for (const [n, { kind, language, text, note }] of blocks.entries()) {
    if (kind === 'file') {
      endPython();
      lines.push(`mkdir -p "$(dirname ${quote(note)})"`, `printf %s ${quote(text)} > ${quote(note)}`);
    }
    if (kind !== 'run') continue;
    if (language === 'python') {
      python.push(`print('\\n${boundary}${n}')\n${text}`);
      continue;
    }
    endPython();
    announce(n);
    if (language === 'console') lines.push(text.replaceAll(/^\$ /gm, ''));
    else if (shells.includes(language)) lines.push(text);
    else {
      const file = `block-${n}.m${language}`;
      lines.push(`printf %s ${quote(text)} > ${file}`, `node ${file}`);
    }
  }
  endPython();
  return lines.join('\n');
};

/** Returns what each block printed, by its number. */
export const outputsOf = (printed: string): Map<number, string> =>
  new Map(
    printed
      .split(`\n${boundary}`)
      .slice(1)
      .map((part) => [Number.parseInt(part, 10), part.slice(part.indexOf('\n') + 1)]),
  );

/** Whether lines that a page shows are what was printed, in order. `…` stands for any text. */
export const shows = (shown: string, printed: string): boolean => {
  const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const lines = shown.trimEnd().split('\n');
  const pattern = lines.map((line) => literal(line.trim()).replaceAll('…', '.*').replaceAll(/ +/g, ' +'));
  return new RegExp(pattern.join('\\s*\\n(?:.*\\n)*?\\s*')).test(printed);
};
