import { globalNames } from '../../../../jinja/src/globals.ts';
import { type Node, nodesBelow } from '../../../../jinja/src/jinja.ts';
import { parseTemplate } from '../../../../jinja/src/parse-template.ts';

/** Names that a judge's template can use: parts of the record and its trace, the guidelines, and the globals of Jinja. */
const known = [
  'inputs',
  'outputs',
  'expected',
  'allInputs',
  'allOutputs',
  'allExpected',
  'trace',
  'conversation',
  'toolCalls',
  'span',
  'guidelines',
  'gradingInstructionsAndExamples',
  'similarity',
  ...globalNames,
  'loop',
  'caller',
  'varargs',
  'kwargs',
];

/** The names that a template reads. */
export const namesOf = (template: string): Set<string> => {
  const read = new Set<string>();
  const visit = (node: Node): void => {
    if (node.type === 'name') read.add(node.name);
    nodesBelow(node).forEach(visit);
  };
  parseTemplate(template).forEach(visit);
  return read;
};

/**
 * Returns the names that a template reads and that no record can fill, in the order of their first use. Names that the template sets
 * anywhere are known everywhere in it, and so are those that it tests with `is defined` or gives a default.
 */
export const unknownNames = (template: string): string[] => {
  const read = new Set<string>();
  const bound = new Set<string>(known);
  const visit = (node: Node): void => {
    if (node.type === 'name') read.add(node.name);
    if (node.type === 'target' || node.type === 'parameter' || node.type === 'macro') bound.add(node.name);
    if (node.type === 'attribute target') read.add(node.object);
    const mayBeMissing =
      (node.type === 'filter' && ['default', 'd'].includes(node.name)) ||
      (node.type === 'test' && ['defined', 'undefined'].includes(node.name));
    if (mayBeMissing && node.operand?.type === 'name') bound.add(node.operand.name);
    nodesBelow(node).forEach(visit);
  };
  parseTemplate(template).forEach(visit);
  return [...read].filter((name) => !bound.has(name));
};
