import { Interpreter } from './interpreter.ts';
import { parseTemplate } from './parse-template.ts';
import { recordValue, Written } from './record-value.ts';

const readValue = (value: unknown) =>
  recordValue(
    JSON.parse(JSON.stringify(value), (_, part: unknown) =>
      typeof part === 'number' ? new Written(String(part)) : part,
    ),
  );

/**
 * Returns the text of a template with these variables, each a value of JSON. Throws TemplateSyntaxError for a template that cannot be
 * parsed, MissingPlaceholder for a value that it prints and the variables lack, and TemplateError for what the values do not allow.
 */
export const render = (template: string, variables: Readonly<Record<string, unknown>>): string => {
  const interpreter = new Interpreter({ open: '', close: '' });
  for (const [name, value] of Object.entries(variables)) interpreter.globals.set(name, readValue(value));
  return interpreter.render(parseTemplate(template));
};
