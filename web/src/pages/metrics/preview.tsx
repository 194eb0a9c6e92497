import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { parseAsWritten } from '../../../../client/src/written-number.ts';
import { api, apiPages, apiQuery, issuesOf } from '../../api.ts';
import type { MetricForm } from '../../resources/metrics/kinds.ts';
import { type Previewed, previewOf, stateOf } from '../../resources/metrics/previews.ts';
import { EvidenceTexts, evidenceFacts } from '../../resources/records/evidence.tsx';
import { Quotes } from '../../resources/records/quotes.tsx';
import { reasonText, ScoreValue } from '../../resources/records/score-value.tsx';
import { spanKey, spanOfKey } from '../../resources/records/target.ts';
import type { PreviewMetricBody, RecordDetail } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { cellText } from '../../ui/csv.ts';
import { FactList } from '../../ui/fact.tsx';
import { Select } from '../../ui/field.tsx';
import { countOf, durationText } from '../../ui/format.ts';
import { modKey, useKeys } from '../../ui/keys.ts';
import { useLocalStorage } from '../../ui/local-storage.ts';
import { Section } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Value } from '../../ui/value.tsx';
import { OwnRecord, readOwnRecord, useOwnRecord } from './own-record.tsx';

// Code runs by itself after this long without a keystroke. A model costs money and runs only on request.
const pauseMs = 600;

/** What the preview of a saved metric takes from it. */
type Saved = {
  /** The metric that the form changes: what people scored by it are the prompt's examples. */
  metricId?: string;
  juryModelNames?: readonly string[];
};

/** The request's body as JSON text, for a record of the project or one that is given as text. */
const previewBody = (
  form: MetricForm,
  of: { recordId: string; span: string | undefined } | { record: string },
  { metricId, juryModelNames = [] }: Saved,
): string => {
  const spans = form.spans.trim();
  const named = (span: string | undefined) => (span === undefined ? {} : spanOfKey(span));
  // Only a record of the project has spans.
  const record =
    'record' in of
      ? { record: parseAsWritten(of.record) }
      : { recordId: of.recordId, ...(spans !== '' && { spans, ...named(of.span) }) };
  return JSON.stringify({
    ...previewOf(form),
    ...record,
    ...(form.evalType === 'ai' && { metricId, ...(juryModelNames.length > 0 && { juryModelNames }) }),
  });
};

const titleOf = ({ id, inputs }: RecordDetail): string =>
  `${id} · ${cellText(Object.values(inputs)[0]).slice(0, 60)}`;

const ownRecord = 'own';

/** The record that the metric is tried on: the newest of the project until another is chosen, or the user's own. */
const useChoice = (projectId: string) => {
  const [kept, keep] = useLocalStorage<string>(`preview record ${projectId}`);
  const [isOwnChosen, chooseOwn] = useLocalStorage<boolean>(`preview own record ${projectId}`);
  const list = useInfiniteQuery(apiPages('listProjectRecords', projectId));
  const listed = list.data?.pages[0]?.data ?? [];
  const recordId = kept ?? listed[0]?.id;
  // A record of the list is whole; an older one that was chosen before is read.
  const inList = listed.find(({ id }) => id === recordId);
  const read = useQuery({
    ...apiQuery('getRecord', recordId ?? ''),
    enabled: recordId !== undefined && list.isSuccess && !inList,
  });
  const record = inList ?? read.data;
  const own = useOwnRecord(projectId, record);
  const hasNone = list.isSuccess && recordId === undefined;
  const isOwn = isOwnChosen === true || hasNone;
  const choose = (value: string) => {
    chooseOwn(value === ownRecord || undefined);
    if (value !== ownRecord) keep(value);
  };
  return { listed, recordId, record, own, hasNone, isOwn, choose };
};

type PreviewProps = Saved & { projectId: string; form: MetricForm };

/** Tries the metric of the form on a record. Saves nothing. */
export const Preview = ({ projectId, form, ...saved }: PreviewProps) => {
  const { listed, recordId, record, own, hasNone, isOwn, choose } = useChoice(projectId);
  const [span, setSpan] = useState<{ of: string | undefined; key: string }>();
  const chosenSpan = span?.of === recordId ? span?.key : undefined;
  const read = isOwn ? readOwnRecord(own.text) : { recordId: recordId ?? '', span: chosenSpan };
  const error = 'error' in read ? read.error : undefined;
  const isChosen = isOwn || recordId !== undefined;
  const body = !isChosen || 'error' in read ? '' : previewBody(form, read, saved);
  // Code that reads a field of an empty record can only fail: it waits until the user writes one.
  const isBlank = isOwn && !own.isWritten && record === undefined;
  const run = useMutation({
    mutationFn: (sent: string) => api.previewMetric(projectId, parseAsWritten(sent) as PreviewMetricBody),
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
    if (!isCode || body === '' || isBlank) return;
    const timer = setTimeout(() => latest.current(), pauseMs);
    return () => clearTimeout(timer);
  }, [isCode, body, isBlank]);
  const isStale = run.variables !== undefined && run.variables !== body;
  if (form.evalType === 'human') return null;
  return (
    <Section
      title="Try it on a record"
      actions={
        <Button disabled={!isReady} onClick={start} title={`${modKey} Enter`}>
          <Play size={14} aria-hidden /> {isCode ? 'Run' : 'Try the judge'}
        </Button>
      }
    >
      {isChosen && (
        <div className="flex flex-col gap-3">
          {!hasNone && <ChooseRecord listed={listed} recordId={recordId} isOwn={isOwn} onChoose={choose} />}
          {isOwn && <OwnRecord {...own} error={error} />}
          {!isOwn && run.data && (
            <ChooseSpan previewed={run.data} onChoose={(chosen) => setSpan({ of: recordId, key: chosen })} />
          )}
          {run.error && <PreviewError error={run.error} />}
          {run.isPending && (
            <p role="status" className="text-soft">
              {isCode ? 'Running…' : 'Asking the judge…'}
            </p>
          )}
          {run.data && !run.error && (
            <div aria-live="polite" className={`flex flex-col gap-2 ${isStale ? 'opacity-60' : ''}`}>
              <Verdict {...{ form, projectId }} previewed={run.data} />
              {isStale && !run.isPending && (
                <p className="text-sm text-soft">The form has changed since this result.</p>
              )}
            </div>
          )}
          {record && !isOwn && <RecordParts record={record} />}
        </div>
      )}
    </Section>
  );
};

/** Prose is not an error: its scores come from clients. */
const PreviewError = ({ error }: { error: Error }) => {
  const isProse = issuesOf(error)('/guidelines')?.startsWith('is prose');
  if (!isProse) return <ErrorNote error={error} />;
  return (
    <p role="status" className="text-soft">
      This is prose, not code: it defines no function <code>score</code>, so a client must send the scores.
    </p>
  );
};

type VerdictProps = { form: MetricForm; previewed: Previewed; projectId: string };

const Verdict = ({ form, previewed, projectId }: VerdictProps) => {
  const { score, reason, prompt, rawReply, latencyMs, error } = previewed;
  const jury = previewed.jury ?? undefined;
  const { modelAnswered, inputTokens, outputTokens, costUsd } = previewed;
  const reasoning = typeof score?.reasoning === 'string' ? score.reasoning : reason && reasonText(reason);
  const asked = {
    modelAnswered,
    inputTokens,
    outputTokens,
    costUsd,
    latencyMs,
    ...(jury && { jury }),
    ...(error && { error }),
  };
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
      <Quotes score={score} projectId={projectId} />
      {previewed.language && (
        <p className="text-sm text-soft">
          Read as code in {previewed.language === 'python' ? 'Python' : 'TypeScript or JavaScript'}.
        </p>
      )}
      <FactList facts={prompt === null ? [['Time', durationText(latencyMs)]] : evidenceFacts(asked)} />
      <EvidenceTexts
        {...(jury && { jury })}
        {...(prompt !== null && { prompt })}
        {...(rawReply !== null && { rawReply })}
      />
    </>
  );
};

const RecordParts = ({ record }: { record: RecordDetail }) => (
  <details className="rounded-md border px-3 py-2">
    <summary className="font-medium select-none">Contents of {record.id}</summary>
    <div className="mt-2">
      {(['inputs', 'outputs', 'expected'] as const).flatMap((part) =>
        Object.entries(record[part]).map(([name, value]) => (
          <Value key={`${part}.${name}`} name={`${part}.${name}`} value={value} />
        )),
      )}
    </div>
  </details>
);

type ChooseRecordProps = Pick<ReturnType<typeof useChoice>, 'listed' | 'recordId' | 'isOwn'> & {
  onChoose: ReturnType<typeof useChoice>['choose'];
};

type ChooseSpanProps = { previewed: Previewed; onChoose: (span: string) => void };

/** The spans that the metric's search chooses in the record; one is tried. */
const ChooseSpan = ({ previewed: { spans, spanId, traceId }, onChoose }: ChooseSpanProps) =>
  spans && spans.length > 0 ? (
    <Select
      label={`Span, of ${countOf(spans.length, 'chosen one')}`}
      value={spanKey({ spanId, traceId: traceId ?? undefined }) ?? ''}
      options={spans.map((one) => ({ value: spanKey(one) ?? '', label: `${one.name} · ${one.spanId}` }))}
      onChange={onChoose}
    />
  ) : null;

const ChooseRecord = ({ listed, recordId, isOwn, onChoose }: ChooseRecordProps) => (
  <Select
    label="Record"
    hideLabel
    value={isOwn ? ownRecord : (recordId ?? '')}
    options={[
      { value: ownRecord, label: 'Your own record' },
      ...(!recordId || listed.some(({ id }) => id === recordId)
        ? []
        : [{ value: recordId, label: recordId }]),
      ...listed.map((each) => ({ value: each.id, label: titleOf(each) })),
    ]}
    onChange={onChoose}
  />
);
