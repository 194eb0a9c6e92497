import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../postgres.ts';
import { ask, chunks, type Item, type Peer, startProgram } from './peer.ts';

const provider = { id: 'benchmark', label: 'benchmark' };
const prompt = { raw: '{{question}}', label: 'benchmark' };

/** A result as promptfoo's own evaluation writes it: the scores by name, and their reasons in the parts of the grading. */
const resultOf = (item: Item) => {
  const namedScores = Object.fromEntries(item.scores.map(({ name, value }) => [name, value]));
  return {
    id: randomUUID(),
    promptIdx: 0,
    testIdx: item.id,
    testCase: { vars: item.inputs, metadata: { expected: item.expected } },
    prompt,
    provider,
    success: true,
    score: 1,
    latencyMs: 1,
    failureReason: 0,
    response: { output: item.outputs },
    namedScores,
    gradingResult: {
      pass: true,
      score: 1,
      reason: '',
      namedScores,
      componentResults: item.scores.map(({ name, value, reason }) => ({
        pass: true,
        score: value,
        reason,
        assertion: { type: 'javascript', metric: name },
      })),
    },
    metadata: {},
  };
};

const itemOf = (result: ReturnType<typeof resultOf>): Item => ({
  id: result.testIdx,
  inputs: result.testCase.vars,
  expected: result.testCase.metadata.expected,
  outputs: result.response.output,
  scores: result.gradingResult.componentResults.map(({ assertion, reason }) => ({
    name: assertion.metric,
    value: result.namedScores[assertion.metric]!,
    reason,
  })),
});

/** promptfoo as `promptfoo view` runs it, with its SQLite database in `folder`. */
export const startPromptfoo = async (programs: string, folder: string): Promise<Peer> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const entry = join(programs, 'promptfoo/node_modules/promptfoo/dist/src/entrypoint.js');
  const env = {
    PROMPTFOO_CONFIG_DIR: folder,
    PROMPTFOO_DISABLE_TELEMETRY: '1',
    PROMPTFOO_DISABLE_UPDATE: '1',
    PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
  };
  const program = await startProgram(
    process.execPath,
    [entry, 'view', '--port', String(port), '--no'],
    env,
    folder,
    `${url}/health`,
  );
  const open = async () => {
    const evaluation = {
      config: { description: 'benchmark' },
      prompts: [{ ...prompt, provider: 'benchmark' }],
      results: [],
    };
    const { id } = await ask(`${url}/api/eval`, evaluation);
    const send = (items: Item[]) => ask(`${url}/api/eval/${id}/results`, items.map(resultOf));
    return {
      send: async (items: Item[]) => {
        for (const batch of chunks(items, 500)) await send(batch);
      },
      sendOne: (item: Item) => send([item]),
      read: async () => (await ask(`${url}/api/results/${id}`)).data.results.results.map(itemOf),
    };
  };
  return { ...program, open };
};
