import { useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, apiQuery } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { ModelInput } from '../../resources/providers/model-input.tsx';
import { usd } from '../../resources/rescoring/amounts.ts';
import { runsQuery } from '../../resources/runs/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import type { JsonObject, Testset } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Input, Select, TextArea } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { countOf } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { textOf, withField } from './field-text.ts';
import { type Kept, useDrafts, type Written } from './use-drafts.ts';

const route = getRouteApi('/app/projects/$projectId/testsets/$testsetId/drafts');

const mostRecords = 20;
/** Most testcases that one request may add. */
const mostAccepted = 100;

/** Reads the latest records of a run that failed a metric. */
const failuresOf = async (projectId: string, runId: string): Promise<string[]> => {
  const { data } = await api.listProjectRecords(projectId, { runId, result: 'fail', limit: mostRecords });
  return data.map(({ id }) => id);
};

/** A model writes testcases, and people decide which of them count. */
export const DraftsPage = () => {
  const { projectId, testsetId } = route.useParams();
  const { data: testset } = useSuspenseQuery(apiQuery('getTestset', testsetId));
  const drafts = useDrafts(projectId, testset);
  const { kept, numAdded, isSending, unsure } = drafts;
  const may = useMay();
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
            <Button onClick={() => drafts.discardAll()}>Discard all</Button>
            <AcceptAll drafts={drafts} />
          </>
        )
      }
    >
      {unsure.length > 0 && <UnsureNote numUnsure={unsure.length} onFinish={() => drafts.accept(unsure)} />}
      <div className="grid max-w-6xl grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[320px_minmax(0,1fr)]">
        {may.write && <Ask projectId={projectId} testset={testset} onDrafts={drafts.append} />}
        {kept.length === 0 ? (
          <NoDrafts projectId={projectId} testsetId={testsetId} numAdded={numAdded} />
        ) : (
          <ul aria-label="Drafts" className="flex min-w-0 flex-col gap-3">
            {kept.map((draft, i) => (
              <li key={draft.key}>
                <DraftCard
                  projectId={projectId}
                  testset={testset}
                  draft={draft}
                  name={`Draft ${i + 1}`}
                  isPending={isSending}
                  onChange={(jsonData) => drafts.change(draft, jsonData)}
                  onAccept={() => drafts.accept([draft])}
                  onDiscard={() => drafts.discard([draft])}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Page>
  );
};

type Wish = { description: string; recordIds: readonly string[]; modelName: string; count: string };

/** Lets a model write drafts. Throws its error. */
const writeDrafts = async (testsetId: string, { description, recordIds, modelName, count }: Wish) => {
  const answer = await api.draftTestcases(testsetId, {
    ...(description.trim() && { description: description.trim() }),
    ...(recordIds.length > 0 && { recordIds: [...recordIds] }),
    ...(modelName.trim() && { modelName: modelName.trim() }),
    numTestcases: Number(count),
  });
  if (answer.error !== null) throw new Error(answer.error);
  return answer;
};

type AskProps = {
  projectId: string;
  testset: Testset;
  onDrafts: (drafts: readonly Written[]) => void;
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
      return writeDrafts(testset.id, { description, recordIds, modelName, count });
    },
    onSuccess: ({ drafts }) => onDrafts(drafts as Written[]),
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
          <Similarity
            projectId={projectId}
            testsetId={testset.id}
            similarTo={similarTo}
            similarity={similarity}
          />
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

type UnsureNoteProps = { numUnsure: number; onFinish: () => void };

/** Says that the service may have added the drafts already, and finishes it. */
const UnsureNote = ({ numUnsure, onFinish }: UnsureNoteProps) => (
  <div
    role="status"
    className="mb-4 flex max-w-6xl flex-wrap items-center gap-2 rounded-md border border-warn p-3"
  >
    <p className="min-w-0 flex-1 basis-72">
      No answer came when {countOf(numUnsure, 'draft')} {numUnsure === 1 ? 'was' : 'were'} accepted. Finish
      accepting within a day: no draft is added twice.
    </p>
    <Button look="primary" onClick={onFinish}>
      Finish accepting ({numUnsure})
    </Button>
  </div>
);

type NoDraftsProps = { projectId: string; testsetId: string; numAdded: number };

const NoDrafts = ({ projectId, testsetId, numAdded }: NoDraftsProps) => (
  <Empty
    title={numAdded === 0 ? 'No drafts' : `${countOf(numAdded, 'testcase')} added`}
    action={
      numAdded > 0 && (
        <>
          <Link {...paths.testset(projectId, testsetId)} className={buttonClass('primary')}>
            Open the testset
          </Link>
          <Link {...paths.newRun(projectId, testsetId)} className={buttonClass()}>
            Run the testset
          </Link>
        </>
      )
    }
  >
    What the model writes appears here. A draft counts only after you accept it. Runs show the rate of
    accepted drafts separately.
  </Empty>
);

/** Accepts the drafts that are no near-duplicates, or the near-duplicates if there are no others. */
const AcceptAll = ({ drafts }: { drafts: ReturnType<typeof useDrafts> }) => {
  const { kept, isSending, unsure } = drafts;
  const waiting = kept.filter(({ sent }) => sent === undefined);
  const fresh = waiting.filter(({ similarTo }) => similarTo === null);
  const isMixed = fresh.length > 0 && fresh.length < waiting.length;
  // Near-duplicates come last, for those who want them: they are not independent cases.
  const easy = (fresh.length > 0 ? fresh : waiting).slice(0, mostAccepted);
  if (easy.length === 0) return null;
  return (
    <Button
      look={unsure.length > 0 ? 'plain' : 'primary'}
      disabled={isSending}
      onClick={() => drafts.accept(easy)}
    >
      Accept all {isMixed ? 'without near-duplicates ' : fresh.length === 0 && 'near-duplicates '}(
      {easy.length})
    </Button>
  );
};

type SimilarityProps = { projectId: string; testsetId: string; similarTo: string; similarity: number };

/** The testcase or draft that a draft is like. */
const Similarity = ({ projectId, testsetId, similarTo, similarity }: SimilarityProps) => (
  <Badge tone="warn">
    {Math.round(100 * similarity)} % like{' '}
    {similarTo.startsWith('draft') ? (
      'an earlier draft'
    ) : (
      <TextLink {...paths.testset(projectId, testsetId)}>{similarTo}</TextLink>
    )}
  </Badge>
);
