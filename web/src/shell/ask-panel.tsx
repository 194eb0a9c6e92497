import { useQuery } from '@tanstack/react-query';
import { Square } from 'lucide-react';
import { useState } from 'react';
import { parseAsWritten } from '../../../client/src/written-number.ts';
import { apiQuery } from '../api.ts';
import { TextLink } from '../links.tsx';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { TextArea } from '../ui/field.tsx';
import { Empty, ErrorNote, Loaded } from '../ui/states.tsx';
import { type Answered, type Asking, useAsking } from './asking.ts';

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

/** `{"projectId":"1","runId":"2"}` as `run 2`; the project is always this one. */
const argumentsText = (text: string): string =>
  Object.entries(parseAsWritten(text) as Record<string, unknown>)
    .filter(([name]) => name !== 'projectId')
    .map(([name, value]) => `${name.replace(/Ids?$/, '')} ${value}`)
    .join(', ');

/** What the model looked up, one line for each call of a tool. */
const Steps = ({ steps }: Pick<Answered, 'steps'>) =>
  steps.length === 0 ? null : (
    <ol aria-label="Looked up" className="flex flex-col text-sm text-soft">
      {steps.map(({ tool, arguments: given }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps keep their places
        <li key={i} className="break-words">
          {i + 1}. {tool.replaceAll('_', ' ')} <bdi>{argumentsText(given)}</bdi>
        </li>
      ))}
    </ol>
  );

type InProgressProps = { asking: Asking; onStop: () => void };

/** The question that is being answered: what was looked up, and the words as the model writes them. */
const InProgress = ({ asking: { question, steps, text, error }, onStop }: InProgressProps) => (
  <section aria-label="Being answered" className="mt-4 flex flex-col gap-3 border-t pt-3">
    <h3 className="font-medium">
      <bdi>{question}</bdi>
    </h3>
    <Steps steps={steps} />
    {text !== '' && (
      <ul className="flex list-disc flex-col gap-2 pl-4">
        {text.split('\n').map((claim, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: claims keep their places
          <li key={i}>{claim}</li>
        ))}
      </ul>
    )}
    {error ? (
      <ErrorNote error={error} />
    ) : (
      <div className="flex items-center gap-3">
        <Button onClick={onStop}>
          <Square size={12} aria-hidden /> Stop
        </Button>
        <span role="status" className="text-sm text-soft">
          {text === '' ? 'Looking it up…' : 'Writing…'}
        </span>
      </div>
    )}
  </section>
);

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
        <ul className="flex list-disc flex-col gap-2 pl-4">
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
      <Steps steps={steps} />
      <p className="text-sm text-soft">{costText(answered)}</p>
    </section>
  );
};

/** Questions that show what can be asked. */
const examples = [
  'What changed between the two latest runs?',
  'What do the failures of the latest run have in common?',
  'Which judge agrees least with people?',
];

type AskFormProps = { projectId: string; first: string; onClose: () => void };

const AskForm = ({ projectId, first, onClose }: AskFormProps) => {
  const [question, setQuestion] = useState(first);
  const { asked, asking, isBusy, ask, stop } = useAsking(projectId);
  return (
    <>
      <form
        className="flex flex-col items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          ask(question);
          setQuestion('');
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
        {asked.length === 0 && !asking && question === '' && (
          <ul className="flex flex-wrap gap-2">
            {examples.map((example) => (
              <li key={example}>
                <Button onClick={() => setQuestion(example)}>{example}</Button>
              </li>
            ))}
          </ul>
        )}
        <Button look="primary" type="submit" disabled={isBusy || question.trim() === ''}>
          Ask
        </Button>
      </form>
      {asking && <InProgress asking={asking} onStop={stop} />}
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
