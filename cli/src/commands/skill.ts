import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Command, takeArguments } from '../command.ts';
import { CliError, exit } from '../errors.ts';

/** Where agents look for skills: in the working directory, and in the home directory. */
const places: Record<string, { project: string; user: string }> = {
  claude: { project: '.claude/skills', user: '.claude/skills' },
  codex: { project: '.agents/skills', user: '.agents/skills' },
  opencode: { project: '.opencode/skills', user: '.config/opencode/skills' },
};

/** The skill, which the build makes from docs/skill.md. */
const built = new URL('../../../web/dist/skill.md', import.meta.url);

export const skill: Command = {
  name: 'skill',
  summary: 'Teach a coding agent to set up, judge, read failures and decide.',
  takes: '[AGENT]',
  about: `Installs the skill for claude, codex or opencode in the working directory, or with --user for all projects. A skill that is there is
replaced. Without AGENT, prints the skill.`,
  options: { user: { type: 'boolean', about: 'For all projects of this user.' } },
  examples: ['dokima skill claude', 'dokima skill > AGENTS.md'],
  run: async ({ out, directory, environment }, args, values) => {
    const [agent] = args.length === 0 ? [] : takeArguments('skill', args, 'The agent');
    const text = await readFile(built, 'utf8');
    if (agent === undefined) {
      out.raw(text);
      return exit.pass;
    }
    const place = places[agent];
    if (!place)
      throw new CliError(`There is no agent ${agent}. Known are: ${Object.keys(places).join(', ')}.`);
    const base = values.flag('user')
      ? join(environment.HOME ?? homedir(), place.user)
      : join(directory, place.project);
    const path = join(base, 'dokima', 'SKILL.md');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    out.result(path, { path });
    return exit.pass;
  },
};
