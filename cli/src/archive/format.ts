import type { JsonText } from '../json-text.ts';

/** First file of an archive, by which it is known. */
export const manifestPath = 'dokima.json';

/** Raised when an older reader would misread, or leave out, what is written. Traces, and how scores came about, came with 2. */
export const archiveVersion = 2;

export type Manifest = { format: 'dokima-project'; version: number };

/**
 * The files of an archive, beside its manifest. Every line is an answer of the API as it came, so that numbers, key order and
 * what later versions add are kept.
 */
export const paths = {
  project: 'project.json',
  testsets: 'testsets.jsonl',
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
  annotations: 'annotations.jsonl',
  threads: 'threads.jsonl',
  settings: 'settings.jsonl',
  monitors: 'monitors.jsonl',
  attachments: 'attachments.jsonl',
  attachmentBytes: (attachmentId: string) => `attachments/${attachmentId}`,
};

/** A member of an object's text, parsed. */
export const parsed = <T>(members: ReadonlyMap<string, JsonText>, name: string): T =>
  JSON.parse(members.get(name) ?? 'null') as T;
