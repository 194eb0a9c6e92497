import { type Static, type TSchema, Type } from 'typebox';
import { checkTemplate } from '../../engine/templates/template.ts';
import type { Issue } from '../../platform/errors.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { validator } from '../../platform/validation.ts';

const timeoutMs = Type.Integer({ minimum: 1, maximum: 600_000, default: 60_000 });

/** A system that answers over HTTP. */
const EndpointConfig = Type.Object({
  endpoint: Type.String({ pattern: '^https?://', expects: 'a URL that begins with https:// or http://' }),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  timeoutMs: Type.Optional(timeoutMs),
});
/** A system that is a prompt for a model. */
const PromptConfig = Type.Object({
  promptTemplate: Type.String({ minLength: 1 }),
  modelName: Type.String({ minLength: 1 }),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
  maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  timeoutMs: Type.Optional(timeoutMs),
});

export type EndpointSystem = Static<typeof EndpointConfig> & { kind: 'endpoint'; timeoutMs: number };
export type PromptSystem = Static<typeof PromptConfig> & { kind: 'prompt'; timeoutMs: number };
export type System = EndpointSystem | PromptSystem;

const problemsOf: Record<System['kind'], (value: unknown) => Issue[]> = {
  endpoint: validator(EndpointConfig as TSchema),
  prompt: validator(PromptConfig as TSchema),
};

/** Headers that belong to the connection, not to the message. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'upgrade', 'te']);

const endpointProblem = ({ endpoint, headers = {} }: EndpointSystem): string | undefined => {
  const url = URL.parse(endpoint);
  if (!url) return 'endpoint must be a URL that begins with https:// or http://';
  if (url.username || url.password) return 'endpoint must not hold a user name or password: use headers';
  for (const [name, value] of Object.entries(headers)) {
    if (ownHeaders.has(name.toLowerCase())) return `headers must not set ${name}`;
    try {
      new Headers({ [name]: value });
    } catch {
      return `headers must hold names and values that HTTP allows, and ${JSON.stringify(name)} does not`;
    }
  }
  return undefined;
};

const promptProblem = ({ promptTemplate }: PromptSystem): string | undefined => {
  const problem = checkTemplate(promptTemplate);
  return problem === null ? undefined : `promptTemplate, ${problem}`;
};

/**
 * Returns how to call the system that a version's configuration describes, or why the service can't. Other fields of the configuration are
 * the team's own.
 */
export const readSystemConfig = (config: RawJson): System | { problem: string } => {
  const given = parseJson(config);
  const fields = Object.keys(given as object);
  const kinds = (['endpoint', 'prompt'] as const).filter((kind) =>
    fields.includes(kind === 'endpoint' ? 'endpoint' : 'promptTemplate'),
  );
  const [kind] = kinds;
  if (!kind || kinds.length > 1) {
    return {
      problem: kind
        ? 'its config must have endpoint or promptTemplate, not both'
        : 'its config must say how to call it: endpoint, or promptTemplate and modelName',
    };
  }
  const [issue] = problemsOf[kind](given);
  if (issue) return { problem: `its config's ${issue.path.slice(1)} ${issue.message}` };
  const system = { timeoutMs: 60_000, ...(given as object), kind } as System;
  const problem = system.kind === 'endpoint' ? endpointProblem(system) : promptProblem(system);
  return problem === undefined ? system : { problem: `its config's ${problem}` };
};
