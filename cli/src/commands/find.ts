import type { RecordDetail, Trace } from '../../../client/src/main.ts';
import { valueOfScore } from '../../../client/src/score-value.ts';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { countOf } from '../figures.ts';
import { table } from '../output.ts';

const longest = 60;
const oneLine = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
};
const scoresText = ({ scoreStates }: Pick<RecordDetail, 'scoreStates'>): string =>
  scoreStates
    .map(({ metricName, state, passed, score }) => {
      const word = state === 'scored' ? (passed ? 'pass' : 'fail') : state;
      const label = state === 'scored' ? valueOfScore(score) : undefined;
      return `${metricName}: ${typeof label === 'string' ? `${label} (${word})` : word}`;
    })
    .join(', ');
const seconds = (ms: number | null | undefined): string => (ms == null ? '' : `${(ms / 1_000).toFixed(2)} s`);

const recordRow = (record: RecordDetail) => [
  record.id,
  oneLine(record.inputs),
  oneLine(record.outputs),
  scoresText(record),
  seconds(record.measures?.latencyMs),
];
const traceRow = (trace: Trace) => [
  trace.traceId,
  oneLine(trace.input ?? trace.name ?? ''),
  oneLine(trace.output ?? ''),
  scoresText(trace),
  seconds(trace.durationMs),
];

export const find: Command = {
  name: 'find',
  takes: 'SEARCH',
  summary: 'List the records, or the traces, that a search finds.',
  about: 'The search is written as in the search field of the pages; see docs/searching.md.',
  options: {
    ...projectOption,
    traces: { type: 'boolean', about: 'List traces in place of records.' },
    limit: { type: 'string', value: 'N', about: 'Maximum number of items, 1 to 100. Default 20.' },
  },
  examples: [
    "dokima find 'score.Accuracy:<0.5 sort:-latency'",
    "dokima find 'error:yes cost:>0.01' --traces",
  ],
  run: async ({ out, client }, args, values) => {
    const [q] = takeArguments('find', args, 'The search') as [string];
    const projectId = values.required('project');
    const limit = values.count('limit', 20);
    const query = { q, limit };
    const api = await client();
    const isTraces = values.flag('traces');
    const page = isTraces
      ? await api.listTraces(projectId, query)
      : await api.listProjectRecords(projectId, query);
    const rows = isTraces
      ? (page.data as Trace[]).map(traceRow)
      : (page.data as RecordDetail[]).map(recordRow);
    const more = page.hasMore ? ', and there are more' : '';
    out.result(
      `${table([isTraces ? 'trace' : 'record', 'input', 'output', 'scores', 'latency'], rows)}\n\n` +
        `${countOf(rows.length, isTraces ? 'trace' : 'record')}${more}`,
      page,
    );
    return exit.pass;
  },
};
