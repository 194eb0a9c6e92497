import { type Node, nodesBelow } from '../../../../jinja/src/jinja.ts';
import { parseTemplate } from '../../../../jinja/src/parse-template.ts';
import { TemplateSyntaxError } from '../../../../jinja/src/template-error.ts';

const inputOf = (node: Node): string | undefined => {
  if (node.type !== 'member' && node.type !== 'item') return undefined;
  if (node.object.type !== 'name' || node.object.name !== 'inputs') return undefined;
  if (node.type === 'member') return node.name;
  return node.key.type === 'string' ? node.key.value : undefined;
};

/** Returns the inputs that a template reads by name, in the order of their first use; none if it does not parse. */
export const readInputs = (template: string): string[] => {
  const found = new Set<string>();
  const visit = (node: Node): void => {
    const name = inputOf(node);
    if (name !== undefined) found.add(name);
    nodesBelow(node).forEach(visit);
  };
  try {
    parseTemplate(template).forEach(visit);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
  }
  return [...found];
};
