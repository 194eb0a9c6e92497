import { type Answer, streams } from '../../api.ts';
import { askStreamed } from '../../streamed.ts';
import type { TrySystemBody } from '../../types.ts';

export type Tried = Answer<'trySystem'>;

/** Calls a system once, and gives its text while the model writes it. */
export const askSystem = (
  projectId: string,
  body: TrySystemBody,
  signal: AbortSignal,
  onText: (delta: string) => void,
): Promise<Tried> =>
  askStreamed(streams.trySystem(projectId), body, signal, (kind, data) => {
    if (kind === 'text') onText(String(data));
  });
