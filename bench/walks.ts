/**
 * Plants faults in traces of 500 spans, lets a judge read each by the cut lists and by the tools, and prints how many it finds, its false
 * alarms, calls, tokens and cost. The model is a stand-in that finds what it is shown (walks-reader.ts): the table tells what each prompt
 * makes visible, not how well a model reads. Run: node bench/walks.ts [traces of each kind] > bench/walks-table.md
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOpenAiServer } from '../server/test/model-server.ts';
import { requestBody, sendSpans } from './ingest-spans.ts';
import { apiKey, startService } from './service.ts';
import { type Api, apiOf } from './sources-world.ts';
import { answerAsReader } from './walks-reader.ts';
import { type Fault, faults, makeTrace } from './walks-world.ts';

const count = Number(process.argv[2] ?? 20);
/** Prices of the stand-in in USD per million tokens. */
const price = { input: 2.5, output: 10 };
const judge = {
  evalType: 'ai',
  outputType: 'boolean',
  guidelines: '',
  evalModelName: 'local/reader',
  promptTemplate:
    'Is the trace without a fault? The answer of the agent: {{ allOutputs }} Its calls of tools: {{ toolCalls }}',
};
type Previewed = {
  state: string;
  reason: string | null;
  score: { binaryScore: boolean; reasoning: string } | null;
  inputTokens: number;
  costUsd: number;
};
type Row = { fault: Fault; way: string; said: string; requests: number } & Pick<
  Previewed,
  'inputTokens' | 'costUsd'
>;

const models = await openOpenAiServer();
models.answer(answerAsReader);
const directory = await mkdtemp(join(tmpdir(), 'dokima-walks-'));
const service = await startService({
  DOKIMA_DATA_DIR: directory,
  DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
  DOKIMA_REUSE_VERDICTS: 'false',
});

/** Characters of a reasoning that code may return. */
const slice = 60_000;

/** The list of tool calls as a prompt without tools gets it: code metrics get the same. It is read in slices. */
const cutCallsOf = async (api: Api, projectId: string, recordId: string): Promise<unknown[]> => {
  let text = '';
  for (let from = 0; from === text.length; from += slice) {
    const guidelines = `function score(i, o, e, { toolCalls }) {
      return { score: true, reasoning: JSON.stringify(toolCalls).slice(${from}, ${from + slice}) }; }`;
    const { score, reason } = await api('POST', `/projects/${projectId}/metrics/preview`, {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines,
      recordId,
    });
    if (!score) throw new Error(reason);
    text += score.reasoning;
  }
  return JSON.parse(text);
};

const judged = async (
  api: Api,
  projectId: string,
  fault: Fault,
  way: string,
  record: object,
): Promise<Row> => {
  const before = models.received.length;
  const path = `/projects/${projectId}/metrics/preview`;
  const answer: Previewed = await api('POST', path, { ...judge, ...record });
  const said = answer.score?.reasoning ?? `${answer.state}: ${answer.reason}`;
  const { inputTokens, costUsd } = answer;
  return { fault, way, said, requests: models.received.length - before, inputTokens, costUsd };
};

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const lineOf = (rows: Row[], way: string) => {
  const own = rows.filter((row) => row.way === way);
  const found = faults.map((fault) => {
    const of = own.filter((row) => row.fault === fault);
    return `${of.filter(({ said }) => said === fault).length} of ${of.length}`;
  });
  const wrong = own.filter(({ fault, said }) => said !== 'none' && said !== fault);
  const cells = [
    way,
    ...found,
    String(wrong.length),
    mean(own.map(({ requests }) => requests)).toFixed(1),
    Math.round(mean(own.map(({ inputTokens }) => inputTokens))).toLocaleString('en'),
    `$${mean(own.map(({ costUsd }) => costUsd)).toFixed(3)}`,
  ];
  return `| ${cells.join(' | ')} |`;
};

try {
  const api = apiOf(service.url, apiKey);
  await api('POST', '/providers', {
    name: 'local',
    kind: 'openai-compatible',
    baseUrl: models.url,
    prices: { reader: price },
  });
  const { id: projectId } = await api('POST', '/projects', { name: 'Walks', description: '' });
  const metric = await api('POST', `/projects/${projectId}/metrics`, {
    name: 'One',
    evalType: 'human',
    outputType: 'boolean',
    guidelines: '',
  });
  const run = await api('POST', `/projects/${projectId}/runs`, { metricIds: [metric.id] });
  const connection = await service.connect();
  const rows: Row[] = [];
  for (let i = 0; i < count; i++) {
    for (const fault of faults) {
      const { traceId, spans } = makeTrace(fault, 0.1 + (0.8 * i) / Math.max(1, count - 1));
      await sendSpans([connection], [requestBody(projectId, spans)]);
      const { id } = await api('POST', `/runs/${run.id}/records`, {
        inputs: {},
        expected: {},
        outputs: { output: spans[0]!.attributes!['output.value'] },
        otelLinkId: traceId,
      });
      const toolCalls = await cutCallsOf(api, projectId, id);
      const outputs = { output: spans[0]!.attributes!['output.value'] };
      rows.push(
        await judged(api, projectId, fault, 'the cut list', { record: { outputs, trace: { toolCalls } } }),
      );
      rows.push(await judged(api, projectId, fault, 'the tools', { recordId: id }));
    }
    process.stderr.write(`${i + 1} of ${count}\n`);
  }
  connection.close();
  process.stdout.write(
    [
      `| the judge reads | ${faults.slice(0, 4).join(' | ')} | none, passed | false alarms | requests | input tokens | cost |`,
      `|${'---|'.repeat(faults.length + 5)}`,
      lineOf(rows, 'the cut list'),
      lineOf(rows, 'the tools'),
      '',
    ].join('\n'),
  );
} finally {
  await service.stop();
  await models.close();
  await rm(directory, { recursive: true, force: true });
}
