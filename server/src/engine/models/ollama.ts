import type { ResolvedModel } from './provider.ts';

/** Errors of Ollama and llama.cpp about memory, of the machine or of the graphics card. */
const memoryWords = /more system memory|out of memory|cudaMalloc|insufficient memory|failed to allocate/i;
const loadWords =
  /runner process has terminated|unable to load model|error loading model|failed to load model|unable to allocate/i;

/** Whether the provider is Ollama, by its name, its usual port or its own words. */
export const isOllama = ({ provider: { name, kind, baseUrl = '' } }: ResolvedModel, message = ''): boolean =>
  kind === 'openai-compatible' &&
  (/ollama/i.test(`${name} ${message}`) ||
    /:11434(\/|$)/.test(baseUrl) ||
    /try pulling it first/i.test(message));

/** Returns what to do where Ollama itself must change; undefined for any other answer. */
export const ollamaSentence = (
  status: number,
  message: string,
  quoted: string,
  resolved: ResolvedModel,
): string | undefined => {
  const { provider, model } = resolved;
  const who = `provider '${provider.name}'`;
  if (status === 404 && isOllama(resolved, message)) {
    // Nothing at the address answers without words about a model.
    if (!/model/i.test(message))
      return `${who} has nothing at its base URL (404): the one of Ollama ends with /v1. Correct it, then retry the scores that failed`;
    return `${who} has no model '${model}' (404): get it with \`ollama pull ${model}\` on its machine, then retry the scores that failed`;
  }
  if (status < 500) return undefined;
  if (memoryWords.test(message))
    return `${who} has too little memory for '${model}' (${status}): ${quoted}. Take a smaller model, or end what else uses the memory; it is tried again`;
  if (loadWords.test(message))
    return `${who} can't load '${model}' (${status}): ${quoted}. See what its own log says${isOllama(resolved, message) ? `; \`ollama pull ${model}\` mends a file that is damaged` : ''}; it is tried again`;
  return undefined;
};
