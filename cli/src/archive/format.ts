import type { JsonText } from '../json-text.ts';

/** First file of an archive, by which it is known. */
export const manifestPath = 'dokima.json';

/**
 * Raised when an older reader would misread, or leave out, what is written. Traces, and how scores came about, came with 2;
 * with 3 every configuration of a metric, and rows as they are stored: who made what, and when.
 */
export const archiveVersion = 3;

export type Manifest = { format: 'dokima-project'; version: number };

/**
 * The files of an archive, beside its manifest. Every line is an answer of the API as it came, so that numbers, key order and
 * what later versions add are kept.
 */
export const paths = {
  project: 'project.json',
  testsets: 'testsets.jsonl',
  /** Of versions 1 and 2. */
  testcases: (testsetId: string) => `testcases/${testsetId}.jsonl`,
  metrics: 'metrics.jsonl',
  systems: 'systems.jsonl',
  systemVersions: 'system-versions.jsonl',
  runs: 'runs.jsonl',
  runNotes: 'run-notes.jsonl',
  records: (runId: string) => `records/${runId}.jsonl`,
  spans: (part: number) => `spans/${part}.jsonl`,
  scores: (runId: string) => `scores/${runId}.jsonl`,
  samples: (runId: string) => `samples/${runId}.jsonl`,
  people: 'people.jsonl',
  /** Of versions 1 and 2; since 3 these are rows of runs. */
  annotations: 'annotations.jsonl',
  threads: 'threads.jsonl',
  /** The rows of one part that a project, testset, run, metric or monitor has. */
  rows: (noun: string, id: string, part: string) => `rows/${noun}/${id}/${part}.jsonl`,
  settings: 'settings.jsonl',
  monitors: 'monitors.jsonl',
  attachments: 'attachments.jsonl',
  attachmentBytes: (attachmentId: string) => `attachments/${attachmentId}`,
};

/** A member of an object's text, parsed. */
export const parsed = <T>(members: ReadonlyMap<string, JsonText>, name: string): T =>
  JSON.parse(members.get(name) ?? 'null') as T;
