import { execFile } from 'node:child_process';
import { access, glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { recordKeys } from '../src/evaluation/records/search-keys.ts';
import { runKeys } from '../src/evaluation/runs/run-keys.ts';
import { testcaseKeys } from '../src/evaluation/testsets/testcase-keys.ts';
import { statusOf } from '../src/platform/errors.ts';
import { traceKeys } from '../src/traces/read/trace-keys.ts';
import { ok } from './fixtures.ts';
import { startApp } from './harness.ts';
import { blocksOf } from './newcomer/blocks.ts';
import { newTraceId, requestOf, toProtobuf } from './otlp.ts';

const repository = (path: string) => new URL(`../../${path}`, import.meta.url);
const read = (path: string) => readFile(repository(path), 'utf8');

const isOthers = (name: string) => ['node_modules', 'dist'].includes(name) || name.startsWith('.');

/** Runs the marked shell lines of a page against a new service. Returns what they print and the variables that they export. */
const runLines = async (page: string, marks: string[], more = '') => {
  const app = await startApp({});
  const { key, api } = await app.organization();
  const text = await read(page);
  const blocks = marks.map(
    (mark) => new RegExp(`<!-- ${mark}: [^>]*-->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(text)![1]!,
  );
  const script = `set -eu\n${blocks
    .join('\n')
    .replaceAll('http://localhost:3000', await app.url())
    .replaceAll('ak_...', key)}\n${more}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...process.env, KEY: key } });
  return { app, api, stdout };
};

it('the lines of docs/tracing.md make a project, and spans that are sent with them are in it', async () => {
  const { app, api, stdout } = await runLines('docs/tracing.md', ['project and key', 'environment'], 'env');
  const variables = Object.fromEntries(stdout.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const projectId = variables.DOKIMA_PROJECT_ID;
  const headers = variables.OTEL_EXPORTER_OTLP_HEADERS.split(',').map((pair: string) =>
    pair.split('=').map(decodeURIComponent),
  );
  const send = async (resource: Record<string, string>) => {
    const { status } = await fetch(`${variables.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`, {
      method: 'POST',
      headers: { ...Object.fromEntries(headers), 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(toProtobuf(requestOf([{ traceId: newTraceId(), n: 1 }], resource))),
    });
    expect(status).toBe(200);
  };
  await send(
    Object.fromEntries(variables.OTEL_RESOURCE_ATTRIBUTES.split(',').map((pair: string) => pair.split('='))),
  );
  // The key's default project makes the attribute unnecessary.
  await send({});
  expect((await ok(api('GET', `/projects/${projectId}/spans`))).data).toHaveLength(2);
  await app.close();
});

it('no documented line works in project 1, which is the demo, or lets npx ask a registry for the command line', async () => {
  const found: string[] = [];
  for await (const page of glob('{README.md,docs/**/*.md,examples/**/*.md}', {
    cwd: repository('.'),
    exclude: isOthers,
  })) {
    for (const { text } of blocksOf(page, await read(page))) {
      for (const line of text.split('\n')) {
        const isWrong =
          /-p 1\b|--project[= ]1\b|projects\/1\b|project_?id"?['"]?[:=] ?['"]?1\b|npx dokima/i.test(line);
        if (isWrong) found.push(`${page}: ${line}`);
      }
    }
  }
  expect(found).toEqual([]);
});

it('docs/errors.md has each code with its status, and no other', async () => {
  const page = await read('docs/errors.md');
  const documented = [...page.matchAll(/^## (\w+)\n\n\*\*Status (\d+)\./gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(documented)).toEqual(statusOf);
});

it('docs/troubleshooting.md quotes messages as the code has them', async () => {
  const page = await read('docs/troubleshooting.md');
  const quoted = [...page.matchAll(/^\| [^|]*?"([^"]+)"/gm)].flatMap(([, text]) => text!.split(' … '));
  const parts = quoted.map((text) => text.replaceAll('…', '').trim()).filter(Boolean);
  expect(parts).toContain('is in use');
  const sources: string[] = [];
  for await (const file of glob('{server,client}/src/**/*.ts', { cwd: repository('.') }))
    if (!file.endsWith('.test.ts')) sources.push(await read(file));
  expect(parts.filter((part) => !sources.some((source) => source.includes(part)))).toEqual([]);
});

it('docs/searching.md has each filter of records and of traces, and no other', async () => {
  const page = await read('docs/searching.md');
  const filtersOf = (heading: string) => {
    const section = page.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
    const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell!);
    return cells.flatMap((cell) => [...cell.matchAll(/`(\w+):`/g)].map(([, key]) => key!)).sort();
  };
  expect(filtersOf('Filters of records')).toEqual(Object.keys(recordKeys).sort());
  expect(filtersOf('Filters of traces')).toEqual(Object.keys(traceKeys).sort());
  expect(filtersOf('Filters of runs')).toEqual(Object.keys(runKeys).sort());
  expect(filtersOf('Filters of testcases')).toEqual(Object.keys(testcaseKeys).sort());
});

it('every file and folder that ARCHITECTURE.md names is there', async () => {
  const names = [...(await read('ARCHITECTURE.md')).matchAll(/`([\w.-]+(?:\/[\w.-]+)*)`/g)].map(
    ([, name]) => name!,
  );
  const paths = names.filter((name) => /\/|\.(ts|tsx|sql|json|md)$/.test(name));
  expect(paths).toContain('server/migrations/0001_schema.sql');
  const missing: string[] = [];
  for (const path of paths) {
    // A path begins at the repository or at the server's sources. A bare name stands beside the file before it.
    const pattern = path.includes('/') ? `{,server/src/}${path}` : `{,server/**/,web/src/}${path}`;
    const found: string[] = [];
    for await (const file of glob(pattern, { cwd: repository('.'), exclude: isOthers })) found.push(file);
    if (found.length === 0) missing.push(path);
  }
  expect(missing).toEqual([]);
});

it('every link to a file of the repository leads to one', async () => {
  const pages: string[] = [];
  for await (const page of glob('**/*.md', { cwd: repository('.'), exclude: isOthers })) pages.push(page);
  expect(pages).toContain('README.md');
  for (const page of pages) {
    for (const [, target] of (await read(page)).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      const file = fileURLToPath(new URL(target!, repository(page)));
      await expect(access(file), `${page} links to ${target}`).resolves.toBeUndefined();
    }
  }
});

it('every request that the guide names is one of the API', async () => {
  const { paths } = JSON.parse(await read('openapi.json')) as { paths: Record<string, object> };
  /** A path whose ids, variables and labels are all alike. */
  const shapeOf = (path: string) => path.replace(/^\/api\/v2/, '').replaceAll(/\{\w+\}|\$\w+|\b\d+\b/g, '{}');
  const known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${shapeOf(path)}`),
  );
  const named: string[] = [];
  for await (const page of glob('{README.md,docs/*.md}', { cwd: repository('.') }))
    for (const [, method, path] of (await read(page)).matchAll(
      /\b(GET|POST|PUT|PATCH|DELETE)\s+(\/[\w/{}$-]*[\w}])/g,
    ))
      named.push(`${page}: ${method} ${shapeOf(path!)}`);
  expect(named.length).toBeGreaterThan(100);
  const beside = /: \w+ \/(?:otel|scim|mcp|healthz|readyz|metrics$)/;
  // A label stands for itself.
  const example = 'docs/prompts.md: PUT /systems/{}/labels/staging';
  const isWrong = (request: string) => !known.includes(request.slice(request.indexOf(': ') + 2));
  expect(named.filter((request) => isWrong(request) && !beside.test(request) && request !== example)).toEqual(
    [],
  );
});
