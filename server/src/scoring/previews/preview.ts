import { type Criteria, type Criterion, criteriaOf } from '../../../../client/src/criteria.ts';
import { languageOf } from '../../engine/sandbox/language-of.ts';
import type { Sandbox } from '../../engine/sandbox/sandbox.ts';
import type { Example } from '../../engine/templates/examples-text.ts';
import type { AttachedReader } from '../../evaluation/attachments/read-attached.ts';
import { requireSoundJury } from '../../evaluation/metrics/configure-metric.ts';
import { readCriteriaBody } from '../../evaluation/metrics/criteria.ts';
import { readLabelsBody } from '../../evaluation/metrics/labels.ts';
import { type Scale, scaleFor } from '../../evaluation/metrics/scale.ts';
import type { MetricPreview } from '../../evaluation/metrics/schema.ts';
import { noSpan } from '../../evaluation/scores/requeue.ts';
import { invalid } from '../../platform/errors.ts';
import { recordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { elements, freeForm, members } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { Asker } from '../../platform/turns.ts';
import type { TraceReader } from '../../traces/read/read-scored-trace.ts';
import { maxChosen } from '../../traces/read/scored-spans.ts';
import {
  type TracePartName,
  type TraceParts,
  withOutputMessages,
  withSpan,
} from '../../traces/read/scored-trace.ts';
import { readCodeResult, recordArgument } from '../code/score-code.ts';
import type { Judge } from '../judges/judge.ts';
import type { JudgeOutcome } from '../judges/judge-evidence.ts';
import { juryOutcome } from '../judges/jury.ts';
import { traceNamesOf } from '../judges/trace-names.ts';
import { scoreOf } from '../judges/verdict.ts';
import type { ProvidersOf } from '../providers/providers-of.ts';
import type { RecordParts } from '../queue/queries.ts';

/** Dependencies of previews. */
export type PreviewDeps = {
  sandbox: Sandbox;
  judge: Judge;
  providersOf: ProvidersOf;
  traces: TraceReader;
  readAttached: AttachedReader;
};

/** Who previews, and the project of the record. */
type Previewing = { scope: Scope; projectId: bigint; asker: Asker };

const nothing = {
  language: null,
  score: null,
  reason: null,
  prompt: null,
  rawReply: null,
  error: null,
  jury: null,
  modelAnswered: null,
  inputTokens: null,
  outputTokens: null,
  costUsd: null,
};

const previewScale = ({ outputType, labels }: Pick<MetricPreview, 'outputType' | 'labels'>): Scale =>
  scaleFor({ outputType, labels: labels ? readLabelsBody(labels) : null });

const previewCode = async (
  { sandbox }: PreviewDeps,
  asker: Asker,
  { guidelines = '', ...body }: MetricPreview,
  record: RecordParts,
  { names, trace }: { names: readonly (TracePartName | 'span')[]; trace: TraceParts | undefined },
) => {
  const language = languageOf(guidelines);
  if (!language)
    throw invalid('/guidelines', 'is prose: it defines no function score, so clients send the scores');
  const input = names.length > 0 ? { ...record, record: recordArgument(names, trace) } : record;
  const [result] = await sandbox.run(language, guidelines, [input], asker);
  const { state, score, reason } = readCodeResult(previewScale(body), result!);
  return { ...nothing, language, state, score, reason };
};

const reasonOf = (outcome: JudgeOutcome): string | null => {
  if (outcome.state === 'scored') return null;
  return outcome.state === 'unscored' ? outcome.reason : outcome.error;
};

const jurorOf = ({ modelName, outcome }: { modelName: string; outcome: JudgeOutcome }) => ({
  modelName,
  verdict: outcome.state === 'scored' ? outcome.verdict : null,
  reason: reasonOf(outcome),
  error: outcome.evidence?.error ?? null,
  costUsd: outcome.evidence?.costUsd ?? null,
});

/** The criteria of the record; undefined without any. */
const listOf = (criteria: Criteria | null, { expected }: RecordParts): Criterion[] | undefined => {
  const found = criteria && criteriaOf(criteria, criteria.fromExpected ? parseJson(expected) : undefined);
  return found && 'criteria' in found ? found.criteria : undefined;
};

const previewJudge = async (
  { judge, providersOf, readAttached }: PreviewDeps,
  { scope, projectId, asker }: Previewing,
  body: MetricPreview,
  record: RecordParts,
  { trace, examples }: { trace: TraceParts | undefined; examples: readonly Example[] },
) => {
  const { outputType, promptTemplate = '', guidelines = '', temperature = 0, evalModelName = '' } = body;
  const { juryModelNames = [] } = body;
  requireSoundJury({ outputType, evalModelName }, juryModelNames);
  const texts = [record.inputs, record.outputs, record.expected];
  const attached = await readAttached(scope, { projectId }, texts);
  const data = { ...record, guidelines, trace, examples, attached };
  const providers = await providersOf(scope.organizationId);
  const criteria = body.criteria ? readCriteriaBody(body.criteria) : null;
  const labels = body.labels ? readLabelsBody(body.labels) : null;
  const scale = previewScale(body);
  const shared = { outputType, labels, promptTemplate, guidelines, temperature, judgeRepeats: 1, criteria };
  const outcomes = await Promise.all(
    [evalModelName, ...juryModelNames].map(async (modelName) => ({
      modelName,
      outcome: await judge.judge({ ...shared, evalModelName: modelName }, data, providers, asker),
    })),
  );
  const isJury = juryModelNames.length > 0;
  const judged = isJury
    ? juryOutcome(outcomes, { numModels: outcomes.length, scale, criteria: listOf(criteria, record) })
    : outcomes[0]!.outcome;
  const { prompt, rawReply, modelAnswered, inputTokens, outputTokens, costUsd } = judged.evidence ?? nothing;
  const answered = { prompt, rawReply, modelAnswered, inputTokens, outputTokens, costUsd };
  const seen = {
    ...nothing,
    ...answered,
    state: judged.state,
    error: judged.evidence?.error ?? null,
    jury: isJury ? outcomes.map(jurorOf) : null,
  };
  if (judged.state !== 'scored') return { ...seen, reason: reasonOf(judged) };
  return { ...seen, score: scoreOf(scale, judged.verdict) };
};

/** Reads the record in a body as text, so that numbers keep their digits; missing parts are empty objects. */
export const inlineRecord = (rawBody: string): { record: RecordParts; trace: TraceParts | undefined } => {
  const {
    inputs = '{}',
    outputs = '{}',
    expected = '{}',
    trace,
  } = freeForm(members(rawBody).get('record')!, ['inputs', 'outputs', 'expected', 'trace'], '/record');
  const texts = trace === undefined ? undefined : members(trace);
  return {
    record: { n: 1, inputs, outputs, expected },
    trace: texts && {
      texts: Object.fromEntries(texts),
      evidence: { numSpans: texts.has('trace') ? elements(texts.get('trace')!).length : 0, cut: [] },
    },
  };
};

/** The spans that the body's search chooses, and the one to score, or why there is none. */
const spansOf = async (
  { traces }: PreviewDeps,
  scope: Scope,
  { spans, spanId, traceId, recordId }: MetricPreview,
) => {
  if (!spans) return { spans: null, span: undefined, problem: null };
  if (recordId === undefined) throw invalid('/recordId', 'is required with spans: only records have spans');
  const { chosen, span } = await traces.readSpan(scope, recordKey(recordId), spans, { spanId, traceId });
  const list = chosen.spans
    .map((one) => ({ traceId: one.traceId, spanId: one.spanId, name: one.name }))
    .slice(0, maxChosen);
  const none = chosen.spans.length === 0 ? noSpan : `the search chooses no span ${spanId}`;
  return { spans: list, span: chosen.problem ? undefined : span, problem: chosen.problem ?? none };
};

/** Scores a record with a metric that is not saved. Returns JSON; writes nothing. Throws 400 for a metric that people score. */
export const previewMetric = async (
  deps: PreviewDeps,
  previewing: Previewing,
  body: MetricPreview,
  record: RecordParts,
  { examples, inlineTrace }: { examples: readonly Example[]; inlineTrace: TraceParts | undefined },
): Promise<string> => {
  if (body.evalType === 'human')
    throw invalid('/evalType', 'must be ai or heuristic: people score human metrics');
  const startedAt = performance.now();
  const { guidelines = '', promptTemplate } = body;
  const names = traceNamesOf({ guidelines, promptTemplate });
  const read =
    names.length > 0 && body.recordId !== undefined
      ? await deps.traces[body.evalType === 'ai' ? 'readToWalk' : 'read'](
          previewing.scope,
          recordKey(body.recordId),
          names,
        )
      : inlineTrace;
  const { spans, ...chosen } = await spansOf(deps, previewing.scope, body);
  const trace = withSpan(withOutputMessages(read, names, record.outputs), chosen.span);
  const of = { spans, spanId: chosen.span?.spanId ?? null, traceId: chosen.span?.traceId ?? null };
  const outcome = async () => {
    if (spans && !chosen.span) return { ...nothing, state: 'unscored', reason: chosen.problem };
    return body.evalType === 'ai'
      ? previewJudge(deps, previewing, body, record, { trace, examples })
      : previewCode(deps, previewing.asker, body, record, {
          names: chosen.span ? ['span', ...names] : names,
          trace,
        });
  };
  const previewed = await outcome();
  const latencyMs = Math.round(performance.now() - startedAt);
  return JSON.stringify({ ...previewed, ...of, trace: trace?.evidence ?? null, latencyMs });
};
