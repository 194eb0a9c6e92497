import type { Scope } from '../auth.ts';
import { invalid } from '../errors.ts';
import { recordKey } from '../ids.ts';
import { freeForm, members } from '../json.ts';
import { type MetricPreview, outputs } from '../metrics/schema.ts';
import type { TracePartName, TraceParts } from '../traces/scored-trace.ts';
import type { RecordParts } from './queries.ts';
import { languageOf } from './sandbox/language-of.ts';
import { readCodeResult, recordArgument } from './score-code.ts';
import type { Scoring } from './scoring.ts';
import { traceNamesOf } from './trace-names.ts';

const nothing = {
  score: null,
  reason: null,
  prompt: null,
  rawReply: null,
  modelAnswered: null,
  inputTokens: null,
  outputTokens: null,
  costUsd: null,
};

const previewCode = async (
  { sandbox }: Scoring,
  { guidelines = '', outputType }: MetricPreview,
  record: RecordParts,
  names: readonly TracePartName[],
  trace: TraceParts | undefined,
) => {
  const language = languageOf(guidelines);
  if (!language) throw invalid('/guidelines', 'must hold code: prose is scored from outside');
  const input = names.length > 0 ? { ...record, record: recordArgument(names, trace) } : record;
  const [result] = await sandbox.run(language, guidelines, [input]);
  const { state, score, reason } = readCodeResult(outputType, result!);
  return { ...nothing, state, score, reason };
};

const previewJudge = async (
  { judge, providersOf }: Scoring,
  scope: Scope,
  body: MetricPreview,
  record: RecordParts,
  trace: TraceParts | undefined,
  judgeModel: string,
) => {
  const {
    outputType,
    promptTemplate = '',
    guidelines = '',
    temperature = 0,
    evalModelName = judgeModel,
  } = body;
  const config = { outputType, promptTemplate, guidelines, evalModelName, temperature, judgeRepeats: 1 };
  const judged = await judge.judge(
    config,
    { ...record, guidelines, trace },
    await providersOf(scope.organizationId),
  );
  const {
    prompt = null,
    rawReply = null,
    modelAnswered = null,
    inputTokens = null,
    outputTokens = null,
    costUsd = null,
  } = judged.evidence ?? {};
  const seen = {
    ...nothing,
    prompt,
    rawReply,
    modelAnswered,
    inputTokens,
    outputTokens,
    costUsd,
    state: judged.state,
  };
  if (judged.state === 'failed') return { ...seen, reason: judged.error };
  if (judged.state === 'unscored') return { ...seen, reason: judged.reason };
  const { value, reasoning } = judged.verdict;
  return { ...seen, score: { [outputs[outputType].valueField]: value, reasoning } };
};

/** The record that a body holds under `record`, to the digit; what it leaves out is empty. */
export const inlineRecord = (rawBody: string): RecordParts => {
  const {
    inputs = '{}',
    outputs = '{}',
    expected = '{}',
  } = freeForm(members(rawBody).get('record')!, ['inputs', 'outputs', 'expected'], '/record');
  return { n: 1, inputs, outputs, expected };
};

/** What a metric that is not saved says of a record, as JSON. Nothing is written. Throws 400 for one that people score. */
export const previewMetric = async (
  scoring: Scoring,
  scope: Scope,
  body: MetricPreview,
  record: RecordParts,
  judgeModel: string,
): Promise<string> => {
  if (body.evalType === 'human')
    throw invalid('/evalType', 'must be ai or heuristic: people score human metrics');
  const startedAt = performance.now();
  const { guidelines = '', promptTemplate } = body;
  const names = traceNamesOf({ guidelines, promptTemplate });
  const trace =
    names.length > 0 && body.recordId !== undefined
      ? await scoring.traces.read(scope, recordKey(body.recordId), names)
      : undefined;
  const previewed = await (body.evalType === 'ai'
    ? previewJudge(scoring, scope, body, record, trace, judgeModel)
    : previewCode(scoring, body, record, names, trace));
  const latencyMs = Math.round(performance.now() - startedAt);
  return JSON.stringify({ ...previewed, trace: trace?.evidence ?? null, latencyMs });
};
