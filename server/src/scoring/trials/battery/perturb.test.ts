import { expect, it } from 'vitest';
import { edits } from '../../../engine/statistics/trial-schema.ts';
import { type Parts, perturb } from './perturb.ts';

const parts: Parts = {
  inputs:
    '{"question":"Q?","price":1.10,"passages":["a","b"],"messages":[{"role":"user"},{"role":"assistant"}]}',
  expected: '{"id":12345678901234567890}',
  outputs: '{"score":1.10,"text":"It is Paris.\\nSure.","note":"n"}',
};

it('edits the longest text of the outputs and nothing else, always in the same way, with numbers as they were written', () => {
  for (const edit of edits) {
    const made = perturb(edit, parts, { place: 3 })!;
    expect(made).toEqual(perturb(edit, parts, { place: 3 }));
    expect(made.expected).toBe(parts.expected);
    if (edit === 'order') {
      expect(made.outputs).toBe(parts.outputs);
      expect(made.inputs).toBe(
        '{"question":"Q?","price":1.10,"passages":["b","a"],"messages":[{"role":"user"},{"role":"assistant"}]}',
      );
    } else {
      expect(made.inputs).toBe(parts.inputs);
      expect(made.outputs).toMatch(/^\{"score":1\.10,"text":".*Paris.*","note":"n"\}$/);
      expect(made.outputs).not.toBe(parts.outputs);
    }
  }
  expect(JSON.parse(perturb('padding', parts, { place: 1 })!.outputs).text.length).toBeGreaterThan(250);
});

it('leaves out records to which an edit does not apply, and takes marks away where they are', () => {
  expect(perturb('order', { ...parts, inputs: '{"list":[1,2],"one":["a"]}' }, { place: 1 })).toBeNull();
  expect(perturb('padding', { ...parts, outputs: '{"score":4,"none":null}' }, { place: 1 })).toBeNull();
  expect(perturb('format', { ...parts, outputs: '"```js\\nx\\n```"' }, { place: 1 })).toBeNull();
  expect(perturb('format', { ...parts, outputs: '"# Yes\\n- **Paris**"' }, { place: 1 })!.outputs).toBe(
    '"Yes\\nParis"',
  );
  expect(perturb('format', { ...parts, outputs: '"Paris"' }, { place: 1 })!.outputs).toBe('"- **Paris**"');
});
