import { MessagesSquare } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { cellsOf, userConfig } from '../../../../client/src/simulation.ts';
import { api } from '../../api.ts';
import { askSystem, type Tried } from '../../resources/runs/ask-system.ts';
import { configOf, isCallable, type SystemChoice } from '../../resources/runs/system-choice.tsx';
import type { JsonObject } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { errorText } from '../../ui/error-text.ts';
import { durationText, usdText } from '../../ui/format.ts';
import { Plain } from '../../ui/prose.tsx';
import type { SimulationForm } from './simulation-form.ts';

type Said = { role: string; content: string };
type Heard = { messages: readonly Said[]; tried?: Tried; error?: string; isTalking: boolean };

const stops: Record<string, string> = {
  goalReached: 'The user has reached the goal.',
  userDone: 'The user gives up, or has nothing left to say.',
  maxTurns: 'The last reply that the conversation may have.',
};

/** Holds the first conversation of the form, and hands on each message as it is said. Nothing is stored. */
const talk = async (
  projectId: string,
  form: SimulationForm,
  choice: SystemChoice,
  signal: AbortSignal,
  onMessage: (message: Said) => void,
): Promise<Tried> => {
  const { personas, scenarios, userModel, userVersionId, maxTurns } = form;
  const user: JsonObject = userVersionId
    ? (await api.getSystemVersion(userVersionId)).config
    : await userConfig(api, projectId, userModel);
  const system = choice.versionId
    ? { systemVersionId: choice.versionId }
    : { config: await configOf(choice) };
  const [inputs = {}] = cellsOf(personas, scenarios);
  const body = { ...system, inputs, simulation: { userConfig: user, maxTurns } };
  return askSystem(projectId, body, signal, { onMessage });
};

const useTalk = (projectId: string, form: SimulationForm, choice: SystemChoice) => {
  const [heard, setHeard] = useState<Heard>();
  const control = useRef<AbortController>(undefined);
  useEffect(() => () => control.current?.abort(), []);
  const start = async () => {
    control.current?.abort();
    const stopping = new AbortController();
    control.current = stopping;
    const change = (next: (now: Heard) => Partial<Heard>) => {
      if (control.current === stopping) setHeard((now) => now && { ...now, ...next(now) });
    };
    setHeard({ messages: [], isTalking: true });
    try {
      const tried = await talk(projectId, form, choice, stopping.signal, (message) =>
        change(({ messages }) => ({ messages: [...messages, message] })),
      );
      change(() => ({ tried, isTalking: false }));
    } catch (error) {
      change(() => ({
        isTalking: false,
        error: stopping.signal.aborted ? 'Stopped.' : errorText(error as Error),
      }));
    }
  };
  return { heard, start: () => void start(), stop: () => control.current?.abort() };
};

/** How the conversation ended, in how many replies, in what time and at what cost. */
const Ended = ({ tried: { state, error, outputs, latencyMs, costUsd } }: { tried: Tried }) => {
  if (state === 'failed') return <p className="break-words text-fail">It broke off: {error}</p>;
  const { turns, stop } = outputs as { turns: number; stop: string };
  return (
    <p className="text-soft">
      {stops[stop] ?? stop} {turns === 1 ? '1 reply' : `${turns} replies`} in {durationText(latencyMs)}
      {costUsd !== null && `, ${usdText(costUsd)}`}.
    </p>
  );
};

const Message = ({ message: { role, content } }: { message: Said }) => (
  <li className={`max-w-[80%] ${role === 'user' ? '' : 'self-end'}`}>
    <span className="mb-0.5 block text-sm text-soft">{role === 'user' ? 'Simulated user' : 'System'}</span>
    <div className={`rounded-md border px-3 py-2 ${role === 'user' ? 'bg-sunken' : ''}`}>
      <Plain text={content} path={undefined} />
    </div>
  </li>
);

type TryProps = { projectId: string; form: SimulationForm; choice: SystemChoice };

/** One conversation before all of them: the user on the left, the system on the right. */
export const TryConversation = ({ projectId, form, choice }: TryProps) => {
  const { heard, start, stop } = useTalk(projectId, form, choice);
  const [persona] = form.personas;
  const [scenario] = form.scenarios;
  const canTalk =
    isCallable(choice) && Boolean(persona?.name && scenario?.name && (form.userModel || form.userVersionId));
  return (
    <div className="mb-4 flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        {heard?.isTalking ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button disabled={!canTalk} onClick={start}>
            <MessagesSquare size={14} aria-hidden /> Try one conversation
          </Button>
        )}
        <span className="text-sm text-soft">
          {canTalk ? (
            <>
              <bdi>{persona!.name}</bdi> with <bdi>{scenario!.name}</bdi>, live. Nothing is stored.
            </>
          ) : (
            'Needs a persona, a scenario, and the models of both sides.'
          )}
        </span>
      </div>
      {heard && (
        <section aria-label="Conversation on trial" className="flex flex-col gap-3 border-l-2 pl-3">
          <ol aria-live="polite" className="flex flex-col gap-2">
            {heard.messages.map((message, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages are only added
              <Message key={i} message={message} />
            ))}
          </ol>
          {heard.isTalking && (
            <p>
              <Badge tone="accent">
                {heard.messages.at(-1)?.role === 'user' ? 'System' : 'User'} writes…
              </Badge>
            </p>
          )}
          {heard.tried && <Ended tried={heard.tried} />}
          {heard.error && <p className="text-fail">{heard.error}</p>}
        </section>
      )}
    </div>
  );
};
