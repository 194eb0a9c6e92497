import { MissingPlaceholder } from '../../jinja/src/template-error.ts';
import { DokimaError, errorOf } from './errors.ts';
import type { SystemVersionDetails } from './generated.ts';
import { type ClientOptions, rootOf } from './http.ts';
import { renderPrompt } from './render-prompt.ts';

export type PromptsOptions = ClientOptions & {
  /** Milliseconds for which a version is served without asking whether its label moved. Default 60,000. */
  maxAgeMs?: number | undefined;
  /** Milliseconds since any fixed moment. Default Date.now. */
  clock?: (() => number) | undefined;
};

export type PromptMessage = { role: 'system' | 'user' | 'assistant'; content: string };

/** A version of a prompt that can render itself. */
export type Prompt = SystemVersionDetails & {
  /**
   * Returns the messages for a model, as the service renders them. `variables` are the inputs, `{{ inputs.name }}` in a template.
   * Throws a DokimaError `MISSING_VARIABLE` for a value that the prompt needs and `variables` lack.
   */
  render(variables: Record<string, unknown>): PromptMessage[];
};

export type Prompts = {
  /**
   * Returns the version that a label of a prompt points to. Only the first call waits for the service: later calls get the version
   * that is kept, and one that is older than `maxAgeMs` is renewed in the background. If the service is unavailable, the kept version
   * stays. Throws a DokimaError when none is kept.
   */
  get(projectId: string, name: string, label?: string): Promise<Prompt>;
};

const templatesOf = ({ systemName, config }: SystemVersionDetails): PromptMessage[] => {
  if (Array.isArray(config.messages)) return config.messages as PromptMessage[];
  if (typeof config.promptTemplate === 'string') return [{ role: 'user', content: config.promptTemplate }];
  throw new DokimaError(
    'NOT_A_PROMPT',
    `${systemName} is not a prompt: it has neither messages nor promptTemplate.`,
  );
};

const withRender = (version: SystemVersionDetails): Prompt => ({
  ...version,
  render: (variables) =>
    templatesOf(version).map(({ role, content }) => {
      try {
        return { role, content: renderPrompt(content, variables) };
      } catch (cause) {
        const where = `The ${role} message of ${version.systemName}, ${version.name},`;
        if (cause instanceof MissingPlaceholder) {
          const given = Object.keys(variables).join(', ') || 'nothing';
          const message = `${where} needs ${cause.message}. render() was given ${given}.`;
          throw new DokimaError('MISSING_VARIABLE', message, { cause, details: { variable: cause.message } });
        }
        throw new DokimaError('TEMPLATE_ERROR', `${where} cannot be rendered: ${(cause as Error).message}`, {
          cause,
        });
      }
    }),
});

type Kept = { version: Prompt; etag: string | null; askedAt: number };

/** Opens a cache of prompts, which a program keeps while it runs. */
export const openPrompts = ({
  baseUrl,
  apiKey,
  fetch = globalThis.fetch.bind(globalThis),
  timeoutMs = 10_000,
  headers = {},
  maxAgeMs = 60_000,
  clock = Date.now,
}: PromptsOptions): Prompts => {
  const kept = new Map<string, Kept>();
  const asking = new Map<string, Promise<Prompt>>();

  const ask = async (path: string): Promise<Prompt> => {
    const known = kept.get(path);
    const url = `${rootOf(baseUrl)}${path}`;
    const response = await fetch(url, {
      headers: {
        ...headers,
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...(known?.etag && { 'if-none-match': known.etag }),
      },
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause) => {
      throw new DokimaError('NO_ANSWER', `${rootOf(baseUrl)} did not answer GET ${path}.`, { cause });
    });
    if (response.status === 304 && known) {
      known.askedAt = clock();
      return known.version;
    }
    const text = await response.text();
    if (!response.ok) throw errorOf(response, text, `GET ${path}`);
    const version = withRender(JSON.parse(text) as SystemVersionDetails);
    kept.set(path, { version, etag: response.headers.get('etag'), askedAt: clock() });
    return version;
  };

  /** Calls that need the same version at the same time send one request. */
  const askOnce = (path: string): Promise<Prompt> => {
    const before = asking.get(path);
    if (before) return before;
    const now = ask(path).finally(() => asking.delete(path));
    asking.set(path, now);
    return now;
  };

  return {
    get: async (projectId, name, label = 'production') => {
      const [project, system, version] = [projectId, name, label].map(encodeURIComponent);
      const path = `/api/v2/projects/${project}/systems/${system}/versions/${version}`;
      const known = kept.get(path);
      if (!known) return askOnce(path);
      if (clock() - known.askedAt >= maxAgeMs && !asking.has(path)) {
        // An unavailable service is asked again after the same time, not by every call.
        known.askedAt = clock();
        askOnce(path).catch(() => {});
      }
      return known.version;
    },
  };
};
