import type { TestSpan } from '../../server/test/otlp.ts';

const messages = (...list: object[]) => JSON.stringify(list);
const user = (content: string) => ({ role: 'user', content });
const call = (id: string, name: string, args: object) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, function: { name, arguments: JSON.stringify(args) } }],
});
const answer = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

const chat = (input: object[], output: object[], fields: Partial<TestSpan>): Partial<TestSpan> => ({
  name: 'chat gpt-test',
  ...fields,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-test',
    'gen_ai.provider.name': 'openai',
    'gen_ai.usage.input_tokens': 1234,
    'gen_ai.usage.output_tokens': 56,
    'gen_ai.input.messages': messages(...input),
    'gen_ai.output.messages': messages(...output),
    ...fields.attributes,
  },
});
const tool = (id: string, name: string, result: string, fields: Partial<TestSpan>): Partial<TestSpan> => ({
  name: `execute_tool ${name}`,
  ...fields,
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.arguments': '{"city":"Paris"}',
    'gen_ai.tool.call.result': result,
  },
});
const agent = (name: string, fields: Partial<TestSpan>): Partial<TestSpan> => ({
  name: `invoke_agent ${name}`,
  ...fields,
  attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name },
});

export const finalAnswer =
  '# Weather in Paris\n\nIt is **sunny**, 21 °C, with *light* wind. Sources:\n\n- forecast\n- almanac\n';

/** A small agent: a tool that fails and is tried again, and a sub-agent that reads an almanac. */
export const agentTrace = (traceId: string): TestSpan[] => {
  const asked = [
    { role: 'system', content: 'You answer questions about the weather.' },
    user('How is the weather in Paris?'),
  ];
  const first = call('c1', 'forecast', { city: 'Paris' });
  const again = call('c2', 'forecast', { city: 'Paris', retry: true });
  const after = [
    ...asked,
    first,
    answer('c1', 'timeout'),
    again,
    answer('c2', '{"sky":"sunny","celsius":21}'),
  ];
  const delegated = call('c3', 'ask_almanac', { question: 'wind?' });
  const spans: Partial<TestSpan>[] = [
    agent('weather', { at: 0, ms: 4_000 }),
    chat(asked, [first], { parent: 1, at: 10, ms: 600 }),
    tool('c1', 'forecast', 'timeout', {
      parent: 1,
      at: 620,
      ms: 900,
      status: { code: 2, message: 'The forecast service timed out after 900 ms' },
    }),
    chat([...asked, first, answer('c1', 'timeout')], [again], { parent: 1, at: 1_530, ms: 400 }),
    tool('c2', 'forecast', '{"sky":"sunny","celsius":21}', { parent: 1, at: 1_940, ms: 120 }),
    chat(after, [delegated], { parent: 1, at: 2_070, ms: 300 }),
    agent('almanac', { parent: 1, at: 2_380, ms: 900 }),
    chat(
      [user('What wind does the almanac give for Paris?')],
      [{ role: 'assistant', content: 'Light wind from the west.' }],
      {
        parent: 7,
        at: 2_390,
        ms: 860,
      },
    ),
    tool('c3', 'ask_almanac', 'Light wind from the west.', { parent: 1, at: 2_375, ms: 910 }),
    chat(
      [...after, delegated, answer('c3', 'Light wind from the west.')],
      [{ role: 'assistant', content: finalAnswer }],
      {
        parent: 1,
        at: 3_300,
        ms: 690,
        events: [{ name: 'gen_ai.first_token', attributes: { 'delay.ms': 210 } }],
      },
    ),
  ];
  return spans.map((span, i) => ({ ...span, traceId, n: i + 1 }));
};

/** A trace of any size: agents with steps, each step with calls of models and tools; every 97th span failed. */
export const bigTrace = (traceId: string, count: number): TestSpan[] =>
  Array.from({ length: count }, (_, i) => {
    const n = i + 1;
    // The root has steps, and each step nine spans below it.
    const parent = n === 1 ? undefined : n % 10 === 2 ? 1 : 2 + Math.floor((n - 2) / 10) * 10;
    const operation =
      n === 1 ? 'invoke_agent' : n % 10 === 2 ? 'chain' : n % 3 === 0 ? 'execute_tool' : 'chat';
    const isStep = parent === 1;
    return {
      traceId,
      n,
      ...(parent !== undefined && { parent }),
      name: n === 1 ? 'long run' : isStep ? `step ${Math.floor(n / 10) + 1}` : `${operation} ${n}`,
      at: i * 5,
      ms: n === 1 ? count * 5 : isStep ? 48 : 4,
      attributes: {
        'gen_ai.operation.name': operation,
        ...(operation === 'chat' && {
          'gen_ai.request.model': 'gpt-test',
          'gen_ai.output.messages': messages({ role: 'assistant', content: `Answer ${n}` }),
        }),
      },
      ...(n % 97 === 0 && { status: { code: 2, message: `failure ${n}` } }),
    };
  });
