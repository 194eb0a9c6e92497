import { expect, it } from 'vitest';
import { allowed, problemsOf, roundingLines } from './lint-json.ts';

const counts = Object.assign({}, ...Object.values(allowed)) as Record<string, number>;
/** The files that may round, each as often as it may. */
const asAllowed = () =>
  new Map(Object.entries(counts).map(([file, n]) => [file, 'JSON.parse(text);\n'.repeat(n)]));

it('finds each line that rounds numbers, and no comment', () => {
  const text = [
    'const a = JSON.parse(text);',
    '// JSON.parse rounds',
    ' * JSON.parse',
    'await response.json();',
  ];
  expect(roundingLines([...text, 'parseAsWritten(text)'].join('\n'))).toEqual([1, 4]);
});

it('accepts the files with a reason, and names one more reader, one fewer, and a file that is gone', () => {
  expect(problemsOf(asAllowed())).toEqual([]);
  const more = asAllowed().set('server/src/traces/store/x.ts', 'x;\nJSON.parse(text);');
  expect(problemsOf(more)).toEqual([expect.stringContaining('server/src/traces/store/x.ts:2 JSON.parse')]);
  const fewer = asAllowed().set('cli/src/config.ts', '');
  expect(problemsOf(fewer)).toEqual([expect.stringContaining('cli/src/config.ts reads JSON 0 times')]);
  const gone = asAllowed();
  gone.delete('cli/src/config.ts');
  expect(problemsOf(gone)).toEqual([expect.stringContaining('cli/src/config.ts is gone')]);
});
