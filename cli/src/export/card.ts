import type { RunSummary } from '../../../client/src/main.ts';
import { countOf, intervalText, percent } from '../figures.ts';
import { inOneLine } from '../output.ts';

export type CardFacts = {
  name: string;
  license: string | undefined;
  path: string;
  numRecords: number;
  columns: { name: string; type: string }[];
  /** The rates of a run; absent for records of a search. */
  summary: RunSummary | undefined;
  search: string | undefined;
};

/** The classes of sizes of the Hub, each up to its number of rows. */
const sizes: [number, string][] = [
  [1e3, 'n<1K'],
  [1e4, '1K<n<10K'],
  [1e5, '10K<n<100K'],
  [1e6, '100K<n<1M'],
  [1e7, '1M<n<10M'],
];
const sizeOf = (n: number): string => sizes.find(([most]) => n < most)?.[1] ?? 'n>10M';

const cell = (text: string): string => inOneLine(text).replaceAll('|', '\\|');

const rows = (head: string[], body: string[][]): string[] =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.map(cell).join(' | ')} |`);

/** Writes the card of a dataset of records: what it holds, and what its rates are, with their intervals. */
export const cardOf = ({ name, license, path, numRecords, columns, summary, search }: CardFacts): string => {
  const front = [
    '---',
    ...(license === undefined ? [] : [`license: ${JSON.stringify(license)}`]),
    'tags: [evaluation, dokima]',
    `size_categories: [${sizeOf(numRecords)}]`,
    'configs:',
    '  - config_name: default',
    `    data_files: [{split: test, path: ${JSON.stringify(path)}}]`,
    '---',
  ];
  const metrics = summary?.metrics ?? [];
  const isJudged = metrics.some(({ judge }) => judge);
  const table = rows(
    ['metric', 'pass rate', '95 % interval', 'n', 'scored', 'missing', ...(isJudged ? ['judge'] : [])],
    metrics.map(({ metricName, passRate, states, judge }) => [
      metricName,
      percent(passRate.estimate),
      intervalText(passRate.interval, percent),
      `${passRate.n}`,
      `${states.scored}`,
      `${states.pending + states.unscored + states.failed}`,
      ...(isJudged ? [judge?.trust ?? ''] : []),
    ]),
  );
  const parts = [
    `# ${inOneLine(name)}`,
    `${countOf(numRecords, 'record')} of an evaluation, exported by Dokima${search === undefined ? '' : ` with the search \`${inOneLine(search)}\``}. A row is an answer of the system with its scores.`,
    ...(metrics.length > 0
      ? [
          '## Metrics',
          table.join('\n'),
          'n counts testcases: trials of one are averaged first. A missing score is no failure: it counts nowhere.',
        ]
      : []),
    '## Columns',
    rows(
      ['column', 'type'],
      columns.map((column) => [column.name, column.type]),
    ).join('\n'),
  ];
  return `${front.join('\n')}\n\n${parts.join('\n\n')}\n`;
};
