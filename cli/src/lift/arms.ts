import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { brokenJson } from '../../../client/src/tables/json-rows.ts';
import { isObject } from '../../../client/src/tables/table.ts';
import { textIn } from '../document.ts';
import { CliError } from '../errors.ts';

/** A server of the Model Context Protocol that an agent starts, as `.mcp.json` files describe it. */
export type McpServer = { command?: string; args?: string[]; env?: Record<string, string>; url?: string };

/** What one side of the comparison gives to the agent: files, arguments and environment. Without anything, the bare agent. */
export type Arm = {
  name: 'with' | 'without';
  skills: { name: string; from: string }[];
  /** File that becomes the agent's instructions: AGENTS.md or CLAUDE.md. */
  instructions: string | undefined;
  /** Folders whose files are laid over the workspace. */
  files: string[];
  servers: Record<string, McpServer>;
  model: string | undefined;
  /** Text with `{prompt}`, which stands for that of the case. */
  prompt: string;
  args: string[];
  env: Record<string, string>;
  /** The words of the command line that make the arm, for people. */
  says: string;
  /** Digest of all of the above, contents included. */
  digest: string;
};

/** What the agent may use or leave: names of skills and of MCP servers. Instructions and models are always in effect. */
export const toUse = ({ skills, servers }: Arm): string[] => [
  ...skills.map(({ name }) => name),
  ...Object.keys(servers),
];

const kinds = ['skill', 'instructions', 'files', 'mcp', 'model', 'prompt', 'arg', 'env'] as const;
type Kind = (typeof kinds)[number];

const isFolder = (path: string): boolean => statSync(path).isDirectory();

const kindOf = (path: string, word: string): Kind => {
  if (!existsSync(path))
    throw new CliError(
      `There is no file or folder '${word}'.`,
      `Name a path, or one of ${kinds.map((kind) => `${kind}=…`).join(', ')}.`,
    );
  if (isFolder(path)) return existsSync(join(path, 'SKILL.md')) ? 'skill' : 'files';
  if (/^(AGENTS|CLAUDE)(\..*)?\.md$/i.test(basename(path))) return 'instructions';
  if (path.endsWith('.json')) return 'mcp';
  throw new CliError(`It is not known what '${word}' is.`, `Say it: instructions=${word} or prompt=${word}`);
};

/** Reads the lines between the dashes of a skill. The first of them is line 2 of the file. */
const frontIn = (file: string, head: string): unknown => {
  try {
    return parse(head);
  } catch (error) {
    const [what = ''] = (error as Error).message.split(/ at line \d/);
    const line = ((error as { linePos?: { line: number }[] }).linePos?.[0]?.line ?? 1) + 1;
    throw new CliError(`${file}, line ${line}: ${what}`, 'Mend what stands between the lines ---.');
  }
};

/** Returns the name that a skill gives itself, by which agents find it. */
const skillName = async (folder: string): Promise<string> => {
  const file = join(folder, 'SKILL.md');
  const text = await textIn(file);
  if (text.trim() === '') throw new CliError(`${file} is empty.`, 'Write the skill into it.');
  const [, head = ''] = /^---\r?\n(.*?)\r?\n---/s.exec(text) ?? [];
  const front = frontIn(file, head);
  const name = isObject(front) && typeof front.name === 'string' ? front.name : basename(folder);
  if (/^[\w][\w.-]*$/.test(name)) return name;
  throw new CliError(`The skill in ${folder} has the name '${name}'.`, 'A name has letters, digits and -.');
};

const serversIn = async (path: string): Promise<Record<string, McpServer>> => {
  const text = await textIn(path);
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new CliError(`${path} cannot be read. ${brokenJson(text, error).message}`);
  }
  const found = isObject(read) ? read.mcpServers : undefined;
  if (isObject(found)) return found as Record<string, McpServer>;
  throw new CliError(`${path} has no mcpServers.`, 'It has the form of .mcp.json: { "mcpServers": { … } }');
};

/** Adds the digest of a file, or of every file below a folder with its place. */
const digestInto = async (hash: ReturnType<typeof createHash>, path: string): Promise<void> => {
  if (!isFolder(path)) return void hash.update(await readFile(path));
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1));
  for (const name of names.toSorted()) hash.update(`\0${name}\0`).update(await readFile(join(path, name)));
};

/** Returns the digest of a file or folder with everything in it. */
export const digestOf = async (...paths: string[]): Promise<string> => {
  const hash = createHash('sha256');
  for (const path of paths) await digestInto(hash, path);
  return hash.digest('hex').slice(0, 16);
};

/** Returns the digest of texts, each with its end. */
export const digestOfTexts = (texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);

const addTo = async (arm: Arm, kind: Kind, value: string, path: string): Promise<void> => {
  switch (kind) {
    case 'skill':
      arm.skills.push({ name: await skillName(path), from: path });
      break;
    case 'instructions':
      // The agent gets the file itself; what no one can read is refused before it costs.
      if ((await textIn(path)).trim() === '') throw new CliError(`${value} is empty.`, 'Write it.');
      arm.instructions = path;
      break;
    case 'files':
      arm.files.push(path);
      break;
    case 'mcp':
      Object.assign(arm.servers, await serversIn(path));
      break;
    case 'model':
      arm.model = value;
      break;
    case 'prompt':
      arm.prompt = await textIn(path);
      if (!arm.prompt.includes('{prompt}'))
        throw new CliError(`${value} has no {prompt}, which stands for the prompt of a case.`);
      break;
    case 'arg':
      arm.args.push(value);
      break;
    case 'env': {
      const [, name, text] = /^([A-Za-z_]\w*)=(.*)$/s.exec(value) ?? [];
      if (name === undefined) throw new CliError(`env=${value} must be env=NAME=VALUE.`);
      arm.env[name] = text!;
    }
  }
};

const isOfFiles = (kind: Kind): boolean => !['model', 'arg', 'env'].includes(kind);

/** Reads the words of one side, such as `./skill`, `AGENTS.md` or `model=NAME`. */
export const armOf = async (
  name: Arm['name'],
  words: readonly string[],
  model: string | undefined,
  directory: string,
): Promise<Arm> => {
  const arm: Arm = {
    name,
    skills: [],
    instructions: undefined,
    files: [],
    servers: {},
    model,
    prompt: '{prompt}',
    args: [],
    env: {},
    says: words.join(', ') || 'the bare agent',
    digest: '',
  };
  const hash = createHash('sha256');
  for (const word of words) {
    const [, named, rest] = /^(\w+)=(.*)$/s.exec(word) ?? [];
    const given = kinds.find((kind) => kind === named);
    const value = given ? rest! : word;
    const path = resolve(directory, value);
    const kind = given && !isOfFiles(given) ? given : (given ?? kindOf(path, word));
    if (isOfFiles(kind)) {
      if (!existsSync(path)) throw new CliError(`There is no file or folder '${value}'.`);
      hash.update(`\0${kind}\0${await digestOf(path)}`);
    } else hash.update(`\0${kind}\0${value}`);
    await addTo(arm, kind, value, path);
  }
  hash.update(`\0${arm.model ?? ''}`);
  arm.digest = hash.digest('hex').slice(0, 16);
  return arm;
};
