/**
 * Makes worlds whose data are not what they seem, on a running service, and writes what is true, what the service says, and how it warns
 * to bench/sources-table.md. Error rates come from the rows of bench/coverage-table.md. Run: node bench/sources.ts
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOpenAiServer } from '../server/test/model-server.ts';
import { apiKey, startService } from './service.ts';
import {
  type Api,
  apiOf,
  chanceOf,
  codesOf,
  createWorld,
  type Gate,
  gateOf,
  goodAnswer,
  percent,
  rangeOf,
} from './sources-world.ts';

type Row = { world: string; truth: string; says: string; how: string };

const rows = (await readFile(new URL('./coverage-table.md', import.meta.url), 'utf8'))
  .split('\n')
  .map((line) => line.slice(2).split(' | '));

/** Returns the percentage of a row of the table of coverage. */
const rateOf = (method: string, data: string): string => {
  const found = rows.filter(([of, name]) => of === method && name === data);
  if (found.length !== 1) throw new Error(`${found.length} rows of ${method}: ${data}`);
  return found[0]![2]!;
};

const flags = (count: number, passes: (i: number) => boolean): boolean[] =>
  Array.from({ length: count }, (_, i) => passes(i));

const judgeOf = async (api: Api, name: string) => {
  const world = await createWorld(api, name);
  const judge = await world.metric('Judge', 'ai', {
    guidelines: 'Pass good answers.',
    promptTemplate: 'Is {{ outputs.answer }} right?',
    evalModelName: 'local/judge',
  });
  const people = await world.metric('People', 'human', { guidelines: 'Pass good answers.' });
  await api('PATCH', `/metrics/${judge.id}/settings`, { peopleMetricId: people.id });
  return { ...world, judge, people };
};

const passRateOf = async (api: Api, runId: string, metricId: string) => {
  const { metrics } = await api('GET', `/runs/${runId}/summary`);
  return metrics.find((one: { metricId: string }) => one.metricId === metricId);
};

const compared = async (api: Api, before: string, after: string, query = '') =>
  (await api('GET', `/runs/compare?runs=${before},${after}&pairs=first${query}`)).pairs[0].metrics;

/** All records that a judge failed are labelled, and some of the others. */
const labelledWholly = async (api: Api, gate: Gate): Promise<Row[]> => {
  const { run, review, judge, people } = await judgeOf(api, 'A stratum that is labelled wholly');
  const truth = (i: number) => i >= 19 && (i < 25 || i >= 33);
  const made = await run(
    judge,
    flags(300, (i) => i >= 25),
  );
  const sample = { size: 100, stratifyBy: { metricId: judge.id }, allocation: 'equal' };
  await review(made, people, sample, truth);
  const { corrected } = await api('GET', `/metrics/${judge.id}/calibration?runId=${made.id}`);
  const { estimate, interval } = corrected.predictionPowered;
  const own = (await passRateOf(api, made.id, people.id)).passRate;
  return [
    {
      world: '1. 300 records; all 25 that the judge failed are labelled, and 75 of the others',
      truth: 'true pass rate 91.0 %',
      says: `corrected ${percent(estimate)}, ${rangeOf(interval)}; people's own rate ${percent(own.estimate)}, ${rangeOf(own.interval)}; ${await gate(made.id, 'Judge', { of: 'corrected', atLeast: 0.95 })}`,
      how: codesOf(corrected.predictionPowered, own),
    },
  ];
};

/** Half of the labels are of records that the judge failed. */
const drawnByVerdict = async (api: Api): Promise<Row[]> => {
  const { run, review, judge, people } = await judgeOf(api, 'Labels drawn by the verdict');
  const truth = (i: number) => i % 10 !== 0;
  const says = (i: number) => (truth(i) ? chanceOf(`4 ${i}`) < 0.95 : chanceOf(`4 ${i}`) >= 0.7);
  const made = await run(judge, flags(1000, says));
  const sample = { size: 100, stratifyBy: { metricId: judge.id }, allocation: 'equal' };
  await review(made, people, sample, truth);
  const all = await api('GET', `/metrics/${judge.id}/calibration?runId=${made.id}`);
  const { sensitivity, specificity } = all;
  return [
    {
      world: '4. 1,000 records, 100 labels, half of them of what the judge failed',
      truth: 'sensitivity .95, specificity .7, pass rate 90 %',
      says: `sensitivity ${percent(sensitivity.estimate)}, ${rangeOf(sensitivity.interval)}; specificity ${percent(specificity.estimate)}, ${rangeOf(specificity.interval)}; corrected ${percent(all.corrected.roganGladen.estimate)}`,
      how: codesOf(sensitivity, specificity, all.corrected.roganGladen),
    },
  ];
};

/** People put verdicts of a judge right. */
const putRight = async (api: Api, gate: Gate): Promise<Row[]> => {
  const { judgedRun, score, judge } = await judgeOf(api, 'Verdicts that people put right');
  const says = (name: string) => (i: number) => chanceOf(`${name} ${i}`) < 0.487;
  const before = await judgedRun(judge, flags(300, says('2')));
  const after = await judgedRun(judge, flags(300, says('3')));
  const plain = (await compared(api, before.id, after.id))[0];
  const wrong = after.recordIds.filter((_, i) => says('3')(i)).slice(0, 40);
  await score(
    after.id,
    judge,
    wrong.slice(0, 3).map((id) => [id, false]),
  );
  const three = await passRateOf(api, after.id, judge.id);
  await score(
    after.id,
    judge,
    wrong.map((id) => [id, false]),
  );
  const forty = await passRateOf(api, after.id, judge.id);
  const [later] = await compared(api, before.id, after.id);
  return [
    {
      world: '2. a person puts three wrong passes of 300 right',
      truth: 'three chosen labels say nothing about the rate',
      says: `corrected rate: ${three.judge.correctedRate === null ? 'none' : percent(three.judge.correctedRate.estimate)}; ${three.judge.sentence}; ${await gate(after.id, 'Judge', { of: 'corrected', atLeast: 0.3 })}`,
      how: codesOf(three.passRate),
    },
    {
      world: '3. forty in one of two runs of one system',
      truth: `no change of the judge: ${percent(plain.difference)}`,
      says: `compare ${percent(later.difference)}, ${later.verdict}; the run's own rate ${percent(forty.passRate.estimate)}; ${await gate(after.id, 'Judge', { noRegression: {} }, before.id)}`,
      how: codesOf(later, forty.passRate),
    },
  ];
};

/** Two equal systems; the judge misses 15 % of failures of one, and 45 % of those of the other. */
const errsOtherwise = async (api: Api, gate: Gate): Promise<Row[]> => {
  const { run, review, testset, judge, people } = await judgeOf(api, 'A judge that errs otherwise');
  const at = await testset(Array.from({ length: 500 }, (_, i) => ({ question: `question ${i}` })));
  const truth = (i: number) => i % 3 !== 0;
  const made = [];
  for (const missed of [0.15, 0.45]) {
    const says = (i: number) => truth(i) || chanceOf(`5 ${missed} ${i}`) < missed;
    const one = await run(judge, flags(500, says), at);
    await review(one, people, { size: 100 }, truth);
    made.push(one);
  }
  const all = await compared(api, made[0]!.id, made[1]!.id);
  const found = all.find((one: { metricId: string }) => one.metricId === judge.id);
  return [
    {
      world:
        '5. two equal systems, the judge’s specificity .85 on one and .55 on the other, 100 labels in each',
      truth: 'no difference',
      says: `scores: ${found.sentence}; verdict, ${found.conclusion.basis}: ${found.conclusion.sentence}; judge: ${found.judge.errors.verdict}; ${await gate(made[1]!.id, 'Judge', { superiority: {} }, made[0]!.id)}`,
      how: codesOf(found, found.corrected),
    },
  ];
};

/** The same questions stand in the testset five times. */
const repeated = async (api: Api): Promise<Row[]> => {
  const { run, testset, metric } = await createWorld(api, 'Repeated testcases');
  const right = await metric('Right', 'heuristic');
  const questions = Array.from({ length: 300 }, (_, i) => ({ question: `question ${i % 60}` }));
  const at = { ...(await testset(questions)), inputs: questions };
  const verdicts = flags(300, (i) => (chanceOf(`8 ${i}`) < 0.9 ? i % 60 < 45 : chanceOf(`8b ${i}`) < 0.75));
  const made = await run(right, verdicts, at);
  const { passRate } = await passRateOf(api, made.id, right.id);
  const two = 'two equal systems on 60 questions that stand in the testset 5 times each';
  return [
    {
      world: '8. 60 questions, each five times in the testset',
      truth: '60 facts; pass rate 75 %',
      says: `n = ${passRate.n}, ${percent(passRate.estimate)}, ${rangeOf(passRate.interval)}; two equal systems differ in ${rateOf('same inputs as one group', two)}, each a fact in ${rateOf('McNemar mid-p, each a fact', two)}`,
      how: codesOf(passRate),
    },
  ];
};

/** 30 languages of 20 testcases: alike, and then one of them collapses. */
const languages = async (api: Api, gate: Gate): Promise<Row[]> => {
  const { run, testset, metric } = await createWorld(api, 'Slices');
  const right = await metric('Right', 'heuristic');
  const data = Array.from({ length: 600 }, (_, i) => ({
    question: `question ${i}`,
    lang: `L${String(i % 30).padStart(2, '0')}`,
  }));
  const at = await testset(data, ['lang']);
  const before = await run(
    right,
    flags(600, (i) => chanceOf(`9 ${i}`) < 0.95),
    at,
  );
  const broken = (i: number) => chanceOf(`11 ${i}`) < (i % 30 === 7 ? 0.25 : 0.95);
  const after = await run(right, flags(600, broken), at);
  const { breakdown } = await api('GET', `/runs/${before.id}/summary?by=metadata.lang`);
  const adjusted = breakdown.groups.map(
    (group: { metrics: { versusRest: { adjustedP: number } }[] }) => group.metrics[0]!.versusRest.adjustedP,
  );
  const [found] = await compared(api, before.id, after.id, '&slices=true');
  const [worst] = found.slices.worst;
  return [
    {
      world: '9. 30 equal slices of 20 at 95 %, each against the rest',
      truth: 'none differs',
      says: `lowest adjusted p ${Math.min(...adjusted).toFixed(2)}; any slice differs in ${rateOf("Fisher's exact test, Benjamini–Hochberg", '30 equal groups × 20 records of one run, pass rate 0.95')} of runs`,
      how: 'none',
    },
    {
      world: '11. one of 30 languages falls from 95 to 25 %',
      truth: 'L07 lost 70 points',
      says: `named first: ${worst.value}, ${percent(worst.difference)}; the language is first in ${rateOf('maxT over slices', '30 languages × 20 testcases, one falls from 0.9 to 0.25')} of runs; ${await gate(after.id, 'Right', { noRegression: {} }, before.id)}`,
      how: found.slices.sentence ?? codesOf(found),
    },
  ];
};

/** A field of the metadata is added between two runs. */
const addedField = async (api: Api, gate: Gate): Promise<Row[]> => {
  const { run, testset, metric } = await createWorld(api, 'A field of the metadata');
  const right = await metric('Right', 'heuristic');
  const data = Array.from({ length: 60 }, (_, i) => ({ question: `question ${i}` }));
  const at = await testset(data, ['lang']);
  const verdicts = flags(60, (i) => i % 5 !== 0);
  const before = await run(right, verdicts, at);
  for (const [i, id] of at.testcaseIds.entries())
    await api('PUT', `/testcases/${id}`, { jsonData: { ...data[i], lang: 'en' } });
  const after = await run(right, verdicts, at);
  const [found] = await compared(api, before.id, after.id);
  return [
    {
      world: '13. each of 60 testcases gets a field of metadata between two runs',
      truth: 'the same 60 testcases',
      says: `${found.paired ? 'paired' : 'not paired'}, n = ${found.n}, ${found.dropped.revised.numTestcases} revised, difference ${percent(found.difference)}; ${await gate(after.id, 'Right', { noRegression: {} }, before.id)}`,
      how: codesOf(found),
    },
  ];
};

/** What one draw does not show: rates over many draws, with the reading that they replace. */
const overDraws = (): Row[] => {
  const alert = (rest: string) => `an alert at 0.9 in a month of 50 verdicts a day by users with ${rest}`;
  const [byUser, byVerdict] = ['e-detector, one bet for a user and day', 'e-detector, one bet for a verdict'];
  const half = '500 testcases, +15 points on the first half and −15 on the second';
  const err =
    'true pass rate 0.9 from a judge (0.95, 0.8) on 1,000 records, 200 labelled; people err in 5 %, 2 review 60 of them';
  const lost = '500 testcases, four equal looks, five points lost';
  const baseline = '300 testcases';
  return [
    {
      world: '6. five verdicts of a user a day, correlation .3, line 90 %',
      truth: '90 %, 93 %; a fall from 95 to 85 %',
      says: `alert within a month in ${rateOf(byUser, alert('five each, true rate 0.9'))}, ${rateOf(byUser, alert('five each, true rate 0.93'))}; ${rateOf(byUser, alert('five each, after a month at 0.95, true rate 0.85'))}. Independent users: ${rateOf(byUser, alert('one each, true rate 0.9'))} and ${rateOf(byUser, alert('one each, after a month at 0.95, true rate 0.85'))}`,
      how: `each verdict a bet: ${rateOf(byVerdict, alert('five each, true rate 0.9, each verdict a bet'))}, ${rateOf(byVerdict, alert('five each, true rate 0.93, each verdict a bet'))}`,
    },
    {
      world: `7. ${half}`,
      truth: 'no difference',
      says: `a verdict in ${rateOf('mixture e-process', `${half}, in an order that is drawn`)} in the order that the service draws`,
      how: `\`orderNotDrawn\` elsewhere, and \`--until-decided\` refuses: ${rateOf('mixture e-process, not meant for it', `${half}, in the order of the testset`)}`,
    },
    {
      world: '12. mean of lognormal costs: 50 of σ 1.5, 500 of σ 2',
      truth: 'intervals of 95 %',
      says: `hold it in ${rateOf("Hall's transformation", 'mean of 50 lognormal costs, σ 1.5')}, ${rateOf("Hall's transformation", 'mean of 500 lognormal costs, σ 2')}`,
      how: '`skewed` in 99 % or more',
    },
    {
      world: '14. people err in 5 %, two review 60 records blindly',
      truth: '90 %; intervals of 95 %',
      says: `hold it in ${rateOf('PPI++ and reviewers who err', err)}`,
      how: `\`peopleErr\`; people taken to be right: ${rateOf('PPI++, people taken to be right', err)}`,
    },
    {
      world: '15. five points lost',
      truth: 'worse',
      says: `found by four planned looks in ${rateOf('planned looks', lost)}, against three pooled runs of a baseline in ${rateOf('baseline pooled as trials', `${baseline}, 3 runs of the baseline, five points lost`)}`,
      how: `e-process ${rateOf('mixture e-process', lost)}, one run of the baseline ${rateOf('paired', `${baseline}, one run of the baseline, five points lost`)}`,
    },
  ];
};

/** The alarm and the proof of a gate, from its table. */
const gates = async (): Promise<Row[]> => {
  const table = (await readFile(new URL('./gate-table.md', import.meta.url), 'utf8'))
    .split('\n')
    .map((line) => line.split(' | '));
  const cellsOf = (n: string, change: string) =>
    table.find((line) => line[0] === `| ${n}` && line[1] === change)!.slice(2, 4);
  const shares = ([alarm, proof]: string[]) => `alarm ${alarm}, proof of 5 points ${proof}`;
  return [
    {
      world: '10. pass rate 85 %, 1,000 testcases: no change; five points lost',
      truth: 'pass; WORSE',
      says: `pass / WORSE / not enough: ${shares(cellsOf('1,000', '0'))}; ${shares(cellsOf('1,000', '−5'))}`,
      how: 'a margin on `noRegression` is refused',
    },
  ];
};

const directory = await mkdtemp(join(tmpdir(), 'dokima-sources-'));
const models = await openOpenAiServer();
models.answer(({ messages }) => ({
  reply: { binaryScore: messages.at(-1)!.includes(goodAnswer), reasoning: 'read' },
}));
const service = await startService({ DOKIMA_DATA_DIR: directory, DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
try {
  const api = apiOf(service.url, apiKey);
  const gate = gateOf(service.url, apiKey, directory);
  const local = { name: 'local', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
  await api('POST', '/providers', local);
  const found: Row[] = [...overDraws(), ...(await gates())];
  for (const make of [
    labelledWholly,
    putRight,
    drawnByVerdict,
    errsOtherwise,
    repeated,
    languages,
    addedField,
  ])
    found.push(...(await make(api, gate)));
  found.sort((a, b) => Number.parseInt(a.world, 10) - Number.parseInt(b.world, 10));
  const lines = [
    '| world | truth | the service says | warning, or the reading that it replaces |',
    '|---|---|---|---|',
    ...found.map(({ world, truth, says, how }) => `| ${[world, truth, says, how].join(' | ')} |`),
  ];
  await writeFile(new URL('./sources-table.md', import.meta.url), `${lines.join('\n')}\n`);
} finally {
  await service.stop();
  await models.close();
  await rm(directory, { recursive: true, force: true });
}
