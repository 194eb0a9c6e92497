import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseAst } from 'vite';

/** More than a screen: a reader loses the beginning before the end. */
const mostLines = 70;

/** Tests tell a story from start to end, and these files list routes and parts, one after another. */
const isList = (file: string): boolean =>
  /\.test\.ts$|(^|\/)test\/|(^|[/-])routes\.tsx?$|^server\/src\/(app|services)\.ts$|generated/.test(file);

/** The comment above a longer function says why it is one. */
const reason = /\/\/ Long: \S.*\n(?:\/\/.*\n|\/\*\*[\s\S]*?\*\/\n)*(?:export )?(?:const|function)[^\n]*$/;

type Node = { type: string; start: number; end: number };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const isFunction = ({ type }: Node): boolean =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration';

const functionsIn = (node: Node): Node[] => {
  const below = Object.values<unknown>(node)
    .flat()
    .filter(isNode)
    .flatMap((each) => functionsIn(each));
  return isFunction(node) ? [node, ...below] : below;
};

/** A function that is too long: where it begins, and its number of lines. */
export type LongFunction = { line: number; lines: number };

/** Returns the functions of a file with more than 70 lines that are not blank, without those whose comment gives a reason. */
export const longFunctions = (text: string, lang: 'ts' | 'tsx'): LongFunction[] =>
  functionsIn(parseAst(text, { lang })).flatMap(({ start, end }) => {
    const lines = text
      .slice(start, end)
      .split('\n')
      .filter((line) => line.trim() !== '').length;
    if (lines <= mostLines || reason.test(text.slice(0, start))) return [];
    return [{ line: text.slice(0, start).split('\n').length, lines }];
  });

/** Names each function that is too long. Usage: node tools/lint-functions.ts. Exits with 1 if there is one. */
if (import.meta.main) {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx']).toString().split('\n').filter(Boolean);
  for (const file of files.filter((each) => !isList(each))) {
    const lang = file.endsWith('x') ? 'tsx' : 'ts';
    for (const { line, lines } of longFunctions(readFileSync(file, 'utf8'), lang)) {
      process.stderr.write(`${file}:${line} ${lines} lines, at most ${mostLines}\n`);
      process.exitCode = 1;
    }
  }
}
