import { useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DokimaError } from '../../../../client/src/errors.ts';
import { api, apiQuery, keyOf } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { ModelInput } from '../../resources/providers/model-input.tsx';
import { usd } from '../../resources/rescoring/amounts.ts';
import { runsQuery } from '../../resources/runs/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import { withStratum } from '../../resources/testsets/stratum.ts';
import type { JsonObject, Testset } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Input, Select, TextArea } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { countOf } from '../../ui/format.ts';
import { useDraft } from '../../ui/local-storage.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { say, sayError } from '../../ui/toast.tsx';
import { textOf, withField } from './field-text.ts';

const route = getRouteApi('/app/projects/$projectId/testsets/$testsetId/drafts');

/** A draft that waits for a decision. */
type Kept = {
  key: string;
  jsonData: JsonObject;
  similarTo: string | null;
  similarity: number;
  /** The request that adds it, once that was sent. Until its answer is known, the draft must not change. */
  sent?: string | undefined;
};
const mostRecords = 20;
/** Most testcases that one request may add. */
const mostAccepted = 100;
const freshKey = () => Math.random().toString(36).slice(2, 10);

type Acceptance = { drafts: readonly Kept[]; isFirst: boolean };
/** Whether the service has understood a request and carried out nothing of it. 409 may come while an earlier attempt still runs. */
const isRefusal = (error: Error): boolean =>
  error instanceof DokimaError && [400, 401, 403, 404, 413, 422].includes(error.status ?? 0);

/** Reads the latest records of a run that failed a metric. */
const failuresOf = async (projectId: string, runId: string): Promise<string[]> => {
  const { data } = await api.listProjectRecords(projectId, { runId, result: 'fail', limit: mostRecords });
  return data.map(({ id }) => id);
};

/** A model writes testcases, and people decide which of them count. */
export const DraftsPage = () => {
  const { projectId, testsetId } = route.useParams();
  const { data: testset } = useSuspenseQuery(apiQuery('getTestset', testsetId));
  const [kept = [], keep] = useDraft<Kept[]>(`drafts ${testsetId}`);
  const may = useMay();
  const [added, setAdded] = useState(0);
  const accept = useMutation({
    mutationFn: async ({ drafts }: Acceptance) => {
      // Repeating this changes nothing, and without the testcases it does no harm: only the second request can double anything.
      const changes = withStratum(await api.getTestset(testset.id));
      if (changes) await api.updateTestset(testset.id, changes);
      const items = drafts.map(({ jsonData }) => ({ jsonData }));
      await api.createTestcases(testset.id, { items }, { idempotencyKey: `drafts-${drafts[0]!.sent}` });
    },
    meta: { refreshes: [keyOf('getTestset', testsetId), keyOf('listTestcases', testsetId)] },
    onSuccess: (_, { drafts }) => {
      drop(drafts);
      setAdded((before) => before + drafts.length);
      say(`Added ${countOf(drafts.length, 'testcase')} to ${testset.name}.`);
    },
    onError: (error, { drafts, isFirst }) => {
      // A refused request has added nothing. Any other may have, and so may an earlier one with the same key.
      if (isFirst && isRefusal(error)) mark(drafts, undefined);
      sayError(error);
    },
  });
  const includes = (some: readonly Kept[], { key }: Kept) => some.some((each) => each.key === key);
  const drop = (gone: readonly Kept[]) => keep(kept.filter((each) => !includes(gone, each)));
  const mark = (drafts: readonly Kept[], sent: string | undefined) =>
    keep(kept.map((each) => (includes(drafts, each) ? { ...each, sent } : each)));
  const add = (drafts: readonly Kept[]) => {
    const sent = drafts[0]!.sent ?? freshKey();
    mark(drafts, sent);
    accept.mutate({ drafts: drafts.map((each) => ({ ...each, sent })), isFirst: !drafts[0]!.sent });
  };
  const set = (draft: Kept, jsonData: JsonObject) =>
    keep(kept.map((each) => (each.key === draft.key ? { ...draft, jsonData } : each)));
  const waiting = kept.filter(({ sent }) => sent === undefined);
  const unsure = accept.isPending ? undefined : kept.find(({ sent }) => sent !== undefined)?.sent;
  const unsureDrafts = kept.filter(({ sent }) => sent !== undefined && sent === unsure);
  const fresh = waiting.filter(({ similarTo }) => similarTo === null);
  const isMixed = fresh.length > 0 && fresh.length < waiting.length;
  // Near-duplicates come last, for those who want them: they are not independent cases.
  const easy = (fresh.length > 0 ? fresh : waiting).slice(0, mostAccepted);
  return (
    <Page
      crumbs={
        <>
          <QuietLink {...paths.testsets(projectId)}>Testsets</QuietLink>
          <span aria-hidden> / </span>
          <QuietLink {...paths.testset(projectId, testsetId)}>
            <bdi>{testset.name}</bdi>
          </QuietLink>
        </>
      }
      title="Testcases from a model"
      actions={
        kept.length > 0 && (
          <>
            <Button onClick={() => keep(undefined)}>Discard all</Button>
            {easy.length > 0 && (
              <Button
                look={unsure ? 'plain' : 'primary'}
                disabled={accept.isPending}
                onClick={() => add(easy)}
              >
                Accept all {isMixed ? 'without near-duplicates ' : fresh.length === 0 && 'near-duplicates '}(
                {easy.length})
              </Button>
            )}
          </>
        )
      }
    >
      {unsureDrafts.length > 0 && (
        <div
          role="status"
          className="mb-4 flex max-w-6xl flex-wrap items-center gap-2 rounded-md border border-warn p-3"
        >
          <p className="min-w-0 flex-1 basis-72">
            No answer came when {countOf(unsureDrafts.length, 'draft')}{' '}
            {unsureDrafts.length === 1 ? 'was' : 'were'} accepted. Finish it within a day: nothing is added
            twice.
          </p>
          <Button look="primary" onClick={() => add(unsureDrafts)}>
            Finish accepting ({unsureDrafts.length})
          </Button>
        </div>
      )}
      <div className="grid max-w-6xl grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[320px_minmax(0,1fr)]">
        {may.write && (
          <Ask
            projectId={projectId}
            testset={testset}
            onDrafts={(drafts) => keep([...kept, ...drafts.map((each) => ({ ...each, key: freshKey() }))])}
          />
        )}
        {kept.length === 0 ? (
          <Empty
            title={added === 0 ? 'No drafts' : `${countOf(added, 'testcase')} added`}
            action={
              added > 0 && (
                <>
                  <Link {...paths.testset(projectId, testsetId)} className={buttonClass('primary')}>
                    Open the testset
                  </Link>
                  <Link {...paths.newRun(projectId, testsetId)} className={buttonClass()}>
                    Run it
                  </Link>
                </>
              )
            }
          >
            What the model writes appears here. A draft counts only after you accept it. Runs show the rate of
            accepted ones apart from the rate of the others.
          </Empty>
        ) : (
          <ul aria-label="Drafts" className="flex min-w-0 flex-col gap-3">
            {kept.map((draft, i) => (
              <li key={draft.key}>
                <DraftCard
                  {...{ projectId, testset, draft }}
                  name={`Draft ${i + 1}`}
                  isPending={accept.isPending}
                  onChange={(jsonData) => set(draft, jsonData)}
                  onAccept={() => add([draft])}
                  onDiscard={() => drop([draft])}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Page>
  );
};

type AskProps = {
  projectId: string;
  testset: Testset;
  onDrafts: (drafts: readonly Omit<Kept, 'key'>[]) => void;
};

/** Says what the model should write, and asks it. */
const Ask = ({ projectId, testset, onDrafts }: AskProps) => {
  const { records = '' } = route.useSearch();
  const given = records.split(',').filter(Boolean).slice(0, mostRecords);
  const { data: pages } = useInfiniteQuery(runsQuery(projectId));
  const runs = pages?.pages.flatMap(({ data }) => data) ?? [];
  const [description, setDescription] = useState('');
  const [source, setSource] = useState(given.length > 0 ? 'given' : '');
  const [count, setCount] = useState('10');
  const [modelName, setModelName] = useState('');
  const { data: testcases } = useQuery(apiQuery('listTestcases', testset.id, { limit: 1 }));
  const hasExamples = (testcases?.data.length ?? 0) > 0;
  const ask = useMutation({
    mutationFn: async () => {
      const recordIds = source === 'given' ? given : source === '' ? [] : await failuresOf(projectId, source);
      if (source !== '' && recordIds.length === 0) throw new Error('No record of this run has failed.');
      const answer = await api.draftTestcases(testset.id, {
        ...(description.trim() && { description: description.trim() }),
        ...(recordIds.length > 0 && { recordIds }),
        ...(modelName.trim() && { modelName: modelName.trim() }),
        numTestcases: Number(count),
      });
      if (answer.error !== null) throw new Error(answer.error);
      return answer;
    },
    onSuccess: ({ drafts }) => onDrafts(drafts as Omit<Kept, 'key'>[]),
  });
  const n = Number(count);
  return (
    <Form
      write={ask}
      action={ask.isPending ? 'The model writes…' : `Write ${countOf(n, 'draft')}`}
      disabled={description.trim() === '' && source === '' && !hasExamples}
      className="max-w-md lg:sticky lg:top-0"
    >
      <TextArea
        label="What they should be about"
        rows={4}
        maxLength={10_000}
        placeholder="Customers who ask for a refund after the deadline, some of them angry"
        hint={hasExamples ? 'The model also sees the newest testcases of this testset.' : undefined}
        value={description}
        onChange={setDescription}
      />
      <Select
        label="Like these failures"
        value={source}
        options={[
          { value: '', label: 'None' },
          ...(given.length > 0
            ? [{ value: 'given', label: `The ${countOf(given.length, 'chosen record')}` }]
            : []),
          ...runs.map(({ id, title }) => ({ value: id, label: `Failures of ${title}` })),
        ]}
        onChange={setSource}
      />
      <div className="grid grid-cols-[80px_minmax(0,1fr)] gap-2">
        <Input label="Number" type="number" required min={1} max={50} value={count} onChange={setCount} />
        <ModelInput
          label="Model"
          placeholder="The default model of judges"
          value={modelName}
          onChange={setModelName}
        />
      </div>
      {ask.data && (
        <p role="status" className="text-sm text-soft">
          {ask.data.modelName} wrote {countOf(ask.data.drafts.length, 'draft')}
          {ask.data.costUsd !== null && ` for ${usd(ask.data.costUsd)}`}. Compared with{' '}
          {countOf(ask.data.numCompared, 'testcase')}.
        </p>
      )}
    </Form>
  );
};

type CardProps = {
  projectId: string;
  testset: Testset;
  draft: Kept;
  name: string;
  isPending: boolean;
  onChange: (jsonData: JsonObject) => void;
  onAccept: () => void;
  onDiscard: () => void;
};

/** One draft to read, change, accept or discard. */
const DraftCard = ({
  projectId,
  testset,
  draft,
  name,
  isPending,
  onChange,
  onAccept,
  onDiscard,
}: CardProps) => {
  const { jsonData, similarTo, similarity, sent } = draft;
  const isSent = sent !== undefined;
  const [texts, setTexts] = useState<Record<string, string>>({});
  const { inputs, expected } = testset.fieldMapping;
  const fields = [...new Set([...inputs, ...expected, ...Object.keys(jsonData)])].filter(
    (field) => field !== 'origin',
  );
  const [wrong, setWrong] = useState<string>();
  const edit = (field: string, text: string) => {
    setTexts({ ...texts, [field]: text });
    try {
      onChange(withField(jsonData, field, text));
      setWrong(undefined);
    } catch {
      setWrong(field);
    }
  };
  return (
    <section aria-label={name} className="rounded-md border p-3">
      <header className="mb-2 flex min-h-7 flex-wrap items-center gap-2">
        <h2 className="font-semibold">{name}</h2>
        {similarTo !== null && (
          <Badge tone="warn">
            {Math.round(100 * similarity)} % like{' '}
            {similarTo.startsWith('draft') ? (
              'an earlier draft'
            ) : (
              <TextLink {...paths.testset(projectId, testset.id)}>{similarTo}</TextLink>
            )}
          </Badge>
        )}
        <span className="ml-auto flex gap-2">
          <Button disabled={isSent} onClick={onDiscard}>
            Discard
          </Button>
          <Button disabled={isPending || isSent || wrong !== undefined} onClick={onAccept}>
            Accept
          </Button>
        </span>
      </header>
      <div className="grid gap-2 md:grid-cols-2">
        {fields.map((field) => {
          const text = texts[field] ?? textOf(jsonData[field]);
          return (
            <TextArea
              key={field}
              label={field}
              dir="auto"
              rows={Math.min(8, Math.max(2, Math.ceil(text.length / 50)))}
              error={wrong === field ? 'Must be JSON, or a text that begins with a letter.' : undefined}
              disabled={isSent}
              value={text}
              onChange={(value) => edit(field, value)}
            />
          );
        })}
      </div>
    </section>
  );
};
