import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { ApiExample } from '../src/platform/http/api-examples.ts';
import type { Client } from './harness.ts';

const file = new URL('../src/platform/http/api-examples.json', import.meta.url);

/** Names of the fields of an example, with those of the first item of a list. Values differ from run to run. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : [];
  if (value === null || typeof value !== 'object') return '';
  return Object.keys(value).sort();
};

/** An example is for reading: lists keep two items, long texts their beginning, and what opens something is left out. */
const shorten = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 2).map(shorten);
  if (typeof value === 'string') {
    const text = value
      .replace(/\b(ak|scim)_\w+/, '$1_…')
      .replace(/#[\w-]{20,}/, '#…')
      // What the tests of tenancy write where a stranger must not.
      .replaceAll('taken over', 'Refunds');
    return text.length > 160 ? `${text.slice(0, 120)}…` : text;
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shorten(part)]));
};

/**
 * Records a request and an answer of each operation, for readers of the API reference. `DOKIMA_EXAMPLES=1` writes them; otherwise
 * the file must have nearly all operations, with the fields that they have now.
 */
export const recordExamples = () => {
  const examples: Record<string, ApiExample> = {};
  const heard =
    (operationId: string, client: Client): Client =>
    async (method, path, body, options) => {
      const answer = await client(method, path, body, options);
      if (answer.status < 300)
        examples[operationId] = {
          path,
          ...(body !== undefined && { body: shorten(body) }),
          status: answer.status,
          ...(answer.body !== undefined && { answer: shorten(answer.body) }),
        };
      return answer;
    };
  const compare = async (): Promise<void> => {
    if (process.env.DOKIMA_EXAMPLES) {
      const lines = Object.entries(examples)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([id, example]) => `${JSON.stringify(id)}: ${JSON.stringify(example)}`);
      await writeFile(file, `{\n${lines.join(',\n')}\n}\n`);
    }
    const written = JSON.parse(await readFile(file, 'utf8')) as Record<string, ApiExample>;
    const shape = (example: ApiExample | undefined) =>
      JSON.stringify([shapeOf(example?.body), shapeOf(example?.answer)]);
    const stale = Object.keys({ ...written, ...examples }).filter(
      (id) => shape(written[id]) !== shape(examples[id]),
    );
    // A change of the API may come a few commits before its example.
    expect(
      stale.length,
      `These examples are old: ${stale}. DOKIMA_EXAMPLES=1 npx vitest run server/test/tenancy.test.ts writes them.`,
    ).toBeLessThanOrEqual(10);
  };
  return { heard, compare };
};
