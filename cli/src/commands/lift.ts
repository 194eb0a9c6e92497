import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Client } from '../../../client/src/main.ts';
import { type Command, type Context, projectOption, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';
import { startOwnService } from '../files/own-service.ts';
import type { Import } from '../import/rows.ts';
import { type Agent, agentOf } from '../lift/agents.ts';
import { type Arm, armOf } from '../lift/arms.ts';
import { type Case, readCases } from '../lift/cases.ts';
import { takeTrials } from '../lift/lock.ts';
import { priced, priceIn } from '../lift/price.ts';
import { costOfPoint, liftReport } from '../lift/report.ts';
import { runTrial, type Trial } from '../lift/run-trial.ts';
import { attemptsOf, makeTrials } from '../lift/trials.ts';
import { importsOf, type Lift, liftOf, writeArms } from '../lift/verdict.ts';
import { bar } from '../output.ts';

const numberIn = (values: Values, name: string, fallback: number, [low, high]: [number, number]): number => {
  const given = values.text(name);
  const number = given === undefined ? fallback : Number(given);
  if (given?.trim() !== '' && number >= low && number <= high) return number;
  throw new CliError(`--${name} must be a number from ${low} to ${high}, not '${given}'.`);
};

const example = {
  'prompt.md': 'greet.py prints nothing yet. Make `python3 greet.py Ada` print exactly: Hello, Ada!\n',
  'workspace/greet.py': 'import sys\n',
  'check.sh':
    '# Exit code 0: solved. It is copied here after the agent has ended.\n[ "$(python3 greet.py Grace)" = "Hello, Grace!" ]\n',
};

const writeExample = async ({ out, directory }: Context, name: string): Promise<number> => {
  const folder = join(resolve(directory, name), 'greet');
  if (existsSync(folder)) throw new CliError(`${folder} is there already.`);
  await mkdir(join(folder, 'workspace'), { recursive: true });
  for (const [path, text] of Object.entries(example)) await writeFile(join(folder, path), text);
  await chmod(join(folder, 'check.sh'), 0o755);
  out.result(`${folder} has prompt.md, workspace/ and check.sh.`, { folder });
  return exit.pass;
};

/** Fewer cases than these show only very large effects, however often each is tried (bench/lift.ts). */
const fewCases = 20;

/** What is asked: an agent, two arms, cases. */
type Asked = { agentLine: string; agent: Agent; arms: [Arm, Arm]; cases: Case[]; name: string };

const askedOf = async ({ directory }: Context, values: Values): Promise<Asked> => {
  const agentLine = values.required('agent');
  const agent = agentOf(agentLine, values.text('skills-dir'));
  const model = values.text('model');
  const [given, than] = [values.each('with'), values.each('than')];
  if (given.length === 0)
    throw new CliError(
      '--with is missing.',
      'Name what may help: --with ./skill, --with AGENTS.md or --with model=NAME',
    );
  const folder = values.text('cases') ?? 'evals';
  return {
    agentLine,
    agent,
    arms: [await armOf('without', than, model, directory), await armOf('with', given, model, directory)],
    cases: await readCases(resolve(directory, folder), values.all('case')),
    name: basename(resolve(directory, folder)),
  };
};

/** Runs the agent as often as is missing. */
const makeAll = async (context: Context, values: Values, { agentLine, agent, arms, cases }: Asked) => {
  const { out, directory, environment, signal } = context;
  const trials = values.count('trials', 3);
  const path = resolve(directory, values.text('out') ?? 'dokima-results/lift.jsonl');
  const attempts = attemptsOf(agentLine, cases, arms, trials, values.count('seed', 1, 0));
  const limits = {
    timeoutMs: 1_000 * values.count('trial-timeout', 600),
    checkTimeoutMs: 1_000 * values.count('check-timeout', 120),
    isUserHome: values.flag('user-home'),
  };
  out.note(
    `${countOf(cases.length, 'case')} × ${countOf(trials, 'trial')} × 2 arms: ${countOf(attempts.length, 'run')} of ${agent.name}, with ${arms[1].says} and with ${arms[0].says}.`,
  );
  if (cases.length < fewCases)
    out.note(
      `Fewer than ${fewCases} cases show only very large effects: more trials do not replace more cases.`,
    );
  // Stops the trials that still run when one of them breaks the command.
  const broken = new AbortController();
  const either = AbortSignal.any([signal, broken.signal]);
  const price = priceIn(values.all('price'));
  const giveBack = await takeTrials(path);
  const made = await makeTrials(attempts, {
    path,
    isFresh: values.flag('fresh'),
    concurrency: values.count('concurrency', 2),
    budgetUsd: values.has('budget') ? numberIn(values, 'budget', 0, [0, 1e6]) : undefined,
    run: async (attempt) => priced(await runTrial(agent, attempt, environment, limits, either), price),
    progress: ({ done, total, kept, spentUsd }, last) => {
      if (last === undefined && kept > 0) out.note(`${countOf(kept, 'trial')} of ${path} kept.`);
      if (last?.error)
        out.note(
          `${last.case}, ${last.arm}, trial ${last.trial}: ${last.error.split('\n')[0]!.slice(0, 300)}`,
        );
      out.progress(`${bar(done, total)} trials${spentUsd > 0 ? `, $${spentUsd.toFixed(2)}` : ''}`);
    },
  })
    .catch((error: unknown) => {
      broken.abort();
      throw error;
    })
    .finally(giveBack);
  out.progress(undefined);
  signal.throwIfAborted();
  return { ...made, trials: made.trials.map((trial) => priced(trial, price)), path };
};

const requireResults = (trials: readonly Trial[], path: string): void => {
  for (const arm of ['with', 'without']) {
    const own = trials.filter((trial) => trial.arm === arm);
    if (own.some(({ error }) => error === null)) continue;
    const why = own.find(({ error }) => error !== null)?.error;
    throw new CliError(
      `No trial ${arm} it worked.${why ? ` ${why}` : ''}`,
      `Run the agent's command by hand once. ${path} has what each trial said.`,
    );
  }
};

/** Writes both runs to the service of the person. Returns their address. */
const keep = async (client: Client, values: Values, imports: [Import, Import]): Promise<[string, string]> =>
  writeArms(client, values.required('project'), imports);

const resultOf = (
  lift: Lift,
  trials: readonly Trial[],
  left: number,
  kept: [string, string] | undefined,
) => ({
  outcome: lift.decision.outcome,
  exitCode: lift.decision.exitCode,
  checks: lift.decision.checks,
  metrics: lift.compared,
  amounts: lift.differences,
  used: lift.used ?? null,
  costUsdOfPoint: costOfPoint(lift) ?? null,
  minimumDetectable: lift.plan?.minimumDetectable ?? null,
  trials: trials.length,
  failed: trials.filter(({ error }) => error !== null).length,
  left,
  runs: kept ?? null,
});

const run = async (context: Context, args: string[], values: Values): Promise<number> => {
  const { out, environment } = context;
  takeArguments('lift', args);
  const init = values.text('init');
  if (init !== undefined) return writeExample(context, init);
  const level = numberIn(values, 'level', 0.95, [0.5, 0.999]);
  const margin = numberIn(values, 'margin', 0, [0, 1]);
  if (values.flag('keep')) values.required('project');
  const asked = await askedOf(context, values);
  const { trials, left, path } = await makeAll(context, values, asked);
  requireResults(trials, path);
  const { name, agent, arms } = asked;
  const imports = importsOf(name, arms, agent.name, trials);
  const service = await startOwnService(environment, { signal: context.signal });
  try {
    const { id } = await service.client.createProject({ name: 'Lift', description: '' });
    const question = { margin, metric: values.text('metric'), level, now: Date.now() };
    const lift = await liftOf(service.client, id, imports, trials, question);
    const kept = values.flag('keep') ? await keep(await context.client(), values, imports) : undefined;
    const title = `${agent.name} with ${arms[1].says}, against ${arms[0].says}`;
    out.result(liftReport(lift, { title, level, trials, left }), resultOf(lift, trials, left, kept));
    if (kept) out.note(`Kept as runs ${kept.join(' and ')}: dokima compare ${kept.join(' ')}`);
    return lift.decision.exitCode === exit.pass && left > 0 ? exit.incomplete : lift.decision.exitCode;
  } finally {
    await service.end();
  }
};

export const lift: Command = {
  name: 'lift',
  waits: 'The trials that are done are kept. Run the command again to make the others.',
  summary: 'Say whether a skill, instructions, an MCP server or a model help a coding agent.',
  about: `The agent works at each case several times, with what you name and without it, each time in a clean workspace and an empty home. A case is a folder with
prompt.md, the files that the agent finds in workspace/, and a check that comes in after the agent has ended. Agents and checks run with your rights: use a
container for cases that are not yours. Exit code: 0 better (with --margin: not worse), 1 worse, 2 not enough data, 3 something is missing, 4 the command could not
do its work.`,
  options: {
    agent: {
      type: 'string',
      value: 'LINE',
      about: "claude, codex or opencode, with more arguments if you like, or any other: 'mycli -p {prompt}'.",
    },
    with: {
      type: 'string',
      multiple: true,
      value: 'WHAT',
      about:
        'What may help: a folder with SKILL.md, AGENTS.md, a .json of MCP servers, a folder of files, model=NAME, prompt=FILE, arg=WORD or env=NAME=VALUE. Can be repeated.',
    },
    than: {
      type: 'string',
      multiple: true,
      value: 'WHAT',
      about: 'What the other arm has in its place, such as the old skill. Default: nothing.',
    },
    cases: { type: 'string', value: 'DIR', about: 'Folder of the cases. Default evals.' },
    case: { type: 'string', multiple: true, value: 'NAME', about: 'Only this case. Can be repeated.' },
    trials: { type: 'string', value: 'N', about: 'Trials of each case in each arm. Default 3.' },
    model: { type: 'string', value: 'NAME', about: 'Model of both arms.' },
    margin: {
      type: 'string',
      value: 'SHARE',
      about:
        'Ask whether it is not worse by more than this share, such as 0.05, instead of whether it is better.',
    },
    metric: {
      type: 'string',
      value: 'NAME',
      about: 'The only score that decides. Default: all that the checks give.',
    },
    level: { type: 'string', value: 'LEVEL', about: 'Confidence level of the intervals. Default 0.95.' },
    'trial-timeout': { type: 'string', value: 'SECONDS', about: 'Longest time of a trial. Default 600.' },
    'check-timeout': { type: 'string', value: 'SECONDS', about: 'Longest time of a check. Default 120.' },
    concurrency: { type: 'string', value: 'N', about: 'Trials at a time. Default 2.' },
    budget: { type: 'string', value: 'USD', about: 'Start no more trials when they have cost this much.' },
    price: {
      type: 'string',
      multiple: true,
      value: 'USD',
      about:
        'INPUT,OUTPUT[,CACHED] of the model for a million tokens, for an agent that tells its tokens and no cost, such as codex.',
    },
    seed: { type: 'string', value: 'N', about: 'Seed of the order. Default 1.' },
    out: {
      type: 'string',
      value: 'FILE',
      about: 'File of the trials, which keeps what is done. Default dokima-results/lift.jsonl.',
    },
    fresh: { type: 'boolean', about: 'Make all trials again, although the file has them.' },
    'user-home': {
      type: 'boolean',
      about: 'Leave the agent your home directory: your own skills and settings then count in both arms.',
    },
    'skills-dir': {
      type: 'string',
      value: 'DIR',
      about: 'Where in the workspace the agent looks for skills, if it is not .agents/skills.',
    },
    init: { type: 'string', value: 'DIR', about: 'Write an example of a case there, and do nothing else.' },
    keep: { type: 'boolean', about: 'Write both runs into a project of the service too.' },
    ...projectOption,
  },
  examples: [
    'dokima lift --init evals',
    'dokima lift --agent claude --with ./my-skill --cases evals --trials 5',
    'dokima lift --agent codex --with AGENTS.md',
    'dokima lift --agent opencode --with model=openai/gpt-5-mini --than model=openai/gpt-5 --margin 0.05',
    "dokima lift --agent 'mycli --model {model} -p {prompt}' --with mcp.json --budget 20",
  ],
  run,
};
