import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startApp, type TestApp } from './harness.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
type Rule = { alert: string; expr: string; annotations: { summary: string; runbook: string } };

let app: TestApp;
let rules: Rule[];
/** Names of all metrics that a service shows. */
let shown: Set<string>;

beforeAll(async () => {
  app = await startApp({});
  rules = parse(await read('deploy/prometheus/rules.yaml')).groups[0].rules;
  const text = (await app.app.inject('/metrics')).body;
  shown = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!));
});
afterAll(() => app.close());

const metricsOf = (text: string) => [
  ...new Set([...text.matchAll(/\bdokima_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))),
];

it('each alert has a part of the runbook, and each part an alert', async () => {
  const parts = [...(await read('docs/runbook.md')).matchAll(/^## (Dokima\w+)$/gm)].map(([, name]) => name);
  expect(parts).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, annotations } of rules)
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
});

it('alerts, board and runbook name only metrics that a service shows', async () => {
  const server = new Set(['dokima_database_uses']);
  for (const path of ['deploy/prometheus/rules.yaml', 'deploy/grafana/dokima.json', 'docs/runbook.md']) {
    const named = metricsOf(await read(path));
    expect(named.length).toBeGreaterThan(5);
    expect(
      named.filter((name) => !shown.has(name) && !(app.db.engine === 'embedded' && server.has(name))),
    ).toEqual([]);
  }
});

it('the runbook explains each metric of an alert', async () => {
  const explained = (await read('docs/runbook.md'))
    .split('\n')
    .filter((line) => line.startsWith('| `dokima_'));
  const named = metricsOf(explained.join('\n'));
  for (const { expr } of rules) expect(named).toEqual(expect.arrayContaining(metricsOf(expr)));
});
