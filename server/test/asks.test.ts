import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../src', import.meta.url));
const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.ts'));
const sources = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const tellsOf = (pattern: RegExp, all = sources): string[] =>
  all.flatMap(({ file, text }) => (text.match(pattern) ?? []).map((found) => `${file}: ${found}`));

/** The code of the service that may not open a model. */
const outside = sources.filter(
  ({ file }) => !file.startsWith('engine/models/') && !file.endsWith('.test.ts'),
);

it('a model is opened, and its provider asked for a turn, in engine/models alone', () => {
  expect(outside.length).toBeGreaterThan(400);
  expect(tellsOf(/from '(ai|@ai-sdk\/[^']+)'|import\('(ai|@ai-sdk\/[^']+)'\)/g, outside)).toEqual([]);
  expect(tellsOf(/engine\/models\/(model|library|stream|fake)\.ts/g, outside)).toEqual([]);
  expect(tellsOf(/\b(openModel|openEmbedder|openLibrary)\b|\bhealth\.enter\(/g, outside)).toEqual([]);
});

it('a question to a model does not pose as a testcase of a run', () => {
  expect(tellsOf(/testcaseId: ''|runId: '0'|\bas never\b/g)).toEqual([]);
});
