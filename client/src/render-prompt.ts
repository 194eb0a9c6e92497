import { render } from '../../jinja/src/render.ts';

/**
 * Returns the text that the service sends to the model for a prompt's template and these inputs. Throws MissingPlaceholder for a
 * value that the template prints and the inputs lack.
 */
export const renderPrompt = (template: string, inputs: Record<string, unknown>): string =>
  render(template, {
    inputs,
    allInputs: JSON.stringify(inputs),
    // A system sees no expected values, and its outputs do not exist yet.
    outputs: {},
    expected: {},
    allOutputs: '{}',
    allExpected: '{}',
    guidelines: '',
  });
