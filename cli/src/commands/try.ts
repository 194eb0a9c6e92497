import { once } from 'node:events';
import type {
  Client,
  CreateMetricBody,
  CreateProviderBody,
  MetricTemplate,
} from '../../../client/src/main.ts';
import { type Fields, metricsFor, withOwnFields } from '../../../client/src/proposals.ts';
import { parseAsWritten } from '../../../client/src/written-number.ts';
import { type Command, type Context, nothingIsLeft, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { type OwnService, startOwnService } from '../files/own-service.ts';
import { readImports, readingOptions, scalesIn } from '../import/read-imports.ts';
import type { Import, Row } from '../import/rows.ts';
import { writeImport } from '../import/write.ts';
import { bar } from '../output.ts';
import { summary } from './summary.ts';

/** The providers whose key is in a well-known variable. */
const hosted: Record<string, { kind: CreateProviderBody['kind']; keys: string[] }> = {
  openai: { kind: 'openai', keys: ['OPENAI_API_KEY'] },
  anthropic: { kind: 'anthropic', keys: ['ANTHROPIC_API_KEY'] },
  google: { kind: 'google', keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'] },
};

/** Returns where Ollama is, by the variable of its own programs: a host, with or without scheme and port. */
const ollamaAddress = ({ OLLAMA_HOST }: NodeJS.ProcessEnv): string => {
  const host = (OLLAMA_HOST || 'localhost').replace(/\/+$/, '');
  if (/^https?:\/\//.test(host)) return host;
  return `http://${host}${/:\d+$/.test(host) ? '' : ':11434'}`;
};

const readList = (text: string): { models?: { name: string }[] } => {
  try {
    return parseAsWritten(text) as { models?: { name: string }[] };
  } catch {
    return {};
  }
};

/** Throws if Ollama does not run or lacks the model: each judgement would fail only later. */
const requireOllama = async (baseUrl: string, model: string, signal: AbortSignal): Promise<void> => {
  const address = baseUrl.replace(/\/v1\/?$/, '');
  const list = await fetch(`${address}/api/tags`, { signal }).catch(() => {
    signal.throwIfAborted();
    throw new CliError(
      `Ollama does not answer at ${address}.`,
      'Start it: ollama serve. If it runs elsewhere, set OLLAMA_HOST.',
    );
  });
  const { models } = readList(await list.text());
  // A server that lists nothing is not Ollama itself, such as a proxy: the judge will tell.
  if (!list.ok || !models) return;
  const names = models.map(({ name }) => name);
  if (names.includes(model) || names.includes(`${model}:latest`)) return;
  const known = names.length > 0 ? ` It has ${names.slice(0, 10).join(', ')}.` : '';
  throw new CliError(`Ollama has no model ${model}.${known}`, `Get it: ollama pull ${model}`);
};

/** Returns the provider of a judge's name, which is the part before the slash. */
const providerOf = (judge: string, values: Values, env: NodeJS.ProcessEnv): CreateProviderBody => {
  const [name, model] = judge.split(/\/(.*)/s);
  if (!name || !model)
    throw new CliError(`--judge must be PROVIDER/MODEL, not '${judge}'.`, 'Example: --judge ollama/gemma3');
  const known = hosted[name];
  const given = values.text('base-url');
  if (known && given === undefined) {
    const apiKey = known.keys.map((key) => env[key]).find(Boolean);
    if (!apiKey) throw new CliError(`There is no key for ${name}.`, `Set ${known.keys.join(' or ')}.`);
    return { name, kind: known.kind, apiKey };
  }
  const baseUrl = given ?? (name === 'ollama' ? `${ollamaAddress(env)}/v1` : undefined);
  if (baseUrl === undefined)
    throw new CliError(
      `It is not known where ${name} is.`,
      'Name its address: --base-url http://localhost:8000/v1',
    );
  return { name, kind: 'openai-compatible', baseUrl, apiKey: env.DOKIMA_TRY_KEY || 'none' };
};

const namesIn = (rows: readonly Row[], part: 'inputs' | 'expected' | 'outputs'): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row[part]))),
];

const fieldsOf = (rows: readonly Row[]): Fields => ({
  inputs: namesIn(rows, 'inputs'),
  expected: namesIn(rows, 'expected'),
  outputs: namesIn(rows, 'outputs'),
});

/** The ready metric that scores unless one is named. Without a judge it is the first of the proposals of the pages that is code. */
const usualMetric = (
  templates: readonly MetricTemplate[],
  rows: readonly Row[],
  hasJudge: boolean,
): string => {
  const fields = fieldsOf(rows);
  if (hasJudge) return fields.expected.length > 0 ? 'correctness' : 'relevance';
  const isCode = (id: string) =>
    templates.some((each) => each.id === id && each.metric.evalType === 'heuristic');
  const code = metricsFor(fields, rows[0]?.expected ?? {}).find(isCode);
  if (code && fields.expected.length > 0) return code;
  throw new CliError(
    'The file expects no short answer that code could compare, so a model must judge.',
    'Name one: --judge ollama/gemma3. Or name a ready metric that is code: --metric length-limit',
  );
};

/** Returns the ready metric with the file's fields, and with the judge's model. */
const metricFor = async (client: Client, rows: readonly Row[], values: Values): Promise<CreateMetricBody> => {
  const judge = values.text('judge');
  const { data } = await client.listMetricTemplates();
  const id = values.text('metric') ?? usualMetric(data, rows, judge !== undefined);
  const template = data.find((one) => one.id === id);
  if (!template) {
    const some = data.slice(0, 8).map((one) => one.id);
    throw new CliError(
      `There is no ready metric '${id}'.`,
      `Some are: ${some.join(', ')}. docs/metrics.md has all.`,
    );
  }
  const own = (logic: string) => withOwnFields(logic, template, fieldsOf(rows));
  const metric = template.metric as CreateMetricBody;
  if (metric.evalType !== 'ai') return { ...metric, guidelines: own(metric.guidelines ?? '') };
  if (judge === undefined) throw new CliError(`A model scores '${id}'.`, 'Name it: --judge ollama/gemma3');
  return { ...metric, promptTemplate: own(metric.promptTemplate), evalModelName: judge };
};

/** Follows the run until its scores are there, or nothing more comes. */
const follow = async ({ out, signal }: Context, client: Client, runId: string): Promise<void> => {
  const said = new Set<string>();
  for await (const { run, progress } of client.watchRunProgress(runId, { signal })) {
    out.progress(`${bar(run.numScores, run.numRecords * run.metricIds.length)} scores`);
    for (const reason of [progress.reason, ...progress.metrics.map((metric) => metric.reason)]) {
      if (reason === null || said.has(reason)) continue;
      said.add(reason);
      out.note(`  ${reason}`);
    }
  }
  out.progress(undefined);
};

const scoreAll = async (context: Context, { client }: OwnService, imports: Import[], values: Values) => {
  const judge = values.text('judge');
  const { id: projectId } = await client.createProject({ name: 'Tried', description: '' });
  if (judge !== undefined) await client.createProvider(providerOf(judge, values, context.environment));
  const rows = imports.flatMap((one) => one.rows);
  const metric = await client.createMetric(projectId, await metricFor(client, rows, values));
  const runIds: string[] = [];
  let into: string | undefined;
  for (const one of imports) {
    const written = await writeImport(
      client,
      projectId,
      one,
      scalesIn(values),
      (text) => context.out.progress(text),
      { testset: into },
    );
    into = written.testsetId;
    runIds.push(...written.runIds);
  }
  if (runIds.length === 0)
    throw new CliError('The file has questions and no answers.', 'Name the column with answers: --outputs');
  for (const runId of runIds) {
    await client.addRunMetrics(runId, { metricIds: [metric.id] });
    await follow(context, client, runId);
  }
  return { projectId, runIds };
};

const links = (
  { url, signIn }: OwnService,
  { projectId, runIds }: { projectId: string; runIds: string[] },
): string[] => [
  ...(signIn === undefined ? [] : [`Sign in first: ${signIn}`]),
  ...runIds.map((runId) => `Every answer:  ${url}/projects/${projectId}/runs/${runId}`),
];

export const tryCommand: Command = {
  name: 'try',
  waits: nothingIsLeft,
  takes: 'FILE',
  summary: 'Score a file of answers with a ready metric, and see the table and the pages; nothing is kept.',
  about: `Starts a service with a temporary database, imports the file as dokima import does, and scores each answer with a ready metric: with code, or
with --judge by a model. On a terminal the service stays until Ctrl-C, so that you can read every verdict. The model's provider is ollama on this machine, openai, anthropic or google with the key of
its usual variable, or the address in --base-url.`,
  options: {
    judge: { type: 'string', value: 'PROVIDER/MODEL', about: 'Model that judges, such as ollama/gemma3.' },
    metric: {
      type: 'string',
      value: 'ID',
      about:
        'Ready metric. Default: with a judge correctness, or relevance if no answer is expected; else code that compares answers.',
    },
    'base-url': {
      type: 'string',
      value: 'URL',
      about: 'Address of another provider that speaks the API of OpenAI. DOKIMA_TRY_KEY is its key.',
    },
    ...readingOptions,
  },
  examples: ['dokima try answers.csv', 'dokima try answers.csv --judge ollama/gemma3'],
  run: async (context, args, values) => {
    const { out, stdin, signal, environment } = context;
    const [name] = takeArguments('try', args, 'The file') as [string];
    const judge = values.text('judge');
    const provider = judge === undefined ? undefined : providerOf(judge, values, environment);
    const imports = await readImports(context, name, values);
    if (judge !== undefined && provider?.name === 'ollama' && provider.baseUrl)
      await requireOllama(provider.baseUrl, judge.slice('ollama/'.length), signal);
    const settings = { DOKIMA_PAGES: 'on', DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' };
    const service = await startOwnService(environment, { settings, signal });
    try {
      const made = await scoreAll(context, service, imports, values);
      let code: number = exit.pass;
      for (const runId of made.runIds) {
        const shown = await summary.run({ ...context, client: async () => service.client }, [runId], values);
        if (shown !== exit.pass) code = shown;
      }
      if (!stdin.isTTY || out.json) return code;
      for (const line of links(service, made)) out.note(line);
      out.note('Ctrl-C ends the service, and deletes what it has.');
      if (!signal.aborted) await Promise.race([once(signal, 'abort'), service.closed]);
      return code;
    } finally {
      await service.end();
    }
  },
};
