import { is, isNode } from '../../engine/templates/jinja.ts';
import { parseTemplate } from '../../engine/templates/parse-template.ts';
import { type TracePartName, tracePartNames } from '../../traces/read/scored-trace.ts';

/** What of a configuration says which parts of a trace it reads. */
type Logic = { guidelines: string; promptTemplate: string | null | undefined };

const inTemplate = (template: string): TracePartName[] => {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value) || value instanceof Map) {
      for (const child of value) visit(child);
    } else if (isNode(value)) {
      if (value.type === 'Identifier') found.add(String(value.value));
      // `outputs.trace` is a field of the outputs.
      if (is(value, 'MemberExpression') && !value.computed) visit(value.object);
      else for (const child of Object.values(value)) visit(child);
    }
  };
  try {
    visit(parseTemplate(template));
  } catch {
    // What does not parse is said when it is rendered.
  }
  return tracePartNames.filter((name) => found.has(name));
};

/** As a word anywhere: in `record.toolCalls`, `record["toolCalls"]` and `{ toolCalls }` alike. Too many only cost a look. */
const inCode = (code: string): TracePartName[] =>
  tracePartNames.filter((name) => new RegExp(`\\b${name}\\b`).test(code));

const known = new WeakMap<Logic, readonly TracePartName[]>();

/** The parts of a record's trace that a metric names: a template in its expressions, code anywhere. Remembered by configuration. */
export const traceNamesOf = (logic: Logic): readonly TracePartName[] => {
  const found = known.get(logic);
  if (found) return found;
  const { promptTemplate, guidelines } = logic;
  const names = promptTemplate ? inTemplate(promptTemplate) : inCode(guidelines);
  known.set(logic, names);
  return names;
};
