import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { CliError } from '../errors.ts';
import type { Arm, McpServer } from './arms.ts';

/** Where a trial takes place. All of it is deleted afterwards. */
export type Place = {
  /** The agent's working directory. */
  workspace: string;
  /** Its home directory: what is the user's own is not there. */
  home: string;
  /** A file that says that the agent used what it was given, if the file exists after the trial. */
  marker: string;
};

/** A coding agent: how it is started without a person, and where it looks for what it is given. */
export type Agent = {
  name: string;
  skills: string;
  instructions: string;
  /** Files of the user's that sign the agent in, and where the agent looks for them below its home. */
  signIn: (env: NodeJS.ProcessEnv) => { from: string; to: string }[];
  /** Returns the words that start it, and what it reads from standard input. */
  start: (arm: Arm, prompt: string, place: Place) => Promise<{ words: string[]; stdin: string }>;
};

const own = (env: NodeJS.ProcessEnv, ...path: string[]) => join(env.HOME ?? homedir(), ...path);
const model = (arm: Arm): string[] => (arm.model === undefined ? [] : ['--model', arm.model]);

const writeServers = async (place: Place, servers: Record<string, McpServer>): Promise<string> => {
  const path = join(place.home, 'mcp.json');
  await writeFile(path, JSON.stringify({ mcpServers: servers }));
  return path;
};

/** TOML writes texts, lists and inline tables of texts nearly as JSON does. */
const tomlOf = ({ command, args, env, url }: McpServer): string[] => [
  ...(command === undefined ? [] : [`command = ${JSON.stringify(command)}`]),
  ...(url === undefined ? [] : [`url = ${JSON.stringify(url)}`]),
  ...(args ? [`args = ${JSON.stringify(args)}`] : []),
  ...(env
    ? [
        `env = { ${Object.entries(env)
          .map(([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`)
          .join(', ')} }`,
      ]
    : []),
];

const claude = (program: string, more: string[]): Agent => ({
  name: 'claude',
  skills: '.claude/skills',
  instructions: 'CLAUDE.md',
  signIn: (env) => [
    {
      from: join(env.CLAUDE_CONFIG_DIR ?? own(env, '.claude'), '.credentials.json'),
      to: '.claude/.credentials.json',
    },
  ],
  start: async (arm, prompt, place) => ({
    // Without --strict-mcp-config it would add servers that stand elsewhere.
    words: [
      program,
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--permission-mode',
      'bypassPermissions',
      '--strict-mcp-config',
      '--mcp-config',
      await writeServers(place, arm.servers),
      ...model(arm),
      ...more,
      ...arm.args,
    ],
    stdin: prompt,
  }),
});

const codex = (program: string, more: string[]): Agent => ({
  name: 'codex',
  skills: '.agents/skills',
  instructions: 'AGENTS.md',
  signIn: (env) => [
    { from: join(env.CODEX_HOME ?? own(env, '.codex'), 'auth.json'), to: '.codex/auth.json' },
  ],
  start: async (arm, prompt, place) => {
    const tables = Object.entries(arm.servers).flatMap(([name, server]) => [
      `[mcp_servers.${JSON.stringify(name)}]`,
      ...tomlOf(server),
    ]);
    await mkdir(join(place.home, '.codex'), { recursive: true });
    await writeFile(join(place.home, '.codex', 'config.toml'), `${tables.join('\n')}\n`);
    return {
      words: [
        program,
        'exec',
        '--json',
        '--skip-git-repo-check',
        '--sandbox',
        'workspace-write',
        ...model(arm),
        ...more,
        ...arm.args,
        '-',
      ],
      stdin: prompt,
    };
  },
});

const opencode = (program: string, more: string[]): Agent => ({
  name: 'opencode',
  skills: '.opencode/skills',
  instructions: 'AGENTS.md',
  signIn: (env) => [
    {
      from: join(env.XDG_DATA_HOME ?? own(env, '.local', 'share'), 'opencode', 'auth.json'),
      to: '.local/share/opencode/auth.json',
    },
  ],
  start: async (arm, prompt, place) => {
    const mcp = Object.fromEntries(
      Object.entries(arm.servers).map(([name, { command, args = [], env, url }]) => [
        name,
        url === undefined
          ? { type: 'local', command: [command, ...args], ...(env && { environment: env }) }
          : { type: 'remote', url },
      ]),
    );
    const folder = join(place.home, '.config', 'opencode');
    await mkdir(folder, { recursive: true });
    // Not by a flag: its name was --dangerously-skip-permissions once, and is --auto now.
    const settings = { autoupdate: false, permission: 'allow', mcp };
    await writeFile(join(folder, 'opencode.json'), JSON.stringify(settings));
    return {
      words: [program, 'run', '--format', 'json', ...model(arm), ...more, ...arm.args],
      stdin: prompt,
    };
  },
});

const known: Record<string, (program: string, more: string[]) => Agent> = { claude, codex, opencode };

/** Splits a line into words as a shell does, with quotes and backslashes and nothing else. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gs)].map(([word]) =>
    word.replaceAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs, (_all, double, single, one) =>
      double === undefined ? (single ?? one) : double.replaceAll(/\\(["\\$`])/g, '$1'),
    ),
  );

const requirePlaceholder = (words: readonly string[], name: string, what: string): void => {
  if (words.some((word) => word.includes(`{${name}}`))) return;
  throw new CliError(
    `--agent does not say where ${what} stands.`,
    `Add {${name}}: --agent '${words[0]} … {${name}}'`,
  );
};

/** Any command-line agent. `{prompt}`, `{model}`, `{mcp}`, `{workspace}` and `{marker}` are replaced in its words. */
const byTemplate = (words: string[], skills: string): Agent => ({
  name: basename(words[0]!),
  skills,
  instructions: 'AGENTS.md',
  signIn: () => [],
  start: async (arm, prompt, place) => {
    if (arm.model !== undefined) requirePlaceholder(words, 'model', 'the model');
    if (Object.keys(arm.servers).length > 0) requirePlaceholder(words, 'mcp', 'the file of MCP servers');
    const values: Record<string, string> = {
      prompt,
      model: arm.model ?? '',
      mcp: await writeServers(place, arm.servers),
      workspace: place.workspace,
      marker: place.marker,
    };
    const filled = words.map((word) =>
      word.replaceAll(/\{(prompt|model|mcp|workspace|marker)\}/g, (_all, name: string) => values[name]!),
    );
    const inWords = words.some((word) => word.includes('{prompt}'));
    return { words: [...filled, ...arm.args], stdin: inWords ? '' : prompt };
  },
});

/** Returns the agent of `--agent`: `claude`, `codex` or `opencode` with further arguments, or a template of any other. */
export const agentOf = (line: string, skills: string | undefined): Agent => {
  const words = wordsOf(line);
  const [program, ...more] = words;
  if (program === undefined) throw new CliError('--agent is empty.', 'Example: --agent claude');
  const make = known[basename(program)];
  const isTemplate = more.some((word) => word.includes('{prompt}'));
  const agent = make && !isTemplate ? make(program, more) : byTemplate(words, skills ?? '.agents/skills');
  return skills === undefined ? agent : { ...agent, skills };
};

/** Variables that lead an agent to the user's own configuration. */
const leading = [
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'OPENCODE_CONFIG',
  'OPENCODE_CONFIG_DIR',
  'OPENCODE_CONFIG_CONTENT',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
];

/** The environment of a trial: the user's, with another home, and without what leads to the own configuration or to this service. */
export const environmentOf = (
  env: NodeJS.ProcessEnv,
  { home, marker }: Place,
  isUserHome: boolean,
): NodeJS.ProcessEnv => {
  const kept = Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !name.startsWith('DOKIMA_') && (isUserHome || !leading.includes(name)),
    ),
  );
  return { ...kept, ...(!isUserHome && { HOME: home, USERPROFILE: home }), DOKIMA_MARKER: marker };
};
