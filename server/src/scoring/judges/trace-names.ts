import { namesOf } from '../../engine/templates/unknown-names.ts';
import { type TracePartName, tracePartNames } from '../../traces/read/scored-trace.ts';

/** The fields of a configuration that determine the parts of a trace that it reads. */
type Logic = { guidelines: string; promptTemplate: string | null | undefined };

const inTemplate = (template: string): TracePartName[] => {
  try {
    const found = namesOf(template);
    return tracePartNames.filter((name) => found.has(name));
  } catch {
    // Rendering reports templates that do not parse.
    return [];
  }
};

/** Finds the names as words: in `record.toolCalls`, `record["toolCalls"]` and `{ toolCalls }`. A name too many only costs a read. */
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
