import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, api, apiQuery } from '../api.ts';
import { TextLink } from '../links.tsx';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { TextArea } from '../ui/field.tsx';
import { Empty, ErrorNote, Loaded } from '../ui/states.tsx';

type Answered = Answer<'askProject'>;
/** Links that a claim shows. */
const maxLinks = 10;

type ClaimProps = { projectId: string; claim: Answered['claims'][number]; onOpen: () => void };

const Claim = ({ projectId, claim, onOpen }: ClaimProps) => {
  const { text, runIds, recordIds, n } = claim;
  const rest = recordIds.length - maxLinks;
  return (
    <li>
      {text}
      <span className="flex flex-wrap gap-x-3 text-sm text-soft">
        {n !== null && <span>n = {n}</span>}
        {runIds.map((id) => (
          <TextLink key={id} onClick={onOpen} {...paths.run(projectId, id)}>
            Run {id}
          </TextLink>
        ))}
        {recordIds.slice(0, maxLinks).map((id) => (
          <TextLink key={id} onClick={onOpen} {...paths.record(projectId, id)}>
            Record {id}
          </TextLink>
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

type ShownProps = { projectId: string; question: string; answered: Answered; onOpen: () => void };

/** A question and what the model found. */
const Shown = ({ projectId, question, answered, onOpen }: ShownProps) => {
  const { claims, numLeftOut, steps, error } = answered;
  return (
    <section aria-label="Answer" className="mt-4 flex flex-col gap-3 border-t pt-3">
      <h3 className="font-medium">
        <bdi>{question}</bdi>
      </h3>
      {error !== null && <p role="alert">{error}</p>}
      {error === null && claims.length === 0 && <p>The model found nothing that it can show.</p>}
      {claims.length > 0 && (
        <ul className="flex list-disc flex-col gap-2 pl-5">
          {claims.map((claim) => (
            <Claim key={claim.text} projectId={projectId} claim={claim} onOpen={onOpen} />
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

/** Questions that show what can be asked. */
const examples = [
  'What changed between the two latest runs?',
  'What do the failures of the latest run have in common?',
  'Which judge agrees least with people?',
];

/** Questions with their answers, the newest first: kept until the window closes. */
const askedQuery = (projectId: string) => ({
  queryKey: ['asked', projectId],
  queryFn: (): { askedAt: number; question: string; answered: Answered }[] => [],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

type AskFormProps = { projectId: string; first: string; onClose: () => void };

const AskForm = ({ projectId, first, onClose }: AskFormProps) => {
  const [question, setQuestion] = useState(first);
  const queries = useQueryClient();
  const query = askedQuery(projectId);
  const { data: asked = [] } = useQuery(query);
  const ask = useMutation({
    mutationFn: (text: string) => api.askProject(projectId, { question: text }),
    onSuccess: (answered, text) => {
      queries.setQueryData(query.queryKey, [{ askedAt: Date.now(), question: text, answered }, ...asked]);
      setQuestion('');
    },
  });
  return (
    <>
      <form
        className="flex flex-col items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate(question);
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
        {asked.length === 0 && question === '' && (
          <ul className="flex flex-wrap gap-2">
            {examples.map((example) => (
              <li key={example}>
                <Button onClick={() => setQuestion(example)}>{example}</Button>
              </li>
            ))}
          </ul>
        )}
        <Button look="primary" type="submit" disabled={ask.isPending || question.trim() === ''}>
          {ask.isPending ? 'Looking it up…' : 'Ask'}
        </Button>
      </form>
      {ask.error && <ErrorNote error={ask.error} />}
      {asked.map(({ askedAt, ...each }) => (
        <Shown key={askedAt} projectId={projectId} onOpen={onClose} {...each} />
      ))}
    </>
  );
};

type AskPanelProps = {
  projectId: string;
  /** What stands in the field at first. A question costs money, so it is not sent by itself. */
  question: string;
  onClose: () => void;
};

/** Questions about the project, beside every page. Loaded on demand. */
const AskPanel = ({ projectId, question, onClose }: AskPanelProps) => {
  const models = useQuery(apiQuery('listJudgeModels'));
  return (
    <Drawer open onClose={onClose} title="Ask about this project">
      <Loaded query={models} lines={4}>
        {({ defaultModelName }) =>
          defaultModelName === null ? (
            <Empty title="Ask is off">
              Questions need a default model. An admin chooses one in{' '}
              <TextLink {...paths.providers()} onClick={onClose}>
                Providers
              </TextLink>
              .
            </Empty>
          ) : (
            <AskForm projectId={projectId} first={question} onClose={onClose} />
          )
        }
      </Loaded>
    </Drawer>
  );
};
export default AskPanel;
