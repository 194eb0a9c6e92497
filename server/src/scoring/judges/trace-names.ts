import { is, isNode } from '../../engine/templates/jinja.ts';
import { parseTemplate } from '../../engine/templates/parse-template.ts';
import { type TracePartName, tracePartNames } from '../../traces/read/scored-trace.ts';

/** The fields of a configuration that tell which parts of a trace it reads. */
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
    // Rendering reports what does not parse.
  }
  return tracePartNames.filter((name) => found.has(name));
};

/** Finds the names as words: in `record.toolCalls`, `record["toolCalls"]` and `{ toolCalls }`. Too many only cost a read. */
const inCode = (code: string): TracePartName[] =>
  tracePartNames.filter((name) => new RegExp(`\\b${name}\\b`).test(code));

const known = new WeakMap<Logic, readonly TracePartName[]>();

/** The parts of a record's trace that a metric names: in expressions of a template, anywhere in code. Cached by configuration. */
export const traceNamesOf = (logic: Logic): readonly TracePartName[] => {
  const found = known.get(logic);
  if (found) return found;
  const { promptTemplate, guidelines } = logic;
  const names = promptTemplate ? inTemplate(promptTemplate) : inCode(guidelines);
  known.set(logic, names);
  return names;
};
