/** What a stranger finds in the file of a decision. */
import { gateDeviations } from '../gate/held-against.ts';
import { countOf } from '../gate/words.ts';
import { canonicalJson, fingerprintOf, verifyPassport } from '../passport/passport.ts';
import { type DecisionFile, type FileNumbers, type Predicate, sha256 } from './file.ts';

/** `note`: nothing to object to. `deviation`: it departs from what was registered. */
export type FindingState = 'ok' | 'note' | 'deviation' | 'incomplete' | 'otherVerdict' | 'tampered';
export type Finding = { state: FindingState; sentence: string };

/** Exit codes of `dokima verify`, by the most serious finding. */
export const verifyExit = { same: 0, otherVerdict: 1, tampered: 2, incomplete: 3 } as const;

/** The numbers that were computed again, or why they could not be. */
export type Recomputed = { numbers: FileNumbers; byRegistered: FileNumbers | null } | { missing: string };

const outcomeWords = {
  pass: 'pass',
  worse: 'worse',
  inconclusive: 'not enough data',
  incomplete: 'incomplete',
} as const;

const found = (state: FindingState, sentence: string): Finding => ({ state, sentence });

/** Numbers that differ by less than this, of 1 or of their size, are the same. */
const tolerance = 1e-9;

/** Texts are made of the numbers, rounded: a machine whose last digit differs may round another way. */
const texts = new Set(['said', 'sentence', 'notes']);

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Lists the paths at which two values differ. Counts the numbers that were compared. */
export const differences = (
  stated: unknown,
  again: unknown,
  path = '',
): { paths: string[]; numbers: number } => {
  if (typeof stated === 'number' && typeof again === 'number') {
    const isSame = Math.abs(stated - again) <= tolerance * Math.max(1, Math.abs(stated));
    return { paths: isSame ? [] : [path], numbers: 1 };
  }
  if (!isPlain(stated) || !isPlain(again)) return { paths: stated === again ? [] : [path], numbers: 0 };
  const names = [...new Set([...Object.keys(stated), ...Object.keys(again)])].filter(
    (name) => !texts.has(name),
  );
  const parts = names.map((name) =>
    differences(stated[name], again[name], path === '' ? name : `${path}.${name}`),
  );
  return {
    paths: parts.flatMap((part) => part.paths),
    numbers: parts.reduce((sum, part) => sum + part.numbers, 0),
  };
};

/** Whether the registration is the one that its id names, and came before the run. */
const checkRegistration = ({ decision, registration, run }: Predicate): Finding[] => {
  const { id, document } = decision;
  if (sha256(canonicalJson(document)) !== id)
    return [found('tampered', `The registration does not have the id ${id.slice(0, 12)}: it was changed.`)];
  const { registeredAt } = document;
  if (Math.abs(Date.parse(registration.at) - Date.parse(registeredAt)) > 60_000)
    return [
      found(
        'tampered',
        `The audit log has the registration at ${registration.at}, and it says ${registeredAt}.`,
      ),
    ];
  if (Date.parse(registeredAt) <= Date.parse(run.createdAt))
    return [
      found('ok', `It was registered at ${registeredAt}, before the run was created at ${run.createdAt}.`),
    ];
  return [];
};

/** The deviations that say why fewer testcases are answered. */
const ofTestcases = new Set(['testcasesChanged', 'testcasesMissing', 'tooFew']);

/** Whether the run answers the testcases of the registered snapshot, in the words that these had. */
const checkTestcases = ({ decision, data, run, deviations }: Predicate): Finding => {
  const { testset, minTestcases } = decision.document;
  if (sha256(data.snapshot.join('\n')) !== testset.hash)
    return found(
      'incomplete',
      `The testcases in the file are not those of the registered snapshot ${testset.snapshot}: some were erased, or left out.`,
    );
  const registered = new Map(
    data.snapshot
      .map((line) => JSON.parse(line) as [number, string])
      .map(([n, hash]) => [`${testset.id}-${n}`, hash]),
  );
  const judged = data.runs.find(({ runId }) => runId === run.runId)?.records ?? [];
  const answered = new Set(
    judged.flatMap(({ testcase, testcaseHash }) =>
      testcase !== null && registered.get(testcase) === testcaseHash ? [testcase] : [],
    ),
  );
  const isListed = deviations.some(({ kind }) => ofTestcases.has(kind));
  const isWhole = answered.size >= registered.size && answered.size >= minTestcases;
  return found(
    isWhole ? 'ok' : isListed ? 'note' : 'deviation',
    `The run answers ${answered.size} of the ${countOf(registered.size, 'registered testcase')}, unchanged; ${minTestcases} were planned.`,
  );
};

/** The kinds of deviations that follow from the file itself: the list of the service must have them. */
const kindsOf = (predicate: Predicate): string[] => {
  const { decision, run, metrics, rules, level } = predicate;
  const { document } = decision;
  const compared = run.baselines.find(({ anchor }) => !anchor)?.id;
  const isOther = document.metrics.some(
    ({ id, hash }) => metrics.find((metric) => metric.id === id)?.hash !== hash,
  );
  return [
    ...gateDeviations(document, { compared, rules, level }).map(({ kind }) => kind),
    ...(isOther ? ['metricChanged'] : []),
    ...(Date.parse(document.registeredAt) > Date.parse(run.createdAt) ? ['registeredAfter'] : []),
  ];
};

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Looks of other versions are no fault of this run: they are said, and change nothing. */
const isNoted = (kind: string): boolean => kind === 'otherLooks';

const checkDeviations = (predicate: Predicate): Finding[] => {
  const { deviations, waivers, numLooks, looks } = predicate;
  const listed = new Set(deviations.map(({ kind }) => kind));
  const hidden = [...new Set(kindsOf(predicate))].filter((kind) => !listed.has(kind));
  return [
    ...hidden.map((kind) =>
      found('tampered', `The file leaves out a deviation that its data shows: ${kind}.`),
    ),
    ...deviations.map(({ kind, sentence }) =>
      found(isNoted(kind) ? 'note' : 'deviation', `${capital(sentence)}.`),
    ),
    ...(deviations.some(({ kind }) => kind === 'rulesChanged')
      ? []
      : [found('ok', 'The rules are those that were registered.')]),
    found(
      'note',
      `${countOf(numLooks, 'run')} of the testset had scores since the registration, and ${countOf(looks.length, 'look')} at verdicts left the service.`,
    ),
    ...waivers.map(({ reason, waivedAt }) =>
      found('note', `It was shipped in spite of the verdict at ${waivedAt}: ${reason}`),
    ),
  ];
};

/** Whether each judge had a passport that held on the day of the decision, for the configuration that judged. */
const checkJudges = ({ judges, metrics, decidedAt }: Predicate, publicKeyPem: string): Finding[] =>
  judges.map(({ metricId, metricName, passport, reason }) => {
    if (!passport) return found('note', `The judge of ${metricName} has no passport: ${reason}.`);
    const metricHash = metrics.find(({ id }) => id === metricId)?.hash;
    const checked = verifyPassport(passport, { publicKeyPem, now: new Date(decidedAt), metricHash });
    if (checked.state === 'expired')
      return found('incomplete', `The judge of ${metricName}: ${checked.sentence}`);
    if (checked.state !== 'valid')
      return found('tampered', `The judge of ${metricName}: ${checked.sentence}`);
    const { grade, sentence, issuedAt } = passport.payload as {
      grade: string;
      sentence: string;
      issuedAt: string;
    };
    const isThatDay = Math.abs(Date.parse(issuedAt) - Date.parse(decidedAt)) < 86_400_000;
    if (!isThatDay)
      return found(
        'incomplete',
        `The passport of the judge of ${metricName} is of ${issuedAt}, and not of the day of the decision.`,
      );
    return grade === 'unusable'
      ? found('note', `The judge of ${metricName} was not calibrated that day: ${sentence}.`)
      : found('ok', `The judge of ${metricName} was calibrated that day: ${sentence}.`);
  });

/** Compares the stated numbers and verdict with those that were computed again from the data. */
export const checkNumbers = (stated: FileNumbers, again: Recomputed): Finding[] => {
  if ('missing' in again)
    return [found('incomplete', `The numbers cannot be computed again: ${again.missing}.`)];
  const { paths, numbers } = differences(stated, again.numbers);
  const [own, other] = [outcomeWords[stated.outcome], outcomeWords[again.numbers.outcome]];
  const registered = again.byRegistered && outcomeWords[again.byRegistered.outcome];
  return [
    ...(paths.length > 0
      ? [
          found(
            'tampered',
            `${countOf(paths.length, 'number')} of the file ${paths.length === 1 ? 'does' : 'do'} not follow from its data, such as ${paths.slice(0, 3).join(', ')}.`,
          ),
        ]
      : [found('ok', `${countOf(numbers, 'number')} follow from the data, to 1e-9.`)]),
    own === other
      ? found('ok', `The verdict is the same: ${own}.`)
      : found('otherVerdict', `The verdict from the data is ${other}, and the file says ${own}.`),
    ...(registered && registered !== own
      ? [
          found(
            'otherVerdict',
            `By the registered rules, baseline and level the verdict is ${registered}, and not ${own}.`,
          ),
        ]
      : []),
  ];
};

/** Checks a whole file whose signature holds. The findings begin with those about the file itself. */
export const checkDecision = (
  { statement, publicKeyPem }: DecisionFile,
  { keyId, isKnownKey }: { keyId: string; isKnownKey: boolean },
  again: Recomputed,
): Finding[] => {
  const { predicate, subject } = statement;
  return [
    found('ok', `The file is whole: signed with key ${keyId}.`),
    ...(isKnownKey
      ? []
      : [
          found(
            'note',
            `Anyone can make a key, and this one is from the file: SHA-256 ${fingerprintOf(publicKeyPem)}. Compare it with that of the service, "dokima judge key | openssl pkey -pubin -outform DER | sha256sum", or name its key: --key FILE.`,
          ),
        ]),
    found(
      'note',
      `It is about ${subject.map(({ name, digest }) => `${name} (${Object.values(digest)[0]!.slice(0, 12)})`).join(' and ')}.`,
    ),
    ...checkRegistration(predicate),
    checkTestcases(predicate),
    ...checkDeviations(predicate),
    ...checkJudges(predicate, publicKeyPem),
    ...checkNumbers(predicate.numbers, again),
  ];
};

/** The exit code of findings: the most serious one decides. */
export const exitOf = (findings: readonly Finding[]): number => {
  const has = (...states: FindingState[]) => findings.some(({ state }) => states.includes(state));
  if (has('tampered')) return verifyExit.tampered;
  if (has('otherVerdict')) return verifyExit.otherVerdict;
  return has('deviation', 'incomplete') ? verifyExit.incomplete : verifyExit.same;
};
