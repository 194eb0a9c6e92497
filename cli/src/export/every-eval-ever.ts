import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RecordDetail, RunSummary } from '../../../client/src/main.ts';
import { valueOfScore } from '../../../client/src/score-value.ts';
import { writeWhole } from '../archive.ts';
import { type ExportedRun, labelsIn, textOfPart } from './run-of.ts';

// The schemas of Every Eval Ever: eval.schema.json and instance_level_eval.schema.json, 0.3.0. All additional details are texts.
const version = '0.3.0';

type Metric = RunSummary['metrics'][number];

/** Who evaluated which model: Dokima does not know it. */
export type Named = { model: string; organization: string };

const idOf = ({ run }: ExportedRun, { model }: Named): string =>
  `${run.testset?.name ?? run.title}/${model}/${run.id}`;

const details = (of: Record<string, string | null | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(of).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value]],
    ),
  );

const scaleOf = ({ outputType }: Metric) => {
  // The schema has no labels without numbers: a category is whether its label passes, and its labels are details.
  if (outputType === 'boolean' || outputType === 'category')
    return { score_type: 'binary', min_score: 0, max_score: 1 };
  if (outputType === 'float') return { score_type: 'continuous', min_score: 0, max_score: 1 };
  const level_names = ['1', '2', '3', '4', '5'];
  return { score_type: 'levels', level_names, has_unknown_level: false, min_score: 1, max_score: 5 };
};

/** A metric's pass rate with its interval. Null without a score. */
const resultOf = (exported: ExportedRun, metric: Metric) => {
  const { passRate, mean, states, outputType } = metric;
  const of = outputType === 'boolean' || !mean ? passRate : mean;
  if (of.estimate === null) return undefined;
  const { interval } = of;
  const labels = labelsIn(exported.summary)[metric.metricName];
  return {
    evaluation_result_id: metric.metricId,
    evaluation_name: metric.metricName,
    source_data: {
      dataset_name: exported.run.testset?.name ?? exported.run.title,
      source_type: 'other',
    },
    metric_config: {
      lower_is_better: false,
      ...scaleOf(metric),
      additional_details: details({
        passing_threshold: metric.passingThreshold?.toString(),
        eval_type: metric.evalType,
        labels: labels && JSON.stringify(labels),
      }),
    },
    score_details: {
      score: of.estimate,
      details: details({
        pass_rate: passRate.estimate?.toString(),
        ...Object.fromEntries(
          (metric.labels?.shares ?? []).map(({ label, share }) => [`share of ${label}`, `${share.estimate}`]),
        ),
        missing: `${states.pending + states.unscored + states.failed}`,
      }),
      uncertainty: {
        ...(interval && {
          confidence_interval: { lower: interval.low, upper: interval.high, confidence_level: 0.95 },
        }),
        num_samples: of.n,
      },
    },
  };
};

/** Writes a row for each score of a record. Its parts stand in the metadata too, as they were sent: a row has only texts. */
const instancesOf = (exported: ExportedRun, record: RecordDetail, named: Named): object[] => {
  const { inputs, expected, outputs, measures } = record;
  const raw = textOfPart(inputs);
  const reference = Object.keys(expected).length === 0 ? [] : [textOfPart(expected)];
  const output = textOfPart(outputs);
  const tokens =
    measures?.inputTokens == null || measures.outputTokens == null
      ? undefined
      : {
          input_tokens: measures.inputTokens,
          output_tokens: measures.outputTokens,
          total_tokens: measures.inputTokens + measures.outputTokens,
        };
  return record.scoreStates.flatMap(({ metricId, metricName, score, passed }) => {
    const given = valueOfScore(score);
    if (given === undefined) return [];
    const label = typeof given === 'string' ? given : undefined;
    const value = Number(label === undefined ? given : passed === true);
    const { reasoning } = score as { reasoning?: string | null };
    return {
      schema_version: version,
      evaluation_id: idOf(exported, named),
      model_id: named.model,
      evaluation_name: metricName,
      evaluation_result_id: metricId,
      sample_id: record.testcaseId ?? record.id,
      sample_hash: createHash('sha256')
        .update(raw + reference.join(''))
        .digest('hex'),
      interaction_type: 'single_turn',
      input: { raw, formatted: null, reference, choices: null },
      output: { raw: [output], reasoning_trace: null },
      messages: null,
      answer_attribution: [
        {
          turn_idx: 0,
          source: 'output.raw',
          extracted_value: output,
          extraction_method: 'custom',
          is_terminal: true,
        },
      ],
      evaluation: { score: value, is_correct: passed === true, num_turns: 1 },
      ...(tokens && { token_usage: tokens }),
      ...(measures?.latencyMs != null && { performance: { latency_ms: measures.latencyMs } }),
      error: null,
      metadata: details({
        record_id: record.id,
        inputs: JSON.stringify(inputs),
        expected: JSON.stringify(expected),
        outputs: JSON.stringify(outputs),
        reasoning,
        label,
      }),
    };
  });
};

/** Writes the file of the evaluation, which names that of its samples. */
const evaluationOf = (
  exported: ExportedRun,
  named: Named,
  samples: { path: string; checksum: string; rows: number },
): object => ({
  schema_version: version,
  evaluation_id: idOf(exported, named),
  evaluation_timestamp: exported.run.createdAt,
  retrieved_timestamp: `${Math.floor(Date.now() / 1_000)}`,
  source_metadata: {
    source_name: 'Dokima',
    source_type: 'evaluation_run',
    source_organization_name: named.organization,
    evaluator_relationship: 'other',
  },
  eval_library: { name: 'dokima', version: '0.1.0' },
  model_info: {
    name: named.model,
    id: named.model,
    additional_details: { deployment_type: 'unknown', model_availability: 'unknown' },
  },
  evaluation_results: exported.summary.metrics.flatMap((metric) => resultOf(exported, metric) ?? []),
  detailed_evaluation_results: {
    format: 'jsonl',
    file_path: samples.path,
    hash_algorithm: 'sha256',
    checksum: samples.checksum,
    total_rows: samples.rows,
  },
});

const segment = (text: string): string =>
  text.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'unknown';

/** Where the schema wants the samples: by benchmark, developer and model, with a UUID, which is the same at each export of a run. */
const placeOf = (exported: ExportedRun, named: Named): string => {
  const { run } = exported;
  const at = named.model.indexOf('/');
  const [developer, model] =
    at > 0 ? [named.model.slice(0, at), named.model.slice(at + 1)] : ['unknown', named.model];
  const hex = createHash('sha256').update(idOf(exported, named)).digest('hex');
  const uuid = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
  const folder = [run.testset?.name ?? run.title, developer, model].map(segment);
  return ['data', ...folder, uuid].join('/');
};

/** Writes both files below a folder. Returns their paths in it. */
export const writeEveryEvalEver = async (
  exported: ExportedRun,
  named: Named,
  folder: string,
): Promise<string[]> => {
  const place = placeOf(exported, named);
  const [evaluationPath, samplesPath] = [`${place}.json`, `${place}_samples.jsonl`];
  await mkdir(dirname(join(folder, place)), { recursive: true });
  const hash = createHash('sha256');
  let rows = 0;
  async function* lines() {
    for await (const record of exported.records())
      for (const instance of instancesOf(exported, record, named)) {
        const line = `${JSON.stringify(instance)}\n`;
        hash.update(line);
        rows += 1;
        yield line;
      }
  }
  await writeWhole(join(folder, samplesPath), lines());
  const about = { path: samplesPath, checksum: hash.digest('hex'), rows };
  const text = `${JSON.stringify(evaluationOf(exported, named, about), null, 2)}\n`;
  await writeFile(join(folder, evaluationPath), text);
  return [evaluationPath, samplesPath];
};
