import { glob, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

// The design system is web/src/ui: the tokens of styles.css and the parts beside it. This finds what leaves it.

const source = new URL('../src/', import.meta.url);
const files = await (async () => {
  const found: { path: string; text: string }[] = [];
  for await (const path of glob('**/*.{ts,tsx}', { cwd: source.pathname }))
    if (!path.endsWith('.test.ts')) found.push({ path, text: await readFile(new URL(path, source), 'utf8') });
  return found;
})();
const styles = await readFile(new URL('ui/styles.css', source), 'utf8');

/** Each match as `file: text`, outside the files that may have it. */
const uses = (pattern: RegExp, mayHave: readonly string[] = []): string[] =>
  files.flatMap(({ path, text }) =>
    mayHave.includes(path) ? [] : [...text.matchAll(pattern)].map(([found]) => `${path}: ${found}`),
  );

/** Steps of the one scale of space, in units of 4 px: all that stands between two things. */
const steps = ['0', '0.5', '1', '1.5', '2', '3', '4', '6', '8', '12'];
/** Room for axes and their labels is drawn, and is no space between things. */
const charts = [
  'ui/scatter.tsx',
  'ui/plot.tsx',
  'ui/time-chart.tsx',
  'ui/trend.tsx',
  'pages/checks/alarm-charts.tsx',
];

it('text has the sizes and the weights of the tokens, and none of its own', () => {
  const tokens = new Set([...styles.matchAll(/--text-(\w+): \d+px/g)].map(([, name]) => name));
  expect([...tokens]).toEqual(['sm', 'base', 'lg', 'focal']);
  expect(uses(/\btext-\[\d[^\]]*\]|\bleading-\[[^\]]+\]|\btext-(?:xs|\d?xl)\b/g)).toEqual([]);
  const sheet = styles.slice(styles.indexOf('@layer base'));
  expect(sheet.match(/(?<!-)(?:font-size|font-weight|line-height): *\d[^;]*/g)).toBeNull();
  expect(uses(/\bfontSize\b[^,;\n]*/g, ['ui/code-editor.tsx'])).toEqual([]);
  expect(uses(/\bfont-(?:thin|extralight|light|bold|extrabold|black|\[[^\]]+\])(?![\w-])/g)).toEqual([]);
});

it('a page has one focal text: it stands at most once in a file', () => {
  const many = files.filter(({ text }) => (text.match(/\btext-focal\b/g) ?? []).length > 1);
  expect(many.map(({ path }) => path)).toEqual([]);
});

it('space is a step of the scale', () => {
  const side = '-?\\b(?:p|m|px|py|pt|pb|pl|pr|mx|my|mt|mb|ml|mr|gap|gap-x|gap-y|space-x|space-y)';
  expect(uses(new RegExp(`${side}-\\[[^\\]]+\\]`, 'g'))).toEqual([]);
  const taken = files.flatMap(({ path, text }) =>
    charts.includes(path)
      ? []
      : [...text.matchAll(new RegExp(`${side}-(\\d[\\d.]*)\\b(?![./-])`, 'g'))].map(([all, step]) => ({
          path,
          all,
          step: step!,
        })),
  );
  expect(taken.length).toBeGreaterThan(500);
  expect(taken.filter(({ step }) => !steps.includes(step)).map(({ path, all }) => `${path}: ${all}`)).toEqual(
    [],
  );
});

it('colours are tokens: no page has one of its own', () => {
  expect(uses(/#[\da-f]{6}\b|\b(?:rgb|hsl|oklch)\([^)]*\)/gi)).toEqual([]);
});

it('there is one select, one dialog, one drawer and one table', () => {
  expect(uses(/<select\b/g, ['ui/field.tsx'])).toEqual([]);
  // A matrix has a head at both sides; the guide shows tables of Markdown.
  const matrices = ['pages/runs/matrix.tsx', 'resources/judges/confusion.tsx'];
  const tables = ['ui/table.tsx', ...matrices, 'pages/guide/guide-markdown.tsx'];
  expect(uses(/<dialog\b|<table\b/g, tables)).toEqual([]);
  const dialogs = uses(/@base-ui\/react\/(?:alert-dialog|dialog|drawer|select|combobox)/g).map(
    (use) => use.split(':')[0],
  );
  expect(dialogs.toSorted()).toEqual([
    'shell/palette.tsx',
    'ui/dialog.tsx',
    'ui/drawer.tsx',
    'ui/searchable-select.tsx',
  ]);
});
