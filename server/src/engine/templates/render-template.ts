import { bound, textArgument } from '../../../../jinja/src/call-arguments.ts';
import { callable } from '../../../../jinja/src/globals.ts';
import { Interpreter } from '../../../../jinja/src/interpreter.ts';
import { parseTemplate } from '../../../../jinja/src/parse-template.ts';
import { recordValue, Written } from '../../../../jinja/src/record-value.ts';
import { MissingPlaceholder, TemplateError } from '../../../../jinja/src/template-error.ts';
import { string, type Value } from '../../../../jinja/src/values.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { type Example, gradingInstructions } from './examples-text.ts';

/**
 * Values that a template can name. The first three are JSON texts of objects, as they were sent; `trace` has the parts of the record's
 * trace that the template names.
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
export type Rendered =
  /** `compared`: the template is `similarity(a, b)`, two texts to compare by their embeddings; the prompt is empty. */
  { ok: true; prompt: string; compared?: [string, string] } | { ok: false; reason: string };
/** Input of one rendering. */
export type Job = { template: string; data: TemplateData; nonce: string; maxLength: number };

/** The marks around text that comes from a record. */
export const marks = (nonce: string) => ({ open: `<untrusted-${nonce}>`, close: `</untrusted-${nonce}>` });

const readRecord = (json: string): Value => recordValue(parseJson(json, (_, source) => new Written(source)));
const recordText = (json: string): Value => ({ ...string(json), untrusted: true });

/** Renders in this process; `openRenderer` calls it in one that can be killed. */
export const renderTemplate = ({ template, data, nonce, maxLength }: Job): Rendered => {
  try {
    const program = parseTemplate(template);
    const interpreter = new Interpreter(marks(nonce));
    const { globals } = interpreter;
    for (const name of ['inputs', 'outputs', 'expected'] as const) globals.set(name, readRecord(data[name]));
    globals.set('allInputs', recordText(data.inputs));
    globals.set('allOutputs', recordText(data.outputs));
    globals.set('allExpected', recordText(data.expected));
    for (const [name, json] of Object.entries(data.trace?.texts ?? {})) globals.set(name, readRecord(json));
    globals.set('guidelines', string(data.guidelines));
    const instructions = gradingInstructions(data.guidelines, data.examples ?? [], marks(nonce));
    globals.set('gradingInstructionsAndExamples', string(instructions));
    const { open, close } = marks(nonce);
    const compared: [string, string][] = [];
    const compare = callable((given) => {
      const texts = bound('similarity', given, ['a', 'b']).map((text) => {
        if (text === undefined) throw new TemplateError('similarity takes two texts');
        return textArgument('similarity', text);
      });
      compared.push(texts as [string, string]);
      return string('');
    });
    globals.set('similarity', compare);
    const prompt = interpreter.render(program);
    if (
      compared.length > 1 ||
      (compared.length === 1 && prompt.replaceAll(open, '').replaceAll(close, '').trim() !== '')
    )
      throw new TemplateError('similarity() must stand alone: it sends two texts and no prompt');
    if (compared[0]) return { ok: true, prompt: '', compared: compared[0] };
    if (prompt.length <= maxLength) return { ok: true, prompt };
    return { ok: false, reason: `template_error: the prompt is longer than ${maxLength} characters` };
  } catch (error) {
    if (error instanceof MissingPlaceholder) {
      return { ok: false, reason: `missing_placeholder: ${error.message}` };
    }
    return { ok: false, reason: `template_error: ${(error as Error).message}` };
  }
};
