import { functionBeside, languageOf } from '../../engine/sandbox/language-of.ts';
import type { Sandbox } from '../../engine/sandbox/sandbox.ts';
import { checkTemplate } from '../../engine/templates/template.ts';
import { namesOf, unknownNames } from '../../engine/templates/unknown-names.ts';
import { invalid } from '../../platform/errors.ts';
import type { Asker } from '../../platform/turns.ts';
import type { MetricBody, OutputType } from './schema.ts';

/** The field whose name has a hyphen before `name`, as in `outputs.my-key`, which Jinja reads as a minus. */
const hyphenated = (template: string, name: string): string | undefined => {
  const [, part, field] = /\b(inputs|outputs|expected)\.([\w-]*-[\w-]*)/.exec(template) ?? [];
  return field?.split('-').includes(name) ? `${part}[${JSON.stringify(field)}]` : undefined;
};

/** Throws 400 at `at` for a prompt that does not parse or has a name that no record can fill. */
export const requireSoundPrompt = (outputType: OutputType, promptTemplate: string, at: string): void => {
  if (promptTemplate.trim() === '') throw invalid(at, 'must not be blank');
  const problem = checkTemplate(promptTemplate);
  if (problem) throw invalid(at, `must be a Jinja template: ${problem}`);
  if (namesOf(promptTemplate).has('similarity') && outputType !== 'float')
    throw invalid('/outputType', 'must be float: similarity() gives a number from 0 to 1');
  const unknown = unknownNames(promptTemplate);
  if (unknown.length === 0) return;
  const field = hyphenated(promptTemplate, unknown[0]!);
  const help = field
    ? `A hyphen is read as a minus: write {{ ${field} }}`
    : `Use inputs, outputs or expected, as in {{ outputs.${unknown[0]} }}`;
  throw invalid(at, `must not use ${unknown.join(', ')}: no record can fill it. ${help}`);
};

/**
 * Throws 400 with position and reason for a template that does not parse or has a name that no record can fill, for code that does not
 * compile, and for code without the function that would be called.
 */
export const requireSoundLogic = async (sandbox: Sandbox, body: MetricBody, asker: Asker): Promise<void> => {
  const { evalType, outputType, guidelines = '', promptTemplate } = body;
  if (evalType === 'ai' && promptTemplate !== undefined)
    requireSoundPrompt(outputType, promptTemplate, '/promptTemplate');
  const beside = evalType === 'heuristic' ? functionBeside(guidelines) : null;
  if (beside !== null)
    throw invalid(
      '/guidelines',
      `must define a function named score, else the code never runs and the scores are left to clients: ${beside ? `rename ${beside} to score` : 'name the function score'}, as in score(inputs, outputs, expected). Prose alone is for scores that clients send`,
    );
  const language = evalType === 'heuristic' ? languageOf(guidelines) : null;
  const problem = language && (await sandbox.check(language, guidelines, asker));
  if (problem) throw invalid('/guidelines', `must be code that compiles: ${problem}`);
};
