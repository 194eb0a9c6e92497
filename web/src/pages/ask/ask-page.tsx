import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, api, apiQuery } from '../../api.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote } from '../../ui/states.tsx';

const route = getRouteApi('/app/projects/$projectId/ask');

type Answered = Answer<'askProject'>;
/** Links that a claim shows. */
const maxLinks = 10;

const Claim = ({ projectId, claim }: { projectId: string; claim: Answered['claims'][number] }) => {
  const { text, runIds, recordIds, n } = claim;
  const rest = recordIds.length - maxLinks;
  return (
    <li>
      {text}
      <span className="flex flex-wrap gap-x-3 text-sm text-soft">
        {n !== null && <span>n = {n}</span>}
        {runIds.map((id) => (
          <Link key={id} className="text-accent underline" {...paths.run(projectId, id)}>
            Run {id}
          </Link>
        ))}
        {recordIds.slice(0, maxLinks).map((id) => (
          <Link key={id} className="text-accent underline" {...paths.record(projectId, id)}>
            Record {id}
          </Link>
        ))}
        {rest > 0 && <span>and {rest} more records</span>}
      </span>
    </li>
  );
};

const costText = ({ modelName, costUsd, inputTokens, outputTokens }: Answered): string => {
  const cost = costUsd === null ? 'cost not known' : `$${Number(costUsd.toPrecision(2))}`;
  return `${modelName} · ${cost} · ${inputTokens ?? '?'} tokens read, ${outputTokens ?? '?'} written`;
};

const Shown = ({ projectId, answered }: { projectId: string; answered: Answered }) => {
  const { claims, numLeftOut, steps, error } = answered;
  return (
    <section aria-label="Answer" className="mt-4 flex max-w-3xl flex-col gap-3">
      {error !== null && <p role="alert">{error}</p>}
      {error === null && claims.length === 0 && <p>The model found nothing that it can show.</p>}
      {claims.length > 0 && (
        <ul className="flex list-disc flex-col gap-2 pl-5">
          {claims.map((claim) => (
            <Claim key={claim.text} projectId={projectId} claim={claim} />
          ))}
        </ul>
      )}
      {numLeftOut > 0 && (
        <p className="text-sm text-soft">
          Claims left out because they name no run or record that the model has read: {numLeftOut}.
        </p>
      )}
      <p className="text-sm text-soft">
        Looked up: {steps.map(({ tool }) => tool.replaceAll('_', ' ')).join(', ') || 'nothing'}.{' '}
        {costText(answered)}
      </p>
    </section>
  );
};

export const AskPage = () => {
  const { projectId } = route.useParams();
  const may = useMay();
  const models = useQuery(apiQuery('listJudgeModels'));
  const [question, setQuestion] = useState('');
  const ask = useMutation({ mutationFn: () => api.askProject(projectId, { question }) });
  if (!may.write || models.data?.defaultModelName === null)
    return (
      <Page title="Ask">
        <Empty title="Ask is off">
          {may.write
            ? 'Questions need a default model. An admin chooses one in Settings → Providers.'
            : 'A question costs money, so it needs the right to write in this project.'}
        </Empty>
      </Page>
    );
  return (
    <Page title="Ask">
      <form
        className="flex max-w-3xl flex-col items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate();
        }}
      >
        <TextArea
          label="Question"
          className="w-full"
          required
          maxLength={4_000}
          rows={3}
          hint="A model reads this project with tools that change nothing, and answers. It can be wrong: follow the links."
          value={question}
          onChange={setQuestion}
        />
        <Button look="primary" type="submit" disabled={ask.isPending || question.trim() === ''}>
          {ask.isPending ? 'Looking it up…' : 'Ask'}
        </Button>
      </form>
      {ask.error && <ErrorNote error={ask.error} />}
      {ask.data && <Shown projectId={projectId} answered={ask.data} />}
    </Page>
  );
};
