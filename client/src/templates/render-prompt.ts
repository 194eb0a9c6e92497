import { Interpreter } from './interpreter.ts';
import { parseTemplate } from './parse-template.ts';
import { recordValue, Written } from './record-value.ts';
import { string } from './values.ts';

const readValue = (json: string) =>
  recordValue(
    JSON.parse(json, (_, value: unknown) => (typeof value === 'number' ? new Written(String(value)) : value)),
  );

/**
 * Returns the text that the service sends to the model for a prompt's template and these inputs. Throws MissingPlaceholder for a
 * value that the template prints and the inputs lack.
 */
export const renderPrompt = (template: string, inputs: Record<string, unknown>): string => {
  const interpreter = new Interpreter({ open: '', close: '' });
  const allInputs = JSON.stringify(inputs);
  // A system sees no expected values, and its outputs do not exist yet.
  const texts = { allInputs, allOutputs: '{}', allExpected: '{}', guidelines: '' };
  for (const [name, text] of Object.entries(texts)) interpreter.globals.set(name, string(text));
  interpreter.globals.set('inputs', readValue(allInputs));
  for (const name of ['outputs', 'expected']) interpreter.globals.set(name, readValue('{}'));
  return interpreter.render(parseTemplate(template));
};
