import { type Example, gradingInstructions } from './examples-text.ts';
import { Interpreter } from './interpreter.ts';
import { parseTemplate } from './parse-template.ts';
import { recordValue } from './record-value.ts';
import { MissingPlaceholder } from './template-error.ts';
import { string, type Value } from './values.ts';

/**
 * What a template can name. The first three are JSON texts of objects, as they were sent; `trace` holds the parts of the record's trace
 * that the template names.
 */
export type TemplateData = {
  inputs: string;
  outputs: string;
  expected: string;
  guidelines: string;
  /** Records that people scored, for `gradingInstructionsAndExamples`. */
  examples?: readonly Example[] | undefined;
  trace?: { texts: Readonly<Record<string, string>> } | undefined;
};
/** The prompt, or why the record gives none: `missing_placeholder: outputs.x`, `template_error: …`. */
export type Rendered = { ok: true; prompt: string } | { ok: false; reason: string };
/** What one rendering needs. */
export type Job = { template: string; data: TemplateData; nonce: string; maxLength: number };

/** The marks around text that comes from a record. */
export const marks = (nonce: string) => ({ open: `<untrusted-${nonce}>`, close: `</untrusted-${nonce}>` });

const recordText = (json: string): Value => ({ ...string(json), untrusted: true });

/** Renders in this process; `openRenderer` calls it in one that can be killed. */
export const renderTemplate = ({ template, data, nonce, maxLength }: Job): Rendered => {
  try {
    const program = parseTemplate(template);
    const interpreter = new Interpreter(marks(nonce));
    const { globals } = interpreter;
    for (const name of ['inputs', 'outputs', 'expected'] as const) globals.set(name, recordValue(data[name]));
    globals.set('allInputs', recordText(data.inputs));
    globals.set('allOutputs', recordText(data.outputs));
    globals.set('allExpected', recordText(data.expected));
    for (const [name, json] of Object.entries(data.trace?.texts ?? {})) globals.set(name, recordValue(json));
    globals.set('guidelines', string(data.guidelines));
    const instructions = gradingInstructions(data.guidelines, data.examples ?? [], marks(nonce));
    globals.set('gradingInstructionsAndExamples', string(instructions));
    const prompt = interpreter.render(program);
    if (prompt.length <= maxLength) return { ok: true, prompt };
    return { ok: false, reason: `template_error: the prompt is longer than ${maxLength} characters` };
  } catch (error) {
    if (error instanceof MissingPlaceholder) {
      return { ok: false, reason: `missing_placeholder: ${error.message}` };
    }
    return { ok: false, reason: `template_error: ${(error as Error).message}` };
  }
};
