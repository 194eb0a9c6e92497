/** Finds suspicious testcases, each with its evidence. */
import { countInWords } from './count-in-words.ts';
import type { Finding } from './examination-schema.ts';
import { type Case, type ExamineJob, list, type Trial, textsIn } from './examined-cases.ts';
import { findLeaks, type Prompt } from './leaks.ts';
import { findNearDuplicates } from './near-duplicates.ts';
import { answerIn, answerPart, isNumeric, parsedOrText } from './read-answer.ts';
import { type AnswerCounts, doubtKeys, fewestAnswers, listDoubtful } from './wrong-keys.ts';

export type Found = Omit<
  Finding,
  'testcaseId' | 'probability' | 'proposal' | 'otherTestcaseId' | 'systemId' | 'metricId'
> &
  Partial<Finding> & { case: Case };

const mostRecords = 5;
/** Fewer trials that all pass, or fail, say little. */
const fewestTrials = 4;

const recordsOf = (trials: readonly Trial[]): string[] =>
  trials.slice(0, mostRecords).map(({ record }) => record);

type Votes = { counts: AnswerCounts; answers: string[]; n: number; trials: Trial[] };

/** What each version answers to a testcase most often. A version whose answers cannot be compared has no vote. */
const votesOf = ({ keyText, trials }: Case, fields: readonly string[]): Votes => {
  const ofNumber = isNumeric(keyText);
  const key = answerIn(keyText, ofNumber);
  const byVoter = new Map<string, Map<string, number>>();
  for (const { voter, passed, outputs } of trials) {
    const answer = passed ? '' : answerIn(answerPart(parsedOrText(outputs ?? ''), fields), ofNumber);
    // A failing record with the right answer fails for another reason, such as its format.
    if (answer === null || (!passed && answer === key)) continue;
    const given = byVoter.get(voter) ?? new Map<string, number>();
    given.set(answer, (given.get(answer) ?? 0) + 1);
    byVoter.set(voter, given);
  }
  const counts = new Map<string, number>();
  for (const given of byVoter.values()) {
    const [most] = [...given].sort((a, b) => b[1] - a[1])[0]!;
    counts.set(most, (counts.get(most) ?? 0) + 1);
  }
  const others = [...counts].filter(([answer]) => answer !== '');
  return {
    counts: { numKey: counts.get('') ?? 0, others: others.map(([, size]) => size) },
    answers: others.map(([answer]) => answer),
    n: byVoter.size,
    trials,
  };
};

const shortened = (value: string): string => (value.length > 60 ? `${value.slice(0, 57)}…` : value);

export const findWrongKeys = (cases: readonly Case[], fields: readonly string[]) => {
  const keyed = cases.filter(({ keyText }) => keyText !== '' && keyText !== '{}');
  const votes = keyed.map((one) => votesOf(one, fields));
  const enough = votes.filter(({ n }) => n >= fewestAnswers).length;
  const doubts = doubtKeys(votes.map(({ counts }) => counts));
  const found = listDoubtful(doubts).map((i): Found => {
    const { counts, answers, n } = votes[i]!;
    const { probability, other } = doubts[i]!;
    const one = keyed[i]!;
    const ofNumber = isNumeric(one.keyText);
    const agreeing = one.trials.filter(
      ({ passed, outputs }) =>
        !passed && answerIn(answerPart(parsedOrText(outputs ?? ''), fields), ofNumber) === answers[other],
    );
    return {
      kind: 'wrongKey',
      case: one,
      probability,
      proposal: answers[other]!,
      sentence: `${counts.others[other]} of ${n} versions answer “${shortened(answers[other]!)}”, ${counts.numKey === 0 ? 'none' : counts.numKey} the key “${shortened(answerIn(one.keyText, ofNumber) ?? one.keyText)}”`,
      recordIds: recordsOf(agreeing),
    };
  });
  const reason =
    keyed.length === 0
      ? 'no testcase has an expected answer'
      : enough === 0
        ? `no testcase has comparable answers of ${fewestAnswers} different versions: run more versions on this testset`
        : null;
  return { found, reason };
};

const rate = (passes: number, n: number): string => `passed ${passes} of ${n}`;

/** Testcases that always pass, never pass, or pass and fail with one version. */
export const findByOutcome = (cases: readonly Case[], suspected: ReadonlySet<Case>): Found[] =>
  cases.flatMap((one): Found[] => {
    const { trials } = one;
    const passes = trials.filter(({ passed }) => passed).length;
    const voters = new Map<string, { version: number; passes: number; n: number; trials: Trial[] }>();
    for (const trial of trials) {
      const seen = voters.get(trial.voter) ?? { version: trial.run, passes: 0, n: 0, trials: [] };
      seen.passes += Number(trial.passed);
      seen.n++;
      seen.trials.push(trial);
      voters.set(trial.voter, seen);
    }
    const mixed = [...voters.values()].filter(({ passes, n }) => passes > 0 && passes < n);
    if (mixed.length > 0) {
      const n = mixed.reduce((sum, one) => sum + one.n, 0);
      const passed = mixed.reduce((sum, one) => sum + one.passes, 0);
      return [
        {
          kind: 'flaky',
          case: one,
          sentence: `${countInWords(mixed.length, 'version')} passed and failed it: ${rate(passed, n)} trials`,
          recordIds: recordsOf(mixed.flatMap(({ trials }) => trials)),
        },
      ];
    }
    if (trials.length < fewestTrials || voters.size < 2) return [];
    const of = `${trials.length} trials of ${voters.size} versions`;
    if (passes === trials.length) {
      const bound = 100 * (1 - 0.05 ** (1 / voters.size));
      return [
        {
          kind: 'dead',
          case: one,
          sentence: `passed all ${of}: at most ${bound.toFixed(0)} % of versions like these would fail it`,
          recordIds: recordsOf(trials),
        },
      ];
    }
    if (passes > 0 || suspected.has(one)) return [];
    return [{ kind: 'hopeless', case: one, sentence: `failed all ${of}`, recordIds: recordsOf(trials) }];
  });

/** Characters of inputs that are compared, over all testcases, and of one. */
const comparedCharacters = { all: 3_000_000, fewest: 150, most: 1_000 };
const digitsOf = (text: string): string => (text.match(/\d+/g) ?? []).join(' ');

export const findTwins = (cases: readonly Case[]): Found[] => {
  const { all, fewest, most } = comparedCharacters;
  const length = Math.max(fewest, Math.min(most, Math.floor(all / (cases.length || 1))));
  const near = findNearDuplicates(cases.map(({ inputs }) => inputs.slice(0, length)));
  const equal = new Map<string, number>();
  return cases.flatMap((one, i): Found[] => {
    const same = one.inputs === '' ? undefined : equal.get(one.inputs);
    if (same === undefined) equal.set(one.inputs, i);
    const other = cases[same ?? (near[i]! < i ? near[i]! : -1)];
    // Other numbers make another problem.
    if (!other || digitsOf(other.inputs) !== digitsOf(one.inputs)) return [];
    const keys =
      one.keyText === other.keyText
        ? 'the same key'
        : `another key: “${shortened(one.keyText)}” and “${shortened(other.keyText)}”`;
    return [
      {
        kind: 'twin',
        case: one,
        otherTestcaseId: other.id,
        sentence: `${same === undefined ? 'nearly the same' : 'the same'} inputs as another testcase, and ${keys}`,
        recordIds: [],
      },
    ];
  });
};

type Label = { testcase: number; record: string; metric: boolean; people: boolean };

export const readLabels = ({ labels }: ExamineJob): Label[] => {
  if (!labels) return [];
  const [records, metric, people] = [
    list<string>(labels.records),
    list<number>(labels.metric),
    list<number>(labels.people),
  ];
  return list<number>(labels.testcases).map((testcase, i) => ({
    testcase,
    record: records[i]!,
    metric: metric[i] === 1,
    people: people[i] === 1,
  }));
};

export const findDuels = (cases: readonly Case[], labels: readonly Label[]) => {
  const byCase = Map.groupBy(labels, ({ testcase }) => testcase);
  const labelled = cases.filter(({ n }) => byCase.has(n));
  const found = labelled.flatMap((one): Found[] => {
    const given = byCase.get(one.n)!;
    const differing = given.filter(({ metric, people }) => metric !== people);
    if (2 * differing.length < given.length || differing.length === 0) return [];
    const passing = differing.filter(({ people }) => people).length;
    const what =
      passing === differing.length
        ? 'people pass what the metric fails'
        : passing === 0
          ? 'people fail what the metric passes'
          : 'people and the metric disagree';
    return [
      {
        kind: 'duel',
        case: one,
        sentence: `${what}, in ${differing.length} of ${given.length} labelled records`,
        recordIds: differing.slice(0, mostRecords).map(({ record }) => record),
      },
    ];
  });
  const duelling = new Set(found.map(({ case: one }) => one));
  const agreeing = labelled.filter((one) => !duelling.has(one)).length;
  return { found, numLabelled: labelled.length, agreeing };
};

export const findLeaked = (cases: readonly Case[], prompts: readonly Prompt[]): Found[] => {
  const leaks = findLeaks(
    cases.map(({ inputs, key }) => ({ inputs, key: textsIn(key) })),
    prompts,
  );
  return leaks.flatMap((leak, i): Found[] =>
    leak === null
      ? []
      : [
          {
            kind: 'leaked',
            case: cases[i]!,
            systemId: leak.prompt.systemId ?? null,
            metricId: leak.prompt.metricId ?? null,
            sentence: `its ${leak.of === 'key' ? 'expected answer' : 'text'} stands in ${leak.prompt.name}: “${shortened(leak.quote)}”`,
            recordIds: [],
          },
        ],
  );
};
