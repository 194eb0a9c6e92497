import { type Criterion, type CriterionVerdict, weigh } from '../../../../client/src/criteria.ts';
import type { Failed } from '../../engine/models/ask.ts';
import { followedBy } from '../../engine/models/media.ts';
import type { Content, JsonSchema, Reply } from '../../engine/models/question.ts';
import { comparable, shortestQuote } from '../../traces/read/walk.ts';
import { type Combined, objectOfReply, readVerdict, type Verdict } from './verdict.ts';
import type { Form, Vote } from './vote.ts';

/** The verdict of a judge on several criteria, in words. */
export const criteriaFormat =
  '{"reasoning": <what you saw, in a few sentences>, "criteria": [{"id": <id of the criterion>, "reason": <why, in a sentence>, ' +
  '"quote": <words copied from the material that show it, or "">, "met": <true or false>}]}';

/** Schema of a reply: one entry for each criterion. */
export const criteriaSchema = (criteria: readonly Criterion[]): JsonSchema => ({
  type: 'object',
  properties: {
    reasoning: { type: 'string', description: 'What you saw, in a few sentences.' },
    criteria: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', enum: criteria.map(({ id }) => id) },
          reason: { type: 'string' },
          quote: { type: 'string' },
          met: { type: 'boolean' },
        },
        required: ['id', 'reason', 'quote', 'met'],
        additionalProperties: false,
      },
    },
  },
  required: ['reasoning', 'criteria'],
  additionalProperties: false,
});

/** The question about these criteria. It follows the prompt: criteria of a testcase differ between records. */
export const criteriaNote = (criteria: readonly Criterion[]): string =>
  [
    `Judge by ${criteria.length === 1 ? 'this criterion' : 'each of these criteria by itself'}. "met" is true if what its text says is the case, whether that is good or bad:`,
    ...criteria.map(({ id, text }) => JSON.stringify({ id, text })),
    `Give one entry for each. A quote is copied exactly from the material above and has at least ${shortestQuote} characters; a program looks ` +
      'it up. Leave it empty only if your verdict rests on something that is not there.',
  ].join('\n');

type Entry = { id?: unknown; reason?: unknown; quote?: unknown; met?: unknown };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A verdict on one criterion by the entries that a model gave for it. */
const verdictOf = (id: string, entries: readonly Entry[], seen: string): CriterionVerdict => {
  const unscored = (why: string): CriterionVerdict => ({ id, state: 'unscored', why });
  const [entry, another] = entries;
  if (!entry) return unscored('the judge gave no verdict');
  if (another) return unscored('the judge gave two verdicts');
  if (typeof entry.met !== 'boolean') return unscored('met is not true or false');
  const quote = textOf(entry.quote);
  const needle = comparable(quote);
  if (needle !== '' && (needle.length < shortestQuote || !seen.includes(needle)))
    return unscored(
      needle.length < shortestQuote
        ? 'the quote is too short to be looked up'
        : `the quote is not in what the judge read: ${quote.slice(0, 200)}`,
    );
  return { id, met: entry.met, reason: textOf(entry.reason), ...(needle !== '' && { quote }) };
};

/** Makes one verdict of those on the criteria. Its value is NaN while one of them is unscored. */
const verdictFrom = (
  criteria: readonly Criterion[],
  verdicts: CriterionVerdict[],
  reasoning: string,
): Verdict => {
  const weighed = weigh(criteria, verdicts);
  if ('unscored' in weighed) return { value: Number.NaN, reasoning, criteria: verdicts };
  const { value, share } = weighed;
  if (share === undefined) return { value, reasoning, criteria: verdicts };
  const rule = `The score is 0 because a criterion that must pass is not met; without that rule it would be ${Number(share.toFixed(3))}.`;
  return { value, share, reasoning: `${reasoning}\n\n${rule}`.trim(), criteria: verdicts };
};

/** How a reply about these criteria is read. `seen`: what the judge read. What a repair does not mend stays unscored. */
const formFor = (criteria: readonly Criterion[], seen: string): Form => {
  let isWarned = false;
  return {
    read: (reply: Reply) => {
      const object = objectOfReply(reply);
      if (!object) {
        const read = readVerdict(reply, 'float');
        return { problem: 'problem' in read ? read.problem : 'it has no "criteria"' };
      }
      if (!Array.isArray(object.criteria)) return { problem: 'it has no list "criteria"' };
      const entries: Entry[] = object.criteria.filter((each) => typeof each === 'object' && each !== null);
      const verdicts = criteria.map(({ id }) =>
        verdictOf(
          id,
          entries.filter((entry) => entry.id === id),
          seen,
        ),
      );
      const problems = verdicts.flatMap((verdict) =>
        'met' in verdict ? [] : [`${JSON.stringify(verdict.id)}: ${verdict.why}`],
      );
      if (problems.length > 0 && !isWarned) {
        isWarned = true;
        return { problem: problems.join('; ').slice(0, 4_000) };
      }
      return { verdict: verdictFrom(criteria, verdicts, textOf(object.reasoning)) };
    },
    format: criteriaFormat,
  };
};

/** Criteria that a judge is asked about, with the text that its quotes are looked up in. */
export type AskedCriteria = { list: readonly Criterion[]; seen: string; isolate: boolean };

/** Asks about each criterion by itself. A reply that cannot be read leaves its criterion unscored. */
const voteOnEach = async (
  { list, seen }: AskedCriteria,
  ask: (criterion: Criterion, question: Content, form: Form) => Promise<Vote | Failed>,
  question: Content,
): Promise<Vote | Failed> => {
  const verdicts: CriterionVerdict[] = [];
  const reasons: string[] = [];
  for (const criterion of list) {
    const vote = await ask(
      criterion,
      followedBy(question, criteriaNote([criterion])),
      formFor([criterion], seen),
    );
    if ('state' in vote || ('reason' in vote && vote.reason === 'media_refused')) return vote;
    if ('reason' in vote) verdicts.push({ id: criterion.id, state: 'unscored', why: vote.reason });
    else {
      verdicts.push(...vote.verdict.criteria!);
      if (vote.verdict.reasoning !== '') reasons.push(`${criterion.id}: ${vote.verdict.reasoning}`);
    }
  }
  return { verdict: verdictFrom(list, verdicts, reasons.join('\n')) };
};

/** Gets one vote on the criteria, in one question or in one each. */
export const voteOnCriteria = (
  asked: AskedCriteria,
  ask: (criteria: readonly Criterion[], question: Content, form: Form) => Promise<Vote | Failed>,
  question: Content,
): Promise<Vote | Failed> =>
  asked.isolate
    ? voteOnEach(asked, (criterion, ...rest) => ask([criterion], ...rest), question)
    : ask(asked.list, question, formFor(asked.list, asked.seen));

/** The text in which quotes are looked up. */
export const seenBy = (prompt: string): string => comparable(prompt);

/** The majority on one criterion of those votes that have a verdict on it; more than half must. */
const majority = (
  id: string,
  votes: readonly Verdict[],
): { verdict: CriterionVerdict; disagreement: number } => {
  const all = votes.flatMap(({ criteria = [] }) => criteria.filter((verdict) => verdict.id === id));
  const said = all.flatMap((verdict) => ('met' in verdict ? [verdict] : []));
  const unscored = (why: string) => ({ verdict: { id, state: 'unscored' as const, why }, disagreement: 0 });
  if (said.length * 2 <= votes.length) {
    const first = all.find((verdict) => 'state' in verdict);
    return unscored(first && 'state' in first ? first.why : 'the judge gave no verdict');
  }
  const yes = said.filter(({ met }) => met).length;
  if (yes * 2 === said.length) return unscored('the votes tied');
  const minority = Math.min(yes, said.length - yes);
  return {
    verdict: { ...said.find(({ met }) => met === yes * 2 > said.length)!, yes, of: said.length },
    disagreement: minority === 0 ? 0 : minority / Math.floor(said.length / 2),
  };
};

/** One verdict from several: the majority on each criterion. */
export const combineCriteria = (
  votes: readonly Verdict[],
  criteria: readonly Criterion[],
): Combined | undefined => {
  const [first] = votes;
  if (!first) return undefined;
  if (votes.length === 1) return { verdict: first, disagreement: 0 };
  const each = criteria.map(({ id }) => majority(id, votes));
  const disagreement = each.reduce((sum, one) => sum + one.disagreement, 0) / each.length;
  // The rule of mustPass is about the majority, not about the first vote.
  const [reasoning] = first.reasoning.split('\n\nThe score is 0 because');
  return {
    verdict: verdictFrom(
      criteria,
      each.map(({ verdict }) => verdict),
      reasoning!,
    ),
    disagreement,
  };
};

/** The ids of the criteria without a verdict. */
export const unscoredIn = ({ criteria = [] }: Verdict): string[] =>
  criteria.flatMap((verdict) => ('met' in verdict ? [] : [verdict.id]));
