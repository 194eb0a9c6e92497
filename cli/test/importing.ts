import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { JsonObject, RecordDetail } from '../../client/src/main.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** What an import says if everything is there already. */
export const nothing = { testcases: 0, metrics: 0, runs: 0, records: 0, scores: 0, unscored: 0, tags: 0 };

/** Opens a terminal for the tests of a file, and a new project for each test. */
export const openImports = () => {
  const opened = {} as { terminal: Terminal; projectId: string };
  beforeAll(async () => {
    opened.terminal = await openTerminal();
  });
  beforeEach(async () => {
    opened.projectId = (await opened.terminal.client.createProject({ name: 'Imports', description: '' })).id;
  });
  afterAll(() => opened.terminal.close());

  return {
    opened,
    importFile: async (path: string, ...options: string[]) => {
      const words = ['import', '-p', opened.projectId, path, '--json', ...options];
      const said = await opened.terminal.dokima(words);
      expect([said.code, said.err]).toEqual([0, expect.any(String)]);
      return said.json();
    },
    /** Reads a run in a form to compare: each record with its outputs and its scores by metric name. */
    readRun: async (runId: string) => {
      const { client } = opened.terminal;
      const records: RecordDetail[] = [];
      for await (const record of client.listProjectRecords(opened.projectId, { runId })) records.push(record);
      return records.reverse().map(({ id, otelLinkId, inputs, expected, outputs, scoreStates, tags }) => ({
        recordId: id,
        id: otelLinkId,
        inputs,
        expected,
        outputs,
        tags,
        scores: Object.fromEntries(
          scoreStates.flatMap(({ metricName, score }) => (score ? [[metricName, score as JsonObject]] : [])),
        ),
        reasons: Object.fromEntries(
          scoreStates.flatMap(({ metricName, reason }) => (reason === null ? [] : [[metricName, reason]])),
        ),
        states: Object.fromEntries(scoreStates.map(({ metricName, state }) => [metricName, state])),
      }));
    },
  };
};
