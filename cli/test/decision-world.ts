import type { CreateMetricBody } from '../../client/src/main.ts';
import { upsertVersion } from '../../client/src/versions.ts';
import type { Said, Terminal } from './terminal.ts';

/** The score of a trial of a testcase: a value, a label, or null for none. */
export type ScoreOf = (testcase: number, trial: number) => boolean | number | string | null;

const fieldOf = {
  boolean: 'binaryScore',
  float: 'floatScore',
  int: 'intScore',
  category: 'categoryScore',
} as const;

export type WorldOptions = {
  count?: number;
  trials?: number;
  /** How many testcases belong together; 1 groups nothing. */
  groupSize?: number;
  metric?: Partial<CreateMetricBody>;
  rules?: string;
};

/** A project with a testset, a metric and a baseline run, in which decisions are registered and exported. */
export const openWorld = async (
  terminal: Pick<Terminal, 'client' | 'dokima' | 'write' | 'read'>,
  before: ScoreOf,
  { count = 60, trials = 1, groupSize = 1, metric: fields = {}, rules }: WorldOptions = {},
) => {
  const { client } = terminal;
  const project = await client.createProject({ name: 'Decisions', description: '' });
  const metric = await client.createMetric(project.id, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
    ...fields,
  } as CreateMetricBody);
  const testset = await client.createTestset(project.id, {
    name: 'Cases',
    description: '',
    jsonSchema: { type: 'object' },
    fieldMapping: { inputs: ['question'], expected: [], metadata: ['document'] },
    ...(groupSize > 1 && { groupBy: 'document' }),
  });
  const testcases = await client.createAllTestcases(
    testset.id,
    Array.from({ length: count }, (_, i) => ({
      jsonData: {
        question: `Question ${i} of ${(i * 7919) % 1009}?`,
        document: `document ${Math.floor(i / groupSize)}`,
      },
    })),
  );
  const testcaseIds = testcases.map(({ id }) => id);
  const makeRun = async (version: number, scoreOf: ScoreOf, answered = testcaseIds): Promise<string> => {
    const { id: systemVersionId } = await upsertVersion(client, project.id, 'System', { version });
    const run = await client.createRun(project.id, {
      testsetId: testset.id,
      metricIds: [metric.id],
      systemVersionId,
    });
    const field = fieldOf[metric.outputType as keyof typeof fieldOf];
    const items = answered.flatMap((testcaseId) => {
      const i = testcaseIds.indexOf(testcaseId);
      return Array.from({ length: trials }, (_, trial) => {
        const value = scoreOf(i, trial);
        return {
          testcaseId,
          inputs: { question: `Question ${i}?` },
          expected: {},
          outputs: { trial },
          scores:
            value === null ? [] : [{ metricConfigId: run.metricVersionIds[0]!, score: { [field]: value } }],
        };
      });
    });
    await client.createAllRecords(run.id, items);
    return run.id;
  };
  const baseline = await makeRun(1, before);
  const writeRules = (text: string) => terminal.write('dokima.yaml', text);
  const decision = (...words: string[]): Promise<Said> =>
    terminal.dokima(['decision', ...words, '--project', project.id, '--json']);
  const register = async (text = rules ?? 'metrics: { Right: { nonInferiority: { margin: 0.05 } } }') => {
    await writeRules(text);
    const named = [
      '--question',
      'As good?',
      '--owner',
      'Ada',
      '--testset',
      testset.id,
      '--metric',
      metric.id,
    ];
    const made = await decision('register', ...named, '--baseline', baseline, '--testcases', String(count));
    if (made.code !== 0) throw new Error(made.err);
    return made.json().id as string;
  };
  const exported = async (id: string, run: string, file: string, ...more: string[]): Promise<string> => {
    const said = await decision('export', id, '--run', run, '--out', file, ...more);
    if (said.code !== 0) throw new Error(said.err);
    return terminal.read(file);
  };
  /** Exports a decision about a run, and verifies the file. */
  const verified = async (id: string, run: string, file: string, ...more: string[]) => {
    await exported(id, run, file, ...more);
    const said = await terminal.dokima(['verify', file, '--json']);
    const { findings } = said.json() as { findings: { state: string; sentence: string }[] };
    return { code: said.code, findings, sentences: findings.map(({ sentence }) => sentence) };
  };
  return {
    project,
    metric,
    testset,
    testcaseIds,
    baseline,
    makeRun,
    register,
    writeRules,
    exported,
    verified,
    decision,
  };
};
export type World = Awaited<ReturnType<typeof openWorld>>;
