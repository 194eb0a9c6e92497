import { readFileSync } from 'node:fs';
import type { App } from './http.ts';

/** A request of an operation, and its answer, as the tests of tenancy recorded them. Long texts and lists are cut. */
export type ApiExample = { path: string; body?: unknown; status: number; answer?: unknown };

type Content = Record<string, { example?: unknown }>;
type Operation = {
  operationId: string;
  description?: string;
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type Document = { paths: Record<string, Record<string, Operation>> };

/** Returns the document with a request and an answer for each operation. They are not in openapi.json, which would be a third longer. */
export const withExamples = (document: object): object => {
  const examples = JSON.parse(
    readFileSync(new URL('./api-examples.json', import.meta.url), 'utf8'),
  ) as Record<string, ApiExample>;
  const shown = structuredClone(document) as Document;
  for (const [path, methods] of Object.entries(shown.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const example = examples[operation.operationId];
      if (!example) continue;
      const call = `Example: \`${method.toUpperCase()} ${path.slice(0, '/api/v2'.length)}${example.path}\``;
      operation.description = [operation.description, call].filter(Boolean).join('\n\n');
      const body = operation.requestBody?.content['application/json'];
      if (body && example.body !== undefined) body.example = example.body;
      const answer = operation.responses[example.status]?.content?.['application/json'];
      if (answer && example.answer !== undefined) answer.example = example.answer;
    }
  }
  return shown;
};

/** Returns a function that gives the text of the document with its examples. It takes 20 ms once, at the first call. */
export const documentOf = (app: App): (() => string) => {
  let text: string | undefined;
  return () => {
    text ??= JSON.stringify(withExamples(app.swagger()));
    return text;
  };
};
