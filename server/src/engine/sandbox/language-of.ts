import { parser as javascriptParser } from '@lezer/javascript';
import { parser as pythonParser } from '@lezer/python';
import type { CodeLanguage } from './sandbox.ts';

const parsers = {
  javascript: javascriptParser.configure({ dialect: 'ts' }),
  python: pythonParser,
};
/** Prose that has the word `score` rarely parses without a syntax error; longer text without a definition at the start of a line is prose. */
const longest = 200_000;

/** Nodes that hold definitions of the module itself. */
const holders: Record<CodeLanguage, readonly string[]> = {
  javascript: [
    'Script',
    'ExportDeclaration',
    'VariableDeclaration',
    'ObjectPattern',
    'ArrayPattern',
    'PatternProperty',
  ],
  python: ['Script', 'StatementGroup', 'DecoratedStatement', 'IfStatement', 'TryStatement', 'Body'],
};

type Tree = ReturnType<typeof pythonParser.parse>;
type Node = Tree['topNode'];

const childrenOf = (node: Node): Node[] => {
  const children: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
};

const hasError = (tree: Tree): boolean => {
  let found = false;
  tree.iterate({
    enter: ({ type }) => {
      found ||= type.isError;
      return !found;
    },
  });
  return found;
};

/** Tells whether a statement of the module defines `score`, or in JavaScript is the default export. */
const definesScore = (node: Node, language: CodeLanguage, code: string): boolean => {
  const children = childrenOf(node);
  const isScore = (child: Node | undefined) =>
    child !== undefined && code.slice(child.from, child.to) === 'score';
  switch (node.name) {
    case 'FunctionDeclaration':
    case 'VariableDefinition':
      return isScore(
        node.name === 'VariableDefinition'
          ? node
          : children.find(({ name }) => name === 'VariableDefinition'),
      );
    case 'FunctionDefinition':
      return isScore(children.find(({ name }) => name === 'VariableName'));
    case 'AssignStatement':
      return isScore(children[0]) && children.at(-1)!.name === 'LambdaExpression';
    default:
      if (!holders[language].includes(node.name)) return false;
      if (node.name === 'ExportDeclaration' && children.some(({ name }) => name === 'default')) return true;
      // The parts of a declaration after its `=` define nothing.
      return children.some((child) => definesScore(child, language, code));
  }
};

const isCode = (code: string, language: CodeLanguage): boolean => {
  const tree = parsers[language].parse(code);
  return definesScore(tree.topNode, language, code) && !hasError(tree);
};

/** A line that begins with a definition was meant as code, though it may not compile. */
const beginsCode: Record<CodeLanguage, RegExp> = {
  python: /^(?:async[ \t]+)?def[ \t]+score[ \t]*\(|^score[ \t]*=[ \t]*lambda\b/m,
  javascript: new RegExp(
    [
      String.raw`^[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:async[ \t]+)?function(?:[ \t]*\*)?[ \t]+score[ \t]*[(<]`,
      String.raw`^[ \t]*export[ \t]+default[ \t]+(?:async[ \t]+)?(?:function\b|\(|\w+[ \t]*=>)`,
      String.raw`^[ \t]*(?:export[ \t]+)?(?:const|let|var)[ \t]+score\b[^=\n]*=`,
    ].join('|'),
    'm',
  ),
};

/** A line that begins with the definition of a function, with its name; an arrow function at the beginning has none. */
const beginsFunction: Record<CodeLanguage, RegExp> = {
  python: /^(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(/m,
  javascript:
    /^(?:export[ \t]+)?(?:async[ \t]+)?function[ \t]+(\w+)[ \t]*[(<]|^(?:export[ \t]+)?(?:const|let|var)[ \t]+(\w+)[ \t]*=[ \t]*(?:async[ \t]*)?(?:\([^()\n]*\)|\w+)[ \t]*=>|^\s*(?:async[ \t]*)?\([^()\n]*\)[ \t]*=>/m,
};

/**
 * Returns the name of a function of guidelines that are code and define no `score`, an empty one for a function without a name; null for prose
 * and for code that defines it. Such code would never run.
 */
export const functionBeside = (guidelines: string): string | null => {
  if (guidelines.length > longest || languageOf(guidelines) !== null) return null;
  for (const language of ['python', 'javascript'] as const) {
    const found = beginsFunction[language].exec(guidelines);
    if (found && !hasError(parsers[language].parse(guidelines))) return found[1] ?? found[2] ?? '';
  }
  return null;
};

/**
 * Returns the language in which guidelines define `score`; null if they are prose or empty, and clients send the scores. A text is code if
 * it parses and defines `score`, or if a line begins with that definition.
 */
export const languageOf = (guidelines: string): CodeLanguage | null => {
  for (const language of ['python', 'javascript'] as const)
    if (beginsCode[language].test(guidelines)) return language;
  if (guidelines.length > longest || !/\bscore\b|\bexport\s+default\b/.test(guidelines)) return null;
  for (const language of ['python', 'javascript'] as const) if (isCode(guidelines, language)) return language;
  return null;
};
