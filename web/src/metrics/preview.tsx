import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { api } from '../api.ts';
import { EvidenceTexts, evidenceFacts, FactList } from '../records/evidence.tsx';
import { recordQuery, recordsQuery } from '../records/queries.ts';
import { ScoreValue } from '../records/score-value.tsx';
import type { Json, RecordDetail, ScoreState } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { cellText } from '../ui/csv.ts';
import { Select } from '../ui/field.tsx';
import { durationText } from '../ui/format.ts';
import { useKept } from '../ui/kept.ts';
import { modKey, useKeys } from '../ui/keys.ts';
import { Section } from '../ui/page.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Value } from '../ui/value.tsx';
import { bodyOf, type MetricForm } from './kinds.ts';

/** What the service answers; docs/judges.md. */
type Previewed = {
  state: string;
  score: Json | null;
  reason: string | null;
  prompt: string | null;
  rawReply: string | null;
  modelAnswered: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  latencyMs: number;
};

// Code costs nothing, so it runs by itself once nobody has typed for this long. A model is asked only when somebody says so.
const pauseMs = 600;

const previewBody = (form: MetricForm, recordId: string) => {
  const { name: _, description: __, passingThreshold: ___, ...body } = bodyOf(form);
  return { ...body, recordId };
};

const titleOf = ({ id, inputs }: RecordDetail): string =>
  `${id} · ${cellText(Object.values(inputs)[0]).slice(0, 60)}`;

/** A verdict as a score has it, with the threshold that stands in the form. */
const stateOf = (form: MetricForm, { state, score, reason }: Previewed): ScoreState => {
  const value = score?.binaryScore ?? score?.intScore ?? score?.floatScore;
  return {
    metricId: '',
    metricName: form.name,
    metricConfigId: '',
    state: state as ScoreState['state'],
    passed: value === undefined ? null : Number(value) >= Number(form.passingThreshold || 1),
    score: score as ScoreState['score'],
    reason,
    scoredByUserId: null,
    updatedAt: '',
  };
};

/** Tries the metric as it stands in the form on a record of the project. Nothing is saved. */
export const Preview = ({ projectId, form }: { projectId: string; form: MetricForm }) => {
  const [kept, setRecordId] = useKept<string>(`preview record ${projectId}`);
  const { data } = useInfiniteQuery(recordsQuery(projectId, {}));
  const listed = data?.pages[0]?.data ?? [];
  const recordId = kept ?? listed[0]?.id;
  const record = useQuery({ ...recordQuery(recordId ?? ''), enabled: recordId !== undefined }).data;
  const body = recordId === undefined ? '' : JSON.stringify(previewBody(form, recordId));
  const run = useMutation({
    mutationFn: (sent: string) =>
      api.post<Previewed>(`/projects/${projectId}/metrics/preview`, JSON.parse(sent)),
  });
  const isCode = form.evalType === 'heuristic';
  const isReady = body !== '' && !run.isPending && (!isCode || form.guidelines.trim() !== '');
  const start = () => {
    if (isReady) run.mutate(body);
  };
  useKeys('A metric', { 'mod+enter': ['Try it on the record', start] });
  const latest = useRef(start);
  useEffect(() => {
    latest.current = start;
  });
  useEffect(() => {
    if (!isCode || body === '') return;
    const timer = setTimeout(() => latest.current(), pauseMs);
    return () => clearTimeout(timer);
  }, [isCode, body]);
  const isStale = run.variables !== undefined && run.variables !== body;
  if (form.evalType === 'human') return null;
  return (
    <Section
      title="Try it on a record"
      actions={
        <Button disabled={!isReady} onClick={start} title={`${modKey} Enter`}>
          <Play size={14} aria-hidden /> {isCode ? 'Run' : 'Ask the judge'}
        </Button>
      }
    >
      {recordId === undefined ? (
        <p className="text-soft">Once the project has records, what the metric says of one is shown here.</p>
      ) : (
        <div className="flex flex-col gap-3">
          <Select
            label="Record"
            hideLabel
            value={recordId}
            options={[
              ...(listed.some(({ id }) => id === recordId) ? [] : [{ value: recordId, label: recordId }]),
              ...listed.map((each) => ({ value: each.id, label: titleOf(each) })),
            ]}
            onChange={(event) => setRecordId(event.target.value)}
          />
          {run.error && <ErrorNote error={run.error} />}
          {run.isPending && (
            <p role="status" className="text-soft">
              {isCode ? 'Running…' : 'Asking the judge…'}
            </p>
          )}
          {run.data && !run.error && (
            <div aria-live="polite" className={`flex flex-col gap-2 ${isStale ? 'opacity-60' : ''}`}>
              <Verdict form={form} previewed={run.data} />
              {isStale && !run.isPending && (
                <p className="text-sm text-soft">Of what stood here before: something has changed since.</p>
              )}
            </div>
          )}
          {record && <RecordParts record={record} />}
        </div>
      )}
    </Section>
  );
};

const Verdict = ({ form, previewed }: { form: MetricForm; previewed: Previewed }) => {
  const { score, reason, prompt, rawReply, latencyMs } = previewed;
  const { modelAnswered, inputTokens, outputTokens, costUsd } = previewed;
  const reasoning = typeof score?.reasoning === 'string' ? score.reasoning : reason;
  const asked = { modelAnswered, inputTokens, outputTokens, costUsd, latencyMs };
  return (
    <>
      <p>
        <ScoreValue state={stateOf(form, previewed)} />
      </p>
      {reasoning && (
        <p className="break-words whitespace-pre-wrap" dir="auto">
          {reasoning}
        </p>
      )}
      <FactList facts={prompt === null ? [['Time', durationText(latencyMs)]] : evidenceFacts(asked)} />
      <EvidenceTexts {...(prompt !== null && { prompt })} {...(rawReply !== null && { rawReply })} />
    </>
  );
};

const RecordParts = ({ record }: { record: RecordDetail }) => (
  <details className="rounded-md border px-3 py-2">
    <summary className="font-medium select-none">What is in {record.id}</summary>
    <div className="mt-2">
      {(['inputs', 'outputs', 'expected'] as const).flatMap((part) =>
        Object.entries(record[part]).map(([name, value]) => (
          <Value key={`${part}.${name}`} name={`${part}.${name}`} value={value} />
        )),
      )}
    </div>
  </details>
);
