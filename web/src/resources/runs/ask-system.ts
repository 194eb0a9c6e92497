import { type Answer, streams } from '../../api.ts';
import { askStreamed } from '../../streamed.ts';
import type { TrySystemBody } from '../../types.ts';

export type Tried = Answer<'trySystem'>;

type Heard = {
  /** Gets the text of a prompt while the model writes it. */
  onText?: (delta: string) => void;
  /** Gets each message of a simulated conversation as it is said. */
  onMessage?: (message: { role: string; content: string }) => void;
};

/** Calls a system once, or lets a simulated user talk to it once. */
export const askSystem = (
  projectId: string,
  body: TrySystemBody,
  signal: AbortSignal,
  { onText, onMessage }: Heard,
): Promise<Tried> =>
  askStreamed(streams.trySystem(projectId), body, signal, (kind, data) => {
    if (kind === 'text') onText?.(String(data));
    if (kind === 'message') onMessage?.(data as { role: string; content: string });
  });
