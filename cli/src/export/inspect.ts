import type { RecordDetail } from '../../../client/src/main.ts';
import { valueOfScore } from '../../../client/src/score-value.ts';
import { type ExportedRun, labelsIn, textOfPart } from './run-of.ts';

// A log of Inspect in its JSON form, version 2 (inspect_ai.log.EvalLog of 0.3).
const version = 2;

const scorer = 'dokima';

/** The text under this name if the part has only that, else the text of the part. */
const textAt = (part: object, name: string): string => {
  const value = (part as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : textOfPart(part);
};

const scoresOf = ({ scoreStates }: RecordDetail) =>
  Object.fromEntries(
    scoreStates.flatMap(({ metricName, score }) => {
      const given = valueOfScore(score);
      if (given === undefined) return [];
      const { reasoning } = score as { reasoning?: string | null };
      const value = typeof given === 'boolean' ? (given ? 'C' : 'I') : given;
      return [[metricName, { value, ...(reasoning && { explanation: reasoning }) }]];
    }),
  );

/** Writes a record as a sample. Its parts stand in the metadata too, as they were sent: Inspect has one text of each. */
const sampleOf = (record: RecordDetail, model: string, epoch: number): object => {
  const { inputs, expected, outputs, createdAt, measures } = record;
  const input = textAt(inputs, 'input');
  const completion = textAt(outputs, 'completion');
  const message = { role: 'assistant', content: completion, source: 'generate' };
  return {
    id: record.testcaseId ?? record.id,
    epoch,
    uuid: record.id,
    input,
    target: Object.keys(expected).length === 0 ? '' : textAt(expected, 'target'),
    messages: [{ role: 'user', content: input, source: 'input' }, message],
    output: { model, choices: [{ message, stop_reason: 'stop' }], completion },
    scores: scoresOf(record),
    metadata: { dokima: { inputs, expected, outputs } },
    store: {},
    events: [],
    model_usage:
      measures?.inputTokens == null || measures.outputTokens == null
        ? {}
        : {
            [model]: {
              input_tokens: measures.inputTokens,
              output_tokens: measures.outputTokens,
              total_tokens: measures.inputTokens + measures.outputTokens,
            },
          },
    started_at: createdAt,
    ...(measures?.latencyMs != null && { total_time: measures.latencyMs / 1_000 }),
  };
};

const resultsOf = ({ summary }: ExportedRun): object => ({
  total_samples: summary.numRecords,
  completed_samples: summary.numRecords,
  scores: summary.metrics.flatMap(({ metricName, outputType, passRate, mean, states }) => {
    const isMean = outputType !== 'boolean' && mean !== null;
    const { estimate } = isMean ? mean : passRate;
    if (estimate === null) return [];
    // The mean of shares is an accuracy to Inspect; that of steps is not.
    const name = outputType === 'int' ? 'mean' : 'accuracy';
    return {
      name: metricName,
      scorer,
      scored_samples: states.scored,
      unscored_samples: states.pending + states.unscored + states.failed,
      metrics: { [name]: { name, value: estimate } },
    };
  }),
});

/** Yields the log of a run, sample by sample. */
export async function* inspectLogOf(exported: ExportedRun, model: string): AsyncGenerator<string> {
  const { run, summary } = exported;
  const { createdAt: created } = run;
  const task = run.testset?.name ?? run.title;
  const head = {
    version,
    status: 'success',
    eval: {
      eval_id: `dokima-${run.id}`,
      run_id: `dokima-${run.id}`,
      created,
      task,
      task_id: run.testset?.id ?? run.id,
      dataset: { name: task, samples: summary.numRecords },
      model,
      config: {},
      metadata: { dokima_run: run.id, title: run.title, dokima_labels: labelsIn(summary) },
    },
    plan: { name: 'plan', steps: [], config: {} },
    results: resultsOf(exported),
    stats: { started_at: created, completed_at: created, model_usage: {} },
  };
  yield `${JSON.stringify(head).slice(0, -1)},"samples":[`;
  const epochs = new Map<string, number>();
  let comma = '';
  for await (const record of exported.records()) {
    const id = record.testcaseId ?? record.id;
    const epoch = (epochs.get(id) ?? 0) + 1;
    epochs.set(id, epoch);
    yield `${comma}${JSON.stringify(sampleOf(record, model, epoch))}`;
    comma = ',\n';
  }
  yield ']}\n';
}
