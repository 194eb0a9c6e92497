import { randomBytes } from 'node:crypto';
import { requestOf, type TestSpan, toProtobuf } from '../server/test/otlp.ts';
import { prose } from './dataset.ts';

/** Spans of a trace: an agent, five calls of a model with the history so far, and four of tools. */
export const spansOfAgent = 10;

type Part = Record<string, unknown>;
const message = (role: string, ...parts: Part[]) => ({ role, parts });
const text = (content: string): Part => ({ type: 'text', content });

/**
 * Returns a trace of an agent as instrumentations send it, 2.2 KB of content a span: the text is sentences of the documentation, each said
 * once, and each call of a model repeats the messages before it.
 */
export const agentTrace = (i: number, traceId = randomBytes(16).toString('hex')): TestSpan[] => {
  const ids = Array.from({ length: spansOfAgent }, () => randomBytes(8).toString('hex'));
  const say = (n: number, length: number) => prose(i * 20 + n, length);
  const question = say(0, 250);
  const history = [message('system', text(prose(i % 8, 400))), message('user', text(question))];
  const spans: TestSpan[] = [];
  const add = (name: string, attributes: Part) => {
    const n = spans.length;
    const parent = n > 0 && { parentSpanId: ids[0] };
    spans.push({ traceId, n: n + 1, spanId: ids[n], ...parent, name, attributes });
  };
  add('invoke_agent solver', {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'solver',
    'gen_ai.input.messages': JSON.stringify([message('user', text(question))]),
    'gen_ai.output.messages': JSON.stringify([message('assistant', text(say(19, 300)))]),
  });
  for (let step = 0; step < 5; step++) {
    const tool = `search_${(i + step) % 40}`;
    const id = `call_${randomBytes(12).toString('hex')}`;
    const call = { type: 'tool_call', id, name: tool, arguments: { query: say(step + 1, 60), limit: 10 } };
    const isLast = step === 4;
    const answer = message(
      'assistant',
      text(say(isLast ? 19 : step + 6, isLast ? 300 : 240)),
      ...(isLast ? [] : [call]),
    );
    add('chat gpt-4o', {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.model': 'gpt-4o-2024-08-06',
      'gen_ai.response.id': `chatcmpl-${randomBytes(12).toString('hex')}`,
      'gen_ai.response.finish_reasons': [isLast ? 'stop' : 'tool_calls'],
      'gen_ai.usage.input_tokens': 300 + ((i * 7 + step * 150) % 900),
      'gen_ai.usage.output_tokens': 40 + (i % 90),
      'gen_ai.request.temperature': 0.2,
      'gen_ai.input.messages': JSON.stringify(history),
      'gen_ai.output.messages': JSON.stringify([answer]),
    });
    if (isLast) break;
    const result = say(step + 11, 550);
    add(`execute_tool ${tool}`, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': JSON.stringify(call.arguments),
      'gen_ai.tool.call.result': result,
    });
    history.push(answer, message('tool', { type: 'tool_call_response', id, response: result }));
  }
  return spans;
};

/** Returns a request with these traces, as the batch of an exporter. */
export const agentRequest = (projectId: string, traces: TestSpan[][]): Buffer =>
  toProtobuf(requestOf(traces.flat(), { 'dokima.project_id': projectId, 'service.name': 'bench' }));
