import { isDeepStrictEqual } from 'node:util';
import type { Client, JsonObject, Testcase } from '../../../client/src/main.ts';
import { operationsOver } from '../../../client/src/operations.ts';
import { parseAsWritten } from '../../../client/src/written-number.ts';
import { type Entry, type Ids, type Kind, kinds } from '../apply/kinds.ts';
import { openPrompt } from '../ask.ts';
import { type Command, type Context, projectOption, takeArguments, type Values } from '../command.ts';
import { readDocument, readDocumentAsWritten } from '../document.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';
import { itemOf, type Change as MarksChange, marksBetween, writeMarks } from '../testcase-marks.ts';

type Change = {
  kind: Kind;
  entry: Entry;
  id: string | undefined;
  lines: string[];
  missing: Wanted[];
  marked: { id: string; marks: MarksChange }[];
};

/** Puts variables of the environment in the place of `${NAME}`, so that a file holds no secret. */
const filled = (value: unknown, env: NodeJS.ProcessEnv): unknown => {
  if (typeof value === 'string')
    return value.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const found = env[name];
      if (found === undefined) throw new CliError(`The variable ${name} is not set.`);
      return found;
    });
  if (Array.isArray(value)) return value.map((one) => filled(one, env));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, env)]));
};

const entriesOf = (document: unknown, name: string, env: NodeJS.ProcessEnv): Map<Kind, Entry[]> => {
  const parts = (document ?? {}) as Record<string, unknown>;
  const unknown = Object.keys(parts).filter((key) => !kinds.some(({ plural }) => plural === key));
  const known = kinds.map(({ plural }) => plural).join(', ');
  if (typeof document !== 'object' || unknown.length > 0)
    throw new CliError(`${name} has ${unknown.join(', ') || 'no parts'}.`, `Its parts are lists: ${known}`);
  const entries = new Map<Kind, Entry[]>();
  for (const kind of kinds) {
    const list = (parts[kind.plural] ?? []) as Entry[];
    if (!Array.isArray(list) || list.some((one) => typeof one?.name !== 'string'))
      throw new CliError(`${kind.plural} must be a list of resources with names.`);
    const names = list.map((one) => one.name);
    const twice = names.find((one, i) => names.indexOf(one) < i);
    if (twice !== undefined) throw new CliError(`${name} has two ${kind.plural} named '${twice}'.`);
    // Prompts and code may hold ${…} themselves.
    entries.set(kind, kind.singular === 'alert' ? (filled(list, env) as Entry[]) : list);
  }
  return entries;
};

const short = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).replaceAll(
    /\s+/g,
    ' ',
  );
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** A testcase of the file: its data, or with a split and tags what the API takes, `{ jsonData, split, tags }`. */
type Wanted = { jsonData: JsonObject; split?: string | null; tags?: string[] };

const wantedOf = (testcase: JsonObject, testset: string): Wanted => {
  if (typeof testcase.jsonData !== 'object' || testcase.jsonData === null) return { jsonData: testcase };
  const unknown = Object.keys(testcase).find((key) => !['jsonData', 'split', 'tags'].includes(key));
  if (unknown === undefined) return testcase as Wanted;
  throw new CliError(
    `A testcase of testset '${testset}' has the unknown field '${unknown}'.`,
    'Beside jsonData it can have split and tags.',
  );
};

/** Returns the testcases that a testset does not have yet, and those that it has with another split or other tags. */
const differingTestcases = async (client: Client, id: string | undefined, wanted: Wanted[]) => {
  const there: Testcase[] = [];
  if (id !== undefined && wanted.length > 0)
    for await (const testcase of operationsOver(client.send, parseAsWritten).listTestcases(id))
      there.push(testcase);
  const found = wanted.map((each) => ({
    each,
    same: there.find(({ jsonData }) => isDeepStrictEqual(jsonData, each.jsonData)),
  }));
  return {
    missing: found.flatMap(({ each, same }) => (same ? [] : [each])),
    marked: found.flatMap(({ each, same }) => {
      const marks = same && marksBetween(same, each);
      return marks ? [{ id: same.id, marks }] : [];
    }),
  };
};

/** Compares one entry with the service: only what the file says counts. Returns undefined if nothing differs. */
const changeOf = async (
  client: Client,
  kind: Kind,
  entry: Entry,
  existing: Entry[],
): Promise<Change | undefined> => {
  const named = existing.filter(({ name }) => name === entry.name);
  if (named.length > 1)
    throw new CliError(
      `The project has ${named.length} ${kind.plural} named '${entry.name}'.`,
      'Rename one of them.',
    );
  const { testcases = [], ...fields } = entry;
  const [listed] = named;
  const there = listed && { ...listed, ...(await kind.more?.(client, listed.id!, entry)) };
  const wanted = testcases.map((testcase) => wantedOf(testcase, entry.name));
  const { missing, marked } = await differingTestcases(client, there?.id, wanted);
  const differing = Object.entries(fields).filter(
    ([key, value]) => there && !kind.secret?.includes(key) && !isDeepStrictEqual(there[key], value),
  );
  const lines = differing.map(([key, value]) => `    ${key}: ${short(there?.[key])} → ${short(value)}`);
  if (missing.length > 0) lines.push(`    ${countOf(missing.length, 'testcase')} more`);
  if (marked.length > 0)
    lines.push(`    ${countOf(marked.length, 'testcase')} with another split or other tags`);
  if (there && lines.length === 0) return undefined;
  return { kind, entry: fields as Entry, id: there?.id, lines, missing, marked };
};

const textOf = ({ kind, entry, id, lines }: Change): string =>
  [`${id === undefined ? '+' : '~'} ${kind.singular} ${entry.name}`, ...lines].join('\n');

const make = async (client: Client, projectId: string, changes: Change[], ids: Ids): Promise<void> => {
  for (const { kind, entry, id, missing, marked } of changes) {
    const made = id ?? (await kind.create(client, projectId, entry, ids));
    if (id !== undefined) await kind.update(client, id, entry, ids);
    ids.add(kind.singular, entry.name, made);
    await writeMarks(client, made, marked);
    await client.createAllTestcases(made, missing.map(itemOf));
  }
};

export const apply: Command = {
  name: 'apply',
  summary: 'Make testsets, metrics, monitors, alerts and schedules match a file.',
  about: `The parts of the file are lists: ${kinds.map(({ plural }) => plural).join(', ')}. A resource is found by its name, and has the fields of the API; where that has ids
of metrics, testsets and systems, the file has names. Shows what differs and asks before it changes anything. What the file does not name stays as it is.`,
  options: {
    ...projectOption,
    file: { type: 'string', short: 'f', value: 'FILE', about: 'The file, as YAML or JSON.' },
    'dry-run': { type: 'boolean', about: 'Print what differs, and change nothing.' },
    yes: { type: 'boolean', about: 'Change it without asking.' },
  },
  examples: ['dokima apply -p 12 -f resources.yaml --dry-run', 'dokima apply -p 12 -f resources.yaml --yes'],
  run: async (context, args, values) => {
    takeArguments('apply', args);
    const { out, inputPath, environment } = context;
    const name = values.required('file');
    const path = await inputPath(name);
    const entries = entriesOf(await readDocument(path), name, environment);
    // Testcases keep the digits of their numbers.
    const written = (await readDocumentAsWritten(path)) as { testsets?: Entry[] } | null;
    written?.testsets?.forEach(({ testcases = [] }, i) => {
      Object.assign(entries.get(kinds[0]!)![i]!, { testcases });
    });
    const projectId = values.required('project');
    const client = await context.client();
    const ids = await resourcesOf(client, projectId);
    const changes: Change[] = [];
    for (const [kind, list] of entries)
      for (const entry of list) {
        const change = await changeOf(client, kind, entry, ids.all(kind.singular));
        if (change) changes.push(change);
      }
    const described = changes.map(({ kind, entry, id }) => ({
      change: id === undefined ? 'create' : 'update',
      kind: kind.singular,
      name: entry.name,
    }));
    const dry = values.flag('dry-run');
    const text = changes.map(textOf).join('\n');
    if (changes.length === 0 || dry) {
      out.result(text || 'Nothing differs.', { dryRun: dry, changes: described });
      return exit.pass;
    }
    out.note(text);
    checkReferences(entries, ids);
    if (!(await isAgreed(context, values))) return exit.incomplete;
    await make(client, projectId, changes, ids);
    out.result(`${countOf(changes.length, 'change')} made.`, { dryRun: false, changes: described });
    return exit.pass;
  },
};

/** Reads the resources of a project, each kind after those that it names. */
export const resourcesOf = (client: Client, projectId: string): Promise<Ids> =>
  kinds.reduce<Promise<Ids>>(
    async (known, kind) => {
      const all = await known;
      for (const one of await kind.list(client, projectId, all))
        all.add(kind.singular, one.name, one.id!, one);
      return all;
    },
    idsFor(client, projectId),
  );

/** Throws for a name that neither the project nor the file has, before anything is changed. */
const checkReferences = (entries: ReadonlyMap<Kind, Entry[]>, ids: Ids): void => {
  const inFile = (kind: string) => [...entries].find(([{ singular }]) => singular === kind)?.[1] ?? [];
  const planned: Ids = {
    ...ids,
    of: (kind, name) => (inFile(kind).some((one) => one.name === name) ? name : ids.of(kind, name)),
  };
  for (const [kind, list] of entries) for (const entry of list) kind.body(entry, planned);
};

const isAgreed = async (context: Context, values: Values): Promise<boolean> => {
  if (values.flag('yes')) return true;
  const prompt = openPrompt(context);
  if (!prompt)
    throw new CliError('Nothing was changed.', 'Read what differs above, and repeat the command with --yes.');
  try {
    return (await prompt.choose('Change it?', ['yes', 'no'])) === 'yes';
  } finally {
    prompt.close();
  }
};

/** Knows the resources of the project by kind and name. Systems are only referred to. */
const idsFor = async (client: Client, projectId: string): Promise<Ids> => {
  const known = new Map<string, Entry[]>();
  const all = (kind: string) => known.get(kind) ?? [];
  const ids: Ids = {
    all,
    add: (kind, name, id, entry) => void known.set(kind, [...all(kind), { ...entry, name, id }]),
    of: (kind, name) => {
      const found = all(kind).find((one) => one.name === name);
      if (found?.id !== undefined) return found.id;
      throw new CliError(`There is no ${kind} named '${name}', in the project or in the file.`);
    },
    nameOf: (kind, id) => all(kind).find((one) => one.id === id)?.name ?? id,
  };
  for await (const { id, name } of client.listSystems(projectId)) ids.add('system', name, id);
  return ids;
};
