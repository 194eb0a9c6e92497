import { type Policy, readPolicy } from '../../../../client/src/gate/policy.ts';
import { RulesError } from '../../../../client/src/gate/rules-error.ts';

/** Reads the rules from YAML or JSON. The reader of YAML is loaded when it is needed. */
export const readRules = async (text: string): Promise<Policy> => {
  const { parse } = await import('yaml');
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    throw new RulesError((error as Error).message);
  }
  return readPolicy(document, 'The text');
};
