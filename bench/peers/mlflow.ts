import { join } from 'node:path';
import { freePort } from '../postgres.ts';
import { ask, chunks, type Item, inTurn, type Peer, startProgram } from './peer.ts';

const hexOf = (id: number, length: number) => (id + 1).toString(16).padStart(length, '0');
const text = (key: string, value: unknown) => ({ key, value: { stringValue: JSON.stringify(value) } });

/** A trace of one span, with inputs and outputs where MLflow's own tracing writes them. */
const spanOf = ({ id, inputs, expected, outputs }: Item, place: number) => ({
  traceId: hexOf(place * 1_000_000 + id, 32),
  spanId: hexOf(place * 1_000_000 + id, 16),
  name: 'answer',
  kind: 1,
  startTimeUnixNano: `${1_790_000_000 + id}000000000`,
  endTimeUnixNano: `${1_790_000_001 + id}000000000`,
  attributes: [
    text('mlflow.spanInputs', inputs),
    text('mlflow.spanOutputs', outputs),
    text('expected', expected),
  ],
  status: { code: 1 },
});

/** MLflow reads the JSON of an attribute, and returns it as OTLP's values. */
type Value = {
  string_value?: string;
  int_value?: number;
  kvlist_value?: { values: { key: string; value: Value }[] };
};

const plain = ({ string_value, int_value, kvlist_value }: Value): unknown =>
  kvlist_value
    ? Object.fromEntries(kvlist_value.values.map(({ key, value }) => [key, plain(value)]))
    : (string_value ?? int_value);

type Trace = {
  trace_info: {
    trace_id: string;
    assessments?: { assessment_name: string; rationale: string; feedback: { value: number } }[];
  };
  spans: { attributes: { key: string; value: Value }[] }[];
};

const itemOf = ({ trace_info: { assessments = [] }, spans }: Trace): Item => {
  const attribute = (key: string) =>
    plain(spans[0]!.attributes.find((found) => found.key === key)!.value) as object;
  const inputs = attribute('mlflow.spanInputs') as { id: number };
  return {
    id: inputs.id,
    inputs,
    expected: attribute('expected'),
    outputs: attribute('mlflow.spanOutputs'),
    scores: assessments.map(({ assessment_name: name, rationale: reason, feedback }) => ({
      name,
      value: feedback.value,
      reason,
    })),
  };
};

/** MLflow's tracking server with two workers on PostgreSQL. Traces arrive by OTLP; it takes one assessment a request. */
export const startMlflow = async (programs: string, folder: string, databaseUrl: string): Promise<Peer> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = await startProgram(
    join(programs, 'mlflow/bin/mlflow'),
    [
      'server',
      '--port',
      String(port),
      '--workers',
      '2',
      // Connections stay open while the bench waits until the service is calm; by default it ends them after five seconds.
      '--uvicorn-opts',
      '--timeout-keep-alive 60',
      '--backend-store-uri',
      databaseUrl.replace('postgres:', 'postgresql:'),
    ],
    { MLFLOW_DISABLE_TELEMETRY: 'true', PATH: `${join(programs, 'mlflow/bin')}:${process.env.PATH}` },
    folder,
    `${url}/health`,
  );
  const traces = `${url}/api/3.0/mlflow/traces`;
  let places = 0;
  const open = async () => {
    const place = ++places;
    const { experiment_id } = await ask(`${url}/api/2.0/mlflow/experiments/create`, {
      name: `benchmark ${place}`,
    });
    const idOf = (item: Item) => `tr-${spanOf(item, place).traceId}`;
    const ids: string[] = [];
    const assess = ({ id, score: { name, value, reason } }: { id: string; score: Item['scores'][0] }) =>
      ask(`${traces}/${id}/assessments`, {
        assessment: {
          assessment_name: name,
          trace_id: id,
          source: { source_type: 'CODE', source_id: 'benchmark' },
          feedback: { value },
          rationale: reason,
        },
      });
    const send = async (items: Item[]) => {
      for (const batch of chunks(items, 500)) {
        const body = {
          resourceSpans: [{ scopeSpans: [{ spans: batch.map((item) => spanOf(item, place)) }] }],
        };
        await ask(`${url}/v1/traces`, body, 'POST', { 'x-mlflow-experiment-id': experiment_id });
      }
      ids.push(...items.map(idOf));
      await inTurn(
        items.flatMap((item) => item.scores.map((score) => ({ id: idOf(item), score }))),
        4,
        assess,
      );
    };
    return {
      send,
      read: async () => {
        const found: Item[] = [];
        for (const batch of chunks(ids, 50)) {
          const query = batch.map((id) => `trace_ids=${id}`).join('&');
          found.push(...(await ask(`${traces}/batchGet?${query}`)).traces.map(itemOf));
        }
        return found;
      },
    };
  };
  return { ...program, open };
};
