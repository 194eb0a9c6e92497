import { ResultsError, resultsIn } from '../../../../client/src/results/read-results.ts';
import type { Result, Session } from '../../../../client/src/results/results.ts';
import { byContent, kindOf } from '../../../../client/src/results/upload.ts';
import { CliError } from '../../errors.ts';
import { callSpan } from '../call-span.ts';
import type { Content } from '../content.ts';
import type { Format } from '../format.ts';
import { ownCategories } from '../own-labels.ts';
import type { Import, MetricDefinition, Row } from '../rows.ts';

const rowOf = (result: Result, writtenMs: number): Row => {
  const { case: caseId, trial, inputs, expected, outputs, scores, reasons, error, cost_usd } = result;
  const names = [...new Set([...Object.keys(scores), ...Object.keys(reasons)])];
  return {
    id: `${caseId}/${trial}`,
    caseId,
    run: '',
    inputs,
    expected,
    metadata: caseId.startsWith(byContent) ? {} : { case: caseId },
    outputs,
    ...(error !== null && { error }),
    scores:
      error === null
        ? names.map((name) => ({ name, value: scores[name] ?? null, reasoning: reasons[name] }))
        : [],
    trace:
      cost_usd === null
        ? []
        : [callSpan({ name: 'call', startMs: writtenMs, endMs: writtenMs, costUsd: cost_usd })],
  };
};

const importOf = (group: string, results: readonly Result[], { id }: Session, writtenMs: number): Import => {
  const names = [...new Set(results.flatMap(({ scores }) => Object.keys(scores)))];
  const ratings = names.filter((name) => kindOf(name, results) === 'int');
  const awaited = [...new Set(results.flatMap(({ metrics }) => metrics))];
  return {
    tool: 'Dokima',
    id: `${id} ${group}`,
    name: group,
    systems: new Map([['', { name: group, config: {} }]]),
    rows: results.map((result) => rowOf(result, writtenMs)),
    metrics: new Map<string, MetricDefinition>([
      ...ratings.map((name) => [name, { kind: 'rating', evalType: 'heuristic', outputType: 'int' }] as const),
      ...ownCategories(Object.assign({}, ...results.map(({ labels }) => labels))),
    ]),
    unit: () => true,
    notes:
      awaited.length > 0
        ? [`The service scores ${awaited.join(', ')} once the file is sent: dokima push`]
        : [],
  };
};

const read = ({ name, items, table, writtenMs }: Content): Import[] => {
  try {
    const lines = items.map((value, i) => ({ value, line: table?.lines[i] ?? i + 1 }));
    const { head, results, isWhole } = resultsIn(name, lines);
    const groups = [...new Set(results.map(({ group }) => group))];
    const imports = groups.map((group) =>
      importOf(
        group,
        results.filter((result) => result.group === group),
        head,
        writtenMs,
      ),
    );
    if ('system' in head && !isWhole) imports[0]?.notes.push('The evaluation was interrupted.');
    return imports;
  } catch (error) {
    if (error instanceof ResultsError) throw new CliError(error.message);
    throw error;
  }
};

/** Files of evaluate() and of tests in pytest and Vitest. `dokima push` sends them too, with their marks. */
export const dokimaResults: Format = {
  name: 'dokima',
  about: 'Results of evaluate(), pytest or Vitest: JSON lines',
  recognizes: ({ form, items }) => form === 'lines' && items[0]?.dokima === 'results',
  read,
};
