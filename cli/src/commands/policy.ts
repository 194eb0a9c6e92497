import { stringify } from 'yaml';
import {
  isPolicyName,
  type PolicyName,
  partsOf,
  policyNames,
  readyPolicies,
} from '../../../client/src/gate/ready-policies.ts';
import type { Command } from '../command.ts';
import { CliError } from '../errors.ts';
import { table } from '../output.ts';

/** Returns the rules of a ready policy as a file that a team can edit. */
const fileOf = (name: PolicyName): string =>
  [
    `# Rules of: dokima gate RUN. From the ready policy ${name}. docs/cli.md, gate, describes them.`,
    `# ${readyPolicies[name].about}`,
    ...partsOf(name).map(({ key, value, why }) => `# ${why}\n${stringify({ [key]: value }).trimEnd()}`),
  ].join('\n');

export const policy: Command = {
  name: 'policy',
  takes: '[NAME]',
  summary: 'List the ready rules of a gate, or print one to edit.',
  about:
    'A dokima.yaml can also name one, as in "policy: nightly"; what else the file says replaces that part of it.',
  options: {},
  examples: ['dokima policy', 'dokima policy nightly > dokima.yaml'],
  run: async ({ out }, args) => {
    const [name] = args;
    if (args.length > 1) throw new CliError('policy takes one name at most.', 'See dokima policy --help');
    if (name === undefined) {
      const rows = policyNames.map((one) => [one, readyPolicies[one].about]);
      out.result(table(['policy', 'about'], rows), readyPolicies);
      return 0;
    }
    if (!isPolicyName(name))
      throw new CliError(`There is no policy '${name}'.`, `Choose one of: ${policyNames.join(', ')}`);
    out.result(fileOf(name), readyPolicies[name].rules);
    return 0;
  },
};
