import type { SpanScore } from '../../../client/src/main.ts';
import { scoreSpan } from '../../../client/src/score-span.ts';
import { valueOfScore } from '../../../client/src/score-value.ts';
import { type Command, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';
import { madeByOption, readMadeBy } from '../made-by.ts';
import { table } from '../output.ts';

const valueText = ({ state, score }: Pick<SpanScore, 'state' | 'score'>): string =>
  state === 'scored' ? String(valueOfScore(score)) : state;

const row = (score: SpanScore): string[] => {
  const { spanId, metricName, state, passed, reason } = score;
  const said = (score.score as { reasoning?: unknown } | null)?.reasoning ?? reason ?? '';
  const verdict = state === 'scored' && passed !== null ? (passed ? 'pass' : 'fail') : '';
  return [spanId, metricName, valueText(score), verdict, String(said).replace(/\s+/g, ' ').slice(0, 80)];
};

const given = (recordId: string, values: Values) => {
  const [spanId, value, traceId, reasoning] = ['span', 'score', 'trace', 'reason'].map((name) =>
    values.text(name),
  );
  if (value === undefined && spanId === undefined) return undefined;
  const madeBy = readMadeBy(values);
  return {
    recordId,
    spanId: values.required('span'),
    value: values.required('score'),
    metricId: values.required('metric'),
    ...(traceId !== undefined && { traceId }),
    ...(reasoning !== undefined && { reasoning }),
    ...(madeBy !== undefined && { madeBy }),
  };
};

export const spans: Command = {
  name: 'spans',
  takes: 'RECORD',
  summary: "List the scores of a record's spans, or score one.",
  about:
    'Metrics with a search of spans give these scores; see docs/tracing.md. With --span and --score, the command stores a score of that span.',
  options: {
    metric: {
      type: 'string',
      short: 'm',
      value: 'ID',
      about: 'Only the scores of this metric; the metric of --score.',
    },
    span: { type: 'string', value: 'ID', about: 'Span to score, 16 hexadecimal digits.' },
    score: { type: 'string', value: 'VALUE', about: 'true, false, or a number.' },
    reason: { type: 'string', about: 'Reasoning of the score.' },
    ...madeByOption,
    trace: {
      type: 'string',
      value: 'ID',
      about: 'Trace of the span, if two traces of the record have its id.',
    },
  },
  examples: ['dokima spans 12-3', 'dokima spans 12-3 --metric 31 --span 00f067aa0ba902b7 --score false'],
  run: async ({ out, client: open }, args, values) => {
    const [recordId] = takeArguments('spans', args, 'The id of the record') as [string];
    const client = await open();
    const stored = given(recordId, values);
    if (stored) {
      const score = await scoreSpan(client, stored).catch((error: unknown) => {
        throw error instanceof RangeError ? new CliError(error.message) : error;
      });
      out.result(`Span ${score.spanId}: ${score.metricName} is ${valueText(score)}.`, score);
      return exit.pass;
    }
    const metricId = values.text('metric');
    const { data, toScore } = await client.listSpanScores(recordId);
    const shown = data.filter((score) => metricId === undefined || score.metricId === metricId);
    const known = new Set(data.map((score) => `${score.metricConfigId} ${score.traceId} ${score.spanId}`));
    const unscored = toScore.filter(
      (one) =>
        (metricId === undefined || one.metricId === metricId) &&
        !known.has(`${one.metricConfigId} ${one.traceId} ${one.spanId}`),
    );
    const rows = [
      ...shown.map(row),
      ...unscored.map(({ spanId, metricName }) => [spanId, metricName, 'not scored', '', '']),
    ];
    out.result(
      `${table(['span', 'metric', 'score', 'verdict', 'why'], rows)}\n\n${countOf(shown.length, 'score')}, ${countOf(unscored.length, 'span')} for people to score`,
      { data: shown, toScore: unscored },
    );
    return exit.pass;
  },
};
