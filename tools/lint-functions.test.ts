import { describe, expect, it } from 'vitest';
import { longFunctions } from './lint-functions.ts';

const body = (lines: number): string => Array.from({ length: lines }, (_, i) => `  f(${i});`).join('\n\n');

describe('a function', () => {
  it('may have 70 lines, and blank ones between them', () => {
    expect(longFunctions(`const f = () => {\n${body(68)}\n};\n`, 'ts')).toEqual([]);
    expect(longFunctions(`\nconst f = () => {\n${body(69)}\n};\n`, 'ts')).toEqual([{ line: 2, lines: 71 }]);
  });

  it('counts with the functions and the markup in it', () => {
    const inner = `() => {\n${body(40)}\n  }`;
    const outer = `const f = () => {\n  const one = ${inner};\n  const other = ${inner};\n};\n`;
    expect(longFunctions(outer, 'ts')).toEqual([{ line: 1, lines: 86 }]);
    const markup = Array.from({ length: 70 }, (_, i) => `  <p>${i}</p>`).join('\n');
    expect(longFunctions(`const F = () => (\n  <>\n${markup}\n  </>\n);\n`, 'tsx')).toEqual([
      { line: 1, lines: 74 },
    ]);
  });

  it('may be longer if the comment above it says why', () => {
    const long = `export const f = () => {\n${body(80)}\n};\n`;
    expect(longFunctions(`/** Does it. */\n// Long: its steps share a lock\n${long}`, 'ts')).toEqual([]);
    expect(longFunctions(`// Long:\n${long}`, 'ts')).toHaveLength(1);
    expect(longFunctions(`// Long: another one\nconst g = 1;\n${long}`, 'ts')).toHaveLength(1);
  });
});
