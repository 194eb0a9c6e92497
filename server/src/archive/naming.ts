import type { Drift } from '../engine/statistics/trial-schema.ts';
import { invalid } from '../platform/errors.ts';
import { members } from '../platform/json/json.ts';
import type { Kind, Texts } from './part.ts';

/** Returns the new id of something in an archive; undefined for an unknown id. */
export type Rename = (kind: Kind | 'member', id: string) => string | undefined;

/** Kind of thing that a column names. */
export type Naming = {
  /** Something whose row comes before. */
  of?: Kind;
  /** Exported as null if it was deleted: a testset in use can be deleted. */
  mayBeGone?: true;
  /** Its row follows in the same transaction. */
  comesLater?: true;
  /** The number of a record of the row's run. */
  isRecord?: true;
  /**
   * SQL for a column that does not name it by its id: at an export, `value` converts the id `$value`; at an import, `stored` converts back
   * to the id.
   */
  as?: { value: string; stored: string };
  /**
   * A person. If an author is not a member here, the importer becomes the author; a row of such a reviewer or assignee is left out.
   * Only an admin can import under other people's names; everyone can assign records to them.
   */
  person?: 'author' | 'reviewer' | 'assignee';
  /** Gives the things that the text names their new ids. */
  rename?: (text: string, rename: Rename, row: Texts) => string | null;
};

/** The evidence of a score that reviews decided names the reviewers. */
const renameReviewers = (raw: string, rename: Rename): string => {
  const reviewers = raw.includes('"reviewerIds"') ? members(raw).get('reviewerIds') : undefined;
  if (reviewers === undefined) return raw;
  const here = reviewers.replace(/[0-9a-f-]{36}/g, (id) => rename('member', id) ?? id);
  return raw.replace(reviewers, () => here);
};

/** The strata of a sample may be the verdicts of a metric. */
const renameStrata = (name: string, rename: Rename, { strata_of }: Texts): string => {
  const here = strata_of === 'metricId' ? rename('metric', name) : name;
  if (here === undefined) throw invalid('/strata_name', 'must be the id of a metric that comes before');
  return here;
};

/** The search of a saved view may name a run, as `run:12` or `run:"12"`; not within quoted words. */
const renameRuns = (text: string, rename: Rename): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|\brun:("?)(\d+)\1/g, (whole, quote: string, id?: string) => {
    const here = id === undefined ? undefined : rename('run', id);
    return here === undefined ? whole : `run:${quote}${here}${quote}`;
  });

/** A saved view calls a column of scores `score.` and the id of its metric. */
const renameColumns = (raw: string, rename: Rename): string =>
  raw.replace(/"score\.(\d+)"/g, (whole, id: string) => {
    const here = rename('metric', id);
    return here === undefined ? whole : `"score.${here}"`;
  });

/** A drift lists records by their ids. It outlives them: those that are no longer there are left out. */
const renameDrift = (raw: string, rename: Rename): string => {
  const here = (ids: string[]) =>
    ids.flatMap((id) => {
      const [runId, n] = id.split('-');
      const run = rename('run', runId!);
      return run === undefined ? [] : [`${run}-${n}`];
    });
  const drift = JSON.parse(raw) as Drift;
  const { broken, mended, unscored } = drift;
  const lists = { broken: here(broken), mended: here(mended), unscored: here(unscored) };
  return JSON.stringify({ ...drift, ...lists });
};

const author: Naming = { person: 'author' };
const runThatMayBeGone: Naming = { rename: (id, rename) => rename('run', id) ?? null };
const goneTestset: Naming = { of: 'testset', mayBeGone: true };
/** The kind of thing that each column names, in all tables or in one. */
const namings: Record<string, Naming> = {
  testset_id: { of: 'testset' },
  'run.testset_id': goneTestset,
  'record.testset_id': goneTestset,
  metric_id: { of: 'metric' },
  people_metric_id: { of: 'metric' },
  metric_group_id: { of: 'group' },
  metric_config_id: { of: 'config' },
  before_config_id: { of: 'config' },
  adopted_config_id: { of: 'config' },
  current_config_id: { of: 'config', comesLater: true },
  system_id: { of: 'system' },
  system_version_id: { of: 'version' },
  user_version_id: { of: 'version' },
  // Runs come by their numbers, so the replayed one comes first.
  replayed_run_id: { of: 'run' },
  production_version_id: { of: 'version', comesLater: true },
  run_id: { of: 'run' },
  n: { isRecord: true },
  record_n: { isRecord: true },
  'testcase.n': {},
  'testcase_past.n': {},
  'testset_snapshot.n': {},
  'trial.n': {},
  'execution.n': {},
  'preference_pair.n': {},
  'preference_vote.n': {},
  annotation_id: { of: 'annotation' },
  sample_id: { of: 'sample' },
  monitor_id: { of: 'monitor' },
  study_id: { of: 'study' },
  trial_id: { of: 'trial' },
  trace_id: {
    as: {
      value: `(select encode(trace.otel_id, 'hex') from trace where trace.id = $value)`,
      stored: `(select id from trace where project_id = $project and otel_id = decode($value, 'hex'))`,
    },
  },
  source_id: {
    of: 'source',
    as: {
      value: `(select encode(span_source.hash, 'hex') from span_source where span_source.id = $value)`,
      stored: `(select id from span_source where project_id = $project and hash = decode($value, 'hex'))`,
    },
  },
  member_id: author,
  created_by: author,
  assigned_by: author,
  resolved_by: author,
  scored_by: author,
  ended_by: author,
  pinned_by: author,
  assignee_id: { person: 'assignee' },
  'review_score.member_id': { person: 'reviewer' },
  'review_claim.member_id': { person: 'reviewer' },
  'preference_vote.member_id': { person: 'reviewer' },
  evidence: { rename: renameReviewers },
  drift: { rename: renameDrift },
  'review_sample.strata_name': { rename: renameStrata },
  origin_run_id: runThatMayBeGone,
  baseline_run_id: runThatMayBeGone,
  'saved_view.search': { rename: renameRuns },
  'saved_view.display': { rename: renameColumns },
};

export const namingOf = (table: string, column: string): Naming =>
  namings[`${table}.${column}`] ?? namings[column] ?? {};
