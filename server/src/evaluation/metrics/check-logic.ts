import { languageOf } from '../../engine/sandbox/language-of.ts';
import type { Sandbox } from '../../engine/sandbox/sandbox.ts';
import { checkTemplate } from '../../engine/templates/template.ts';
import { invalid } from '../../platform/errors.ts';
import type { MetricBody } from './schema.ts';

/** Throws 400 for a template that does not parse and for code that does not compile, with the place and the reason. */
export const requireSoundLogic = async (sandbox: Sandbox, body: MetricBody): Promise<void> => {
  const { evalType, guidelines = '', promptTemplate } = body;
  if (evalType === 'ai' && promptTemplate !== undefined) {
    const problem = checkTemplate(promptTemplate);
    if (problem) throw invalid('/promptTemplate', `must be a Jinja template: ${problem}`);
  }
  const language = evalType === 'heuristic' ? languageOf(guidelines) : null;
  const problem = language && (await sandbox.check(language, guidelines));
  if (problem) throw invalid('/guidelines', `must be code that compiles: ${problem}`);
};
