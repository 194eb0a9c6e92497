import type { Client } from '../../../client/src/main.ts';
import { type JsonText, membersOf, objectText } from '../json-text.ts';
import { parsed, paths } from './format.ts';
import {
  elementTexts,
  type Files,
  type Ids,
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
};

/** To put down to others what they scored is for admins; for whoever is none, everybody else is nobody here. */
export const readPeople = async (client: Client, files: Files): Promise<People> => {
  const { user } = await client.getMe();
  if (user.role !== 'admin') return { me: user.id, memberOf: (id) => (id === user.id ? id : undefined) };
  const ids = new Set<string>();
  const byAddress = new Map<string, string>();
  for await (const { id, email } of client.listMembers()) {
    ids.add(id);
    byAddress.set(email.toLowerCase(), id);
  }
  const addresses = new Map(
    linesOf(files, paths.people).map((one) => [parsed<string>(one, 'id'), parsed<string>(one, 'email')]),
  );
  return {
    me: user.id,
    memberOf: (id) => (ids.has(id) ? id : byAddress.get(addresses.get(id)?.toLowerCase() ?? '')),
  };
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

/** Of several scores of one record by configurations of one metric, which is one here, that of the run, else the latest. */
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

/** What of a run's scores an import did. */
export type RestoredScores = { count: number; strangers: number; reviewsLeftOut: number; dropped: number };

/** Gives a run the scores that it had, each in its state; again and again the same. */
export const restoreScores = async (
  client: Client,
  files: Files,
  run: { before: Members; after: string; records: Members[] },
  known: { records: Ids; configs: Ids; people: People },
): Promise<RestoredScores> => {
  const { me, memberOf } = known.people;
  const restored = { count: 0, strangers: 0, reviewsLeftOut: 0, dropped: 0 };
  const idOf = (id: string | null): JsonText => {
    if (id === null) return 'null';
    const member = memberOf(id);
    if (member === undefined) restored.strangers++;
    return text(member ?? me);
  };
  /** The evidence of a score that reviews made names who gave them. */
  const evidenceOf = (evidence: JsonText): JsonText => {
    const reviewers = evidence === 'null' ? undefined : membersOf(evidence).get('reviewerIds');
    if (reviewers === undefined) return evidence;
    const before = JSON.parse(reviewers) as string[];
    const after = before.map((id) => memberOf(id) ?? id);
    const isSame = after.every((id, i) => id === before[i]);
    return isSame ? evidence : withMembers(membersOf(evidence), { reviewerIds: text(after) });
  };
  const given = (one: Members) => ({
    scoredByUserId: idOf(parsed(one, 'scoredByUserId')),
    evidence: evidenceOf(one.get('evidence')!),
  });
  const reviewsOf = (score: Members): JsonText => {
    const reviews = elementTexts(score, 'reviews').flatMap((review) => {
      const member = memberOf(parsed<string>(review, 'userId'));
      // Under the importer's name it would claim that they saw the record, and several would be one.
      if (member === undefined) restored.reviewsLeftOut++;
      return member === undefined ? [] : [withMembers(review, { userId: text(member) })];
    });
    return `[${reviews.join(',')}]`;
  };
  const historyOf = (score: Members): JsonText =>
    `[${elementTexts(score, 'history')
      .map((replaced) => withMembers(replaced, given(replaced)))
      .join(',')}]`;

  const all = scoresOf(files, parsed(run.before, 'id'), run.records);
  const ofRun = new Set(parsed<string[]>(run.before, 'metricVersionIds'));
  const scores = onePerMetric(all, ofRun);
  restored.dropped = all.length - scores.length;
  const items = scores.flatMap((score) => {
    const recordId = known.records.get(parsed(score, 'recordId'));
    const configId = known.configs.get(parsed(score, 'metricId'));
    if (recordId === undefined || configId === undefined) return [];
    const { metricId: _, ...rest } = Object.fromEntries(score);
    const ids = { recordId: text(recordId), metricConfigId: text(configId) };
    const isScored = parsed(score, 'state') === 'scored';
    return [
      {
        isScored,
        body: objectText({
          ...rest,
          ...ids,
          ...given(score),
          history: historyOf(score),
          reviews: reviewsOf(score),
        }),
      },
    ];
  });
  for (const batch of inBatches(items, maxScoresAtOnce)) {
    const rawBody = `{"items":[${batch.map(({ body }) => body).join(',')}]}`;
    await client.send({ method: 'POST', path: `/api/v2/runs/${run.after}/import/scores`, rawBody });
    restored.count += batch.filter(({ isScored }) => isScored).length;
  }
  return restored;
};

/** The configuration that a metric has now, by which a new run scores. */
export const currentConfig = async (client: Client, metricId: string): Promise<string> => {
  for await (const { id, isCurrent } of client.listMetricVersions(metricId)) if (isCurrent) return id;
  throw new Error(`Metric ${metricId} has no configuration.`);
};
