import type { Client } from '../../../client/src/main.ts';
import { countOf } from '../figures.ts';
import { type JsonText, membersOf, objectText } from '../json-text.ts';
import { parsed, paths } from './format.ts';
import { type Importing, postItems } from './importing.ts';
import {
  elementTexts,
  type Files,
  inBatches,
  itemTexts,
  lines,
  linesOf,
  type Members,
  text,
  withMembers,
} from './lines.ts';
import type { ZipWriter } from './zip-writer.ts';

const maxScoresAtOnce = 1_000;

/** Those who gave a score, what it replaced or a review of it. */
const peopleOf = (score: Members): string[] => {
  const ids = [
    parsed<string | null>(score, 'scoredByUserId'),
    ...elementTexts(score, 'history').map((replaced) => parsed<string | null>(replaced, 'scoredByUserId')),
    ...elementTexts(score, 'reviews').map((review) => parsed<string>(review, 'userId')),
  ];
  return ids.filter((id) => id !== null);
};

/** Writes the scores of a run. Returns the ids of those who gave them. */
export const writeScores = async (client: Client, zip: ZipWriter, runId: string): Promise<Set<string>> => {
  const people = new Set<string>();
  const scores: JsonText[] = [];
  for await (const score of itemTexts(client, `/api/v2/runs/${runId}/export/scores`)) {
    for (const id of peopleOf(membersOf(score))) people.add(id);
    scores.push(score);
  }
  await zip.add(paths.scores(runId), lines(scores));
  return people;
};

/** Writes by which others may know who gave scores: id and address of those who still are members. */
export const writePeople = async (client: Client, zip: ZipWriter, ids: Set<string>): Promise<void> => {
  const people: JsonText[] = [];
  for await (const { id, email } of client.listMembers()) if (ids.has(id)) people.push(text({ id, email }));
  await zip.add(paths.people, lines(people));
};

/** Who somebody of an archive is here: the member with the same id or address; nobody else. */
export type People = {
  me: string;
  memberOf: (id: string) => string | undefined;
  /** The same for what everybody may put down to others: that a record is assigned to them. */
  anyMemberOf: (id: string) => string | undefined;
};

/** To put down to others what they scored is for admins; for whoever is none, everybody else is nobody here. */
export const readPeople = async (client: Client, files: Files): Promise<People> => {
  const { user } = await client.getMe();
  const ids = new Set<string>();
  const byAddress = new Map<string, string>();
  for await (const { id, email } of client.listMembers()) {
    ids.add(id);
    byAddress.set(email.toLowerCase(), id);
  }
  const addresses = new Map(
    linesOf(files, paths.people).map((one) => [parsed<string>(one, 'id'), parsed<string>(one, 'email')]),
  );
  const anyMemberOf = (id: string) =>
    ids.has(id) ? id : byAddress.get(addresses.get(id)?.toLowerCase() ?? '');
  const isMe = (id: string) => (id === user.id ? id : undefined);
  return { me: user.id, memberOf: user.role === 'admin' ? anyMemberOf : isMe, anyMemberOf };
};

/** What an archive says of a run's scores. One of version 1 says it with the records, without how they came about. */
const scoresOf = (files: Files, runId: string, records: Members[]): Members[] => {
  if (files.has(paths.scores(runId))) return linesOf(files, paths.scores(runId));
  const unknown = { evidence: null, lastError: null, costUsd: null, inputTokens: null };
  const rest = { ...unknown, outputTokens: null, attempts: 0, history: [], reviews: [] };
  return records.flatMap((record) =>
    elementTexts(record, 'scoreStates').map((score) => {
      const names = ['metricId', 'metricConfigId', 'state', 'score', 'reason', 'scoredByUserId'] as const;
      const said = names.map((name) => [name, score.get(name)!] as const);
      const others = Object.entries(rest).map(([name, value]) => [name, text(value)] as const);
      const of = [['recordId', record.get('id')!] as const, ['scoredAt', score.get('updatedAt')!] as const];
      return new Map([...of, ...said, ...others]);
    }),
  );
};

/**
 * Of several scores of one record by configurations of one metric, in an archive of version 1 or 2, where they are one here: that
 * of the run, else the latest.
 */
const onePerMetric = (scores: Members[], ofRun: ReadonlySet<string>): Members[] => {
  const rank = (score: Members) =>
    `${Number(ofRun.has(parsed(score, 'metricConfigId')))} ${parsed<string>(score, 'scoredAt')}`;
  const chosen = new Map<string, Members>();
  for (const score of scores) {
    const name = `${parsed<string>(score, 'recordId')} ${parsed<string>(score, 'metricId')}`;
    const other = chosen.get(name);
    if (!other || rank(other) < rank(score)) chosen.set(name, score);
  }
  return [...chosen.values()];
};

/** How an import names those who gave scores, and the configurations that did. */
const restored = ({ people, ids, onlyConfigs, count }: Importing, ofScore: Members) => {
  const { me, memberOf } = people;
  const memberText = (id: string | null): JsonText => {
    if (id === null) return 'null';
    const member = memberOf(id);
    if (member === undefined) count('verdict', "of people who can't be named here: yours now.");
    return text(member ?? me);
  };
  /** The evidence of a score that reviews made names who gave them. */
  const evidenceText = (evidence: JsonText): JsonText => {
    const reviewers = evidence === 'null' ? undefined : membersOf(evidence).get('reviewerIds');
    if (reviewers === undefined) return evidence;
    const before = JSON.parse(reviewers) as string[];
    const after = before.map((id) => memberOf(id) ?? id);
    const isSame = after.every((id, i) => id === before[i]);
    return isSame ? evidence : withMembers(membersOf(evidence), { reviewerIds: text(after) });
  };
  const configText = (one: Members): JsonText | undefined => {
    const id =
      ids.config.get(parsed<string | undefined>(one, 'metricConfigId') ?? '') ??
      onlyConfigs.get(parsed<string>(ofScore, 'metricId'));
    return id === undefined ? undefined : text(id);
  };
  const given = (one: Members) => ({
    scoredByUserId: memberText(parsed(one, 'scoredByUserId')),
    evidence: evidenceText(one.get('evidence')!),
    metricConfigId: configText(one)!,
  });
  const reviewText = (review: Members): JsonText[] => {
    const member = memberOf(parsed<string>(review, 'userId'));
    // Under the importer's name it would claim that they saw the record, and several would be one.
    if (member === undefined) {
      count('review', "by people who can't be named here: left out.");
      return [];
    }
    // Those of an archive of version 2 are the ones that stand.
    const stands = review.get('stands') ?? 'true';
    return [
      withMembers(review, { userId: text(member), stands, undoneAt: review.get('undoneAt') ?? 'null' }),
    ];
  };
  return {
    configId: configText(ofScore),
    fields: () => ({
      ...given(ofScore),
      history: `[${elementTexts(ofScore, 'history')
        .map((replaced) => withMembers(replaced, given(replaced)))
        .join(',')}]`,
      reviews: `[${elementTexts(ofScore, 'reviews').flatMap(reviewText).join(',')}]`,
    }),
  };
};

/** Gives a run the scores that it had, each in its state; again and again the same. Returns how many are there. */
export const restoreScores = async (
  importing: Importing,
  run: Members,
  { before, after }: { before: string; after: string },
  records: Members[],
): Promise<number> => {
  const { files, ids, notes, isEarlier } = importing;
  const all = scoresOf(files, before, records);
  const ofRun = new Set(parsed<string[]>(run, 'metricVersionIds'));
  const scores = isEarlier ? onePerMetric(all, ofRun) : all;
  if (scores.length < all.length)
    notes.push(
      `Run ${before}: ${countOf(all.length - scores.length, 'score')} by other configurations of a metric left out.`,
    );
  const items = scores.flatMap((score) => {
    const recordId = ids.record.get(parsed(score, 'recordId'));
    const { configId, fields } = restored(importing, score);
    if (recordId === undefined || configId === undefined) return [];
    const { metricId: _, ...rest } = Object.fromEntries(score);
    const isScored = parsed(score, 'state') === 'scored';
    const name = `The score of record ${parsed(score, 'recordId')} by metric ${parsed(score, 'metricId')}`;
    return [{ isScored, name, body: objectText({ ...rest, ...fields(), recordId: text(recordId) }) }];
  });
  let count = 0;
  for (const batch of inBatches(items, maxScoresAtOnce)) {
    const stored = await postItems(importing, `/runs/${after}/import/scores`, batch, batch[0]!.name);
    if (stored) count += batch.filter(({ isScored }) => isScored).length;
  }
  return count;
};

/** The configuration that a metric has now, by which a new run scores. */
export const currentConfig = async (client: Client, metricId: string): Promise<string> => {
  for await (const { id, isCurrent } of client.listMetricVersions(metricId)) if (isCurrent) return id;
  throw new Error(`Metric ${metricId} has no configuration.`);
};
