import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Answer, api, apiQuery, keyOf as queryKeyOf } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { errorText } from '../../ui/error-text.ts';
import { FactList } from '../../ui/fact.tsx';
import { Part } from '../../ui/part.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { type Evidence, EvidenceTexts, evidenceFacts } from '../records/evidence.tsx';
import { ReplacedVerdicts } from '../records/replaced-verdicts.tsx';
import { reasonOf, ScoreValue } from '../records/score-value.tsx';
import { useMay } from '../session/me.ts';
import { keyOf } from './span-tree.ts';

type SpanScores = Answer<'listSpanScores'>;
type SpanScore = SpanScores['data'][number];
type ToScore = SpanScores['toScore'][number];

const useSpanScores = (recordId: string | null) => {
  const { read } = useMay();
  return useQuery({ ...apiQuery('listSpanScores', recordId ?? ''), enabled: read && recordId !== null });
};

/** What the scores of a span say together: it fails with the first that fails. Null: people have yet to score it. */
export type SpanMark = { passed: boolean | null; title: string };

/** The mark of each span of a record that has a score or waits for one by people, by its key in the tree. */
export const useSpanMarks = (recordId: string | null): ReadonlyMap<string, SpanMark> => {
  const { data } = useSpanScores(recordId);
  return useMemo(() => {
    const marks = new Map<string, SpanMark>();
    const add = (key: string, passed: boolean | null, said: string) => {
      const before = marks.get(key);
      const known = [before?.passed, passed].filter((each) => each !== null && each !== undefined);
      marks.set(key, {
        passed: known.length === 0 ? null : known.every(Boolean),
        title: before ? `${before.title}, ${said}` : said,
      });
    };
    const scored = new Set<string>();
    for (const score of data?.data ?? []) {
      const { passed, metricName, metricConfigId } = score;
      scored.add(`${keyOf(score)} ${metricConfigId}`);
      if (passed !== null) add(keyOf(score), passed, `${metricName} ${passed ? 'passes' : 'fails'}`);
    }
    for (const span of data?.toScore ?? [])
      if (!scored.has(`${keyOf(span)} ${span.metricConfigId}`))
        add(keyOf(span), null, `${span.metricName} is not scored`);
    return marks;
  }, [data]);
};

const looks = {
  true: { sign: '✓', className: 'text-pass' },
  false: { sign: '✗', className: 'text-fail' },
  null: { sign: '○', className: 'text-soft' },
};

/** A sign for the scores of a span in its row of the tree. */
export const SpanMarkSign = ({ mark: { passed, title } }: { mark: SpanMark }) => {
  const { sign, className } = looks[`${passed}`];
  return (
    <span role="img" aria-label={title} title={title} className={`shrink-0 text-sm ${className}`}>
      {sign}
    </span>
  );
};

const choices: Record<ToScore['outputType'], [label: string, score: Record<string, boolean | number>][]> = {
  boolean: [
    ['Pass', { binaryScore: true }],
    ['Fail', { binaryScore: false }],
  ],
  int: [1, 2, 3, 4, 5].map((n) => [String(n), { intScore: n }]),
  float: [0, 0.25, 0.5, 0.75, 1].map((n) => [String(n), { floatScore: n }]),
};

type SpanScorePartProps = { recordId: string; traceId: string; spanId: string };

/** The scores of the chosen span, and the form of those that people give. Shows nothing for a span that no metric scores. */
export const SpanScorePart = ({ recordId, traceId, spanId }: SpanScorePartProps) => {
  const { data } = useSpanScores(recordId);
  const isOwn = (one: SpanScore | ToScore) => one.spanId === spanId && one.traceId === traceId;
  const scores = data?.data.filter(isOwn) ?? [];
  const open = data?.toScore.filter(isOwn) ?? [];
  const lacking = open.filter((one) => !scores.some((score) => score.metricConfigId === one.metricConfigId));
  if (scores.length + lacking.length === 0) return null;
  return (
    <Part title="Scores of the span">
      <ul className="flex flex-col gap-2">
        {scores.map((score) => (
          <li key={score.metricConfigId} className="flex flex-col gap-1">
            <div className="flex flex-wrap items-center gap-2">
              <span>{score.metricName}</span>
              <ScoreValue state={{ ...score, validationErrors: score.validationErrors ?? undefined }} />
              <ScoreButtons
                recordId={recordId}
                span={open.find((one) => one.metricConfigId === score.metricConfigId)}
              />
            </div>
            <p className="text-soft break-words whitespace-pre-wrap" dir="auto">
              {reasonOf({ ...score, validationErrors: score.validationErrors ?? undefined })}
            </p>
            <SpanScoreDetails score={score} />
          </li>
        ))}
        {lacking.map((span) => (
          <li key={span.metricConfigId} className="flex flex-wrap items-center gap-2">
            <span>{span.metricName}</span>
            <span className="text-soft">not scored</span>
            <ScoreButtons recordId={recordId} span={span} />
          </li>
        ))}
      </ul>
    </Part>
  );
};

/** Prompt, reply and cost of a span's score, and the verdicts that it replaced. Loaded on demand. */
const SpanScoreDetails = ({ score }: { score: SpanScore }) => {
  const [isOpen, setOpen] = useState(false);
  const query = apiQuery('getSpanScore', score.recordId, score.metricConfigId, score.spanId, {
    traceId: score.traceId,
  });
  const { data: detail, error } = useQuery({ ...query, enabled: isOpen });
  const evidence = detail?.evidence as Evidence | null | undefined;
  const facts = evidence ? evidenceFacts(evidence) : [];
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="text-sm text-accent">Prompt, reply, cost, history</summary>
      <div className="mt-2 flex flex-col gap-2">
        {error && <ErrorNote error={error} />}
        {isOpen && !detail && !error && <Skeleton lines={2} />}
        {evidence && facts.length > 0 && (
          <>
            <FactList facts={facts} />
            <EvidenceTexts {...evidence} />
          </>
        )}
        {detail && <ReplacedVerdicts history={detail.history} />}
        {detail && detail.history.length === 0 && <p className="text-soft">It has replaced no verdict.</p>}
      </div>
    </details>
  );
};

/** Buttons that score the span by a human metric. */
const ScoreButtons = ({ recordId, span }: { recordId: string; span: ToScore | undefined }) => {
  const may = useMay();
  const give = useMutation({
    mutationFn: ({ of, score }: { of: ToScore; score: Record<string, boolean | number> }) =>
      api.upsertSpanScore(recordId, of.metricConfigId, of.spanId, { score, traceId: of.traceId }),
    meta: {
      refreshes: [
        queryKeyOf('listSpanScores', recordId),
        queryKeyOf('getSpanScore', recordId),
        queryKeyOf('getRecord', recordId),
      ],
    },
  });
  if (!span || !may.write) return null;
  return (
    <span className="flex flex-wrap items-center gap-1">
      {choices[span.outputType].map(([label, score]) => (
        <Button
          key={label}
          disabled={give.isPending}
          aria-label={`${span.metricName}: ${label}`}
          onClick={() => give.mutate({ of: span, score })}
        >
          {label}
        </Button>
      ))}
      {give.error && <span className="text-fail">{errorText(give.error)}</span>}
    </span>
  );
};
