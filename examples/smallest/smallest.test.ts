import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const python = process.env.DOKIMA_TEST_PYTHON ?? 'python3';
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

it('the page has the number of statements of each program', () => {
  const page = readFileSync(here('../../docs/coming-from.md'), 'utf8');
  const [, table] = /\n(\| tool \| statements[\s\S]*?)\n\n/.exec(page)!;
  const said = Object.fromEntries(
    [...table!.matchAll(/^\| (\w+)[^|]*\| (\d+)/gm)].map(([, tool, count]) => [
      tool!.toLowerCase(),
      Number(count),
    ]),
  );
  const program = `
import json, pathlib, run
lines = (run.HERE / "promptfooconfig.yaml").read_text().splitlines()
print(json.dumps({**{tool: run.statements(run.HERE / f"with_{tool}.py") for tool in run.TOOLS}, "promptfoo": len(lines)}))`;
  const counted = JSON.parse(execFileSync(python, ['-c', program], { cwd: here('.'), encoding: 'utf8' }));
  expect(said).toEqual(counted);
});
