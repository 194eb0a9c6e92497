import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from './fixtures.ts';
import { type Organization, startApp, type TestApp } from './harness.ts';

/** The list of a project's records, narrowed by any filters, against the same question asked of an array. */

let app: TestApp;
let organization: Organization;
let members: string[];

beforeAll(async () => {
  app = await startApp();
  organization = await app.organization();
  const second = { name: 'Second', email: 'second@example.org', role: 'viewer' };
  members = [organization.memberId, (await ok(organization.api('POST', '/members', second), 201)).id];
});
afterAll(() => app.close());

const metricKinds = [
  { outputType: 'boolean', field: 'binaryScore', threshold: 1, values: [false, true] },
  { outputType: 'int', field: 'intScore', threshold: 3, values: [1, 2, 3, 4, 5] },
  { outputType: 'float', field: 'floatScore', threshold: 0.5, values: [0, 0.499, 0.5, 1] },
] as const;
const tagTexts = ['a', 'b', 'a b'];
const results = ['pass', 'fail', 'pending', 'unscored', 'failed'] as const;
const words = ['alpha', 'Beta', '100%', 'a_b', 'a"b', 'back\\slash', 'é', 'новое'];

/** Outcome of one score: a state, or a value that fits its metric, or one that does not. */
const scoreOf = (values: readonly (boolean | number)[]) =>
  fc.oneof(
    fc.constantFrom('pending', 'unscored', 'failed', 'misfit'),
    fc.constantFrom(...values).map((value) => ({ value })),
  );
const someOf = <T>(items: readonly T[]) => fc.subarray([...items]);

const recordArbitrary = fc.record({
  run: fc.nat(1),
  inputs: fc.constantFrom(...words),
  outputs: fc.constantFrom(...words),
  tags: someOf(tagTexts),
  assignees: someOf([0, 1]),
  scores: fc.tuple(...metricKinds.map(({ values }) => scoreOf(values))),
});
type RecordPlan = typeof recordArbitrary extends fc.Arbitrary<infer T> ? T : never;

const rare = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const filterArbitrary = fc.record({
  run: rare(fc.nat(1)),
  metric: rare(fc.nat(2)),
  result: rare(fc.constantFrom(...results)),
  tags: someOf(tagTexts),
  assignee: rare(fc.nat(1)),
  text: rare(fc.constantFrom(...words, 'BETA', 'a', '%', '_', '\\', '"', 'nowhere')),
  after: rare(fc.nat(40)),
  before: rare(fc.nat(40)),
  limit: fc.integer({ min: 1, max: 9 }),
});
type Filter = typeof filterArbitrary extends fc.Arbitrary<infer T> ? T : never;

type World = {
  projectId: string;
  runIds: string[];
  metricIds: string[];
  records: (RecordPlan & { id: string; createdAt: string })[];
};

/** Makes the planned records, a call for each, so that they are in the order of time. */
const build = async (plans: RecordPlan[]): Promise<World> => {
  const { api, organizationId } = organization;
  const project = await createProject(api);
  const metrics = [];
  for (const { outputType, threshold } of metricKinds) {
    const passingThreshold = outputType === 'boolean' ? {} : { passingThreshold: threshold };
    metrics.push(await createMetric(api, project.id, { evalType: 'human', outputType, ...passingThreshold }));
  }
  const metricIds = metrics.map(({ id }) => id as string);
  const runs = [await createRun(api, project.id, metricIds), await createRun(api, project.id, metricIds)];
  const records: World['records'] = [];
  for (const plan of plans) {
    const run = runs[plan.run];
    const content = { inputs: { q: plan.inputs }, expected: {}, outputs: { a: plan.outputs } };
    const { id } = await ok(api('POST', `/runs/${run.id}/records`, content), 201);
    for (const text of plan.tags) await ok(api('POST', `/records/${id}/tags`, { text }), 201);
    for (const member of plan.assignees)
      await ok(api('POST', `/records/${id}/assignees`, { assigneeUserId: members[member] }), 201);
    for (const [i, score] of plan.scores.entries()) {
      const configId = run.metricVersionIds[i];
      if (typeof score === 'object' || score === 'misfit') {
        const value = typeof score === 'object' ? score.value : 'no value';
        await ok(
          api('PUT', `/records/${id}/scores/${configId}`, { score: { [metricKinds[i]!.field]: value } }),
        );
      } else if (score !== 'pending') {
        // Only scoring gives these states, and it is not what is tested here.
        await app.db.transaction(
          organization,
          (tx) => tx`
            update score set state = ${score}, reason = 'because'
            where organization_id = ${organizationId} and run_id = ${run.id} and n = ${id.split('-')[1]}
              and metric_config_id = ${configId}`,
        );
      }
    }
    records.push({ ...plan, id, createdAt: (await ok(api('GET', `/records/${id}`))).createdAt });
  }
  return { projectId: project.id, runIds: runs.map(({ id }) => id), metricIds, records };
};

const hasResult = (
  score: RecordPlan['scores'][number],
  result: string | undefined,
  threshold: number,
): boolean => {
  if (result === undefined) return true;
  if (typeof score === 'object') return result === (Number(score.value) >= threshold ? 'pass' : 'fail');
  return result === (score === 'misfit' ? 'unscored' : score);
};

/** A moment near the i-th record's: the record's own, or a millisecond after the last one. */
const momentOf = (world: World, i: number): string =>
  world.records[i]?.createdAt ?? new Date(Date.parse(world.records.at(-1)!.createdAt) + 1).toISOString();

/** The ids that the filter should keep, newest first. */
const expectedIds = (world: World, filter: Filter): string[] =>
  world.records
    .filter((record) => {
      const { metric, result, text } = filter;
      const spelled = text === undefined ? '' : JSON.stringify(text).slice(1, -1).toLowerCase();
      const texts = [{ q: record.inputs }, {}, { a: record.outputs }].map((part) =>
        JSON.stringify(part).toLowerCase(),
      );
      return (
        (filter.run === undefined || record.run === filter.run) &&
        ((metric === undefined && result === undefined) ||
          record.scores.some(
            (score, i) => (metric ?? i) === i && hasResult(score, result, metricKinds[i]!.threshold),
          )) &&
        filter.tags.every((tag) => record.tags.includes(tag)) &&
        (filter.assignee === undefined || record.assignees.includes(filter.assignee)) &&
        texts.some((part) => part.includes(spelled)) &&
        (filter.after === undefined || record.createdAt >= momentOf(world, filter.after)) &&
        (filter.before === undefined || record.createdAt < momentOf(world, filter.before))
      );
    })
    .map(({ id }) => id)
    .reverse();

const queryOf = (world: World, filter: Filter): URLSearchParams => {
  const query = new URLSearchParams({ limit: String(filter.limit) });
  const add = (name: string, value: string | undefined) => value === undefined || query.append(name, value);
  add('runId', filter.run === undefined ? undefined : world.runIds[filter.run]);
  add('metricId', filter.metric === undefined ? undefined : world.metricIds[filter.metric]);
  add('result', filter.result);
  for (const tag of filter.tags) add('tags', tag);
  add('assigneeUserId', filter.assignee === undefined ? undefined : members[filter.assignee]);
  add('text', filter.text);
  add('createdAfter', filter.after === undefined ? undefined : momentOf(world, filter.after));
  add('createdBefore', filter.before === undefined ? undefined : momentOf(world, filter.before));
  return query;
};

/** The same question with all parameters, or each second one, in the search language. */
const searchOf = (world: World, filter: Filter, which: 'all' | 'some'): URLSearchParams => {
  const query = queryOf(world, filter);
  const metric = query.get('metricId');
  const said = (value: string) => JSON.stringify(value);
  const words: [string, (value: string) => string][] = [
    ['runId', (id) => `run:${id}`],
    ['result', (result) => (metric === null ? `result:${result}` : `metric:${metric} result:${result}`)],
    ['metricId', (id) => `metric:${id}`],
    ['tags', (tag) => `tag:${said(tag)}`],
    ['assigneeUserId', (id) => `assigned:${id}`],
    ['text', said],
    ['createdAfter', (at) => `after:${at}`],
    ['createdBefore', (at) => `before:${at}`],
  ];
  const q: string[] = [];
  for (const [i, [name, word]] of words.entries()) {
    // A result and its metric are said in one language.
    if (which === 'some' && i % 2 === 0) continue;
    const asked = query.getAll(name);
    q.push(...asked.map(word));
    query.delete(name);
    if (name === 'result' && asked.length > 0) query.delete('metricId');
  }
  if (q.length > 0) query.set('q', q.join(' '));
  return query;
};

/** The ids of all pages, one after the other. */
/** The ids of all pages, one after the other. */
const listedIds = async (world: World, filter: Filter, query = queryOf(world, filter)): Promise<string[]> => {
  const ids: string[] = [];
  for (let more = true; more; ) {
    const page = await ok(organization.api('GET', `/projects/${world.projectId}/records?${query}`));
    expect(page.data.length).toBeLessThanOrEqual(filter.limit);
    expect(page.hasMore).toBe(page.nextCursor !== '');
    ids.push(...page.data.map(({ id }: { id: string }) => id));
    query.set('cursor', page.nextCursor);
    more = page.hasMore;
  }
  return ids;
};

it('any filters together keep what each of them keeps, newest first, page by page', async () => {
  const plans = fc.array(recordArbitrary, { minLength: 1, maxLength: 25, size: 'max' });
  const filters = fc.array(filterArbitrary, { minLength: 30, maxLength: 30 });
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(plans, filters, async (planned, asked) => {
      const world = await build(planned);
      for (const filter of asked) {
        const ids = await listedIds(world, filter);
        expect(ids, `${queryOf(world, filter)}`).toEqual(expectedIds(world, filter));
        for (const which of ['all', 'some'] as const) {
          const search = searchOf(world, filter, which);
          expect(await listedIds(world, filter, search), `${search}`).toEqual(ids);
        }
        kept += ids.length;
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );
  // Filters that keep nothing prove nothing; how much they keep is chance.
  expect(kept).toBeGreaterThan(0);
});

it('each filter alone keeps some records and drops others', async () => {
  const plans = fc.sample(recordArbitrary, { numRuns: 40, seed: 7 });
  const world = await build(plans);
  const none: Filter = {
    run: undefined,
    metric: undefined,
    result: undefined,
    tags: [],
    assignee: undefined,
    text: undefined,
    after: undefined,
    before: undefined,
    limit: 9,
  };
  const alone: Partial<Filter>[] = [
    ...[0, 1].flatMap((i) => [{ run: i }, { assignee: i }]),
    ...results.flatMap((result) => [0, 1, 2].map((metric) => ({ metric, result }))),
    ...tagTexts.map((tag) => ({ tags: [tag] })),
    ...words.map((text) => ({ text })),
    { after: 10 },
    { before: 10 },
  ];
  for (const part of alone) {
    const filter = { ...none, ...part };
    const ids = await listedIds(world, filter);
    expect(ids, JSON.stringify(part)).toEqual(expectedIds(world, filter));
    expect(ids.length, JSON.stringify(part)).toBeGreaterThan(0);
    expect(ids.length, JSON.stringify(part)).toBeLessThan(40);
  }
  expect(await listedIds(world, none)).toEqual(expectedIds(world, none));
});
