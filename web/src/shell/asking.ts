import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, streams } from '../api.ts';
import { askStreamed } from '../streamed.ts';

export type Answered = Answer<'askProject'>;
type Step = Answered['steps'][number];

/** The question that a model is answering now. */
export type Asking = {
  question: string;
  steps: Step[];
  /** The claims as far as they are written. */
  text: string;
  error: Error | null;
};
type Asked = { askedAt: number; question: string; answered: Answered };

// Kept until the window closes: the panel can be closed while the model looks things up.
const kept = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY };
/** Questions with their answers, the newest first. */
const askedQuery = (projectId: string) => ({
  queryKey: ['asked', projectId],
  queryFn: (): Asked[] => [],
  ...kept,
});
const askingQuery = (projectId: string) => ({
  queryKey: ['asking', projectId],
  queryFn: (): Asking | null => null,
  ...kept,
});

const stops = new Map<string, AbortController>();

const start = async (queries: QueryClient, projectId: string, question: string): Promise<void> => {
  const { queryKey } = askingQuery(projectId);
  const change = (next: (now: Asking) => Asking | null) =>
    queries.setQueryData<Asking | null>(queryKey, (now) => now && next(now));
  queries.setQueryData(queryKey, { question, steps: [], text: '', error: null });
  const stop = new AbortController();
  stops.set(projectId, stop);
  const onEvent = (kind: string, data: unknown) =>
    change((now) =>
      // What the model wrote before it called a tool was not its answer.
      kind === 'step'
        ? { ...now, steps: [...now.steps, data as Step], text: '' }
        : { ...now, text: `${now.text}${data}` },
    );
  try {
    const url = streams.askProject(projectId);
    const answered = await askStreamed<Answered>(url, { question }, stop.signal, onEvent);
    queries.setQueryData<Asked[]>(askedQuery(projectId).queryKey, (asked = []) => [
      { askedAt: Date.now(), question, answered },
      ...asked,
    ]);
    queries.setQueryData(queryKey, null);
  } catch (error) {
    if (stop.signal.aborted) queries.setQueryData(queryKey, null);
    else change((now) => ({ ...now, error: error as Error }));
  } finally {
    stops.delete(projectId);
  }
};

/** The answered questions about a project, and the one that is being answered. */
export const useAsking = (projectId: string) => {
  const queries = useQueryClient();
  const { data: asked = [] } = useQuery(askedQuery(projectId));
  const { data: asking } = useQuery(askingQuery(projectId));
  return {
    asked,
    asking: asking ?? undefined,
    isBusy: asking != null && asking.error === null,
    ask: (question: string) => void start(queries, projectId, question),
    stop: () => stops.get(projectId)?.abort(),
  };
};
