import { createHash } from 'node:crypto';
import type { TestSpan } from '../server/test/otlp.ts';

/** Traces of an agent that handles orders, with a planted fault or none. */

export const faults = ['wrong argument', 'ignored failure', 'contradicted fact', 'loop', 'none'] as const;
export type Fault = (typeof faults)[number];

/** A call of a tool, as a reader knows it: by the JSON of its arguments and its result. */
export type Known = { args: string; result: string; failed: boolean };

export const spansPerTrace = 500;
const orders = 30;
/** Characters of text in each result, as of a page or a list that a tool returned. */
const padding = 1_600;

type Call = { tool: string; args: object; result?: object; error?: string };

const words = 'the parcel left our depot and waits for the carrier who calls the customer before noon '.split(
  ' ',
);
const prose = (seed: number): string => {
  let text = '';
  for (let i = seed; text.length < padding; i += 7) text += `${words[i % words.length]} `;
  return text;
};

const lookUp = (order: number, status = 'delivered'): Call => ({
  tool: 'lookup',
  args: { lookup: `o-${order}` },
  result: { order: `o-${order}`, total: 10 + order, status },
});
const refund = (order: number, amount = 10 + order): Call => ({
  tool: 'refund',
  args: { refund_order: `o-${order}`, amount },
  result: { refunded: `o-${order}` },
});
const notify = (order: number, error?: string): Call => ({
  tool: 'notify',
  args: { notify: `o-${order}` },
  ...(error === undefined ? { result: { notified: `o-${order}` } } : { error }),
});

/** Calls without a fault: each order is looked up, some are refunded, and one notification fails and is sent again. */
const soundCalls = (count: number, answered: number): Call[] => {
  const calls: Call[] = [];
  for (let i = 0; calls.length < count; i++) {
    const order = i % orders;
    calls.push(lookUp(order, order === answered ? 'lost' : 'delivered'));
    if (i < orders && order % 5 === 2) calls.push(refund(order));
    calls.push(...(i === 40 ? [notify(order, 'timeout'), notify(order)] : [notify(order)]));
    // Five of one tool in a row are no loop if each is about another order.
    if (i === 20) for (let k = 0; k < 5; k++) calls.push(lookUp((order + k + 1) % orders, 'delivered'));
  }
  return calls.slice(0, count);
};

/** Plants the fault at an index. */
const plant = (calls: Call[], fault: Fault, at: number): Call[] => {
  const planted: Partial<Record<Fault, Call[]>> = {
    'wrong argument': [refund(3, 4_000)],
    'ignored failure': [notify(101, 'timeout')],
    loop: Array.from({ length: 8 }, () => lookUp(4)),
  };
  const more = planted[fault] ?? [];
  return [...calls.slice(0, at), ...more, ...calls.slice(at, calls.length - more.length)];
};

export type World = { traceId: string; fault: Fault; spans: TestSpan[] };

/** Makes a trace of 500 spans: an agent, and in turn a call of a model and of a tool. `at` is the place of the fault, from 0 to 1. */
export const makeTrace = (fault: Fault, at: number): World => {
  // No draw: each run of the trial has the same traces.
  const traceId = createHash('sha256').update(`${fault} ${at}`).digest('hex').slice(0, 32);
  const answered = 7;
  const numCalls = spansPerTrace / 2 - 1;
  const sound = soundCalls(numCalls, answered).filter(
    ({ args }) => (args as { lookup?: string }).lookup !== `o-${answered}`,
  );
  // The only call that tells the state of the order stands at the place of the fault.
  const place = Math.round(at * sound.length);
  const told = [...sound.slice(0, place), lookUp(answered, 'lost'), ...sound.slice(place)];
  while (told.length < numCalls) told.push(notify(told.length % orders));
  const calls = plant(told.slice(0, numCalls), fault, place + 1);
  const said = fault === 'contradicted fact' ? 'delivered' : 'lost';
  const output = `All orders are done. Order o-${answered} is ${said}.`;
  const root: TestSpan = {
    traceId,
    n: 1,
    name: 'invoke_agent orders',
    ms: 60_000,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'input.value': 'Handle the orders of today.',
      'output.value': output,
      'dokima.otel_link_id': traceId,
    },
  };
  const pairs = calls.flatMap(({ tool, args, result, error }, i): TestSpan[] => [
    {
      traceId,
      n: 2 * i + 2,
      parent: 1,
      name: 'chat gpt-4o',
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' },
    },
    {
      traceId,
      n: 2 * i + 3,
      parent: 1,
      name: `execute_tool ${tool}`,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'gen_ai.tool.call.arguments': JSON.stringify(args),
        ...(result && { 'gen_ai.tool.call.result': JSON.stringify({ ...result, note: prose(i) }) }),
      },
      ...(error && { status: { code: 2, message: error } }),
    },
  ]);
  const last: TestSpan = { ...pairs[0]!, n: spansPerTrace };
  return { traceId, fault, spans: [root, ...pairs, last] };
};
