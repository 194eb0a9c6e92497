import { describe, expect, it } from 'vitest';
import { fieldsOf } from './record-fields.ts';

const of = (outputs: string) => fieldsOf({ inputs: '{}', expected: '{}', outputs });
const pathsOf = (outputs: string) => of(outputs).paths?.map((path) => path.replaceAll('\u001f', '/'));
const deep = (depth: number): string => (depth === 0 ? '7' : `{"a":${deep(depth - 1)}}`);

describe('fieldsOf', () => {
  it('returns the paths that are not null, and numbers as they are compared', () => {
    const outputs =
      ' { "a": {"b": null, "c.d": "1e3"}, "l": [1, {"x": 2}], "\\u0065": -1.50, "s": "\\u0031", "t": "1x", "u": 1e100 } ';
    expect(pathsOf(outputs)).toEqual([
      'expected',
      'inputs',
      'outputs',
      ...['a', 'a/c.d', 'e', 'l', 's', 't', 'u'].map((path) => `outputs/${path}`),
    ]);
    expect(of(outputs).numbers).toEqual([
      { field: 'outputs.a.c.d', value: 1000 },
      { field: 'outputs.e', value: -1.5 },
      { field: 'outputs.s', value: 1 },
    ]);
    expect(of('"12"').numbers).toEqual([{ field: 'outputs', value: 12 }]);
  });

  it('reads eight names deep', () => {
    expect(of(deep(8)).numbers).toEqual([{ field: `outputs${'.a'.repeat(8)}`, value: 7 }]);
    expect(of(deep(9)).numbers).toEqual([]);
    expect(of(deep(9)).paths).toHaveLength(3 + 8);
  });

  it('does not say which fields there are if the same one is there twice, is ambiguous or cannot be read', () => {
    const names = Array.from({ length: 101 }, (_, i) => `"n${i}":${i}`);
    for (const outputs of ['{"a":1,"\\u0061":2}', '{"a\\u001fb":1}', '{"a":"\\ud800"}', `{${names}}`])
      expect([outputs, of(outputs).paths]).toEqual([outputs, undefined]);
    for (const outputs of ['{"\\u0000":1}', `{${names}}`])
      expect(of(outputs).numbers).toEqual([{ field: '', value: 0 }]);
    expect(of('{"a":1,"\\u0061":2}').numbers).toHaveLength(2);
  });
});
