import { rootOf } from '../http.ts';
import { createClient } from '../main.ts';
import type { Environment } from '../types.ts';
import type { Target } from './upload.ts';

/** Returns where results go, or undefined without a key or a project. */
export const targetOf = (
  { DOKIMA_URL, DOKIMA_API_KEY, DOKIMA_PROJECT }: Environment,
  project?: string,
): Target | undefined => {
  const projectId = project || DOKIMA_PROJECT;
  if (!DOKIMA_API_KEY || !projectId) return undefined;
  const url = rootOf(DOKIMA_URL || 'http://localhost:3000');
  return { client: createClient({ baseUrl: url, apiKey: DOKIMA_API_KEY }), url, projectId };
};
