import type { Trace } from '../../types.ts';
import { tones } from '../../ui/badge.tsx';
import { countText, durationText, usdText } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-props.ts';
import { Time } from '../../ui/time.tsx';
import { summaryOf } from '../records/score-value.tsx';
import { quoteName } from '../search/search.ts';
import { Failed } from './operation.tsx';

const text = (
  id: string,
  header: string,
  width: number,
  textOf: (trace: Trace) => string | null,
  className = '',
): Column<Trace> => ({
  id,
  header,
  width,
  render: (trace) => (
    <span className={`block truncate ${className}`} dir="auto" title={textOf(trace) ?? undefined}>
      {textOf(trace)}
    </span>
  ),
});

const number = (
  id: string,
  header: string,
  width: number,
  textOf: (trace: Trace) => string | null,
): Column<Trace> => ({
  id,
  header,
  width,
  align: 'end',
  sortBy: id,
  render: (trace) => <span className="whitespace-nowrap">{textOf(trace)}</span>,
});

/** Input and output tokens; null when the trace reports none. */
export const tokensOf = (of: { inputTokens: number | null; outputTokens: number | null }): number | null =>
  of.inputTokens === null && of.outputTokens === null ? null : (of.inputTokens ?? 0) + (of.outputTokens ?? 0);

const scoreColumn = (metricId: string, name: string): Column<Trace> => ({
  id: `score.${metricId}`,
  header: name,
  width: 112,
  sortBy: `score.${quoteName(name)}`,
  render: ({ scoreStates }) =>
    scoreStates
      .filter((state) => state.metricId === metricId)
      .map((state) => {
        const { tone, sign, word } = summaryOf(state);
        return (
          <span
            key={state.metricConfigId}
            className={`inline-block h-5 max-w-full rounded-sm px-1.5 text-sm leading-5 whitespace-nowrap ${
              state.whose === 'record' ? 'border border-line text-soft' : tones[tone]
            }`}
            title={state.whose === 'record' ? 'Score of the session, not of this trace alone' : undefined}
          >
            <span aria-hidden>{sign} </span>
            {word}
            {state.whose === 'record' && <span className="sr-only"> (session)</span>}
          </span>
        );
      }),
});

/** The metrics that score one of some traces: their ids and names. */
export const metricsOf = (traces: readonly Trace[]): [string, string][] => [
  ...new Map(
    traces.flatMap(({ scoreStates }) => scoreStates.map((state) => [state.metricId, state.metricName])),
  ),
];

/** The columns of a list of traces, with one for each metric. */
export const traceColumns = (metrics: readonly [string, string][]): Column<Trace>[] => {
  return [
    {
      id: 'started',
      header: 'Started',
      width: 96,
      sortBy: 'started',
      render: ({ startTime }) => <Time at={startTime} />,
    },
    {
      id: 'input',
      header: 'Input',
      width: 260,
      render: ({ input, name, numErrors }) => (
        <span className="flex items-center gap-1.5">
          <span
            className={`truncate ${input === null ? 'text-soft' : ''}`}
            dir="auto"
            title={input ?? undefined}
          >
            {input ?? name ?? '(no name)'}
          </span>
          {numErrors > 0 && <Failed />}
        </span>
      ),
    },
    text('output', 'Output', 260, ({ output }) => output),
    ...metrics.map(([id, name]) => scoreColumn(id, name)),
    number('latency', 'Latency', 84, ({ durationMs }) =>
      durationMs === null ? null : durationText(durationMs),
    ),
    number('tokens', 'Tokens', 80, (trace) => {
      const tokens = tokensOf(trace);
      return tokens === null ? null : countText(tokens);
    }),
    number('cost', 'Cost', 76, ({ costUsd }) => (costUsd === null ? null : usdText(costUsd))),
    {
      id: 'spans',
      header: 'Spans',
      width: 64,
      align: 'end',
      render: ({ numSpans }) => numSpans.toLocaleString('en'),
    },
    text('name', 'Name', 160, ({ name }) => name),
    text('model', 'Model', 120, ({ modelName }) => modelName, 'text-soft'),
    text('service', 'Service', 110, ({ service }) => service, 'text-soft'),
    text('user', 'User', 110, ({ userId }) => userId, 'text-soft'),
    text('session', 'Session', 120, ({ sessionId }) => sessionId, 'text-soft'),
  ];
};
