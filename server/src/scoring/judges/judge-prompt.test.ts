import { expect, it } from 'vitest';
import { nonceFor } from './judge-prompt.ts';

const data = { inputs: '{}', outputs: '{}', expected: '{}', guidelines: '' };

it.each(['inputs', 'outputs', 'expected', 'trace', 'examples'] as const)(
  'no nonce stands in the %s, in whichever case',
  (part) => {
    const first = nonceFor('hash', data);
    const holding = JSON.stringify({ text: first.toUpperCase() });
    const example = { inputs: '{}', expected: '{}', outputs: '{}', value: 'true', reasoning: holding };
    const given = {
      ...data,
      ...(part === 'trace'
        ? { trace: { texts: { conversation: holding }, evidence: { numSpans: 1, cut: [] } } }
        : { [part]: part === 'examples' ? [example] : holding }),
    };
    const next = nonceFor('hash', given);
    expect(next).not.toBe(first);
    expect(next).toMatch(/^[0-9a-f]{16}$/);
  },
);
