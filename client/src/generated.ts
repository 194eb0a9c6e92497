// Made from openapi.json by `node client/generate.ts`. Do not edit.
import type { CallOptions, JsonObject, List, OperationFacts } from './types.ts';

/** A person's rating of a record, with a comment. */
export type Annotation = {
  /** Id of the annotation. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** Span within the record; null when the annotation is on the record as a whole. */
  spanId: string | null;
  passage?: Passage | undefined;
  /** True is positive, false is negative. */
  rating: boolean;
  /** Free text of the user; empty when none was given. */
  comment: string;
  /** The user who wrote it. */
  userId: string;
  /** When it was written: ISO 8601, UTC, milliseconds. */
  createdAt: string;
};

/** The form of every error. */
export type ApiError = {
  /** What went wrong, for programs. docs/errors.md lists the codes. */
  code: string;
  /** What went wrong and what to do, for people. */
  message: string;
  /** More about this error; empty when there is nothing to add. */
  details: JsonObject;
};

/** An API key, without the secret part. */
export type ApiKey = {
  /** Id of the key. */
  id: string;
  /** The member whom the key belongs to: the userId of what it writes. */
  userId: string;
  /** What the key is for. */
  name: string;
  /** Its first characters, to tell keys apart. */
  prefix: string;
  /** full: whatever its member may do. read: only reading. */
  access: "full" | "read";
  /** Project of the traces that are sent with this key and name none; null when there is none. */
  defaultProjectId: string | null;
  /** When it was made. */
  createdAt: string;
  /** When it ends; null is never. */
  expiresAt: string | null;
  /** When it was last used, to the minute; null is never. */
  lastUsedAt: string | null;
};

/** A new API key. */
export type ApiKeyCreated = {
  /** Id of the key. */
  id: string;
  /** The member whom the key belongs to: the userId of what it writes. */
  userId: string;
  /** What the key is for. */
  name: string;
  /** Its first characters, to tell keys apart. */
  prefix: string;
  /** full: whatever its member may do. read: only reading. */
  access: "full" | "read";
  /** Project of the traces that are sent with this key and name none; null when there is none. */
  defaultProjectId: string | null;
  /** When it was made. */
  createdAt: string;
  /** When it ends; null is never. */
  expiresAt: string | null;
  /** When it was last used, to the minute; null is never. */
  lastUsedAt: string | null;
  /** The key itself. Shown this once, stored only as a hash. */
  key: string;
};

/** A file of a session: declared first, then uploaded. */
export type Attachment = {
  /** Id of the attachment. */
  id: string;
  /** Session that the file belongs to. */
  sessionId: string;
  /** Where the file was in the session. */
  filePath: string;
  /** Name for people; null when none was given. */
  filename: string | null;
  /** Media type, as declared. */
  contentType: string | null;
  /** Size in bytes. */
  sizeBytes: number | null;
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string | null;
  /** pending until the bytes are there. */
  status: "pending" | "uploaded";
  /** When the bytes came; null while pending. */
  uploadedAt: string | null;
  /** What the client noted of it. */
  metadata: JsonObject | null;
};

/** An attachment with a link to its bytes. */
export type AttachmentWithDownload = {
  /** Id of the attachment. */
  id: string;
  /** Session that the file belongs to. */
  sessionId: string;
  /** Where the file was in the session. */
  filePath: string;
  /** Name for people; null when none was given. */
  filename: string | null;
  /** Media type, as declared. */
  contentType: string | null;
  /** Size in bytes. */
  sizeBytes: number | null;
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string | null;
  /** pending until the bytes are there. */
  status: "pending" | "uploaded";
  /** When the bytes came; null while pending. */
  uploadedAt: string | null;
  /** What the client noted of it. */
  metadata: JsonObject | null;
  /** Signed link; null while pending. */
  downloadUrl: string | null;
  /** When the link ends; null while pending. */
  downloadExpiresAt: string | null;
};

/** A record that the judge and people decided differently. */
export type CalibrationDisagreement = {
  /** Id of the record. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** Id of its testcase; null without one. */
  testcaseId: string | null;
  /** Whether the label is for tuning (`dev`) or for testing (`test`). */
  split: string;
  /** What the judge said. */
  judge: {
    /** The score. */
    value: number;
    /** Whether it passes. */
    passed: boolean;
  };
  /** What people said. */
  human: {
    /** The score. */
    value: number;
    /** Whether it passes. */
    passed: boolean;
  };
};

/** A testcase in two runs. */
export type ChangedTestcase = {
  /** The testcase, or `record <id>` for a record without one. */
  id: string;
  /** Id of the testcase; null for a record without one. */
  testcaseId: string | null;
  /** What became of it in the second run. */
  change: "better" | "worse" | "same" | "onlyBefore" | "onlyAfter" | "revised" | "unscored";
  /** In this run; null where the run does not have it. */
  before: {
    /** Mean over its trials; null without a score. */
    mean: number | null;
    /** Scores. */
    trials: number;
    /** Records without a score. */
    missing: number;
    /** Revision of the testcase. */
    revision: number | null;
    /** Its records, at most 20. */
    recordIds: string[];
  } | null;
  /** In this run; null where the run does not have it. */
  after: {
    /** Mean over its trials; null without a score. */
    mean: number | null;
    /** Scores. */
    trials: number;
    /** Records without a score. */
    missing: number;
    /** Revision of the testcase. */
    revision: number | null;
    /** Its records, at most 20. */
    recordIds: string[];
  } | null;
};

/** A message of a conversation. */
export type ConversationEntry = {
  /** system, user, assistant, tool, or what the sender called it. */
  role: string;
  /** The text. */
  content: string;
  /** What the model thought before it answered. */
  reasoning?: string | undefined;
  /** Tools that the model asked for. */
  toolCalls?: Array<{
    /** Id of the call. */
    id: string | null;
    /** Name of the tool. */
    name: string;
    /** What it was called with. */
    arguments: unknown;
  }> | undefined;
  /** Call that this answers. */
  toolCallId?: string | undefined;
  /** Tool that answers. */
  name?: string | undefined;
  /** Parts that are no text, as they came. */
  media?: unknown[] | undefined;
  /** Trace that it was said in. */
  traceId: string;
  /** Span that it was first seen in. */
  spanId: string;
  /** Sub-agent in whose conversation it was said; null for the conversation itself. */
  agentSpanId: string | null;
  /** Where the text stands in the span as getSpan gives it, a JSON Pointer, for annotations on a passage; null when it stands nowhere. */
  path: string | null;
  /** When. */
  time: string;
  /** Model of that span. */
  model: string | null;
  /** Why the span failed; null when it did not. */
  error: string | null;
};

/** A judge that decides its pinned records again. */
export type DriftCheck = {
  /** The run that holds copies of the pinned records and the new verdicts. */
  runId: string;
  /** Id of the metric. */
  metricId: string;
  /** Configuration that is tried. */
  metricConfigId: string;
  /** Records to decide again. */
  records: number;
  /** When it was started. */
  startedAt: string;
};

/** A number with its uncertainty, or with the reason why it has none. */
export type Estimate = {
  /** Method of the interval. */
  method: string;
  /** Independent units that the interval rests on: testcases, or groups of them. */
  n: number;
  /** Confidence level. */
  level: number;
  /** Null when there is nothing to estimate from. */
  estimate: number | null;
  /** Standard error of the estimate. */
  standardError: number | null;
  /** Null when the data is too little. */
  interval: Interval | null;
  /** Why there is no interval. */
  reason: string | null;
  /** What the interval takes for granted. */
  assumption: string;
  /** What to bear in mind. */
  warnings: string[];
};

/** One call of the system of a run, with one testcase. */
export type Execution = {
  /** Testcase that is sent to the system. */
  testcaseId: string;
  /** Number of the trial, from 1 to the trials of the run. */
  trial: number;
  /** pending: the call is queued or under way. done: there is a record. failed, cancelled: there is no record unless you retry. */
  state: "pending" | "done" | "failed" | "cancelled";
  /** Calls that reached the system. */
  attempts: number;
  /** Error of the last failed call; null when none failed, or a later one succeeded. */
  error: string | null;
  /** The record that was made. */
  recordId: string | null;
  /** How long the system took to answer. */
  latencyMs: number | null;
  /** Tokens that the system read; null when it did not say. */
  inputTokens: number | null;
  /** Tokens that the system wrote; null when it did not say. */
  outputTokens: number | null;
  /** What the system cost in USD, without judges; null when unknown. */
  costUsd: number | null;
  /** Evidence of a prompt system: prompt as sent, model asked and model that answered. */
  evidence: JsonObject | null;
  /** When it last changed. */
  updatedAt: string;
};

/** The executions of a run in numbers. */
export type ExecutionSummary = {
  /** Id of the run. */
  runId: string;
  /** Executions of the run; 0 when clients send its records. */
  total: number;
  /** Queued or under way. */
  pending: number;
  /** Done, with a record. */
  done: number;
  /** Failed for good. */
  failed: number;
  /** Cancelled. */
  cancelled: number;
  /** Tokens that the system read in all that are done; null when one is unknown. */
  inputTokens: number | null;
  /** Tokens that the system wrote in all that are done; null when one is unknown. */
  outputTokens: number | null;
  /** What the system cost in USD in all that are done, without judges; null when one is unknown. */
  costUsd: number | null;
  /** Median time of an answer. */
  medianLatencyMs: number | null;
  /** 95th percentile of the time of an answer. */
  p95LatencyMs: number | null;
};

/** One of the annotations of its records as it is stored, for another place to store it. */
export type ExportedAnnotation = {
  /** Id of the annotation. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** Span that it is about. */
  spanId: string | null;
  /** Thumb up or down. */
  rating: boolean;
  /** What was said. */
  comment: string;
  /** The passage that it is on. */
  passage: JsonObject | null;
  /** Who made it. */
  userId: string;
  /** When it was made. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** When it was settled. */
  resolvedAt: string | null;
  /** Who settled it. */
  resolvedByUserId: string | null;
};

/** One of who its records are assigned to as it is stored, for another place to store it. */
export type ExportedAssignment = {
  /** Id of the assignment. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** Who is to look at it. */
  assigneeUserId: string;
  /** Who said so. */
  assignedByUserId: string;
  /** When it was made. */
  createdAt: string;
};

/** One of the records that it could draw, and with which chance it drew them as it is stored, for another place to store it. */
export type ExportedDraw = {
  /** Id of the record. */
  recordId: string;
  /** When it was decided. */
  decidedAt: string;
  /** The chance that it had. */
  inclusionProbability: number;
  /** Whether it was drawn. */
  drawn: boolean;
  /** How many spans its trace had then. */
  spans: string | null;
  /** Sum of their ends, by which a change is seen. */
  ends: string | null;
};

/** One of the checks of its pinned set as it is stored, for another place to store it. */
export type ExportedDriftCheck = {
  /** The run that holds the new verdicts. */
  runId: string;
  /** Configuration of a metric. */
  metricConfigId: string;
  /** Models that it was started for. */
  forModels: string[];
  /** When it was made. */
  createdAt: string;
};

/** One of the calls of its system as it is stored, for another place to store it. */
export type ExportedExecution = {
  /** Its place. */
  n: number;
  /** Testcase that is put to the system. */
  testcaseId: string;
  /** Which time. */
  trial: number;
  /** Where it stands. */
  state: "pending" | "done" | "failed" | "cancelled";
  /** Tries so far. */
  attempts: number;
  /** What the last call that failed came to. */
  error: string | null;
  /** The record that it made. */
  recordId: string | null;
  /** How long the system took. */
  latencyMs: number | null;
  /** What it cost, as far as it is known. */
  costUsd: number | null;
  /** Tokens of what was asked. */
  inputTokens: number | null;
  /** Tokens of what was answered. */
  outputTokens: number | null;
  /** How a prompt system came to its answer. */
  evidence: JsonObject | null;
  /** When it last changed. */
  updatedAt: string;
};

/** One of what its judges may cost and have cost as it is stored, for another place to store it. */
export type ExportedJudging = {
  /** What they may cost; null without a limit. */
  budgetUsd: number | null;
  /** In US dollars. */
  spentUsd: number;
  /** Calls of which the price is not known. */
  unpriced: number;
};

/** A metric with all configurations that it had, for another place to store it. */
export type ExportedMetric = {
  /** Id of the metric. */
  id: string;
  /** What it is called. */
  name: string;
  /** What it is for. */
  description: string | null;
  /** How many people score each record, each without sight of the others. The score is pending until then. */
  reviewers: number;
  /** Which of their scores becomes the current one: the latest, or the majority (of integers and floats the median; of two in the middle the lower). */
  rule: "latest" | "majority";
  /** When it was made. */
  createdAt: string;
  /** Its configurations, oldest first; the last is the current one. */
  versions: Array<{
    /** Id of the configuration. */
    id: string;
    /** Who or what scores. */
    evalType: "ai" | "human" | "heuristic";
    /** Kind of score. */
    outputType: "int" | "float" | "boolean";
    /** How it scores. */
    guidelines: string;
    /** Of a judge, what it is asked. */
    promptTemplate: string | null;
    /** Of a judge, the model. */
    evalModelName: string | null;
    /** Of a judge. */
    temperature: number | null;
    /** Lowest score that passes; null where scores are true or false. */
    passingThreshold: number | null;
    /** How often a judge is asked. */
    judgeRepeats: number;
    /** When it was made. */
    createdAt: string;
  }>;
  /** When it was deleted; its scores are still there. */
  deletedAt: string | null;
};

/** One of since when its monitors are, and are what they are as it is stored, for another place to store it. */
export type ExportedMonitorOrigin = {
  /** Id of the monitor. */
  monitorId: string;
  /** When it was made. */
  createdAt: string;
  /** Since when its metrics, rate and filter are what they are. */
  definedAt: string;
};

/** One of the labelled records of its pinned set as it is stored, for another place to store it. */
export type ExportedPinnedLabel = {
  /** Id of the record. */
  recordId: string;
  /** Its place in the set. */
  place: number;
  /** Whether people pass it. */
  humanPassed: boolean;
  /** Whether the reference passes it. */
  judgePassed: boolean;
};

/** One of its pinned set as it is stored, for another place to store it. */
export type ExportedPinnedSet = {
  /** Configuration of a metric. */
  metricConfigId: string;
  /** Models that gave the verdicts of the reference. */
  servedModels: string[];
  /** Where the labels come from. */
  source: "metric" | "overrides" | "thumbs";
  /** Whether the service itself starts checks. */
  automatic: boolean;
  /** Who pinned it. */
  pinnedByUserId: string;
  /** When. */
  pinnedAt: string;
};

/** One of the scores that rescorings propose as it is stored, for another place to store it. */
export type ExportedProposal = {
  /** Id of the record. */
  recordId: string;
  /** Configuration of a metric. */
  metricConfigId: string;
  /** Rescoring that proposes it. */
  rescoringId: string;
  /** Where it stands. */
  state: "pending" | "scored" | "unscored" | "failed";
  /** The score; null unless it is there. */
  score: JsonObject | null;
  /** Why it is unscored or failed. */
  reason: string | null;
  /** Tries so far. */
  attempts: number;
  /** What went wrong at the last try. */
  lastError: string | null;
  /** What went into the verdict and came out. */
  evidence: JsonObject | null;
  /** What it cost, as far as it is known. */
  costUsd: number | null;
  /** Tokens of what was asked. */
  inputTokens: number | null;
  /** Tokens of what was answered. */
  outputTokens: number | null;
  /** When it was made. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** Whether it has become the score. */
  applied: boolean | null;
  /** Configuration of the score that it met. */
  beforeConfigId: string | null;
  /** State of that score. */
  beforeState: "pending" | "scored" | "unscored" | "failed" | null;
  /** That score. */
  beforeScore: JsonObject | null;
  /** Why that was not there. */
  beforeReason: string | null;
  /** What that score came to. */
  beforeValue: number | null;
  /** Whether a person or a client had given it. */
  beforeGiven: boolean | null;
};

/** One of when its records were made, and of which testcases as it is stored, for another place to store it. */
export type ExportedRecordOrigin = {
  /** Id of the record. */
  recordId: string;
  /** Testset of its testcase. */
  testsetId: string | null;
  /** Number of its testcase, which may be gone. */
  testcaseN: number | null;
  /** Revision that the testcase had. */
  testcaseRevision: number | null;
  /** When it was made. */
  createdAt: string;
};

/** One of the replies to annotations of its records as it is stored, for another place to store it. */
export type ExportedReply = {
  /** Id of the reply. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** Annotation that it answers. */
  annotationId: string;
  /** What was said. */
  comment: string;
  /** Who said it. */
  userId: string;
  /** When it was made. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string | null;
};

/** One of its rescorings as it is stored, for another place to store it. */
export type ExportedRescoring = {
  /** Id of the rescoring. */
  id: string;
  /** Metric that scores. */
  metricId: string;
  /** Configuration of a metric. */
  metricConfigId: string;
  /** Records that it is about; null for all. */
  recordIds: string[] | null;
  /** Records that went first. */
  sampleSize: number | null;
  /** By what they were drawn. */
  sampleSeed: string | null;
  /** Whether all records were begun. */
  extended: boolean;
  /** Who began it. */
  createdByUserId: string;
  /** When it was made. */
  createdAt: string;
  /** How it ended; null while it is open. */
  outcome: "kept" | "discarded" | null;
  /** Who ended it. */
  endedByUserId: string | null;
  /** When it was ended. */
  endedAt: string | null;
  /** Its counts when it was ended. */
  summary: JsonObject | null;
};

/** A random sample with all records that could have been drawn, for another place to store it. */
export type ExportedReviewSample = {
  /** Id of the sample. */
  id: string;
  /** Configuration of the metric that people score by; by default the current one. */
  metricConfigId: string;
  /** Id of the metric. */
  metricId: string;
  /** Records of a stratum are drawn in the order of the SHA-256 of "<seed> <record id>": the same seed, the same sample. */
  seed: number;
  /** Null without strata. */
  stratifyBy: {
    /** Records that carry this tag, and those that do not. */
    tag?: string | undefined;
    /** Each value of this field of the inputs (of a long one the start). */
    inputField?: string | undefined;
    /** Each value of this field of the testcase's data as it is now. */
    testcaseField?: string | undefined;
    /** What this other metric says: pass, fail, or no valid score yet. */
    metricId?: string | undefined;
  } | null;
  /** How the sample is shared among strata: in proportion to their records, or as equally as they allow. Each gets at least one record. */
  allocation: "proportional" | "equal";
  /** In the order that they were made in. */
  strata: Array<{
    /** The tag, the value or the verdict; null for records without it. */
    value: string | null;
    /** Which draw its records came to first. */
    wave: number;
    /** Records of the stratum when it was first drawn from. */
    numRecords: number;
    /** How many of them are in the sample: those with the first places. */
    numDrawn: number;
    /** Those that are still there, drawn or not, in that order. */
    records: Array<{
      /** Id of the record. */
      recordId: string;
      /** Its place in the random order of the stratum. */
      place: number;
    }>;
  }>;
};

/** One of its metrics with the configurations that it scores by as it is stored, for another place to store it. */
export type ExportedRunMetric = {
  /** Its place among them. */
  position: number;
  /** Id of the metric. */
  metricId: string;
  /** Configuration of a metric. */
  metricConfigId: string;
  /** Whether it scores what monitors draw, not every record. */
  sampled: boolean;
};

/** One of when its runs were made, and how many records they expect as it is stored, for another place to store it. */
export type ExportedRunOrigin = {
  /** Id of the run. */
  runId: string;
  /** Records that it expects. */
  numExpectedRecords: number | null;
  /** When it was made. */
  createdAt: string;
};

/** One of who drew its review samples, and when as it is stored, for another place to store it. */
export type ExportedSampleOrigin = {
  /** Id of the sample. */
  sampleId: string;
  /** Who drew it. */
  userId: string;
  /** When it was made. */
  createdAt: string;
};

/** A score with all that is known of it, for another place to store it. */
export type ExportedScore = {
  /** Id of the metric. */
  metricId: string;
  /** Id of the record. */
  recordId: string;
  /** Configuration of the metric that gave the score. */
  metricConfigId: string;
  /** Where it stands; only a scored one has a score. */
  state: "pending" | "scored" | "unscored" | "failed";
  /** The score; null unless it is there. */
  score: JsonObject | null;
  /** Why it is unscored or failed. */
  reason: string | null;
  /** Whose key or hand gave the score; null where a machine did. */
  scoredByUserId: string | null;
  /** What went into the verdict and came out. */
  evidence: JsonObject | null;
  /** When the state last changed. */
  scoredAt: string;
  /** What went wrong at the last try. */
  lastError: string | null;
  /** Tries so far. */
  attempts: number;
  /** What its tries cost, as far as it is known. */
  costUsd: number | null;
  /** Tokens of what was asked. */
  inputTokens: number | null;
  /** Tokens of what was answered. */
  outputTokens: number | null;
  /** Verdicts of its metric that were replaced, oldest first. Of several scores of a record by one metric the first has them. */
  history: Array<{
    /** Configuration that gave it: another of the metric, where a rescoring was kept. */
    metricConfigId: string;
    /** Where it stands; only a scored one has a score. */
    state: "scored" | "unscored" | "failed";
    /** The score; null unless it is there. */
    score: JsonObject | null;
    /** Why it is unscored or failed. */
    reason: string | null;
    /** Whose key or hand gave the score; null where a machine did. */
    scoredByUserId: string | null;
    /** What went into the verdict and came out. */
    evidence: JsonObject | null;
    /** When the state last changed. */
    scoredAt: string;
    /** When another took its place. */
    replacedAt: string;
  }>;
  /** What single reviewers say or said, oldest first. Of a score that is pending, those that the caller may see: all for an admin, else those of others only beside one of their own. */
  reviews: Array<{
    /** Who gave it. */
    userId: string;
    /** One of binaryScore, intScore, floatScore, and reasoning. */
    score: JsonObject;
    /** Whether they could not know what others had given. */
    blind: boolean;
    /** Whether it counts: false for one that was replaced or taken back. */
    stands: boolean;
    /** When it was taken back. */
    undoneAt: string | null;
    /** When it was given. */
    submittedAt: string;
  }>;
};

/** One of which records people skipped in review as it is stored, for another place to store it. */
export type ExportedSkip = {
  /** Id of the record. */
  recordId: string;
  /** Configuration of a metric. */
  metricConfigId: string;
  /** Who skipped it. */
  userId: string;
  /** When. */
  skippedAt: string;
};

/** A span as it is stored, for another place to store it. */
export type ExportedSpan = {
  /** Id of its trace, 32 hexadecimal digits. */
  traceId: string;
  /** Id of the span, 16 hexadecimal digits. */
  spanId: string;
  /** Id of its parent, 16 hexadecimal digits; null for a root. */
  parentSpanId: string | null;
  /** Record that was made for its trace or session; null for a trace that is linked to records. */
  recordId: string | null;
  /** Name of the span. */
  name: string;
  /** OpenTelemetry's kind, 0 to 5. */
  kind: number;
  /** When it began, in nanoseconds since 1970. */
  startTimeUnixNano: string;
  /** When it ended. */
  endTimeUnixNano: string;
  /** Everything else that came with it, as it is stored: status, statusMessage, traceState, attributes, events, links and how many of these the sender left out. */
  content: JsonObject;
  /** Its resource, and its scope with name, version and attributes. */
  source: JsonObject;
};

/** One of when its systems were made, in whose order they are listed as it is stored, for another place to store it. */
export type ExportedSystemOrigin = {
  /** Id of the system. */
  systemId: string;
  /** When it was made. */
  createdAt: string;
};

/** One of the tags of its records as it is stored, for another place to store it. */
export type ExportedTag = {
  /** Id of the tag. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** The tag. */
  text: string;
  /** user: somebody set it. otel: it came with a trace. */
  source: "user" | "otel";
  /** Who set it; null for one that came with a trace. */
  userId: string | null;
  /** When it was made. */
  createdAt: string;
};

/** One of its testcases with their revisions as it is stored, for another place to store it. */
export type ExportedTestcase = {
  /** Its number in the testset. */
  n: number;
  /** How often it was written. */
  revision: number;
  /** Its data. */
  jsonData: JsonObject;
  /** What of it does not fit the schema. */
  validationErrors: Array<{
    /** Where: a JSON Pointer. */
    path: string;
    /** What must stand there instead. */
    message: string;
  }> | null;
  /** When it was made. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
};

/** One of when its testsets were made, and which number their last testcase had as it is stored, for another place to store it. */
export type ExportedTestsetOrigin = {
  /** Id of the testset. */
  testsetId: string;
  /** Number that the last testcase had; it may be gone. */
  lastTestcaseN: number;
  /** When it was made. */
  createdAt: string;
};

/** One of its saved views that the caller sees as it is stored, for another place to store it. */
export type ExportedView = {
  /** Id of the view. */
  id: string;
  /** What it is called. */
  name: string;
  /** Whether everybody sees it. */
  shared: boolean;
  /** The search, as it is typed. */
  search: string;
  /** How the records are shown. */
  display: JsonObject;
  /** Who made it. */
  userId: string;
  /** When it was made. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
};

/** What makes testcases depend on each other: a shared document, conversation or author. */
export type Grouping = {
  /** Id of the testset. */
  testsetId: string;
  /** Top-level field of jsonData: testcases with the same value belong together, and one without it stands for itself. Null: none do. */
  field: string | null;
};

/** A confidence interval. */
export type Interval = {
  /** Lower end. */
  low: number;
  /** Upper end. */
  high: number;
};

/** What the judges of a run have cost and may cost. */
export type JudgeBudget = {
  /** Id of the run. */
  runId: string;
  /** What its judges may cost; null without a limit. */
  budgetUsd: number | null;
  /** What they have cost so far, as far as it is known. Includes replaced verdicts, proposals and lost attempts, so it never falls. Does not include the system under test. */
  spentUsd: number;
  /** Attempts whose cost is unknown and missing in spentUsd. */
  numUnpriced: number;
  /** Pending scores and proposals of judges. */
  numWaiting: number;
  /** Whether they wait because the budget is used up. Raise it to go on. */
  isStopped: boolean;
};

/** A judge held against people who decided the same records. */
export type JudgeCalibration = {
  /** Configuration of the judge. */
  metricConfigId: string;
  /** Its passing line; null for a boolean. */
  passingThreshold: number | null;
  /** Where the labels come from: `metric`, `overrides` or `thumbs`. */
  source: string;
  /** Which labels count. */
  split: string;
  /** Labelled records, of the 100 newest runs that were started with this configuration. */
  labels: {
    /** For tuning the judge. */
    dev: number;
    /** For testing it. */
    test: number;
    /** Labelled records on which the judge gave no verdict: left out. */
    unjudged: number;
  };
  /** How this was found. */
  method: string;
  /** Labelled records. */
  n: number;
  /** Confidence level. */
  level: number;
  /** Labelled records by what the judge and people said. */
  matrix: {
    /** Both pass. */
    truePositives: number;
    /** The judge passes, people do not. */
    falsePositives: number;
    /** People pass, the judge does not. */
    falseNegatives: number;
    /** Neither passes. */
    trueNegatives: number;
  };
  sensitivity: Estimate;
  specificity: Estimate;
  agreement: Estimate;
  baseRate: Estimate;
  kappa: Estimate;
  ac1: Estimate;
  /** Records on which they differ; `listJudgeDisagreements` has them. */
  disagreements: number;
  /** What to bear in mind. */
  warnings: string[];
  /** What all of this takes for granted. */
  assumption: string;
  /** κ with quadratic weights, where both score from 1 to 5. */
  weightedKappa: Estimate | null;
  /** Where the passing line should be; null for a boolean. */
  threshold: {
    /** How the best was chosen. */
    method: string;
    /** Labels of the dev split. */
    n: number;
    /** Lines from the strictest to the most lenient, at most 100. */
    points: Array<{
      /** The judge passes from this score on. */
      threshold: number;
      /** Labelled records by what the judge and people said. */
      matrix: {
        /** Both pass. */
        truePositives: number;
        /** The judge passes, people do not. */
        falsePositives: number;
        /** People pass, the judge does not. */
        falseNegatives: number;
        /** Neither passes. */
        trueNegatives: number;
      };
      /** Null without a record that people pass. */
      sensitivity: number | null;
      /** Null without a record that people fail. */
      specificity: number | null;
      /** Share of records on which both agree. */
      agreement: number;
    }>;
    /** The best line on the dev labels; null without labels of both kinds. */
    best: {
      /** The judge passes from this score on. */
      threshold: number;
      /** Labelled records by what the judge and people said. */
      matrix: {
        /** Both pass. */
        truePositives: number;
        /** The judge passes, people do not. */
        falsePositives: number;
        /** People pass, the judge does not. */
        falseNegatives: number;
        /** Neither passes. */
        trueNegatives: number;
      };
      /** Null without a record that people pass. */
      sensitivity: number | null;
      /** Null without a record that people fail. */
      specificity: number | null;
      /** Share of records on which both agree. */
      agreement: number;
    } | null;
    /** The same line on the test labels. */
    onTest: {
      /** How this was found. */
      method: string;
      /** Labelled records. */
      n: number;
      /** Confidence level. */
      level: number;
      /** Labelled records by what the judge and people said. */
      matrix: {
        /** Both pass. */
        truePositives: number;
        /** The judge passes, people do not. */
        falsePositives: number;
        /** People pass, the judge does not. */
        falseNegatives: number;
        /** Neither passes. */
        trueNegatives: number;
      };
      sensitivity: Estimate;
      specificity: Estimate;
      agreement: Estimate;
      baseRate: Estimate;
      kappa: Estimate;
      ac1: Estimate;
      /** Records on which they differ; `listJudgeDisagreements` has them. */
      disagreements: number;
      /** What to bear in mind. */
      warnings: string[];
    } | null;
    /** Why there is no best one. */
    reason: string | null;
    /** What to bear in mind. */
    warnings: string[];
  } | null;
  /** The run’s true pass rate; null unless `runId` asks for it. */
  corrected: {
    /** Id of the run. */
    runId: string;
    /** From the judge’s errors on all labels. Trials of a testcase count apart. */
    roganGladen: {
      /** Method of the interval. */
      method: string;
      /** Independent units that the interval rests on: testcases, or groups of them. */
      n: number;
      /** Confidence level. */
      level: number;
      /** Null when there is nothing to estimate from. */
      estimate: number | null;
      /** Standard error of the estimate. */
      standardError: number | null;
      /** Null when the data is too little. */
      interval: Interval | null;
      /** Why there is no interval. */
      reason: string | null;
      /** What the interval takes for granted. */
      assumption: string;
      /** What to bear in mind. */
      warnings: string[];
      /** Pass rate as the judge gave it. */
      uncorrected: number | null;
    };
    /** From labels of this run alone, which must have been chosen at random. */
    predictionPowered: {
      /** Method of the interval. */
      method: string;
      /** Independent units that the interval rests on: testcases, or groups of them. */
      n: number;
      /** Confidence level. */
      level: number;
      /** Null when there is nothing to estimate from. */
      estimate: number | null;
      /** Standard error of the estimate. */
      standardError: number | null;
      /** Null when the data is too little. */
      interval: Interval | null;
      /** Why there is no interval. */
      reason: string | null;
      /** What the interval takes for granted. */
      assumption: string;
      /** What to bear in mind. */
      warnings: string[];
      /** Pass rate as the judge gave it. */
      uncorrected: number | null;
      /** Labels in this run. */
      labelled: number;
      /** Whether the labels are a random sample drawn by the service, whose chances weigh them. */
      sampled: boolean;
      /** How much the judge is used: 0 not at all, 1 fully. */
      lambda: number | null;
    };
  } | null;
};

/** Whether a judge decides its pinned records as it did. */
export type JudgeDrift = {
  /** Labelled records on which a judge is tried again and again, with its verdicts at the reference. */
  pinnedSet: {
    /** Id of the metric. */
    metricId: string;
    /** Configuration of the reference. */
    metricConfigId: string;
    /** Models that gave the verdicts of the reference, as they called themselves. */
    servedModels: string[];
    /** Where the labels come from: `metric`, `overrides` or `thumbs`. */
    source: string;
    /** Whether the service itself starts checks. */
    automatic: boolean;
    /** Labelled records that are pinned. */
    records: number;
    /** Of these, records that people pass. */
    humanPasses: number;
    /** Of these, records that the reference passes. */
    judgePasses: number;
    /** When the set was pinned. */
    pinnedAt: string;
  };
  /** Confidence level. */
  level: number;
  /** Why the judge should be tried again: what is new since it was last tried. Null: nothing. */
  due: string | null;
  /** Newest first. Each is a test of its own: of twenty checks of a steady judge one looks like drift. */
  checks: Array<{
    /** Run with the verdicts. */
    runId: string;
    /** Configuration that was tried. */
    metricConfigId: string;
    /** Whether that is another than the reference. */
    configChanged: boolean;
    /** Models that answered, as they called themselves. */
    servedModels: string[];
    /** When it was started. */
    startedAt: string;
    /** Verdicts that are still to come. */
    pending: number;
    /** Null while verdicts are to come. */
    drift: {
      /** How this was found. */
      method: string;
      /** Pinned records that were decided again. */
      n: number;
      /** Confidence level. */
      level: number;
      /** Share of these decided as people did, at the reference. */
      agreementBefore: number | null;
      /** The same now. */
      agreementNow: number | null;
      /** Now minus before. */
      difference: number | null;
      /** Of the difference. */
      interval: Interval | null;
      /** Why there is no interval. */
      reason: string | null;
      /** Is the judge as often right? Tested at half of α. */
      mcnemar: {
        /** Two-sided exact p. */
        exact: number;
        /** Two-sided mid-p, which decides. */
        midP: number;
      } | null;
      /** Does it say yes as often? Tested at half of α. */
      leniency: {
        /** Records that failed and now pass. */
        nowPass: number;
        /** Records that passed and now fail. */
        nowFail: number;
        /** McNemar’s test of the records that changed. */
        mcnemar: {
          /** Two-sided exact p. */
          exact: number;
          /** Two-sided mid-p, which decides. */
          midP: number;
        };
      } | null;
      /** Records decided as people do at the reference, and no longer. */
      broken: string[];
      /** Records decided as people do only now. */
      mended: string[];
      /** Records without a verdict this time. */
      unscored: string[];
      /** What follows. */
      verdict: "drifted" | "no drift seen";
      /** The verdict in words. */
      sentence: string;
      /** What all of this takes for granted. */
      assumption: string;
      /** What to bear in mind. */
      warnings: string[];
    } | null;
  }>;
};

/** Who this request is from. */
export type Me = {
  /** The organization that the request belongs to. */
  organization: {
    /** Id of the organization. */
    id: string;
    /** Name of the organization. */
    name: string;
  };
  user: Member;
  /** The key of this request; null for one of a signed-in person. */
  key: {
    /** Id of the key. */
    id: string;
    /** Name of the key. */
    name: string;
    /** Its first characters. */
    prefix: string;
    /** What it may do. */
    access: "full" | "read";
    /** When it ends; null is never. */
    expiresAt: string | null;
  } | null;
};

/** A person in the organization. */
export type Member = {
  /** Id of the member: the userId of what they write. */
  id: string;
  /** Name of the person. */
  name: string;
  /** E-mail address, unique in the organization. */
  email: string;
  /** admin: everything, members and keys too. member: read and write. viewer: read. */
  role: "admin" | "member" | "viewer";
  /** Whether they can sign in; false until they used a sign-in link. */
  hasPassword: boolean;
  /** When they became a member. */
  createdAt: string;
};

/** How outputs are scored: one of nine variants, chosen by evalType and outputType. */
export type Metric = {
  /** Id of the metric. */
  id: string;
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description: string | null;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines: string;
  /** Who or what scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "int";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName: string;
  /** Temperature of the judge. */
  temperature: number;
  /** Lowest score that passes. */
  passingThreshold: number;
} | {
  /** Id of the metric. */
  id: string;
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description: string | null;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines: string;
  /** Who or what scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "float";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName: string;
  /** Temperature of the judge. */
  temperature: number;
  /** Lowest score that passes. */
  passingThreshold: number;
} | {
  /** Id of the metric. */
  id: string;
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description: string | null;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines: string;
  /** Who or what scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "boolean";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName: string;
  /** Temperature of the judge. */
  temperature: number;
} | {
  /** Id of the metric. */
  id: string;
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description: string | null;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines: string;
  /** Who or what scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "int";
  /** Lowest score that passes. */
  passingThreshold: number;
} | {
  /** Id of the metric. */
  id: string;
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description: string | null;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines: string;
  /** Who or what scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "float";
  /** Lowest score that passes. */
  passingThreshold: number;
} | {
  /** Id of the metric. */
  id: string;
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description: string | null;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines: string;
  /** Who or what scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "boolean";
} | {
  /** Id of the metric. */
  id: string;
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description: string | null;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines: string;
  /** Who or what scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "int";
  /** Lowest score that passes. */
  passingThreshold: number;
} | {
  /** Id of the metric. */
  id: string;
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description: string | null;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines: string;
  /** Who or what scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "float";
  /** Lowest score that passes. */
  passingThreshold: number;
} | {
  /** Id of the metric. */
  id: string;
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description: string | null;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines: string;
  /** Who or what scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "boolean";
};

/** A ready metric of the gallery. */
export type MetricTemplate = {
  /** Id of the template, a word. */
  id: string;
  /** What it is about. */
  group: "quality" | "grounding" | "safety" | "format" | "text" | "agents" | "people";
  /** Fields of a record that it looks at, as outputs.answer; rename them in the metric to yours. */
  reads: string[];
  /** The metric, as POST /projects/{projectId}/metrics takes it. */
  metric: {
    /** Shown wherever scores are read. */
    name: string;
    /** What the metric is for. */
    description?: string | null | undefined;
    /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
    guidelines?: string | undefined;
    /** Who or what scores. */
    evalType: "ai";
    /** Kind of score. */
    outputType: "int";
    /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
    promptTemplate: string;
    /** Model that judges. */
    evalModelName?: string | undefined;
    /** Temperature of the judge. */
    temperature?: number | undefined;
    /** Lowest score that passes. */
    passingThreshold?: number | undefined;
  } | {
    /** Shown wherever scores are read. */
    name: string;
    /** What the metric is for. */
    description?: string | null | undefined;
    /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
    guidelines?: string | undefined;
    /** Who or what scores. */
    evalType: "ai";
    /** Kind of score. */
    outputType: "float";
    /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
    promptTemplate: string;
    /** Model that judges. */
    evalModelName?: string | undefined;
    /** Temperature of the judge. */
    temperature?: number | undefined;
    /** Lowest score that passes. */
    passingThreshold?: number | undefined;
  } | {
    /** Shown wherever scores are read. */
    name: string;
    /** What the metric is for. */
    description?: string | null | undefined;
    /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
    guidelines?: string | undefined;
    /** Who or what scores. */
    evalType: "ai";
    /** Kind of score. */
    outputType: "boolean";
    /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
    promptTemplate: string;
    /** Model that judges. */
    evalModelName?: string | undefined;
    /** Temperature of the judge. */
    temperature?: number | undefined;
  } | {
    /** Shown wherever scores are read. */
    name: string;
    /** What the metric is for. */
    description?: string | null | undefined;
    /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
    guidelines?: string | undefined;
    /** Who or what scores. */
    evalType: "human";
    /** Kind of score. */
    outputType: "int";
    /** Lowest score that passes. */
    passingThreshold?: number | undefined;
  } | {
    /** Shown wherever scores are read. */
    name: string;
    /** What the metric is for. */
    description?: string | null | undefined;
    /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
    guidelines?: string | undefined;
    /** Who or what scores. */
    evalType: "human";
    /** Kind of score. */
    outputType: "float";
    /** Lowest score that passes. */
    passingThreshold?: number | undefined;
  } | {
    /** Shown wherever scores are read. */
    name: string;
    /** What the metric is for. */
    description?: string | null | undefined;
    /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
    guidelines?: string | undefined;
    /** Who or what scores. */
    evalType: "human";
    /** Kind of score. */
    outputType: "boolean";
  } | {
    /** Shown wherever scores are read. */
    name: string;
    /** What the metric is for. */
    description?: string | null | undefined;
    /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
    guidelines?: string | undefined;
    /** Who or what scores. */
    evalType: "heuristic";
    /** Kind of score. */
    outputType: "int";
    /** Lowest score that passes. */
    passingThreshold?: number | undefined;
  } | {
    /** Shown wherever scores are read. */
    name: string;
    /** What the metric is for. */
    description?: string | null | undefined;
    /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
    guidelines?: string | undefined;
    /** Who or what scores. */
    evalType: "heuristic";
    /** Kind of score. */
    outputType: "float";
    /** Lowest score that passes. */
    passingThreshold?: number | undefined;
  } | {
    /** Shown wherever scores are read. */
    name: string;
    /** What the metric is for. */
    description?: string | null | undefined;
    /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
    guidelines?: string | undefined;
    /** Who or what scores. */
    evalType: "heuristic";
    /** Kind of score. */
    outputType: "boolean";
  };
  /** Records to try it on. */
  examples: {
    /** A record that passes. */
    passing: {
      /** What went into the system. */
      inputs: JsonObject;
      /** What was expected of it. */
      expected: JsonObject;
      /** What it answered. */
      outputs: JsonObject;
      /** Why it passes, or fails. */
      why: string;
    };
    /** A record that fails. */
    failing: {
      /** What went into the system. */
      inputs: JsonObject;
      /** What was expected of it. */
      expected: JsonObject;
      /** What it answered. */
      outputs: JsonObject;
      /** Why it passes, or fails. */
      why: string;
    };
  };
};

/** A configuration that a metric has or had. It never changes. */
export type MetricVersion = {
  /** Id of the configuration: the metricConfigId of its scores. */
  id: string;
  /** Whether new runs score with it. */
  isCurrent: boolean;
  /** When it was made. */
  createdAt: string;
  /** Who or what scores. */
  evalType: "ai" | "human" | "heuristic";
  /** Kind of score. */
  outputType: "int" | "float" | "boolean";
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines: string;
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate?: string | undefined;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
};

/** Scores a share of the traces of a project as they arrive. */
export type Monitor = {
  /** Id of the monitor. */
  id: string;
  /** Id of its project. */
  projectId: string;
  /** Shown wherever monitors are read. */
  name: string;
  /** Metrics that score the drawn records, each with its configuration at that time. */
  metricIds: string[];
  /** Share of these records that is drawn to be scored. A hash of the id of its session or trace decides, so every monitor with this rate or a higher one draws the same record. */
  samplingRate: number;
  /** Records that the monitor looks at: those with the tag, and with a span that matches the other fields. Empty: all records. */
  filter: {
    /** Service of the span. */
    service?: string | undefined;
    /** Name of the span. */
    name?: string | undefined;
    /** Model of the span. */
    model?: string | undefined;
    /** true: such a span failed. false: none of them did. */
    error?: boolean | undefined;
    /** The span took at least this many milliseconds. */
    minDurationMs?: number | undefined;
    /** Tag of the record. */
    tag?: string | undefined;
  };
  /** Seconds without new spans after which the monitor looks at a record. */
  settleSeconds: number;
  /** Whether the monitor ignores what arrives. */
  paused: boolean;
  /** When it was created. */
  createdAt: string;
  /** When its metrics, rate or filter last changed. */
  definedAt: string;
  /** Results since then. */
  results: {
    /** Start of the results: definedAt, or 30 days ago if that is later. */
    since: string;
    /** Records that match the filter. */
    numRecords: number;
    /** Records that were drawn. */
    numDrawn: number;
    /** Results by metric, without deleted ones. */
    metrics: Array<{
      /** Id of the metric. */
      metricId: string;
      /** Name of the metric. */
      metricName: string;
      /** Its current configuration; only scores by it are counted. */
      metricConfigId: string;
      /** Records by what became of their score: a judge that failed is not a judge that said no. */
      states: {
        /** Scores that are there and valid. */
        scored: number;
        /** Scores that are still to come. */
        pending: number;
        /** Scores that could not be given, or do not fit the metric. */
        unscored: number;
        /** Scores whose judge failed. */
        failed: number;
      };
      passRate: Estimate;
    }>;
  };
};

/** A part of a text of a record or a span. */
export type Passage = {
  /** Where the text is: a JSON Pointer into the record as the API gives it (`/outputs/answer`), or with `spanId` into the span (`/output/0/content`, `/attributes/prompt`). */
  path: string;
  /** Where in the text the passage begins, in UTF-16 code units. */
  start: number;
  /** The passage itself: it is found by this when the text has changed. */
  text: string;
};

/** Labelled records on which a judge is tried again and again, with its verdicts at the reference. */
export type PinnedSet = {
  /** Id of the metric. */
  metricId: string;
  /** Configuration of the reference. */
  metricConfigId: string;
  /** Models that gave the verdicts of the reference, as they called themselves. */
  servedModels: string[];
  /** Where the labels come from: `metric`, `overrides` or `thumbs`. */
  source: string;
  /** Whether the service itself starts checks. */
  automatic: boolean;
  /** Labelled records that are pinned. */
  records: number;
  /** Of these, records that people pass. */
  humanPasses: number;
  /** Of these, records that the reference passes. */
  judgePasses: number;
  /** When the set was pinned. */
  pinnedAt: string;
};

/** How many testcases a comparison needs, or how small a difference it can see. */
export type Plan = {
  /** Id of the metric. */
  metricId: string;
  /** What is looked at of int and float metrics. */
  measure: string;
  /** Difference that is to be seen. */
  difference: number | null;
  /** Formula. */
  method: string;
  /** Testcases of the coming run. */
  n: number;
  /** Confidence level. */
  level: number;
  /** Power. */
  power: number;
  /** Tries of each testcase. */
  trials: number;
  /** Smallest difference that n testcases see; null when nothing is known. */
  minimumDetectable: number | null;
  /** Testcases needed to see `difference`; null without one. */
  needed: number | null;
  /** What this takes for granted. */
  assumption: string;
  /** Why there is no answer. */
  reason: string | null;
  /** The earlier run that this rests on. */
  basis: {
    /** Id of the run. */
    runId: string;
    /** How its variances were estimated. */
    method: string;
    /** Its testcases. */
    n: number;
    /** Variance of testcases’ scores. */
    between: number | null;
    /** Variance of a testcase’s score when tried again; null when none was. */
    within: number | null;
    /** Why one of them is not known. */
    reason: string | null;
  } | null;
  /** Of both systems’ scores over testcases. */
  correlation: {
    /** Correlation. */
    value: number;
    /** The two runs that it was measured on, or that it is assumed. */
    source: string;
    /** Testcases that these runs share. */
    n: number;
  };
};

/** Holds the testsets, metrics, systems and runs of one AI system under test. */
export type Project = {
  /** Id of the project. */
  id: string;
  /** Name of the project. */
  name: string | null;
  /** What the project is about. */
  description: string | null;
};

/** How the import of a project stands. */
export type ProjectImport = {
  /** Id of the project. */
  projectId: string;
  /** What the project was imported from. */
  importKey: string;
  /** When the import began. */
  startedAt: string;
  /** When everything was there; null before. */
  completedAt: string | null;
};

/** A tag that records of a project carry. */
export type ProjectTag = {
  /** The tag. */
  text: string;
  /** Records of the project that carry it. */
  numRecords: number;
};

/** A provider of models, without its secrets. */
export type Provider = {
  /** Id of the provider. */
  id: string;
  /** The part of an evalModelName before the slash: `ollama` for `ollama/gemma3`. */
  name: string;
  /** The API that it speaks. */
  kind: "openai" | "anthropic" | "google" | "azure" | "bedrock" | "openai-compatible";
  /** Base URL; null for the usual one. */
  baseUrl: string | null;
  /** azure: resourceName, apiVersion. bedrock: region, accessKeyId, secretAccessKey, sessionToken. openai: organization, project. Secret options are stored encrypted and never shown; an update without them keeps them. */
  options: { [name: string]: string };
  /** Whether a key or a secret option is stored. */
  hasSecret: boolean;
  /** Most concurrent requests of one process. */
  maxConcurrency: number;
  /** Most requests a minute of one process; null means no limit. */
  requestsPerMinute: number | null;
  /** When it was added. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
};

/** What the system made of one case: inputs, what was expected, outputs. */
export type Record = {
  /** Id of the record, `<run>-<n>`. */
  id: string;
  /** Id of its run. */
  runId: string;
  /** Id of the testcase that it answers; absent without one. */
  testcaseId?: string | undefined;
  /** What went into the system. */
  inputs: JsonObject;
  /** What was expected of it. */
  expected: JsonObject;
  /** What it answered. */
  outputs: JsonObject;
};

/** A record assigned to a user. */
export type RecordAssignment = {
  /** Id of the assignment. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** The user who is to look at the record. */
  assigneeUserId: string;
  /** The user who assigned it. */
  assignedByUserId: string;
  /** When it was assigned. */
  createdAt: string;
};

/** A record with everything about it but annotations and attachments. */
export type RecordDetail = {
  /** Id of the record, `<run>-<n>`. */
  id: string;
  /** Id of its run. */
  runId: string;
  /** Id of the testcase that it answers; absent without one. */
  testcaseId?: string | undefined;
  /** What went into the system. */
  inputs: JsonObject;
  /** What was expected of it. */
  expected: JsonObject;
  /** What it answered. */
  outputs: JsonObject;
  /** The scores that are there. */
  scores: Score[];
  /** Every score of the record in any state. */
  scoreStates: ScoreState[];
  /** Tags, oldest first. */
  tags: string[];
  /** Who it is assigned to, first assigned first. */
  assigneeUserIds: string[];
  /** What people said of it, in numbers. */
  annotationCounts: {
    /** Annotations that rate it up. */
    positive: number;
    /** Annotations that rate it down. */
    negative: number;
    /** Annotations that say something. */
    comments: number;
  };
  /** Revision of the testcase when the record was made. */
  testcaseRevision: number | null;
  /** Link to its trace. */
  otelLinkId: string | null;
  /** Session that it belongs to. */
  sessionId: string | null;
  /** When it was made. */
  createdAt: string;
};

/** Records counted over time. */
export type RecordHistogram = {
  /** All records that fit the filters. */
  total: number;
  /** When the first stretch begins; null when the project has no records. */
  start: string | null;
  /** Length of each stretch: a round number of milliseconds (0.005 is five), seconds, minutes, hours or days. */
  bucketSeconds: number;
  /** How many records were made in each stretch, oldest first; together from the first record of the project, or createdAfter, to the last, or createdBefore. */
  counts: number[];
};

/** A tag on a record. */
export type RecordTag = {
  /** Id of the tag on this record. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** The tag. */
  text: string;
  /** Who tagged: a user through the API, or a trace. */
  source: "user" | "otel";
  /** The user who tagged; null for a trace. */
  userId: string | null;
  /** When it was tagged. */
  createdAt: string;
};

/** A record with all its scores. */
export type RecordWithScores = {
  /** Id of the record, `<run>-<n>`. */
  id: string;
  /** Id of its run. */
  runId: string;
  /** Id of the testcase that it answers; absent without one. */
  testcaseId?: string | undefined;
  /** What went into the system. */
  inputs: JsonObject;
  /** What was expected of it. */
  expected: JsonObject;
  /** What it answered. */
  outputs: JsonObject;
  /** The scores that are there. */
  scores: Score[];
};

/** An answer to an annotation. */
export type Reply = {
  /** Id of the reply. */
  id: string;
  /** The annotation that it answers. */
  annotationId: string;
  /** What is answered. */
  comment: string;
  /** The user who wrote it. */
  userId: string;
  /** When it was written. */
  createdAt: string;
  /** When its author last changed it; null when never. */
  updatedAt: string | null;
};

/** New scores of a run by one metric, as proposals until they are kept. */
export type Rescoring = {
  /** Id of the rescoring. */
  id: string;
  /** Run whose records are re-scored. */
  runId: string;
  /** Metric that scores. */
  metricId: string;
  /** Configuration of the metric that proposes. */
  metricConfigId: string;
  /** Whether it covers every record of the run, or chosen ones. */
  wholeRun: boolean;
  /** The records that went first; null when all began at once. */
  sample: {
    /** Records that go first. */
    size: number;
    /** Records are drawn in the order of the SHA-256 of "<seed> <record id>": the same seed, the same sample. */
    seed: number;
  } | null;
  /** running: proposals are being made. sampled: the sample is done, the other records wait for extend. ready: review, then keep or discard. kept: the proposals are the scores. discarded: no score has changed. */
  status: "running" | "sampled" | "ready" | "kept" | "discarded";
  /** Why pending proposals are not made: the judge budget of the run is used up. Raise it to go on. */
  stoppedBy: "judgeBudget" | null;
  /** Records of the rescoring: those with a proposal, and those that extend would add. */
  numRecords: number;
  /** Records left alone because a person or a client gave their score, or people are asked for it. */
  numGiven: number;
  /** Records with a proposal, made or pending. */
  numProposals: number;
  /** How many records the proposals change in each way. The sum is numProposals. */
  changes: {
    /** The score passes now; the proposed one fails. */
    passToFail: number;
    /** The score fails now; the proposed one passes. */
    failToPass: number;
    /** The value differs; it passes or fails as before. */
    valueOnly: number;
    /** The value is the same. */
    same: number;
    /** There is no valid score now; the proposal has one. */
    newlyScored: number;
    /** The proposal could not be scored. The current score stays. */
    unscored: number;
    /** The proposal failed. The current score stays. */
    failed: number;
    /** A person or a client has given a score since. It stays. */
    givenMeanwhile: number;
    /** The proposal is not made yet. */
    pending: number;
  };
  /** What the proposals cost so far. None reuses an earlier verdict. */
  spent: {
    /** Null when the cost of one is not known. Code costs 0. */
    costUsd: number | null;
    /** Tokens that the judge read, as far as it reports them. */
    inputTokens: number;
    /** Tokens that the judge wrote, as far as it reports them. */
    outputTokens: number;
  };
  /** Estimate for the remaining records, measured on the proposals made; null when no record remains. */
  estimate: {
    /** Records without a proposal, which extend would add. */
    numRecords: number;
    /** Proposals that the estimate is measured on. */
    numMeasured: number;
    /** Null when the cost of one is not known. Code costs 0. */
    costUsd: {
      /** The value if the remaining records are like those that were measured. */
      estimate: number;
      /** Lower end of the 95 % prediction interval; null below two measured. */
      low: number | null;
      /** Upper end of it. */
      high: number | null;
    } | null;
    /** Null when nothing is measured yet. */
    inputTokens: {
      /** The value if the remaining records are like those that were measured. */
      estimate: number;
      /** Lower end of the 95 % prediction interval; null below two measured. */
      low: number | null;
      /** Upper end of it. */
      high: number | null;
    } | null;
    /** Null when nothing is measured yet. */
    outputTokens: {
      /** The value if the remaining records are like those that were measured. */
      estimate: number;
      /** Lower end of the 95 % prediction interval; null below two measured. */
      low: number | null;
      /** Upper end of it. */
      high: number | null;
    } | null;
    /** Seconds of a judge within the limits of its provider, or of code in the sandbox of one process of the service. Null when nothing is measured yet. */
    seconds: number | null;
  } | null;
  /** Who began it. */
  createdByUserId: string;
  /** When it was begun. */
  createdAt: string;
  /** Who kept or discarded it. */
  endedByUserId: string | null;
  /** When it was kept or discarded. */
  endedAt: string | null;
};

/** One record of a rescoring: its score and the proposed one. */
export type RescoringChange = {
  /** Id of the record. */
  recordId: string;
  /** What the proposal does to the score. */
  change: "passToFail" | "failToPass" | "valueOnly" | "same" | "newlyScored" | "unscored" | "failed" | "givenMeanwhile" | "pending";
  /** Whether the proposal became the score; null until the rescoring is kept. */
  applied: boolean | null;
  /** The score now, or when it was kept; null where there is none. */
  before: {
    /** Configuration that scored. */
    metricConfigId: string;
    /** pending, scored, unscored or failed. */
    state: string;
    /** Null without a valid value. */
    passed: boolean | null;
    /** Null unless there is one. */
    score: JsonObject | null;
    /** Why the score has no value. */
    reason: string | null;
  } | null;
  /** The proposal. */
  after: {
    /** Configuration that scored. */
    metricConfigId: string;
    /** pending, scored, unscored or failed. */
    state: string;
    /** Null without a valid value. */
    passed: boolean | null;
    /** Null unless there is one. */
    score: JsonObject | null;
    /** Why the proposal has no value. */
    reason: string | null;
  };
};

/** What one person says of a record. */
export type Review = {
  /** Id of the review. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** Configuration of the metric. */
  metricConfigId: string;
  /** The user. */
  userId: string;
  /** The value field of the metric (binaryScore, intScore or floatScore), and reasoning. */
  score: JsonObject;
  /** True when the reviewer could not have seen another review of the record before. */
  blind: boolean;
  /** When it was submitted. */
  submittedAt: string;
};

/** A record on which reviewers differ. */
export type ReviewDisagreement = {
  /** Id of the record. */
  recordId: string;
  /** Configuration of the metric. */
  metricConfigId: string;
  /** Highest less lowest value; true is 1 and false 0. */
  spread: number;
  /** What each of them says, oldest first. */
  reviews: Review[];
};

/** A random sample of a run's records for people to score, with the chance that each record had. */
export type ReviewSample = {
  /** Id of the sample. */
  id: string;
  /** Id of the run that it is drawn from. */
  runId: string;
  /** Id of the metric. */
  metricId: string;
  /** Configuration that the records are scored for. */
  metricConfigId: string;
  /** Records of a stratum are drawn in the order of the SHA-256 of "<seed> <record id>": the same seed, the same sample. */
  seed: number;
  /** Null without strata. */
  stratifyBy: {
    /** Records that carry this tag, and those that do not. */
    tag?: string | undefined;
    /** Each value of this field of the inputs (of a long one the start). */
    inputField?: string | undefined;
    /** Each value of this field of the testcase's data as it is now. */
    testcaseField?: string | undefined;
    /** What this other metric says: pass, fail, or no valid score yet. */
    metricId?: string | undefined;
  } | null;
  /** How the sample is shared among strata: in proportion to their records, or as equally as they allow. Each gets at least one record. */
  allocation: "proportional" | "equal";
  /** Records that could have been drawn: those of the run when it was last filled. */
  numRecords: number;
  /** Records in the sample. */
  numDrawn: number;
  /** Every record of a stratum has the same chance. A sample without strata has one a wave. */
  strata: Array<{
    /** The tag, the value or the verdict; null for records without it, and in a sample without strata. */
    value: string | null;
    /** Records that came to the run after the first draw form strata of their own: wave 2 and on. */
    wave: number;
    /** Records of the stratum when it was first drawn from. */
    numRecords: number;
    /** How many of them are in the sample. */
    numDrawn: number;
    /** Chance that each of them had: numDrawn / numRecords. */
    inclusionProbability: number;
  }>;
  /** Who drew it first. */
  userId: string;
  /** When it was drawn first. */
  createdAt: string;
};

/** How people score the records of a metric. */
export type ReviewSettings = {
  /** How many people score each record, each without sight of the others. The score is pending until then. */
  reviewers: number;
  /** Which of their scores becomes the current one: the latest, or the majority (of integers and floats the median; of two in the middle the lower). */
  rule: "latest" | "majority";
};

/** A record for you to score. It comes without its other scores, so that none sways you. */
export type ReviewTask = {
  /** Id of the record. */
  recordId: string;
  /** Id of the metric. */
  metricId: string;
  /** Configuration of the metric. */
  metricConfigId: string;
  /** Name of the metric. */
  metricName: string;
  /** What reviewers go by. */
  guidelines: string;
  /** Kind of score that is asked for. */
  outputType: "int" | "float" | "boolean";
  /** How many people score each record, each without sight of the others. The score is pending until then. */
  reviewers: number;
  /** Whether the record is assigned to you. */
  assigned: boolean;
  /** Until then nobody else is given your place at this record. Null when you have no claim on it. */
  claimedUntil: string | null;
  /** What you submitted for it last, even if undone since; null when nothing. */
  previousScore: JsonObject | null;
  record: Record;
};

/** How far the people agree who scored the same records. */
export type ReviewerAgreement = {
  /** Configuration that was scored by. */
  metricConfigId: string;
  /** Kind of score. */
  outputType: string;
  /** Lowest score that passes; null for a boolean. */
  passingThreshold: number | null;
  /** What is looked at: `score` or `pass`. */
  measure: string;
  /** Confidence level. */
  level: number;
  /** Reviews that count, at most 200,000, those of the newest runs. */
  reviews: number;
  /** Reviews that do not, as their authors could have seen others’. */
  reviewsLeftOut: number;
  /** Records with a review. */
  records: number;
  /** Records with two or more. */
  recordsWithSeveral: number;
  agreement: Estimate;
  alpha: Estimate;
  ac: Estimate;
  /** Each reviewer against the others: the 50 with the most reviews, these first. */
  reviewers: Array<{
    /** Who reviewed. */
    userId: string;
    /** Their reviews. */
    reviews: number;
    /** Of these, records that someone else reviewed too. */
    shared: number;
    /** Share of the others who said the same, averaged over the shared records. */
    agreement: number | null;
    /** By how much they score higher than the others on the shared records; for pass or fail a share. */
    difference: number | null;
    /** α of the reviewers without this one: higher than α, and they stand apart. */
    alphaWithout: number | null;
  }>;
  /** Reviewers beyond these. */
  reviewersLeftOut: number;
  /** Each two of them: the 100 with the most records in common. */
  pairs: Array<{
    /** The two of them. */
    userIds: string[];
    /** Records that both reviewed. */
    n: number;
    agreement: Estimate;
    /** Cohen’s κ, of scores from 1 to 5 with quadratic weights; null for floats. */
    kappa: Estimate | null;
  }>;
  /** What to bear in mind. */
  warnings: string[];
};

/** One evaluation: records of a system, scored by metrics. */
export type Run = {
  /** Id of the run. */
  id: string;
  /** Testset that the run puts to the system. */
  testsetId: string | null;
  /** System under test. */
  systemId: string | null;
  /** Version of the system under test. */
  systemVersionId: string | null;
  /** Metrics of the run. */
  metricIds: string[];
  /** Configuration of each metric, pinned when the run was made; same order as metricIds. */
  metricVersionIds: string[];
  /** Records that are there. */
  numRecords: number;
  /** Testcases of the testset when the run was made, times trials; null without a testset. */
  numExpectedRecords: number | null;
  /** Scores that are there. */
  numScores: number;
  /** How far the run has come, derived from its records and scores. */
  status: "pending" | "awaiting_execution" | "running_execution" | "awaiting_scoring" | "running_scoring" | "awaiting_human_scoring" | "completed";
};

/** Whether runs are really different, on the testcases that both have at the same revision. */
export type RunComparison = {
  /** The runs in the order asked for. */
  runs: Array<{
    /** Id of the run. */
    runId: string;
    /** Records of the run. */
    numRecords: number;
    /** Grouping field of its testset: the test then rests on groups. */
    groupedBy: string | null;
  }>;
  /** Confidence level. */
  level: number;
  /** Power of the minimum detectable differences. */
  power: number;
  /** Seed of whatever is drawn. */
  seed: number;
  /** What is compared of int and float metrics. */
  measure: string;
  /** How many tests Holm’s adjustment is over. */
  tests: number;
  /** Each run with each that comes after it. */
  pairs: Array<{
    /** Id of the run that is the baseline. */
    before: string;
    /** Id of the run that is held against it. */
    after: string;
    /** Metrics that both runs have. */
    metrics: Array<{
      /** Id of the metric. */
      metricId: string;
      /** Name of the metric. */
      metricName: string;
      /** Who or what scores. */
      evalType: "ai" | "human" | "heuristic";
      /** Kind of score. */
      outputType: "int" | "float" | "boolean";
      /** Lowest score that passes; null for a boolean, which passes when true. */
      passingThreshold: number | null;
      /** Configurations that gave the scores. */
      metricConfigIds: {
        /** In the first run. */
        before: string;
        /** In the second. */
        after: string;
      };
      /** Method of interval and test. */
      method: string;
      /** Testcases compared; when nothing pairs, those of both runs together. */
      n: number;
      /** Confidence level. */
      level: number;
      /** Power of the minimum detectable difference. */
      power: number;
      /** Seed of the signs; null where none were drawn. */
      seed: number | null;
      /** Mean of the first run. */
      before: number | null;
      /** Mean of the second run. */
      after: number | null;
      /** Second minus first. */
      difference: number | null;
      /** Standard error of the difference. */
      standardError: number | null;
      /** Of the difference; null when the data is too little. */
      interval: Interval | null;
      /** Why there is no interval. */
      reason: string | null;
      /** Two-sided p of the test that belongs to the interval. */
      p: number | null;
      /** The same after Holm, over all tests of this answer; the verdict rests on it. */
      adjustedP: number | null;
      /** For booleans tried once. */
      mcnemar: {
        /** Exact p. */
        exact: number;
        /** Mid-p. */
        midP: number;
      } | null;
      /** Testcases that are better in the second run. */
      wins: number;
      /** Testcases that are worse. */
      losses: number;
      /** Testcases that are the same. */
      ties: number;
      /** Between both runs over testcases: what pairing gained. */
      correlation: number | null;
      /** What would have been said without pairing. */
      unpairedInterval: Interval | null;
      /** Smallest true difference that such a comparison sees with this power. */
      minimumDetectable: number | null;
      /** Testcases that were not compared: in one run only, changed in between, without a score. */
      dropped: {
        /** In the first run only. */
        onlyBefore: {
          /** How many there are. */
          count: number;
          /** The first 20 of them; `listChangedTestcases` has them all. */
          testcases: string[];
        };
        /** In the second run only. */
        onlyAfter: {
          /** How many there are. */
          count: number;
          /** The first 20 of them; `listChangedTestcases` has them all. */
          testcases: string[];
        };
        /** Changed between the runs. */
        revised: {
          /** How many there are. */
          count: number;
          /** The first 20 of them; `listChangedTestcases` has them all. */
          testcases: string[];
        };
        /** Without any score in one of the runs. */
        unscored: {
          /** How many there are. */
          count: number;
          /** The first 20 of them; `listChangedTestcases` has them all. */
          testcases: string[];
        };
      };
      /** Of the second run, where interval and test agree. */
      verdict: "better" | "worse" | "cannot tell";
      /** The verdict in words. */
      sentence: string;
      /** What the interval takes for granted. */
      assumption: string;
      /** What to bear in mind. */
      warnings: string[];
    }>;
    /** Metrics that were not compared. */
    notCompared: Array<{
      /** Id of the metric. */
      metricId: string;
      /** Name of the metric. */
      metricName: string;
      /** Why. */
      reason: string;
    }>;
  }>;
};

/** Estimate of what the judges of a run will cost. */
export type RunCostEstimate = {
  /** Records that the estimate is for. */
  numRecords: number;
  /** What all judges will cost; null when one of their prices is not known. */
  costUsd: number | null;
  /** In the order asked for. */
  metrics: Array<{
    /** Id of the metric. */
    metricId: string;
    /** earlierScores: measured on verdicts of this configuration in its newest runs. template: from the length of the prompt and of the testcases, with 250 tokens for the unknown output and 200 for the verdict. free: no judge. */
    basis: "earlierScores" | "template" | "free";
    /** Verdicts that it was measured on; for code, how often it was timed. */
    numMeasured: number;
    /** Tokens that the judge will read. */
    inputTokens: number;
    /** Tokens that it will write. */
    outputTokens: number;
    /** What it will cost; null when the price of its model is not known. */
    costUsd: number | null;
    /** Seconds of a judge within the limits of its provider, or of code in the sandbox of one process of the service. Null where nothing is measured yet, and for people. */
    seconds: number | null;
  }>;
};

/** What a run says of one metric. Trials of a testcase are averaged first. */
export type RunEstimate = {
  /** Method of the interval. */
  method: string;
  /** Independent units that the interval rests on: testcases, or groups of them. */
  n: number;
  /** Confidence level. */
  level: number;
  /** Null when there is nothing to estimate from. */
  estimate: number | null;
  /** Standard error of the estimate. */
  standardError: number | null;
  /** Null when the data is too little. */
  interval: Interval | null;
  /** Why there is no interval. */
  reason: string | null;
  /** What the interval takes for granted. */
  assumption: string;
  /** What to bear in mind. */
  warnings: string[];
  /** Testcases with at least one score. */
  testcases: number;
  /** The estimate had every missing score been the worst, and the best, possible; null when none is missing. */
  range: Interval | null;
  /** pass@k and pass^k; empty unless testcases were tried more than once. */
  passK: Array<{
    /** Number of tries. */
    k: number;
    passAtK: Estimate;
    passHatK: Estimate;
  }>;
  /** Testcases that passed in one trial and failed in another. */
  flaky: {
    /** How many there are. */
    count: number;
    /** The first 100 of them. */
    testcases: Array<{
      /** Id of the testcase. */
      testcase: string;
      /** Times it was tried. */
      trials: number;
      /** Times it passed. */
      passes: number;
    }>;
  };
};

/** Notes on a run, in Markdown or plain text. */
export type RunNotes = {
  /** Id of the run. */
  runId: string;
  /** What people wrote about the run; empty at first. */
  notes: string;
};

/** What a run says, metric by metric, each number with its uncertainty. */
export type RunSummary = {
  /** Id of the run. */
  runId: string;
  /** When it was started. */
  createdAt: string;
  /** Confidence level. */
  level: number;
  /** Records of the run. */
  numRecords: number;
  /** Grouping field of the testset: intervals rest on groups. Null without one. */
  groupedBy: string | null;
  /** Each configuration with scores in the run; first those that it was started with. */
  metrics: Array<{
    /** Id of the metric. */
    metricId: string;
    /** Name of the metric. */
    metricName: string;
    /** Configuration that gave the scores. */
    metricConfigId: string;
    /** Who or what scores. */
    evalType: "ai" | "human" | "heuristic";
    /** Kind of score. */
    outputType: "int" | "float" | "boolean";
    /** Lowest score that passes; null for a boolean, which passes when true. */
    passingThreshold: number | null;
    /** Whether the run was started with this configuration. */
    pinned: boolean;
    /** Records by what became of their score: a judge that failed is not a judge that said no. */
    states: {
      /** Scores that are there and valid. */
      scored: number;
      /** Scores that are still to come. */
      pending: number;
      /** Scores that could not be given, or do not fit the metric. */
      unscored: number;
      /** Scores whose judge failed. */
      failed: number;
    };
    passRate: RunEstimate;
    /** Mean score; null for a boolean, whose mean is the pass rate. */
    mean: RunEstimate | null;
    /** How often each score was given; floats in 20 bins. */
    distribution: Array<{
      /** Smallest score counted here. */
      low: number;
      /** Largest score counted here. */
      high: number;
      /** Scores. */
      count: number;
    }>;
    /** Null unless a model judges. */
    cost: {
      /** US dollars; null when no cost is known. */
      costUsd: number | null;
      /** Tokens sent. */
      inputTokens: number | null;
      /** Tokens received. */
      outputTokens: number | null;
      /** Scores whose cost is known; `costUsd` is the sum of these. */
      priced: number;
    } | null;
  }>;
  /** Null unless `by` asks for it. With many groups, some look odd by chance: these are no tests. */
  breakdown: {
    /** What the records are grouped by. */
    by: string;
    /** The 100 largest groups, largest first. */
    groups: Array<{
      /** The tag, or the value of the field. */
      value: string;
      /** Records of this group. */
      numRecords: number;
      /** As for the whole run. */
      metrics: Array<{
        /** Id of the metric. */
        metricId: string;
        /** Name of the metric. */
        metricName: string;
        /** Configuration that gave the scores. */
        metricConfigId: string;
        /** Who or what scores. */
        evalType: "ai" | "human" | "heuristic";
        /** Kind of score. */
        outputType: "int" | "float" | "boolean";
        /** Lowest score that passes; null for a boolean, which passes when true. */
        passingThreshold: number | null;
        /** Whether the run was started with this configuration. */
        pinned: boolean;
        /** Records by what became of their score: a judge that failed is not a judge that said no. */
        states: {
          /** Scores that are there and valid. */
          scored: number;
          /** Scores that are still to come. */
          pending: number;
          /** Scores that could not be given, or do not fit the metric. */
          unscored: number;
          /** Scores whose judge failed. */
          failed: number;
        };
        passRate: RunEstimate;
        /** Mean score; null for a boolean, whose mean is the pass rate. */
        mean: RunEstimate | null;
        /** How often each score was given; floats in 20 bins. */
        distribution: Array<{
          /** Smallest score counted here. */
          low: number;
          /** Largest score counted here. */
          high: number;
          /** Scores. */
          count: number;
        }>;
      }>;
    }>;
    /** Groups beyond these. */
    groupsLeftOut: number;
  } | null;
};

/** A record of a sample. */
export type SampledRecord = {
  /** Id of the record. */
  recordId: string;
  /** The tag, the value or the verdict; null for records without it, and in a sample without strata. */
  stratum: string | null;
  /** Wave of its stratum. */
  wave: number;
  /** Chance that the record had to be in the sample, as it is now. */
  inclusionProbability: number;
  /** State of its score. */
  state: "pending" | "scored" | "unscored" | "failed";
  /** Value of its score, true as 1 and false as 0; null while there is none. */
  value: number | null;
};

/** A search of a project’s records that was given a name. */
export type SavedView = {
  /** Id of the view. */
  id: string;
  /** What it is called. */
  name: string;
  /** Whether everybody sees it, or only who made it. */
  shared: boolean;
  /** The search, as it is typed: `result:fail tag:"look again" refund`; empty finds all records. */
  search: string;
  /** How the records are shown: columns, their order and width, the height of rows. */
  display: JsonObject;
  /** Who made it. */
  userId: string;
  /** When it was made. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
};

/** What a metric says of a record. */
export type Score = {
  /** Id of the record. */
  recordId: string;
  /** Configuration of the metric that gave the score. */
  metricConfigId: string;
  /** One of binaryScore, intScore, floatScore, and reasoning. All scores of a record have 100 MB at most. */
  score: JsonObject;
  /** What does not fit; absent when everything does. */
  validationErrors?: Array<{
    /** JSON Pointer to what is wrong. */
    path: string;
    /** What it must be instead. */
    message: string;
  }> | undefined;
};

/** One score with everything known about how it came to be. */
export type ScoreDetail = {
  /** Id of the record. */
  recordId: string;
  /** Configuration of the metric that gave the score. */
  metricConfigId: string;
  /** pending, scored, unscored or failed. */
  state: string;
  /** The score; null unless it is there. */
  score: JsonObject | null;
  /** Why it is unscored or failed. */
  reason: string | null;
  /** What went wrong at the last try. */
  lastError: string | null;
  /** Tries so far. */
  attempts: number;
  /** Whose key or hand gave the score. */
  scoredByUserId: string | null;
  /** A model's verdict: model asked and answered, prompt as sent, raw reply, tokens, cost, latency, hash of the input; docs/judges.md. Of code: what was cut of a trace; and with one record of those scored together how long each took. */
  evidence: JsonObject | null;
  /** When the state last changed. */
  updatedAt: string;
  /** Verdicts that were replaced, newest first. */
  history: Array<{
    /** Configuration of the metric that gave the score. */
    metricConfigId: string;
    /** pending, scored, unscored or failed. */
    state: string;
    /** The score; null unless it is there. */
    score: JsonObject | null;
    /** Why it is unscored or failed. */
    reason: string | null;
    /** Whose key or hand gave the score. */
    scoredByUserId: string | null;
    /** A model's verdict: model asked and answered, prompt as sent, raw reply, tokens, cost, latency, hash of the input; docs/judges.md. Of code: what was cut of a trace; and with one record of those scored together how long each took. */
    evidence: JsonObject | null;
    /** When it was given. */
    scoredAt: string;
    /** When another took its place. */
    replacedAt: string;
  }>;
};

/** One metric on one record: where it stands and what it said. */
export type ScoreState = {
  /** Id of the metric. */
  metricId: string;
  /** Name of the metric. */
  metricName: string;
  /** Configuration of the metric that gave the score. */
  metricConfigId: string;
  /** A judge that failed is not a judge that said no: only a scored one has a value. */
  state: "pending" | "scored" | "unscored" | "failed";
  /** Whether the value reaches the metric's threshold; null without a valid value. */
  passed: boolean | null;
  /** The score; null unless it is there. */
  score: JsonObject | null;
  /** Why it is unscored or failed. */
  reason: string | null;
  /** What does not fit; absent when everything does. */
  validationErrors?: Array<{
    /** JSON Pointer to what is wrong. */
    path: string;
    /** What it must be instead. */
    message: string;
  }> | undefined;
  /** Whose key or hand gave the score. */
  scoredByUserId: string | null;
  /** When the state last changed. */
  updatedAt: string;
};

/** A person who is signed in. The answer sets the cookie that further requests carry. */
export type Session = {
  /** Id of the session. */
  id: string;
  user: Member;
  /** When it ends by itself. */
  expiresAt: string;
};

/** A link to choose a password: an invitation, or help for one who forgot theirs. */
export type SignInLink = {
  /** Give it to the member; whoever opens it chooses their password, once. */
  url: string;
  /** When it ends. */
  expiresAt: string;
};

/** Whom a sign-in link is for. */
export type SignInLinkTarget = {
  /** The organization of the member. */
  organization: {
    /** Id of the organization. */
    id: string;
    /** Name of the organization. */
    name: string;
  };
  user: Member;
};

/** A span of a trace. */
export type Span = {
  /** Id of its trace, 32 hexadecimal digits. */
  traceId: string;
  /** Id of the span, 16 hexadecimal digits. */
  spanId: string;
  /** Id of its parent; null for a root. */
  parentSpanId: string | null;
  /** Name of the span. */
  name: string;
  /** service.name of its resource; empty when it has none. */
  service: string;
  /** OpenTelemetry's kind. */
  kind: "unspecified" | "internal" | "server" | "client" | "producer" | "consumer";
  /** What it does, as far as its attributes say. */
  operation: "chat" | "tool" | "agent" | "chain" | "embedding" | "retrieval" | null;
  /** Model that answered, or else that was asked. */
  model: string | null;
  /** Whether it ended in an error. */
  failed: boolean;
  /** When it began: ISO 8601, UTC, nanoseconds. */
  startTime: string;
  /** When it ended. */
  endTime: string;
  /** Milliseconds from start to end. */
  durationMs: number;
  /** Record that it belongs to; null while the record of its link is not there. */
  recordId: string | null;
};

/** A span with everything that came with it. */
export type SpanDetail = {
  /** Id of its trace, 32 hexadecimal digits. */
  traceId: string;
  /** Id of the span, 16 hexadecimal digits. */
  spanId: string;
  /** Id of its parent; null for a root. */
  parentSpanId: string | null;
  /** Name of the span. */
  name: string;
  /** service.name of its resource; empty when it has none. */
  service: string;
  /** OpenTelemetry's kind. */
  kind: "unspecified" | "internal" | "server" | "client" | "producer" | "consumer";
  /** What it does, as far as its attributes say. */
  operation: "chat" | "tool" | "agent" | "chain" | "embedding" | "retrieval" | null;
  /** Model that answered, or else that was asked. */
  model: string | null;
  /** Whether it ended in an error. */
  failed: boolean;
  /** When it began: ISO 8601, UTC, nanoseconds. */
  startTime: string;
  /** When it ended. */
  endTime: string;
  /** Milliseconds from start to end. */
  durationMs: number;
  /** Record that it belongs to; null while the record of its link is not there. */
  recordId: string | null;
  /** Provider of the model. */
  provider: string | null;
  /** Tokens that went in. */
  inputTokens: number | null;
  /** Tokens that came out. */
  outputTokens: number | null;
  /** Of those that went in, read from a cache. */
  cachedInputTokens: number | null;
  /** Of those that came out, spent on reasoning. */
  reasoningTokens: number | null;
  /** Cost that the sender gave, in US dollars. */
  costUsd: number | null;
  /** Why it failed, as far as it says. */
  error: string | null;
  /** Messages that went in. */
  input: Array<{
    /** system, user, assistant, tool, or what the sender called it. */
    role: string;
    /** The text. */
    content: string;
    /** What the model thought before it answered. */
    reasoning?: string | undefined;
    /** Tools that the model asked for. */
    toolCalls?: Array<{
      /** Id of the call. */
      id: string | null;
      /** Name of the tool. */
      name: string;
      /** What it was called with. */
      arguments: unknown;
    }> | undefined;
    /** Call that this answers. */
    toolCallId?: string | undefined;
    /** Tool that answers. */
    name?: string | undefined;
    /** Parts that are no text, as they came. */
    media?: unknown[] | undefined;
  }>;
  /** Messages that came out. */
  output: Array<{
    /** system, user, assistant, tool, or what the sender called it. */
    role: string;
    /** The text. */
    content: string;
    /** What the model thought before it answered. */
    reasoning?: string | undefined;
    /** Tools that the model asked for. */
    toolCalls?: Array<{
      /** Id of the call. */
      id: string | null;
      /** Name of the tool. */
      name: string;
      /** What it was called with. */
      arguments: unknown;
    }> | undefined;
    /** Call that this answers. */
    toolCallId?: string | undefined;
    /** Tool that answers. */
    name?: string | undefined;
    /** Parts that are no text, as they came. */
    media?: unknown[] | undefined;
  }>;
  /** The tool that it ran; null when it ran none. */
  tool: {
    /** Id of the call. */
    id: string | null;
    /** Name of the tool. */
    name: string;
    /** What it was called with. */
    arguments: unknown;
    /** What it gave back. */
    result: unknown;
  } | null;
  /** W3C trace state. */
  traceState: string;
  /** How many the sender left out. */
  dropped: {
    /** Attributes. */
    attributes: number;
    /** Events. */
    events: number;
    /** Links. */
    links: number;
  };
  /** As they came. */
  attributes: JsonObject;
  /** Events, as they came. */
  events: JsonObject[];
  /** Links to other spans, as they came. */
  links: JsonObject[];
  /** As they came. */
  resource: JsonObject;
  /** Instrumentation scope: name, version, attributes. */
  scope: JsonObject;
};

/** The deletion is done. */
export type Success = {
  /** Always true. */
  success: boolean;
};

/** An AI system under test, with its versions. */
export type System = {
  /** Id of the system. */
  id: string;
  /** Name, unique in the project. */
  name: string;
  /** What the system does. */
  description: string;
  productionVersion: SystemVersion;
  /** All versions, oldest first. */
  versions: Array<{
    /** Id of the version. */
    id: string;
    /** Name of the version. */
    name: string;
  }>;
};

/** One immutable configuration of a system. */
export type SystemVersion = {
  /** Id of the version. */
  id: string;
  /** Id of the system. */
  systemId: string;
  /** Name of the version. */
  name: string;
  /** What this version of the system is made of: model, prompt, parameters; any JSON object. */
  config: JsonObject;
};

/** One case to put to the system: what goes in and what should come out. */
export type Testcase = {
  /** Id of the testcase, `<testset>-<n>`. */
  id: string;
  /** Id of its testset. */
  testsetId: string;
  /** The testcase as it was sent. */
  jsonData: JsonObject;
  /** The fields of jsonData that the testset maps to inputs. */
  inputs: JsonObject;
  /** The fields of jsonData that the testset maps to expected. */
  expected: JsonObject;
  /** What does not fit; absent when everything does. */
  validationErrors?: Array<{
    /** JSON Pointer to what is wrong. */
    path: string;
    /** What it must be instead. */
    message: string;
  }> | undefined;
};

/** A set of testcases that share one schema. */
export type Testset = {
  /** Id of the testset. */
  id: string;
  /** Name of the testset. */
  name: string;
  /** What the testset covers. */
  description: string;
  /** JSON Schema that each testcase is held against: by $schema draft 2020-12 or 2019-09, else draft 7. Drafts 4 and 6 are read as draft 7 too: `exclusiveMinimum: true`, `exclusiveMaximum: true` and `id` for the whole, which draft 4 has, are refused. */
  jsonSchema: JsonObject;
  /** Which top-level fields of a testcase mean what. */
  fieldMapping: {
    /** Fields of jsonData that go into the system. */
    inputs: string[];
    /** Fields of jsonData that hold what is expected of it. */
    expected: string[];
    /** Fields of jsonData that only describe the testcase. */
    metadata: string[];
  };
};

/** What became of an annotation: its answers, and whether it is settled. */
export type Thread = {
  /** The annotation that the thread began with. */
  annotationId: string;
  /** When it was settled; null while it is open. */
  resolvedAt: string | null;
  /** Who settled it. */
  resolvedByUserId: string | null;
  /** The answers, oldest first. */
  replies: Reply[];
};

/** How a project keeps traces. */
export type TraceSettings = {
  /** Days that traces are kept after they came, with the records made for them; null keeps them for ever. */
  retentionDays: number | null;
};

/** A span and its place in the tree of a record. */
export type TreeSpan = {
  /** Id of its trace, 32 hexadecimal digits. */
  traceId: string;
  /** Id of the span, 16 hexadecimal digits. */
  spanId: string;
  /** Id of its parent; null for a root. */
  parentSpanId: string | null;
  /** Name of the span. */
  name: string;
  /** service.name of its resource; empty when it has none. */
  service: string;
  /** OpenTelemetry's kind. */
  kind: "unspecified" | "internal" | "server" | "client" | "producer" | "consumer";
  /** What it does, as far as its attributes say. */
  operation: "chat" | "tool" | "agent" | "chain" | "embedding" | "retrieval" | null;
  /** Model that answered, or else that was asked. */
  model: string | null;
  /** Whether it ended in an error. */
  failed: boolean;
  /** When it began: ISO 8601, UTC, nanoseconds. */
  startTime: string;
  /** When it ended. */
  endTime: string;
  /** Milliseconds from start to end. */
  durationMs: number;
  /** How deep below a root it stands. */
  depth: number;
  /** True when its parent has not come: it is shown as a root. */
  parentMissing: boolean;
};

/** Each metric over the last runs. Overlapping intervals are no comparison: compare the runs. */
export type Trends = {
  /** Confidence level. */
  level: number;
  /** Runs looked at. */
  numRuns: number;
  /** Each metric that these runs have scores of. */
  metrics: Array<{
    /** Id of the metric. */
    metricId: string;
    /** Name of the metric. */
    metricName: string;
    /** Kind of score. */
    outputType: "int" | "float" | "boolean";
    /** One a run and configuration, oldest first. */
    points: Array<{
      /** Id of the run. */
      runId: string;
      /** When it was started. */
      createdAt: string;
      /** Its testset: runs of different testsets are not one trend. */
      testsetId: string | null;
      /** Version of the system under test. */
      systemVersionId: string | null;
      /** Configuration that gave the scores. */
      metricConfigId: string;
      /** Grouping field of the testset: intervals rest on groups. */
      groupedBy: string | null;
      /** Records by what became of their score: a judge that failed is not a judge that said no. */
      states: {
        /** Scores that are there and valid. */
        scored: number;
        /** Scores that are still to come. */
        pending: number;
        /** Scores that could not be given, or do not fit the metric. */
        unscored: number;
        /** Scores whose judge failed. */
        failed: number;
      };
      passRate: Estimate;
      /** Mean score; null for a boolean. */
      mean: Estimate | null;
    }>;
  }>;
};

/** Query of listKeys. */
export type ListKeysQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of createKey. */
export type CreateKeyBody = {
  /** What the key is for. */
  name: string;
  /** full: whatever its member may do. read: only reading. */
  access?: "full" | "read" | undefined;
  /** Project of the traces that are sent with this key and name none. */
  defaultProjectId?: string | undefined;
  /** When the key ends. Without it never, or when the key that makes it ends: no key makes one that outlives it. */
  expiresAt?: string | undefined;
};

/** Query of measureAgreement. */
export type MeasureAgreementQuery = {
  /** Confidence level of every interval. */
  level?: number | undefined;
  /** Configuration that was scored by; by default that of the run, else the current one. */
  metricConfigId?: string | undefined;
  /** Run whose reviews count; by default those of all runs. */
  runId?: string | undefined;
  /** `pass` looks at whether int and float scores pass instead of at the scores. */
  measure?: "score" | "pass" | undefined;
  /** Whether reviews count as well whose author could have seen what others had said. They agree more than they should. */
  sighted?: boolean | undefined;
};

/** Query of calibrateMetric. */
export type CalibrateMetricQuery = {
  /** What people said: `metric`, the scores of the metric `against`; `overrides`, their own scores in place of this metric’s; `thumbs`, annotations of the record, the majority of them. Default `metric` with `against`, else `overrides`. */
  labels?: "metric" | "overrides" | "thumbs" | undefined;
  /** Metric by which people scored the same records. */
  against?: string | undefined;
  /** Configuration of the judge; by default that of the run, else the current one. Another configuration is another judge. */
  metricConfigId?: string | undefined;
  /** Which labels count. Each is `dev` or `test` for ever, by a hash of its testcase. */
  split?: "all" | "dev" | "test" | undefined;
  /** Confidence level of every interval. */
  level?: number | undefined;
  /** Run whose pass rate is corrected for the errors of the judge. */
  runId?: string | undefined;
};

/** Query of listJudgeDisagreements. */
export type ListJudgeDisagreementsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
  /** What people said: `metric`, the scores of the metric `against`; `overrides`, their own scores in place of this metric’s; `thumbs`, annotations of the record, the majority of them. Default `metric` with `against`, else `overrides`. */
  labels?: "metric" | "overrides" | "thumbs" | undefined;
  /** Metric by which people scored the same records. */
  against?: string | undefined;
  /** Configuration of the judge; by default that of the run, else the current one. Another configuration is another judge. */
  metricConfigId?: string | undefined;
  /** Which labels count. Each is `dev` or `test` for ever, by a hash of its testcase. */
  split?: "all" | "dev" | "test" | undefined;
};

/** Query of measureDrift. */
export type MeasureDriftQuery = {
  /** Confidence level of every interval. */
  level?: number | undefined;
  /** Most checks, the newest. */
  limit?: number | undefined;
};

/** Body of pinRecords. */
export type PinRecordsBody = {
  /** Where the labels come from, as for the calibration. Default `metric` with `against`, else `overrides`. */
  labels?: "metric" | "overrides" | "thumbs" | undefined;
  /** Metric by which people scored the same records. */
  against?: string | undefined;
  /** Configuration that is the reference; by default the current one. */
  metricConfigId?: string | undefined;
  /** Most records; of more labelled ones as many are chosen by a hash of their ids. */
  size?: number | undefined;
  /** Whether the service itself tries each new configuration, and each model that answers for the first time. */
  automatic?: boolean | undefined;
};

/** Query of planRun. */
export type PlanRunQuery = {
  /** Metric that is to tell the systems apart. */
  metricId: string;
  /** Difference that is to be seen, in the unit of the score; a rate’s 3 points are 0.03. */
  difference?: number | undefined;
  /** Testcases of the coming run; by default those of the testset, or as many as the earlier run had. */
  n?: number | undefined;
  /** Testset of the coming run. */
  testsetId?: string | undefined;
  /** Tries of each testcase. */
  trials?: number | undefined;
  /** What is compared of int and float metrics: the score itself, or whether it passes. */
  measure?: "score" | "pass" | undefined;
  /** Confidence level of every interval. */
  level?: number | undefined;
  /** Power at which the minimum detectable difference is seen. */
  power?: number | undefined;
};

/** Query of listTrends. */
export type ListTrendsQuery = {
  /** Most runs, the newest. */
  limit?: number | undefined;
  /** Only this metric, and only runs started with it. */
  metricId?: string | undefined;
  /** Confidence level of every interval. */
  level?: number | undefined;
};

/** Query of compareRuns. */
export type CompareRunsQuery = {
  /** Ids of the runs, repeated or joined with commas, 2 to 8: the baseline first. */
  runs: string[];
  /** Confidence level of every interval. */
  level?: number | undefined;
  /** Power at which the minimum detectable difference is seen. */
  power?: number | undefined;
  /** Seed of whatever is drawn. */
  seed?: number | undefined;
  /** What is compared of int and float metrics: the score itself, or whether it passes. */
  measure?: "score" | "pass" | undefined;
};

/** Query of listChangedTestcases. */
export type ListChangedTestcasesQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Ids of the runs, repeated or joined with commas: the baseline first. */
  runs: string[];
  /** Metric whose scores are compared. */
  metricId: string;
  /** What is compared of int and float metrics: the score itself, or whether it passes. */
  measure?: "score" | "pass" | undefined;
  /** Which testcases are listed, repeated or joined with commas; by default those that are better or worse. */
  change?: Array<"better" | "worse" | "same" | "onlyBefore" | "onlyAfter" | "revised" | "unscored"> | undefined;
};

/** Query of summarizeRun. */
export type SummarizeRunQuery = {
  /** Confidence level of every interval. */
  level?: number | undefined;
  /** Breaks the summary down: `tag`, `metadata.<field>` (a field of the testcase) or `inputs.<field>`. */
  by?: string | undefined;
};

/** Body of createAnnotation. */
export type CreateAnnotationBody = {
  /** True is positive, false is negative. */
  rating: boolean;
  /** Free text; empty when none was given. */
  comment?: string | undefined;
  /** A span of this record that the annotation is on. */
  spanId?: string | null | undefined;
  /** A part of a text of a record or a span. */
  passage?: {
    /** Where the text is: a JSON Pointer into the record as the API gives it (`/outputs/answer`), or with `spanId` into the span (`/output/0/content`, `/attributes/prompt`). */
    path: string;
    /** Where in the text the passage begins, in UTF-16 code units. */
    start: number;
    /** The passage itself: it is found by this when the text has changed. */
    text: string;
  } | undefined;
};

/** Body of updateAnnotation. */
export type UpdateAnnotationBody = {
  /** True is positive, false is negative. */
  rating?: boolean | undefined;
  /** Free text; empty when none was given. */
  comment?: string | undefined;
};

/** Body of createReply. */
export type CreateReplyBody = {
  /** What is answered. */
  comment: string;
};

/** Body of updateReply. */
export type UpdateReplyBody = {
  /** What is answered. */
  comment: string;
};

/** Body of resolveAnnotation. */
export type ResolveAnnotationBody = {
  /** True settles the thread, false opens it again. */
  resolved: boolean;
};

/** Query of exportAnnotations. */
export type ExportAnnotationsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query of exportReplies. */
export type ExportRepliesQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importAnnotations. */
export type ImportAnnotationsBody = {
  /** The rows as exportAnnotations gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the annotation. */
    id: string;
    /** Id of the record. */
    recordId: string;
    /** Span that it is about. */
    spanId: string | null;
    /** Thumb up or down. */
    rating: boolean;
    /** What was said. */
    comment: string;
    /** The passage that it is on. */
    passage: JsonObject | null;
    /** Who made it. */
    userId: string;
    /** When it was made. */
    createdAt: string;
    /** When it last changed. */
    updatedAt: string;
    /** When it was settled. */
    resolvedAt: string | null;
    /** Who settled it. */
    resolvedByUserId: string | null;
  }>;
};

/** Body of importReplies. */
export type ImportRepliesBody = {
  /** The rows as exportReplies gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the reply. */
    id: string;
    /** Id of the record. */
    recordId: string;
    /** Annotation that it answers. */
    annotationId: string;
    /** What was said. */
    comment: string;
    /** Who said it. */
    userId: string;
    /** When it was made. */
    createdAt: string;
    /** When it was last changed. */
    updatedAt: string | null;
  }>;
};

/** Body of assignRecordUser. */
export type AssignRecordUserBody = {
  /** The user who is to look at the record. */
  assigneeUserId: string;
};

/** Query of exportAssignments. */
export type ExportAssignmentsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importAssignments. */
export type ImportAssignmentsBody = {
  /** The rows as exportAssignments gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the assignment. */
    id: string;
    /** Id of the record. */
    recordId: string;
    /** Who is to look at it. */
    assigneeUserId: string;
    /** Who said so. */
    assignedByUserId: string;
    /** When it was made. */
    createdAt: string;
  }>;
};

/** Body of initiateAttachment. */
export type InitiateAttachmentBody = {
  /** Session that the file belongs to. */
  sessionId: string;
  /** Where the file was in the session. */
  filePath: string;
  /** SHA-256 that the bytes must have. */
  sha256: string;
  /** Size that the bytes must have. */
  sizeBytes: number;
  /** Media type of the bytes. */
  contentType: string;
  /** Name for people. */
  filename?: string | undefined;
  /** Any JSON object. */
  metadata?: JsonObject | undefined;
};

/** Query of listSessionAttachments. */
export type ListSessionAttachmentsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query of exportDriftChecks. */
export type ExportDriftChecksQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query of exportPinnedLabels. */
export type ExportPinnedLabelsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query of exportPinnedSet. */
export type ExportPinnedSetQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importDriftChecks. */
export type ImportDriftChecksBody = {
  /** The rows as exportDriftChecks gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** The run that holds the new verdicts. */
    runId: string;
    /** Configuration of a metric. */
    metricConfigId: string;
    /** Models that it was started for. */
    forModels: string[];
    /** When it was made. */
    createdAt: string;
  }>;
};

/** Body of importPinnedLabels. */
export type ImportPinnedLabelsBody = {
  /** The rows as exportPinnedLabels gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the record. */
    recordId: string;
    /** Its place in the set. */
    place: number;
    /** Whether people pass it. */
    humanPassed: boolean;
    /** Whether the reference passes it. */
    judgePassed: boolean;
  }>;
};

/** Body of importPinnedSet. */
export type ImportPinnedSetBody = {
  /** The rows as exportPinnedSet gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Configuration of a metric. */
    metricConfigId: string;
    /** Models that gave the verdicts of the reference. */
    servedModels: string[];
    /** Where the labels come from. */
    source: "metric" | "overrides" | "thumbs";
    /** Whether the service itself starts checks. */
    automatic: boolean;
    /** Who pinned it. */
    pinnedByUserId: string;
    /** When. */
    pinnedAt: string;
  }>;
};

/** Query of listExecutions. */
export type ListExecutionsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Keeps executions in this state. */
  state?: "pending" | "done" | "failed" | "cancelled" | undefined;
};

/** Query of exportExecutions. */
export type ExportExecutionsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importExecutions. */
export type ImportExecutionsBody = {
  /** The rows as exportExecutions gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Its place. */
    n: number;
    /** Testcase that is put to the system. */
    testcaseId: string;
    /** Which time. */
    trial: number;
    /** Where it stands. */
    state: "pending" | "done" | "failed" | "cancelled";
    /** Tries so far. */
    attempts: number;
    /** What the last call that failed came to. */
    error: string | null;
    /** The record that it made. */
    recordId: string | null;
    /** How long the system took. */
    latencyMs: number | null;
    /** What it cost, as far as it is known. */
    costUsd: number | null;
    /** Tokens of what was asked. */
    inputTokens: number | null;
    /** Tokens of what was answered. */
    outputTokens: number | null;
    /** How a prompt system came to its answer. */
    evidence: JsonObject | null;
    /** When it last changed. */
    updatedAt: string;
  }>;
};

/** Query of streamChanges. */
export type StreamChangesQuery = {
  /** Seconds after which the stream ends; connect again to go on. */
  maxSeconds?: number | undefined;
  /** Begins with the changes of at least this many seconds before, for a page that was read before the stream began. */
  pastSeconds?: number | undefined;
};

/** Query of listMembers. */
export type ListMembersQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of createMember. */
export type CreateMemberBody = {
  /** Name of the person. */
  name: string;
  /** E-mail address, unique in the organization. */
  email: string;
  /** admin: everything, members and keys too. member: read and write. viewer: read. */
  role: "admin" | "member" | "viewer";
};

/** Body of updateMember. */
export type UpdateMemberBody = {
  /** Name of the person. */
  name?: string | undefined;
  /** admin: everything, members and keys too. member: read and write. viewer: read. */
  role?: "admin" | "member" | "viewer" | undefined;
};

/** Body of updateMetric. */
export type UpdateMetricBody = {
  /** Shown wherever scores are read. */
  name?: string | undefined;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "int";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate?: string | undefined;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name?: string | undefined;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "float";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate?: string | undefined;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name?: string | undefined;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "boolean";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate?: string | undefined;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name?: string | undefined;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "int";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name?: string | undefined;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "float";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name?: string | undefined;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "boolean";
} | {
  /** Shown wherever scores are read. */
  name?: string | undefined;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "int";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name?: string | undefined;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "float";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name?: string | undefined;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "boolean";
};

/** Body of updateJudgeSettings. */
export type UpdateJudgeSettingsBody = {
  /** How often the model is asked; the majority or the median is the score, the votes are kept beside it. */
  judgeRepeats: number;
};

/** Query of listMetricVersions. */
export type ListMetricVersionsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query of exportMetrics. */
export type ExportMetricsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importMetric. */
export type ImportMetricBody = {
  /** What it is called. */
  name: string;
  /** What it is for. */
  description: string | null;
  /** How many people score each record, each without sight of the others. The score is pending until then. */
  reviewers: number;
  /** Which of their scores becomes the current one: the latest, or the majority (of integers and floats the median; of two in the middle the lower). */
  rule: "latest" | "majority";
  /** When it was made. */
  createdAt: string;
  /** Its configurations, oldest first; the last is the current one. */
  versions: Array<{
    /** Id of the configuration. */
    id: string;
    /** Who or what scores. */
    evalType: "ai" | "human" | "heuristic";
    /** Kind of score. */
    outputType: "int" | "float" | "boolean";
    /** How it scores. */
    guidelines: string;
    /** Of a judge, what it is asked. */
    promptTemplate: string | null;
    /** Of a judge, the model. */
    evalModelName: string | null;
    /** Of a judge. */
    temperature: number | null;
    /** Lowest score that passes; null where scores are true or false. */
    passingThreshold: number | null;
    /** How often a judge is asked. */
    judgeRepeats: number;
    /** When it was made. */
    createdAt: string;
  }>;
};

/** Query of listMetrics. */
export type ListMetricsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of createMetric. */
export type CreateMetricBody = {
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "int";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "float";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "boolean";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "int";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "float";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "boolean";
} | {
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "int";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "float";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
} | {
  /** Shown wherever scores are read. */
  name: string;
  /** What the metric is for. */
  description?: string | null | undefined;
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "boolean";
};

/** Body of previewMetric. */
export type PreviewMetricBody = {
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "int";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Record of the project to score; or `record`. */
  recordId?: string | undefined;
  /** What to score, where that is no record of the project. It has no trace. */
  record?: {
    /** What went into the system. */
    inputs?: JsonObject | undefined;
    /** What it answered. */
    outputs?: JsonObject | undefined;
    /** What was expected of it. */
    expected?: JsonObject | undefined;
  } | undefined;
} | {
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "float";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Record of the project to score; or `record`. */
  recordId?: string | undefined;
  /** What to score, where that is no record of the project. It has no trace. */
  record?: {
    /** What went into the system. */
    inputs?: JsonObject | undefined;
    /** What it answered. */
    outputs?: JsonObject | undefined;
    /** What was expected of it. */
    expected?: JsonObject | undefined;
  } | undefined;
} | {
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "boolean";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Record of the project to score; or `record`. */
  recordId?: string | undefined;
  /** What to score, where that is no record of the project. It has no trace. */
  record?: {
    /** What went into the system. */
    inputs?: JsonObject | undefined;
    /** What it answered. */
    outputs?: JsonObject | undefined;
    /** What was expected of it. */
    expected?: JsonObject | undefined;
  } | undefined;
} | {
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "int";
  /** Record of the project to score; or `record`. */
  recordId?: string | undefined;
  /** What to score, where that is no record of the project. It has no trace. */
  record?: {
    /** What went into the system. */
    inputs?: JsonObject | undefined;
    /** What it answered. */
    outputs?: JsonObject | undefined;
    /** What was expected of it. */
    expected?: JsonObject | undefined;
  } | undefined;
} | {
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "float";
  /** Record of the project to score; or `record`. */
  recordId?: string | undefined;
  /** What to score, where that is no record of the project. It has no trace. */
  record?: {
    /** What went into the system. */
    inputs?: JsonObject | undefined;
    /** What it answered. */
    outputs?: JsonObject | undefined;
    /** What was expected of it. */
    expected?: JsonObject | undefined;
  } | undefined;
} | {
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "boolean";
  /** Record of the project to score; or `record`. */
  recordId?: string | undefined;
  /** What to score, where that is no record of the project. It has no trace. */
  record?: {
    /** What went into the system. */
    inputs?: JsonObject | undefined;
    /** What it answered. */
    outputs?: JsonObject | undefined;
    /** What was expected of it. */
    expected?: JsonObject | undefined;
  } | undefined;
} | {
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "int";
  /** Record of the project to score; or `record`. */
  recordId?: string | undefined;
  /** What to score, where that is no record of the project. It has no trace. */
  record?: {
    /** What went into the system. */
    inputs?: JsonObject | undefined;
    /** What it answered. */
    outputs?: JsonObject | undefined;
    /** What was expected of it. */
    expected?: JsonObject | undefined;
  } | undefined;
} | {
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "float";
  /** Record of the project to score; or `record`. */
  recordId?: string | undefined;
  /** What to score, where that is no record of the project. It has no trace. */
  record?: {
    /** What went into the system. */
    inputs?: JsonObject | undefined;
    /** What it answered. */
    outputs?: JsonObject | undefined;
    /** What was expected of it. */
    expected?: JsonObject | undefined;
  } | undefined;
} | {
  /** ai: how to score. human: what evaluators go by. heuristic: the logic itself, code or prose. */
  guidelines?: string | undefined;
  /** Who or what scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "boolean";
  /** Record of the project to score; or `record`. */
  recordId?: string | undefined;
  /** What to score, where that is no record of the project. It has no trace. */
  record?: {
    /** What went into the system. */
    inputs?: JsonObject | undefined;
    /** What it answered. */
    outputs?: JsonObject | undefined;
    /** What was expected of it. */
    expected?: JsonObject | undefined;
  } | undefined;
};

/** Body of updateMonitor. */
export type UpdateMonitorBody = {
  /** Shown wherever monitors are read. */
  name?: string | undefined;
  /** Metrics that score the drawn records, each with its configuration at that time. */
  metricIds?: string[] | undefined;
  /** Share of these records that is drawn to be scored. A hash of the id of its session or trace decides, so every monitor with this rate or a higher one draws the same record. */
  samplingRate?: number | undefined;
  /** Records that the monitor looks at: those with the tag, and with a span that matches the other fields. Empty: all records. */
  filter?: {
    /** Service of the span. */
    service?: string | undefined;
    /** Name of the span. */
    name?: string | undefined;
    /** Model of the span. */
    model?: string | undefined;
    /** true: such a span failed. false: none of them did. */
    error?: boolean | undefined;
    /** The span took at least this many milliseconds. */
    minDurationMs?: number | undefined;
    /** Tag of the record. */
    tag?: string | undefined;
  } | undefined;
  /** Seconds without new spans after which the monitor looks at a record. */
  settleSeconds?: number | undefined;
  /** true: the monitor ignores traces that arrive while it is paused. Queued scores are still made. */
  paused?: boolean | undefined;
};

/** Query of exportDraws. */
export type ExportDrawsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importDraws. */
export type ImportDrawsBody = {
  /** The rows as exportDraws gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the record. */
    recordId: string;
    /** When it was decided. */
    decidedAt: string;
    /** The chance that it had. */
    inclusionProbability: number;
    /** Whether it was drawn. */
    drawn: boolean;
    /** How many spans its trace had then. */
    spans: string | null;
    /** Sum of their ends, by which a change is seen. */
    ends: string | null;
  }>;
};

/** Query of exportMonitors. */
export type ExportMonitorsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importMonitors. */
export type ImportMonitorsBody = {
  /** The rows as exportMonitors gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the monitor. */
    monitorId: string;
    /** When it was made. */
    createdAt: string;
    /** Since when its metrics, rate and filter are what they are. */
    definedAt: string;
  }>;
};

/** Query of listMonitors. */
export type ListMonitorsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of createMonitor. */
export type CreateMonitorBody = {
  /** Shown wherever monitors are read. */
  name: string;
  /** Metrics that score the drawn records, each with its configuration at that time. */
  metricIds: string[];
  /** Share of these records that is drawn to be scored. A hash of the id of its session or trace decides, so every monitor with this rate or a higher one draws the same record. */
  samplingRate: number;
  /** Records that the monitor looks at: those with the tag, and with a span that matches the other fields. Empty: all records. */
  filter?: {
    /** Service of the span. */
    service?: string | undefined;
    /** Name of the span. */
    name?: string | undefined;
    /** Model of the span. */
    model?: string | undefined;
    /** true: such a span failed. false: none of them did. */
    error?: boolean | undefined;
    /** The span took at least this many milliseconds. */
    minDurationMs?: number | undefined;
    /** Tag of the record. */
    tag?: string | undefined;
  } | undefined;
  /** Seconds without new spans after which the monitor looks at a record. */
  settleSeconds?: number | undefined;
  /** Whether the monitor ignores what arrives. */
  paused?: boolean | undefined;
};

/** Query of listProjects. */
export type ListProjectsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of createProject. */
export type CreateProjectBody = {
  /** Name of the project. */
  name: string;
  /** What the project is about. */
  description: string;
  /** What the project is imported from, as an import tool calls it. A second create with the same one returns the first project. */
  importKey?: string | undefined;
};

/** Body of updateProject. */
export type UpdateProjectBody = {
  /** New name. */
  name?: string | null | undefined;
  /** New description. */
  description?: string | null | undefined;
};

/** Query of streamProjectChanges. */
export type StreamProjectChangesQuery = {
  /** Seconds after which the stream ends; connect again to go on. */
  maxSeconds?: number | undefined;
  /** Begins with the changes of at least this many seconds before, for a page that was read before the stream began. */
  pastSeconds?: number | undefined;
};

/** Body of completeProjectImport. */
export type CompleteProjectImportBody = {
  /** Everything has been imported. */
  completed: true;
};

/** Query of listProviders. */
export type ListProvidersQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of createProvider. */
export type CreateProviderBody = {
  /** The part of an evalModelName before the slash: `ollama` for `ollama/gemma3`. */
  name: string;
  /** The API that it speaks. */
  kind: "openai" | "anthropic" | "google" | "azure" | "bedrock" | "openai-compatible";
  /** Base URL, when not the usual one; required for openai-compatible. */
  baseUrl?: string | undefined;
  /** API key. Stored encrypted and never shown. */
  apiKey?: string | undefined;
  /** azure: resourceName, apiVersion. bedrock: region, accessKeyId, secretAccessKey, sessionToken. openai: organization, project. Secret options are stored encrypted and never shown; an update without them keeps them. */
  options?: { [name: string]: string } | undefined;
  /** Most concurrent requests of one process. */
  maxConcurrency?: number | undefined;
  /** Most requests a minute of one process; null means no limit. */
  requestsPerMinute?: number | null | undefined;
};

/** Body of updateProvider. */
export type UpdateProviderBody = {
  /** Base URL; null for the usual one. */
  baseUrl?: string | null | undefined;
  /** API key. Stored encrypted and never shown. */
  apiKey?: string | undefined;
  /** azure: resourceName, apiVersion. bedrock: region, accessKeyId, secretAccessKey, sessionToken. openai: organization, project. Secret options are stored encrypted and never shown; an update without them keeps them. */
  options?: { [name: string]: string } | undefined;
  /** Most concurrent requests of one process. */
  maxConcurrency?: number | undefined;
  /** Most requests a minute of one process; null means no limit. */
  requestsPerMinute?: number | null | undefined;
};

/** Body of testProvider. */
export type TestProviderBody = {
  /** The model to ask, without the name of the provider. */
  model: string;
};

/** Query of listProjectRecords. */
export type ListProjectRecordsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Leaves out so many of the first records: a jump into the middle, which costs what it leaves out. To read on from there use cursor; with one, offset is ignored. */
  offset?: number | undefined;
  /** Keeps records that carry every one of these tags; repeated or joined with commas. */
  tags?: string[] | undefined;
  /** Keeps records of this run. */
  runId?: string | undefined;
  /** Metric that `result` speaks of; without it any metric. */
  metricId?: string | undefined;
  /** Keeps records with a score of this result: pass and fail are values, the rest are states. */
  result?: "pass" | "fail" | "pending" | "unscored" | "failed" | undefined;
  /** Keeps records assigned to this user. */
  assigneeUserId?: string | undefined;
  /** Keeps records with this text in inputs, expected or outputs, in any case. */
  text?: string | undefined;
  /** Keeps records made at this time or later. */
  createdAfter?: string | undefined;
  /** Keeps records made before this time. */
  createdBefore?: string | undefined;
};

/** Query of countRecordsOverTime. */
export type CountRecordsOverTimeQuery = {
  /** Most stretches of time to count in, 2 to 500. */
  buckets?: number | undefined;
  /** Keeps records that carry every one of these tags; repeated or joined with commas. */
  tags?: string[] | undefined;
  /** Keeps records of this run. */
  runId?: string | undefined;
  /** Metric that `result` speaks of; without it any metric. */
  metricId?: string | undefined;
  /** Keeps records with a score of this result: pass and fail are values, the rest are states. */
  result?: "pass" | "fail" | "pending" | "unscored" | "failed" | undefined;
  /** Keeps records assigned to this user. */
  assigneeUserId?: string | undefined;
  /** Keeps records with this text in inputs, expected or outputs, in any case. */
  text?: string | undefined;
  /** Keeps records made at this time or later. */
  createdAfter?: string | undefined;
  /** Keeps records made before this time. */
  createdBefore?: string | undefined;
};

/** Query of exportRecords. */
export type ExportRecordsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importRecords. */
export type ImportRecordsBody = {
  /** The rows as exportRecords gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the record. */
    recordId: string;
    /** Testset of its testcase. */
    testsetId: string | null;
    /** Number of its testcase, which may be gone. */
    testcaseN: number | null;
    /** Revision that the testcase had. */
    testcaseRevision: number | null;
    /** When it was made. */
    createdAt: string;
  }>;
};

/** Query of listRecords. */
export type ListRecordsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Keeps records that carry every one of these tags; repeated or joined with commas. */
  tags?: string[] | undefined;
};

/** Body of createRecord. */
export type CreateRecordBody = {
  /** Testcase that the record answers. */
  testcaseId?: string | undefined;
  /** What went into the system. */
  inputs: JsonObject;
  /** What was expected of it. */
  expected: JsonObject;
  /** What it answered. */
  outputs: JsonObject;
  /** Link to a trace. A second create in the run with the same one returns the first record; a blank one links nothing. */
  otelLinkId?: string | undefined;
  /** Session that the record belongs to. */
  sessionId?: string | undefined;
};

/** Body of createRecords. */
export type CreateRecordsBody = {
  /** The records, 1 to 1000; all of them are made or none. */
  items: Array<{
    /** Testcase that the record answers. */
    testcaseId?: string | undefined;
    /** What went into the system. */
    inputs: JsonObject;
    /** What was expected of it. */
    expected: JsonObject;
    /** What it answered. */
    outputs: JsonObject;
    /** Link to a trace. A second create in the run with the same one returns the first record; a blank one links nothing. */
    otelLinkId?: string | undefined;
    /** Session that the record belongs to. */
    sessionId?: string | undefined;
    /** Scores that are there already: they are stored with the record, and nobody is asked for them. */
    scores?: Array<{
      /** Configuration of the metric that gave the score. */
      metricConfigId: string;
      /** One of binaryScore, intScore, floatScore, and reasoning. All scores of a record have 100 MB at most. */
      score: JsonObject;
    }> | undefined;
  }>;
};

/** Query of exportProposals. */
export type ExportProposalsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query of exportRescorings. */
export type ExportRescoringsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importProposals. */
export type ImportProposalsBody = {
  /** The rows as exportProposals gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the record. */
    recordId: string;
    /** Configuration of a metric. */
    metricConfigId: string;
    /** Rescoring that proposes it. */
    rescoringId: string;
    /** Where it stands. */
    state: "pending" | "scored" | "unscored" | "failed";
    /** The score; null unless it is there. */
    score: JsonObject | null;
    /** Why it is unscored or failed. */
    reason: string | null;
    /** Tries so far. */
    attempts: number;
    /** What went wrong at the last try. */
    lastError: string | null;
    /** What went into the verdict and came out. */
    evidence: JsonObject | null;
    /** What it cost, as far as it is known. */
    costUsd: number | null;
    /** Tokens of what was asked. */
    inputTokens: number | null;
    /** Tokens of what was answered. */
    outputTokens: number | null;
    /** When it was made. */
    createdAt: string;
    /** When it last changed. */
    updatedAt: string;
    /** Whether it has become the score. */
    applied: boolean | null;
    /** Configuration of the score that it met. */
    beforeConfigId: string | null;
    /** State of that score. */
    beforeState: "pending" | "scored" | "unscored" | "failed" | null;
    /** That score. */
    beforeScore: JsonObject | null;
    /** Why that was not there. */
    beforeReason: string | null;
    /** What that score came to. */
    beforeValue: number | null;
    /** Whether a person or a client had given it. */
    beforeGiven: boolean | null;
  }>;
};

/** Body of importRescorings. */
export type ImportRescoringsBody = {
  /** The rows as exportRescorings gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the rescoring. */
    id: string;
    /** Metric that scores. */
    metricId: string;
    /** Configuration of a metric. */
    metricConfigId: string;
    /** Records that it is about; null for all. */
    recordIds: string[] | null;
    /** Records that went first. */
    sampleSize: number | null;
    /** By what they were drawn. */
    sampleSeed: string | null;
    /** Whether all records were begun. */
    extended: boolean;
    /** Who began it. */
    createdByUserId: string;
    /** When it was made. */
    createdAt: string;
    /** How it ended; null while it is open. */
    outcome: "kept" | "discarded" | null;
    /** Who ended it. */
    endedByUserId: string | null;
    /** When it was ended. */
    endedAt: string | null;
    /** Its counts when it was ended. */
    summary: JsonObject | null;
  }>;
};

/** Query of listRescorings. */
export type ListRescoringsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of createRescoring. */
export type CreateRescoringBody = {
  /** Metric of the run that code or a model scores. */
  metricId: string;
  /** Configuration of that metric to score with; default the current one. */
  metricConfigId?: string | undefined;
  /** Records of the run to re-score; default all of them. */
  recordIds?: string[] | undefined;
  /** Re-score only this many records first, and estimate the rest. `extend` goes on with the other records; the sample is not scored twice. */
  sample?: {
    /** Records that go first. */
    size: number;
    /** Records are drawn in the order of the SHA-256 of "<seed> <record id>": the same seed, the same sample. */
    seed?: number | undefined;
  } | undefined;
};

/** Query of listRescoringChanges. */
export type ListRescoringChangesQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Keeps records that change in this way. */
  change?: "passToFail" | "failToPass" | "valueOnly" | "same" | "newlyScored" | "unscored" | "failed" | "givenMeanwhile" | "pending" | undefined;
};

/** Query of listReviewDisagreements. */
export type ListReviewDisagreementsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
};

/** Body of updateReviewSettings. */
export type UpdateReviewSettingsBody = {
  /** How many people score each record, each without sight of the others. The score is pending until then. */
  reviewers: number;
  /** Which of their scores becomes the current one: the latest, or the majority (of integers and floats the median; of two in the middle the lower). */
  rule: "latest" | "majority";
};

/** Query of nextReview. */
export type NextReviewQuery = {
  /** Only records that this metric waits for. */
  metricId?: string | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
};

/** Query of getReviewProgress. */
export type GetReviewProgressQuery = {
  /** Only records that this metric waits for. */
  metricId?: string | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
};

/** Query of undoReview. */
export type UndoReviewQuery = {
  /** Only records that this metric waits for. */
  metricId?: string | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
};

/** Body of submitReview. */
export type SubmitReviewBody = {
  /** The value field of the metric (binaryScore, intScore or floatScore), and reasoning. */
  score: JsonObject;
};

/** Query of listSampledRecords. */
export type ListSampledRecordsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query of exportReviewSamples. */
export type ExportReviewSamplesQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query of exportSampleOrigins. */
export type ExportSampleOriginsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query of exportSkips. */
export type ExportSkipsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importReviewSample. */
export type ImportReviewSampleBody = {
  /** Configuration of the metric that people score by; by default the current one. */
  metricConfigId?: string | undefined;
  /** Id of the metric. */
  metricId: string;
  /** Records of a stratum are drawn in the order of the SHA-256 of "<seed> <record id>": the same seed, the same sample. */
  seed: number;
  /** Null without strata. */
  stratifyBy: {
    /** Records that carry this tag, and those that do not. */
    tag?: string | undefined;
    /** Each value of this field of the inputs (of a long one the start). */
    inputField?: string | undefined;
    /** Each value of this field of the testcase's data as it is now. */
    testcaseField?: string | undefined;
    /** What this other metric says: pass, fail, or no valid score yet. */
    metricId?: string | undefined;
  } | null;
  /** How the sample is shared among strata: in proportion to their records, or as equally as they allow. Each gets at least one record. */
  allocation: "proportional" | "equal";
  /** In the order that they were made in. */
  strata: Array<{
    /** The tag, the value or the verdict; null for records without it. */
    value: string | null;
    /** Which draw its records came to first. */
    wave: number;
    /** Records of the stratum when it was first drawn from. */
    numRecords: number;
    /** How many of them are in the sample: those with the first places. */
    numDrawn: number;
    /** Those that are still there, drawn or not, in that order. */
    records: Array<{
      /** Id of the record. */
      recordId: string;
      /** Its place in the random order of the stratum. */
      place: number;
    }>;
  }>;
};

/** Body of importSampleOrigins. */
export type ImportSampleOriginsBody = {
  /** The rows as exportSampleOrigins gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the sample. */
    sampleId: string;
    /** Who drew it. */
    userId: string;
    /** When it was made. */
    createdAt: string;
  }>;
};

/** Body of importSkips. */
export type ImportSkipsBody = {
  /** The rows as exportSkips gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the record. */
    recordId: string;
    /** Configuration of a metric. */
    metricConfigId: string;
    /** Who skipped it. */
    userId: string;
    /** When. */
    skippedAt: string;
  }>;
};

/** Body of createReviewSample. */
export type CreateReviewSampleBody = {
  /** The human metric whose queue is filled, with its configuration now. */
  metricId: string;
  /** Records in the sample when it is drawn. Either this or share. */
  size?: number | undefined;
  /** Share of the run's records in the sample when it is drawn, rounded up. Either this or size. */
  share?: number | undefined;
  /** Records of a stratum are drawn in the order of the SHA-256 of "<seed> <record id>": the same seed, the same sample. */
  seed?: number | undefined;
  /** One of the four: what the strata are made of. */
  stratifyBy?: {
    /** Records that carry this tag, and those that do not. */
    tag?: string | undefined;
    /** Each value of this field of the inputs (of a long one the start). */
    inputField?: string | undefined;
    /** Each value of this field of the testcase's data as it is now. */
    testcaseField?: string | undefined;
    /** What this other metric says: pass, fail, or no valid score yet. */
    metricId?: string | undefined;
  } | undefined;
  /** How the sample is shared among strata: in proportion to their records, or as equally as they allow. Each gets at least one record. */
  allocation?: "proportional" | "equal" | undefined;
};

/** Query of exportRuns. */
export type ExportRunsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importRuns. */
export type ImportRunsBody = {
  /** The rows as exportRuns gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the run. */
    runId: string;
    /** Records that it expects. */
    numExpectedRecords: number | null;
    /** When it was made. */
    createdAt: string;
  }>;
};

/** Query of listRuns. */
export type ListRunsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of createRun. */
export type CreateRunBody = {
  /** Testset to put to the system. */
  testsetId?: string | null | undefined;
  /** Version of the system under test. */
  systemVersionId?: string | null | undefined;
  /** Metrics that score each record, each once. */
  metricIds: string[];
  /** The service itself calls the system version with each testcase and makes the records; see docs/executing-runs.md. */
  execute?: boolean | undefined;
  /** What the judges of the run may cost; see docs/judges.md. Without it there is no limit. */
  judgeBudgetUsd?: number | undefined;
  /** How often each testcase is put to the system, with execute. */
  trials?: number | undefined;
};

/** Body of estimateRun. */
export type EstimateRunBody = {
  /** Metrics that would score, each once. */
  metricIds: string[];
  /** Testset whose testcases become records. */
  testsetId?: string | undefined;
  /** How many records each testcase becomes. */
  trials?: number | undefined;
  /** Number of records, where no testset determines it. */
  numRecords?: number | undefined;
};

/** Query of exportJudging. */
export type ExportJudgingQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query of exportRunMetrics. */
export type ExportRunMetricsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importJudging. */
export type ImportJudgingBody = {
  /** The rows as exportJudging gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** What they may cost; null without a limit. */
    budgetUsd: number | null;
    /** In US dollars. */
    spentUsd: number;
    /** Calls of which the price is not known. */
    unpriced: number;
  }>;
};

/** Body of importRunMetrics. */
export type ImportRunMetricsBody = {
  /** The rows as exportRunMetrics gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Its place among them. */
    position: number;
    /** Id of the metric. */
    metricId: string;
    /** Configuration of a metric. */
    metricConfigId: string;
    /** Whether it scores what monitors draw, not every record. */
    sampled: boolean;
  }>;
};

/** Body of updateJudgeBudget. */
export type UpdateJudgeBudgetBody = {
  /** What the judges may cost in total, from the first verdict of the run; null removes the limit. */
  budgetUsd: number | null;
};

/** Body of addRunMetrics. */
export type AddRunMetricsBody = {
  /** Metrics of the project, each once. Those that the run has already stay as they are. */
  metricIds: string[];
};

/** Body of updateRunNotes. */
export type UpdateRunNotesBody = {
  /** The new notes; they replace those before. */
  notes: string;
};

/** Body of upsertScore. */
export type UpsertScoreBody = {
  /** One of binaryScore, intScore, floatScore, and reasoning. All scores of a record have 100 MB at most. */
  score?: JsonObject | undefined;
};

/** Query of exportScores. */
export type ExportScoresQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importScores. */
export type ImportScoresBody = {
  /** The scores as exportScores gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the record. */
    recordId: string;
    /** Configuration of the metric that gave the score. */
    metricConfigId: string;
    /** Where it stands; only a scored one has a score. */
    state: "pending" | "scored" | "unscored" | "failed";
    /** The score; null unless it is there. */
    score: JsonObject | null;
    /** Why it is unscored or failed. */
    reason: string | null;
    /** Whose key or hand gave the score; null where a machine did. */
    scoredByUserId: string | null;
    /** What went into the verdict and came out. */
    evidence: JsonObject | null;
    /** When the state last changed. */
    scoredAt: string;
    /** What went wrong at the last try. */
    lastError: string | null;
    /** Tries so far. */
    attempts: number;
    /** What its tries cost, as far as it is known. */
    costUsd: number | null;
    /** Tokens of what was asked. */
    inputTokens: number | null;
    /** Tokens of what was answered. */
    outputTokens: number | null;
    /** Verdicts of its metric that were replaced, oldest first. Of several scores of a record by one metric the first has them. */
    history: Array<{
      /** Configuration that gave it: another of the metric, where a rescoring was kept. */
      metricConfigId: string;
      /** Where it stands; only a scored one has a score. */
      state: "scored" | "unscored" | "failed";
      /** The score; null unless it is there. */
      score: JsonObject | null;
      /** Why it is unscored or failed. */
      reason: string | null;
      /** Whose key or hand gave the score; null where a machine did. */
      scoredByUserId: string | null;
      /** What went into the verdict and came out. */
      evidence: JsonObject | null;
      /** When the state last changed. */
      scoredAt: string;
      /** When another took its place. */
      replacedAt: string;
    }>;
    /** What single reviewers say or said, oldest first. Of a score that is pending, those that the caller may see: all for an admin, else those of others only beside one of their own. */
    reviews: Array<{
      /** Who gave it. */
      userId: string;
      /** One of binaryScore, intScore, floatScore, and reasoning. */
      score: JsonObject;
      /** Whether they could not know what others had given. */
      blind: boolean;
      /** Whether it counts: false for one that was replaced or taken back. */
      stands: boolean;
      /** When it was taken back. */
      undoneAt: string | null;
      /** When it was given. */
      submittedAt: string;
    }>;
  }>;
};

/** Body of upsertScores. */
export type UpsertScoresBody = {
  /** Scores of records of this run, 1 to 1000; all of them are stored or none. */
  items: Array<{
    /** Id of the record. */
    recordId: string;
    /** Configuration of the metric that gave the score. */
    metricConfigId: string;
    /** One of binaryScore, intScore, floatScore, and reasoning. All scores of a record have 100 MB at most. */
    score: JsonObject;
  }>;
};

/** Body of retryScores. */
export type RetryScoresBody = {
  /** Which to try again; without it both. */
  states?: Array<"failed" | "unscored"> | undefined;
  /** Only those of this metric. */
  metricId?: string | undefined;
};

/** Body of changePassword. */
export type ChangePasswordBody = {
  /** The password until now. */
  currentPassword: string;
  /** The password: 10 to 200 characters. */
  newPassword: string;
};

/** Body of signIn. */
export type SignInBody = {
  /** E-mail address of the member. */
  email: string;
  /** Their password. */
  password: string;
};

/** Body of findSignInLink. */
export type FindSignInLinkBody = {
  /** What stands behind the # in a sign-in link. */
  token: string;
};

/** Body of redeemSignInLink. */
export type RedeemSignInLinkBody = {
  /** What stands behind the # in a sign-in link. */
  token: string;
  /** The password: 10 to 200 characters. */
  password: string;
  /** Name of the person. */
  name?: string | undefined;
  /** E-mail address, unique in the organization. */
  email?: string | undefined;
};

/** Body of simulateUser. */
export type SimulateUserBody = {
  /** Testcase of the conversation; its fields fill the prompt. */
  testcaseId: string;
  /** The conversation so far, oldest first; empty when the user begins. */
  messages: Array<{
    /** user: the simulated user. assistant: the system under test. Other roles are ignored. */
    role: string;
    /** The text of the message; empty in a tool call. */
    content?: string | null | undefined;
  }>;
};

/** Query of exportSystems. */
export type ExportSystemsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importSystems. */
export type ImportSystemsBody = {
  /** The rows as exportSystems gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the system. */
    systemId: string;
    /** When it was made. */
    createdAt: string;
  }>;
};

/** Query of listSystems. */
export type ListSystemsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of upsertSystem. */
export type UpsertSystemBody = {
  /** What the system does. */
  description?: string | undefined;
  /** The system of this name is taken, or made. */
  name?: string | undefined;
  /** What this version of the system is made of: model, prompt, parameters; any JSON object. */
  config: JsonObject;
};

/** Body of updateSystem. */
export type UpdateSystemBody = {
  /** New name; 409 when another system of the project has it. */
  name?: string | undefined;
  /** New description. */
  description?: string | undefined;
  /** The version that is in production from now on. */
  productionVersionId?: string | undefined;
};

/** Body of upsertSystemVersion. */
export type UpsertSystemVersionBody = {
  /** What this version of the system is made of: model, prompt, parameters; any JSON object. */
  config: JsonObject;
  /** Name of the version; renames the one that has this configuration already. */
  name?: string | undefined;
};

/** Body of createRecordTag. */
export type CreateRecordTagBody = {
  /** The tag: 1 to 256 characters after trimming, without a comma. */
  text: string;
};

/** Query of exportTags. */
export type ExportTagsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importTags. */
export type ImportTagsBody = {
  /** The rows as exportTags gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the tag. */
    id: string;
    /** Id of the record. */
    recordId: string;
    /** The tag. */
    text: string;
    /** user: somebody set it. otel: it came with a trace. */
    source: "user" | "otel";
    /** Who set it; null for one that came with a trace. */
    userId: string | null;
    /** When it was made. */
    createdAt: string;
  }>;
};

/** Query of exportTestsets. */
export type ExportTestsetsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importTestsets. */
export type ImportTestsetsBody = {
  /** The rows as exportTestsets gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the testset. */
    testsetId: string;
    /** Number that the last testcase had; it may be gone. */
    lastTestcaseN: number;
    /** When it was made. */
    createdAt: string;
  }>;
};

/** Query of listTestsets. */
export type ListTestsetsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of createTestset. */
export type CreateTestsetBody = {
  /** Name of the testset. */
  name: string;
  /** What the testset covers. */
  description: string;
  /** JSON Schema that each testcase is held against: by $schema draft 2020-12 or 2019-09, else draft 7. Drafts 4 and 6 are read as draft 7 too: `exclusiveMinimum: true`, `exclusiveMaximum: true` and `id` for the whole, which draft 4 has, are refused. */
  jsonSchema: JsonObject;
  /** Which top-level fields of a testcase mean what. */
  fieldMapping: {
    /** Fields of jsonData that go into the system. */
    inputs: string[];
    /** Fields of jsonData that hold what is expected of it. */
    expected: string[];
    /** Fields of jsonData that only describe the testcase. */
    metadata: string[];
  };
};

/** Body of deleteTestcases. */
export type DeleteTestcasesBody = {
  /** Ids of the testcases to delete; either all of them go or none. */
  ids: string[];
};

/** Body of updateTestcase. */
export type UpdateTestcaseBody = {
  /** The testcase as it was sent. */
  jsonData: JsonObject;
};

/** Body of updateTestset. */
export type UpdateTestsetBody = {
  /** Name of the testset. */
  name?: string | undefined;
  /** What the testset covers. */
  description?: string | undefined;
  /** JSON Schema that each testcase is held against: by $schema draft 2020-12 or 2019-09, else draft 7. Drafts 4 and 6 are read as draft 7 too: `exclusiveMinimum: true`, `exclusiveMaximum: true` and `id` for the whole, which draft 4 has, are refused. */
  jsonSchema?: JsonObject | undefined;
  /** Which top-level fields of a testcase mean what. */
  fieldMapping?: {
    /** Fields of jsonData that go into the system. */
    inputs: string[];
    /** Fields of jsonData that hold what is expected of it. */
    expected: string[];
    /** Fields of jsonData that only describe the testcase. */
    metadata: string[];
  } | undefined;
};

/** Query of exportTestcases. */
export type ExportTestcasesQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of updateTestsetGrouping. */
export type UpdateTestsetGroupingBody = {
  /** Top-level field of jsonData: testcases with the same value belong together, and one without it stands for itself. Null: none do. */
  field: string | null;
};

/** Body of importTestcases. */
export type ImportTestcasesBody = {
  /** The rows as exportTestcases gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Its number in the testset. */
    n: number;
    /** How often it was written. */
    revision: number;
    /** Its data. */
    jsonData: JsonObject;
    /** What of it does not fit the schema. */
    validationErrors: Array<{
      /** Where: a JSON Pointer. */
      path: string;
      /** What must stand there instead. */
      message: string;
    }> | null;
    /** When it was made. */
    createdAt: string;
    /** When it last changed. */
    updatedAt: string;
  }>;
};

/** Query of listTestcases. */
export type ListTestcasesQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of createTestcases. */
export type CreateTestcasesBody = {
  /** The testcases, 1 to 100. */
  items: Array<{
    /** The testcase as it was sent. */
    jsonData: JsonObject;
  }>;
};

/** Query of exportSpans. */
export type ExportSpansQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importSpans. */
export type ImportSpansBody = {
  /** The spans as exportSpans gave them, but for the ids of their records, 1 to 1000. */
  items: Array<{
    /** Id of its trace, 32 hexadecimal digits. */
    traceId: string;
    /** Id of the span, 16 hexadecimal digits. */
    spanId: string;
    /** Id of its parent, 16 hexadecimal digits; null for a root. */
    parentSpanId: string | null;
    /** Record that was made for its trace or session; null for a trace that is linked to records. */
    recordId: string | null;
    /** Name of the span. */
    name: string;
    /** OpenTelemetry's kind, 0 to 5. */
    kind: number;
    /** When it began, in nanoseconds since 1970. */
    startTimeUnixNano: string;
    /** When it ended. */
    endTimeUnixNano: string;
    /** Everything else that came with it, as it is stored: status, statusMessage, traceState, attributes, events, links and how many of these the sender left out. */
    content: JsonObject;
    /** Its resource, and its scope with name, version and attributes. */
    source: JsonObject;
  }>;
};

/** Query of listSpans. */
export type ListSpansQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Keeps spans of this trace. */
  traceId?: string | undefined;
  /** Keeps spans of this service. */
  service?: string | undefined;
  /** Keeps spans of this name. */
  name?: string | undefined;
  /** Keeps spans of this model. */
  model?: string | undefined;
  /** true keeps spans without a parent, one a trace as a rule; false the others. */
  root?: boolean | undefined;
  /** true keeps spans that failed, false those that did not. */
  error?: boolean | undefined;
  /** Keeps spans that took at least as many milliseconds. */
  minDurationMs?: number | undefined;
  /** Keeps spans that took at most as many milliseconds. */
  maxDurationMs?: number | undefined;
  /** Keeps spans that began then or later. */
  startedAfter?: string | undefined;
  /** Keeps spans that began earlier. */
  startedBefore?: string | undefined;
};

/** Body of updateTraceSettings. */
export type UpdateTraceSettingsBody = {
  /** Days that traces are kept after they came, with the records made for them; null keeps them for ever. */
  retentionDays: number | null;
};

/** Query of listRecordSpans. */
export type ListRecordSpansQuery = {
  /** Gives the first so many by start; `limit=1` tells whether there are any. */
  limit?: number | undefined;
};

/** Body of createTestcaseFromRecord. */
export type CreateTestcaseFromRecordBody = {
  /** Testset that the testcase goes into. */
  testsetId: string;
};

/** Query of exportViews. */
export type ExportViewsQuery = {
  /** Most items to return, 1 to 100. Fewer come where they are so large that a page would exceed 16 MB. */
  limit?: number | undefined;
  /** The previous page's nextCursor; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Body of importViews. */
export type ImportViewsBody = {
  /** The rows as exportViews gave them, with the ids that things have here, 1 to 1000. */
  items: Array<{
    /** Id of the view. */
    id: string;
    /** What it is called. */
    name: string;
    /** Whether everybody sees it. */
    shared: boolean;
    /** The search, as it is typed. */
    search: string;
    /** How the records are shown. */
    display: JsonObject;
    /** Who made it. */
    userId: string;
    /** When it was made. */
    createdAt: string;
    /** When it last changed. */
    updatedAt: string;
  }>;
};

/** Body of createView. */
export type CreateViewBody = {
  /** What it is called. */
  name: string;
  /** Whether everybody sees it, or only who made it. */
  shared: boolean;
  /** The search, as it is typed: `result:fail tag:"look again" refund`; empty finds all records. */
  search: string;
  /** How the records are shown: columns, their order and width, the height of rows. */
  display: JsonObject;
};

/** Body of updateView. */
export type UpdateViewBody = {
  /** What it is called. */
  name?: string | undefined;
  /** Whether everybody sees it, or only who made it. */
  shared?: boolean | undefined;
  /** The search, as it is typed: `result:fail tag:"look again" refund`; empty finds all records. */
  search?: string | undefined;
  /** How the records are shown: columns, their order and width, the height of rows. */
  display?: JsonObject | undefined;
};

/** Every operation of the API: the ids of its path, its body, its query. */
export interface Operations {
  /** List your API keys, oldest first; admins see everybody’s. */
  listKeys(query?: ListKeysQuery, options?: CallOptions): List<ApiKey>;

  /** Make an API key for yourself. The answer is the only time that it is shown. */
  createKey(body: CreateKeyBody, options?: CallOptions): Promise<ApiKeyCreated>;

  /** Revoke an API key, at once: your own, or as an admin anybody’s. */
  revokeKey(keyId: string, options?: CallOptions): Promise<Success>;

  /** How far the people agree who reviewed the same records. */
  measureAgreement(metricId: string, query?: MeasureAgreementQuery, options?: CallOptions): Promise<ReviewerAgreement>;

  /** Hold a judge against people: its errors, its passing line, and a run’s pass rate without its errors. */
  calibrateMetric(metricId: string, query?: CalibrateMetricQuery, options?: CallOptions): Promise<JudgeCalibration>;

  /** List the records that a judge and people decided differently, oldest first. */
  listJudgeDisagreements(metricId: string, query?: ListJudgeDisagreementsQuery, options?: CallOptions): List<CalibrationDisagreement>;

  /** Whether the judge decides its pinned records as it did at the reference. */
  measureDrift(metricId: string, query?: MeasureDriftQuery, options?: CallOptions): Promise<JudgeDrift>;

  /** Have the judge decide its pinned records again, at its configuration now. */
  startDriftCheck(metricId: string, options?: CallOptions): Promise<DriftCheck>;

  /** Get what is pinned of a metric. */
  getPinnedSet(metricId: string, options?: CallOptions): Promise<PinnedSet>;

  /** Pin labelled records on which the judge is tried from now on. Its verdicts on them are the reference. */
  pinRecords(metricId: string, body: PinRecordsBody, options?: CallOptions): Promise<PinnedSet>;

  /** Pin nothing of a metric any more. The runs of its checks stay. */
  deletePinnedSet(metricId: string, options?: CallOptions): Promise<Success>;

  /** How many testcases a comparison needs, or how small a difference it can see, from earlier runs. */
  planRun(projectId: string, query: PlanRunQuery, options?: CallOptions): Promise<Plan>;

  /** Each metric of a project over its last runs, each point with its uncertainty. */
  listTrends(projectId: string, query?: ListTrendsQuery, options?: CallOptions): Promise<Trends>;

  /** Compare runs on the testcases that they share: differences with intervals, and what they say. */
  compareRuns(query: CompareRunsQuery, options?: CallOptions): Promise<RunComparison>;

  /** List the testcases that changed between two runs, in the order of their ids. */
  listChangedTestcases(query: ListChangedTestcasesQuery, options?: CallOptions): List<ChangedTestcase>;

  /** What a run says, metric by metric, each number with its uncertainty. */
  summarizeRun(runId: string, query?: SummarizeRunQuery, options?: CallOptions): Promise<RunSummary>;

  /** List the annotations of a record, oldest first. */
  listAnnotations(recordId: string, options?: CallOptions): Promise<{
    /** All annotations of the record. */
    data: Annotation[];
  }>;

  /** Rate a record, one of its spans or a passage of a text, with a comment or without. */
  createAnnotation(recordId: string, body: CreateAnnotationBody, options?: CallOptions): Promise<Annotation>;

  /** Change an annotation: its author, or an admin. */
  updateAnnotation(recordId: string, annotationId: string, body: UpdateAnnotationBody, options?: CallOptions): Promise<Annotation>;

  /** Delete an annotation: its author, or an admin. */
  deleteAnnotation(recordId: string, annotationId: string, options?: CallOptions): Promise<Success>;

  /** Answer an annotation. */
  createReply(recordId: string, annotationId: string, body: CreateReplyBody, options?: CallOptions): Promise<Reply>;

  /** Change a reply: its author, or an admin. */
  updateReply(recordId: string, annotationId: string, replyId: string, body: UpdateReplyBody, options?: CallOptions): Promise<Reply>;

  /** Delete a reply: its author, or an admin. */
  deleteReply(recordId: string, annotationId: string, replyId: string, options?: CallOptions): Promise<Success>;

  /** Settle the matter of an annotation, or open it again. */
  resolveAnnotation(recordId: string, annotationId: string, body: ResolveAnnotationBody, options?: CallOptions): Promise<Thread>;

  /** List the annotations of a record that were answered or settled, with the answers. */
  listThreads(recordId: string, options?: CallOptions): Promise<{
    /** Threads, in the order of their annotations. */
    data: Thread[];
  }>;

  /** List of a run the annotations of its records, as they are stored. */
  exportAnnotations(runId: string, query?: ExportAnnotationsQuery, options?: CallOptions): List<ExportedAnnotation>;

  /** List of a run the replies to annotations of its records, as they are stored. */
  exportReplies(runId: string, query?: ExportRepliesQuery, options?: CallOptions): List<ExportedReply>;

  /** Store for a run the annotations of its records as they were in another project, all or none, while this one is being imported. */
  importAnnotations(runId: string, body: ImportAnnotationsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** Store for a run the replies to annotations of its records as they were in another project, all or none, while this one is being imported. */
  importReplies(runId: string, body: ImportRepliesBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List who a record is assigned to, first assigned first. */
  listRecordAssignees(recordId: string, options?: CallOptions): Promise<{
    /** All assignments of the record. */
    data: RecordAssignment[];
  }>;

  /** Assign a record to a user. An assignment that is there already is returned as it is. */
  assignRecordUser(recordId: string, body: AssignRecordUserBody, options?: CallOptions): Promise<RecordAssignment>;

  /** Take a record from a user; fine when it is not assigned to them. */
  unassignRecordUser(recordId: string, assigneeUserId: string, options?: CallOptions): Promise<{
    /** How many assignments went: 0 or 1. */
    deleted: number;
  }>;

  /** List of a run who its records are assigned to, as they are stored. */
  exportAssignments(runId: string, query?: ExportAssignmentsQuery, options?: CallOptions): List<ExportedAssignment>;

  /** Store for a run who its records are assigned to as they were in another project, all or none, while this one is being imported. */
  importAssignments(runId: string, body: ImportAssignmentsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** Declare a file of a session and get a link to upload it to. */
  initiateAttachment(body: InitiateAttachmentBody, options?: CallOptions): Promise<{
    /** Id of the attachment. */
    id: string;
    /** True when these bytes are there already under this path. */
    alreadyExists: boolean;
    /** Signed link to send the bytes to. */
    uploadUrl: string | null;
    /** Method to send them with. */
    uploadMethod: "PUT" | null;
    /** When the link ends. */
    expiresAt: string | null;
  }>;

  /** Get an attachment with a link to its bytes. */
  getAttachment(attachmentId: string, options?: CallOptions): Promise<AttachmentWithDownload>;

  /** Delete an attachment with its bytes. */
  deleteAttachment(attachmentId: string, options?: CallOptions): Promise<Success>;

  /** Say that an upload is done; 400 when the bytes are not there. */
  commitAttachment(attachmentId: string, options?: CallOptions): Promise<Attachment>;

  /** List the attachments of a session, newest first. */
  listSessionAttachments(sessionId: string, query?: ListSessionAttachmentsQuery, options?: CallOptions): List<Attachment>;

  /** List of a metric the checks of its pinned set, as they are stored. */
  exportDriftChecks(metricId: string, query?: ExportDriftChecksQuery, options?: CallOptions): List<ExportedDriftCheck>;

  /** List of a metric the labelled records of its pinned set, as they are stored. */
  exportPinnedLabels(metricId: string, query?: ExportPinnedLabelsQuery, options?: CallOptions): List<ExportedPinnedLabel>;

  /** List of a metric its pinned set, as they are stored. */
  exportPinnedSet(metricId: string, query?: ExportPinnedSetQuery, options?: CallOptions): List<ExportedPinnedSet>;

  /** Store for a metric the checks of its pinned set as they were in another project, all or none, while this one is being imported. */
  importDriftChecks(metricId: string, body: ImportDriftChecksBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** Store for a metric the labelled records of its pinned set as they were in another project, all or none, while this one is being imported. */
  importPinnedLabels(metricId: string, body: ImportPinnedLabelsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** Store for a metric its pinned set as they were in another project, all or none, while this one is being imported. */
  importPinnedSet(metricId: string, body: ImportPinnedSetBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List the calls of a run's system, including failed ones. */
  listExecutions(runId: string, query?: ListExecutionsQuery, options?: CallOptions): List<Execution>;

  /** Cancel the pending executions of a run. Records stay. */
  cancelExecutions(runId: string, options?: CallOptions): Promise<{
    /** How many executions changed. */
    changed: number;
  }>;

  /** Retry the failed and cancelled executions of a run. */
  retryExecutions(runId: string, options?: CallOptions): Promise<{
    /** How many executions changed. */
    changed: number;
  }>;

  /** Get the progress of a run's executions, and what the system took. */
  getExecutionSummary(runId: string, options?: CallOptions): Promise<ExecutionSummary>;

  /** List of a run the calls of its system, as they are stored. */
  exportExecutions(runId: string, query?: ExportExecutionsQuery, options?: CallOptions): List<ExportedExecution>;

  /** Store for a run the calls of its system as they were in another project, all or none, while this one is being imported. */
  importExecutions(runId: string, body: ImportExecutionsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** Get the organization, the member and the key of this request. */
  getMe(options?: CallOptions): Promise<Me>;

  /** List the members of the organization, oldest first. */
  listMembers(query?: ListMembersQuery, options?: CallOptions): List<Member>;

  /** Add a member (admins). */
  createMember(body: CreateMemberBody, options?: CallOptions): Promise<Member>;

  /** Get a member. */
  getMember(memberId: string, options?: CallOptions): Promise<Member>;

  /** Change the name or role of a member (admins). The last admin stays one. */
  updateMember(memberId: string, body: UpdateMemberBody, options?: CallOptions): Promise<Member>;

  /** Remove a member with their keys (admins). What they wrote stays. */
  deleteMember(memberId: string, options?: CallOptions): Promise<Success>;

  /** List the gallery of ready metrics, each with a record that passes and one that fails. */
  listMetricTemplates(options?: CallOptions): Promise<{
    /** All of them, by group and name. */
    data: MetricTemplate[];
  }>;

  /** Get a ready metric of the gallery. */
  getMetricTemplate(templateId: string, options?: CallOptions): Promise<MetricTemplate>;

  /** Get a metric. */
  getMetric(metricId: string, options?: CallOptions): Promise<Metric>;

  /** Change a metric. What affects scoring makes a new configuration; scores that exist keep theirs. */
  updateMetric(metricId: string, body: UpdateMetricBody, options?: CallOptions): Promise<Metric>;

  /** Delete a metric. Its configurations and every score they gave stay. */
  deleteMetric(metricId: string, options?: CallOptions): Promise<Success>;

  /** Get how often the judge of a metric is asked. */
  getJudgeSettings(metricId: string, options?: CallOptions): Promise<{
    /** How often the model is asked; the majority or the median is the score, the votes are kept beside it. */
    judgeRepeats: number;
  }>;

  /** Set how often the judge of a metric is asked. A change makes a new configuration. */
  updateJudgeSettings(metricId: string, body: UpdateJudgeSettingsBody, options?: CallOptions): Promise<{
    /** How often the model is asked; the majority or the median is the score, the votes are kept beside it. */
    judgeRepeats: number;
  }>;

  /** List the configurations of a metric, newest first. */
  listMetricVersions(metricId: string, query?: ListMetricVersionsQuery, options?: CallOptions): List<MetricVersion>;

  /** List the metrics of a project with all configurations that they had, deleted ones too. */
  exportMetrics(projectId: string, query?: ExportMetricsQuery, options?: CallOptions): List<ExportedMetric>;

  /** Make a metric with all configurations that it had in another project, while this one is being imported. */
  importMetric(projectId: string, body: ImportMetricBody, options?: CallOptions): Promise<{
    /** Id of the metric here. */
    id: string;
    /** Ids of its configurations here, in their order. */
    versionIds: string[];
  }>;

  /** List the metrics of a project, newest first. */
  listMetrics(projectId: string, query?: ListMetricsQuery, options?: CallOptions): List<Metric>;

  /** Create a metric: one of nine variants, chosen by evalType and outputType. */
  createMetric(projectId: string, body: CreateMetricBody, options?: CallOptions): Promise<Metric>;

  /** Preview a metric that is not saved: score a record, or the one in the body, and get prompt, verdict, time and cost. Nothing is written. */
  previewMetric(projectId: string, body: PreviewMetricBody, options?: CallOptions): Promise<{
    /** scored, unscored or failed. */
    state: string;
    /** What would be stored; null unless it is there. */
    score: JsonObject | null;
    /** Why there is none. */
    reason: string | null;
    /** The prompt as sent; null for code. */
    prompt: string | null;
    /** The model's reply as it came; null for code. */
    rawReply: string | null;
    /** The model that answered, as it calls itself. */
    modelAnswered: string | null;
    /** Tokens of the prompt. */
    inputTokens: number | null;
    /** Tokens of the reply. */
    outputTokens: number | null;
    /** What it cost; null where the price is not known. */
    costUsd: number | null;
    /** What was read of the record's trace; null where the metric names nothing of it, or there is none. */
    trace: {
      /** Spans that the record has. */
      spans: number;
      /** What was too long for the limits. */
      cut: string[];
    } | null;
    /** How long it took. */
    latencyMs: number;
  }>;

  /** Get a monitor with its results. */
  getMonitor(monitorId: string, options?: CallOptions): Promise<Monitor>;

  /** Change, pause or resume a monitor. The change applies to traces that arrive afterwards. */
  updateMonitor(monitorId: string, body: UpdateMonitorBody, options?: CallOptions): Promise<Monitor>;

  /** Delete a monitor and its pending scores. Scores that were given stay. */
  deleteMonitor(monitorId: string, options?: CallOptions): Promise<Success>;

  /** List of a monitor the records that it could draw, and with which chance it drew them, as they are stored. */
  exportDraws(monitorId: string, query?: ExportDrawsQuery, options?: CallOptions): List<ExportedDraw>;

  /** Store for a monitor the records that it could draw, and with which chance it drew them as they were in another project, all or none, while this one is being imported. */
  importDraws(monitorId: string, body: ImportDrawsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List of a project since when its monitors are, and are what they are, as they are stored. */
  exportMonitors(projectId: string, query?: ExportMonitorsQuery, options?: CallOptions): List<ExportedMonitorOrigin>;

  /** Store for a project since when its monitors are, and are what they are as they were in another project, all or none, while this one is being imported. */
  importMonitors(projectId: string, body: ImportMonitorsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List the monitors of a project with their results, oldest first. */
  listMonitors(projectId: string, query?: ListMonitorsQuery, options?: CallOptions): List<Monitor>;

  /** Create a monitor, which scores a share of the traces that arrive from now on. */
  createMonitor(projectId: string, body: CreateMonitorBody, options?: CallOptions): Promise<Monitor>;

  /** List the projects, oldest first. */
  listProjects(query?: ListProjectsQuery, options?: CallOptions): List<Project>;

  /** Create a project. */
  createProject(body: CreateProjectBody, options?: CallOptions): Promise<Project>;

  /** Get a project. */
  getProject(projectId: string, options?: CallOptions): Promise<Project>;

  /** Change the name or description of a project. */
  updateProject(projectId: string, body: UpdateProjectBody, options?: CallOptions): Promise<Project>;

  /** Delete a project with everything in it. This cannot be undone. */
  deleteProject(projectId: string, options?: CallOptions): Promise<Success>;

  /** Get how the import of a project stands; 404 for one that was not imported. */
  getProjectImport(projectId: string, options?: CallOptions): Promise<ProjectImport>;

  /** Note that everything of an imported project is there. */
  completeProjectImport(projectId: string, body: CompleteProjectImportBody, options?: CallOptions): Promise<ProjectImport>;

  /** List the organization's providers of models, oldest first. */
  listProviders(query?: ListProvidersQuery, options?: CallOptions): List<Provider>;

  /** Add a provider of models. Admins only. */
  createProvider(body: CreateProviderBody, options?: CallOptions): Promise<Provider>;

  /** Change a provider. A new base URL requires the secrets again. Admins only. */
  updateProvider(providerId: string, body: UpdateProviderBody, options?: CallOptions): Promise<Provider>;

  /** Delete a provider with its key. Scores that need it fail with that reason. Admins only. */
  deleteProvider(providerId: string, options?: CallOptions): Promise<Success>;

  /** Test a provider: one of its models judges a small record. Admins only. */
  testProvider(providerId: string, body: TestProviderBody, options?: CallOptions): Promise<{
    /** Whether the model gave a readable verdict. */
    ok: boolean;
    /** The result, or what to change. */
    message: string;
    /** The model that answered, as the provider names it. */
    modelAnswered: string | null;
    /** Milliseconds that it took. */
    latencyMs: number;
  }>;

  /** List the records of a project across its runs, newest first, narrowed by any of the filters. */
  listProjectRecords(projectId: string, query?: ListProjectRecordsQuery, options?: CallOptions): List<RecordDetail>;

  /** Count the records of a project over time, narrowed by the same filters as their list. */
  countRecordsOverTime(projectId: string, query?: CountRecordsOverTimeQuery, options?: CallOptions): Promise<RecordHistogram>;

  /** Get a record with the state of each of its scores. */
  getRecord(recordId: string, options?: CallOptions): Promise<RecordDetail>;

  /** Delete a record with its scores, tags and annotations. */
  deleteRecord(recordId: string, options?: CallOptions): Promise<Success>;

  /** List of a run when its records were made, and of which testcases, as they are stored. */
  exportRecords(runId: string, query?: ExportRecordsQuery, options?: CallOptions): List<ExportedRecordOrigin>;

  /** Store for a run when its records were made, and of which testcases as they were in another project, all or none, while this one is being imported. */
  importRecords(runId: string, body: ImportRecordsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List the records of a run with all their scores, oldest first. */
  listRecords(runId: string, query?: ListRecordsQuery, options?: CallOptions): List<RecordWithScores>;

  /** Create a record in a run, with a pending score for each of its metrics. */
  createRecord(runId: string, body: CreateRecordBody, options?: CallOptions): Promise<Record>;

  /** Create many records in a run, all or none; as JSON, or as NDJSON with one record a line. */
  createRecords(runId: string, body: CreateRecordsBody, options?: CallOptions): Promise<{
    /** Ids of the records, in the order sent. */
    ids: string[];
  }>;

  /** List of a run the scores that rescorings propose, as they are stored. */
  exportProposals(runId: string, query?: ExportProposalsQuery, options?: CallOptions): List<ExportedProposal>;

  /** List of a run its rescorings, as they are stored. */
  exportRescorings(runId: string, query?: ExportRescoringsQuery, options?: CallOptions): List<ExportedRescoring>;

  /** Store for a run the scores that rescorings propose as they were in another project, all or none, while this one is being imported. */
  importProposals(runId: string, body: ImportProposalsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** Store for a run its rescorings as they were in another project, all or none, while this one is being imported. */
  importRescorings(runId: string, body: ImportRescoringsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List the rescorings of a run, newest first. */
  listRescorings(runId: string, query?: ListRescoringsQuery, options?: CallOptions): List<Rescoring>;

  /** Re-score a metric of a run. The new scores are proposals until they are kept; a sample can go first. */
  createRescoring(runId: string, body: CreateRescoringBody, options?: CallOptions): Promise<Rescoring>;

  /** Get the progress of a rescoring, how many verdicts change, and its cost so far and to come. */
  getRescoring(runId: string, rescoringId: string, options?: CallOptions): Promise<Rescoring>;

  /** Cancel the pending proposals. Those that exist can still be kept; a retry queues the cancelled ones again. */
  cancelRescoring(runId: string, rescoringId: string, options?: CallOptions): Promise<Rescoring>;

  /** List the records of a rescoring with their score and the proposed one. */
  listRescoringChanges(runId: string, rescoringId: string, query?: ListRescoringChangesQuery, options?: CallOptions): List<RescoringChange>;

  /** Discard the proposals. No score changes. */
  discardRescoring(runId: string, rescoringId: string, options?: CallOptions): Promise<Rescoring>;

  /** Extend a rescoring from the sample to every record, including records that came to the run since. */
  extendRescoring(runId: string, rescoringId: string, options?: CallOptions): Promise<Rescoring>;

  /** Replace the scores by the proposals. Replaced scores become history; scores of people and clients stay. */
  keepRescoring(runId: string, rescoringId: string, options?: CallOptions): Promise<Rescoring>;

  /** Retry the proposals that failed or could not be scored. */
  retryRescoring(runId: string, rescoringId: string, options?: CallOptions): Promise<Rescoring>;

  /** List the records of a metric on which reviewers differ, oldest first. */
  listReviewDisagreements(metricId: string, query?: ListReviewDisagreementsQuery, options?: CallOptions): List<ReviewDisagreement>;

  /** Get how people score the records of a metric. */
  getReviewSettings(metricId: string, options?: CallOptions): Promise<ReviewSettings>;

  /** Set how many people score each record of a human metric, and which of their scores counts. */
  updateReviewSettings(metricId: string, body: UpdateReviewSettingsBody, options?: CallOptions): Promise<ReviewSettings>;

  /** Claim the next record for you to score, for ten minutes; asked again, the same one, for ten more. */
  nextReview(projectId: string, query?: NextReviewQuery, options?: CallOptions): Promise<{
    /** Null when nothing is left for you. */
    review: ReviewTask | null;
  }>;

  /** Get what is reviewed and what is left, by queue and by person. */
  getReviewProgress(projectId: string, query?: GetReviewProgressQuery, options?: CallOptions): Promise<{
    /** One for each configuration that people score. */
    queues: Array<{
      /** Id of the metric. */
      metricId: string;
      /** Name of the metric. */
      metricName: string;
      /** Configuration of the metric. */
      metricConfigId: string;
      /** How many people score each record, each without sight of the others. The score is pending until then. */
      reviewers: number;
      /** Records whose score is pending. */
      numPending: number;
      /** Of these, records that somebody has reviewed already. */
      numStarted: number;
      /** Records whose score is there and that people have reviewed. */
      numReviewed: number;
    }>;
    /** You, and everybody who has reviewed, skipped or claimed a record. */
    members: Array<{
      /** The user. */
      userId: string;
      /** Name of the user. */
      name: string;
      /** Records that they have reviewed. */
      numReviewed: number;
      /** Pending records that they have skipped and not reviewed since. */
      numSkipped: number;
      /** Pending records that they have not reviewed. */
      numRemaining: number;
    }>;
  }>;

  /** Take your last submission back; the record is in your hand once more. Asked again, the one before. */
  undoReview(projectId: string, query?: UndoReviewQuery, options?: CallOptions): Promise<{
    /** Null when nothing is left for you. */
    review: ReviewTask | null;
  }>;

  /** List what people said of a record, as far as you may see it. */
  listReviews(recordId: string, metricConfigId: string, options?: CallOptions): Promise<{
    /** State of the record’s score: pending until all its reviewers have submitted. */
    state: "pending" | "scored" | "unscored" | "failed";
    /** How many people score each record, each without sight of the others. The score is pending until then. */
    reviewers: number;
    /** How many people have reviewed the record. */
    numReviews: number;
    /** Reviews, oldest first. Those of others are left out while the score is pending and you have not submitted yours. */
    data: Review[];
  }>;

  /** Score a record yourself. It becomes the current score once all its reviewers have submitted. */
  submitReview(recordId: string, metricConfigId: string, body: SubmitReviewBody, options?: CallOptions): Promise<{
    review: Review;
    /** State of the record’s score: pending until all its reviewers have submitted. */
    state: "pending" | "scored" | "unscored" | "failed";
    /** How many people score each record, each without sight of the others. The score is pending until then. */
    reviewers: number;
    /** How many people have reviewed the record. */
    numReviews: number;
  }>;

  /** Skip a record: it comes back to you after all others. */
  skipReview(recordId: string, metricConfigId: string, options?: CallOptions): Promise<{
    /** Always true: it comes back to you after all others. */
    skipped: boolean;
  }>;

  /** Get a sample with its strata. */
  getReviewSample(reviewSampleId: string, options?: CallOptions): Promise<ReviewSample>;

  /** List the records of a sample, each with its inclusion probability, oldest first. */
  listSampledRecords(reviewSampleId: string, query?: ListSampledRecordsQuery, options?: CallOptions): List<SampledRecord>;

  /** List the random samples of a run with every record that could have been drawn, oldest first. */
  exportReviewSamples(runId: string, query?: ExportReviewSamplesQuery, options?: CallOptions): List<ExportedReviewSample>;

  /** List of a run who drew its review samples, and when, as they are stored. */
  exportSampleOrigins(runId: string, query?: ExportSampleOriginsQuery, options?: CallOptions): List<ExportedSampleOrigin>;

  /** List of a run which records people skipped in review, as they are stored. */
  exportSkips(runId: string, query?: ExportSkipsQuery, options?: CallOptions): List<ExportedSkip>;

  /** Store a random sample as it was drawn in another project, with its inclusion probabilities, while this one is being imported. */
  importReviewSample(runId: string, body: ImportReviewSampleBody, options?: CallOptions): Promise<ReviewSample>;

  /** Store for a run who drew its review samples, and when as they were in another project, all or none, while this one is being imported. */
  importSampleOrigins(runId: string, body: ImportSampleOriginsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** Store for a run which records people skipped in review as they were in another project, all or none, while this one is being imported. */
  importSkips(runId: string, body: ImportSkipsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List the samples of a run that people score, oldest first. */
  listReviewSamples(runId: string, options?: CallOptions): Promise<{
    /** One at most for each configuration. */
    data: ReviewSample[];
  }>;

  /** Fill a human metric’s queue with a random sample of a run, or extend that sample. */
  createReviewSample(runId: string, body: CreateReviewSampleBody, options?: CallOptions): Promise<ReviewSample>;

  /** List of a project when its runs were made, and how many records they expect, as they are stored. */
  exportRuns(projectId: string, query?: ExportRunsQuery, options?: CallOptions): List<ExportedRunOrigin>;

  /** Store for a project when its runs were made, and how many records they expect as they were in another project, all or none, while this one is being imported. */
  importRuns(projectId: string, body: ImportRunsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List the runs of a project, newest first. */
  listRuns(projectId: string, query?: ListRunsQuery, options?: CallOptions): List<Run>;

  /** Start a run. It scores with the current configurations of its metrics. */
  createRun(projectId: string, body: CreateRunBody, options?: CallOptions): Promise<Run>;

  /** Estimate what the judges of a run would cost before it starts. Nothing is written. */
  estimateRun(projectId: string, body: EstimateRunBody, options?: CallOptions): Promise<RunCostEstimate>;

  /** Get a run with its counts and its status. */
  getRun(runId: string, options?: CallOptions): Promise<Run>;

  /** Delete a run with its records, their scores, tags and annotations. This cannot be undone. */
  deleteRun(runId: string, options?: CallOptions): Promise<Success>;

  /** Cancel the pending work of a run: calls of its system, scores and proposals. Results stay; a retry queues the work again. */
  cancelRun(runId: string, options?: CallOptions): Promise<{
    /** Calls of the run's system that will not be made. */
    executions: number;
    /** Scores that machines will not give. */
    scores: number;
    /** Proposals of rescorings that will not be made. */
    proposals: number;
  }>;

  /** List of a run what its judges may cost and have cost, as they are stored. */
  exportJudging(runId: string, query?: ExportJudgingQuery, options?: CallOptions): List<ExportedJudging>;

  /** List of a run its metrics with the configurations that it scores by, as they are stored. */
  exportRunMetrics(runId: string, query?: ExportRunMetricsQuery, options?: CallOptions): List<ExportedRunMetric>;

  /** Store for a run what its judges may cost and have cost as they were in another project, all or none, while this one is being imported. */
  importJudging(runId: string, body: ImportJudgingBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** Store for a run its metrics with the configurations that it scores by as they were in another project, all or none, while this one is being imported. */
  importRunMetrics(runId: string, body: ImportRunMetricsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** Get what the judges of a run have cost and may cost, and whether they wait for a higher budget. */
  getJudgeBudget(runId: string, options?: CallOptions): Promise<JudgeBudget>;

  /** Set what the judges of a run may cost. Scores that wait for a higher budget go on. */
  updateJudgeBudget(runId: string, body: UpdateJudgeBudgetBody, options?: CallOptions): Promise<JudgeBudget>;

  /** Add metrics to a run with their current configurations. They score its records and those to come. */
  addRunMetrics(runId: string, body: AddRunMetricsBody, options?: CallOptions): Promise<Run>;

  /** Get what people wrote about a run. */
  getRunNotes(runId: string, options?: CallOptions): Promise<RunNotes>;

  /** Replace the notes on a run. */
  updateRunNotes(runId: string, body: UpdateRunNotesBody, options?: CallOptions): Promise<RunNotes>;

  /** Get how far the scores of a run are, metric by metric. */
  getRunProgress(runId: string, options?: CallOptions): Promise<{
    /** Id of the run. */
    runId: string;
    /** Records that are there. */
    numRecords: number;
    /** Testcases of the testset when the run began; null without one. */
    numExpectedRecords: number | null;
    /** Whether records are expected, or scores are to be made that wait for no person and no larger budget. */
    working: boolean;
    /** Why scores that are pending are not being made: the judge budget is used up. Raise it to go on. */
    stoppedBy: "judgeBudget" | null;
    /** Each configuration that has scores in the run. */
    metrics: Array<{
      /** Id of the metric. */
      metricId: string;
      /** Its configuration that scores. */
      metricConfigId: string;
      /** Scores that are still to be given. */
      pending: number;
      /** Scores that are there. */
      scored: number;
      /** Scores that could not be given, by no fault of the service. */
      unscored: number;
      /** Scores that went wrong. */
      failed: number;
      /** What keeps scores from being made, and what to do about it: why one is tried again later, else why one failed. */
      problem: string | null;
    }>;
  }>;

  /** Get a score in any state, with what went into it and the verdicts it replaced. */
  getScore(recordId: string, metricConfigId: string, options?: CallOptions): Promise<ScoreDetail>;

  /** Store a score, or queue it for a human by leaving the score out. */
  upsertScore(recordId: string, metricConfigId: string, body: UpsertScoreBody, options?: CallOptions): Promise<Score>;

  /** Keep the machine from giving a score that is still missing. A retry takes it back. */
  cancelScore(recordId: string, metricConfigId: string, options?: CallOptions): Promise<{
    /** How many scores it concerned. */
    changed: number;
  }>;

  /** Have the machine try again that failed to give a score. One that is there stays. */
  retryScore(recordId: string, metricConfigId: string, options?: CallOptions): Promise<{
    /** How many scores it concerned. */
    changed: number;
  }>;

  /** List the scores of a run in any state with all that is known of them, in the order of its records. */
  exportScores(runId: string, query?: ExportScoresQuery, options?: CallOptions): List<ExportedScore>;

  /** Store scores as they were in another project, all or none, while this one is being imported. Scores that are there stay. */
  importScores(runId: string, body: ImportScoresBody, options?: CallOptions): Promise<{
    /** How many scores were stored; those that were there already stay. */
    imported: number;
  }>;

  /** Store many scores of a run, all or none. */
  upsertScores(runId: string, body: UpsertScoresBody, options?: CallOptions): Promise<{
    /** What was stored, in the order sent. */
    items: Array<{
      /** Id of the record. */
      recordId: string;
      /** Configuration of the metric that gave the score. */
      metricConfigId: string;
      /** What does not fit; absent when everything does. */
      validationErrors?: Array<{
        /** JSON Pointer to what is wrong. */
        path: string;
        /** What it must be instead. */
        message: string;
      }> | undefined;
    }>;
  }>;

  /** Keep machines from giving the scores that a run still misses. A retry takes it back. */
  cancelScores(runId: string, options?: CallOptions): Promise<{
    /** How many scores it concerned. */
    changed: number;
  }>;

  /** Have machines try again what they failed to score. Scores that are there stay. */
  retryScores(runId: string, body: RetryScoresBody, options?: CallOptions): Promise<{
    /** How many scores it concerned. */
    changed: number;
  }>;

  /** Change your password; your other sessions end. */
  changePassword(body: ChangePasswordBody, options?: CallOptions): Promise<Success>;

  /** Make a link with which the member chooses a password, once (admins). */
  createSignInLink(memberId: string, options?: CallOptions): Promise<SignInLink>;

  /** Sign in with e-mail address and password; the answer sets the session cookie. */
  signIn(body: SignInBody, options?: CallOptions): Promise<Session>;

  /** Sign out: end the session of this request. */
  signOut(options?: CallOptions): Promise<Success>;

  /** Whom a sign-in link is for. A POST, so that the token stands in no log. */
  findSignInLink(body: FindSignInLinkBody, options?: CallOptions): Promise<SignInLinkTarget>;

  /** Choose a password with a sign-in link, and be signed in. The link is used up. */
  redeemSignInLink(body: RedeemSignInLinkBody, options?: CallOptions): Promise<Session>;

  /** Simulate a user: a system version whose config is a prompt writes the next message of a conversation. */
  simulateUser(systemVersionId: string, body: SimulateUserBody, options?: CallOptions): Promise<{
    /** What the simulated user says next. */
    messages: Array<{
      /** The simulated user. */
      role: "user";
      /** The text of the message. */
      content: string;
    }>;
  }>;

  /** List of a project when its systems were made, in whose order they are listed, as they are stored. */
  exportSystems(projectId: string, query?: ExportSystemsQuery, options?: CallOptions): List<ExportedSystemOrigin>;

  /** Store for a project when its systems were made, in whose order they are listed as they were in another project, all or none, while this one is being imported. */
  importSystems(projectId: string, body: ImportSystemsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List the systems of a project, oldest first. */
  listSystems(projectId: string, query?: ListSystemsQuery, options?: CallOptions): List<System>;

  /** Create the system of this name, or add the configuration to it as its new production version. */
  upsertSystem(projectId: string, body: UpsertSystemBody, options?: CallOptions): Promise<System>;

  /** Get one version of a system with its configuration. */
  getSystemVersion(systemVersionId: string, options?: CallOptions): Promise<SystemVersion>;

  /** Get a system with the names of its versions. */
  getSystem(systemId: string, options?: CallOptions): Promise<System>;

  /** Change the name, the description or the production version of a system. */
  updateSystem(systemId: string, body: UpdateSystemBody, options?: CallOptions): Promise<System>;

  /** Delete a system. Its versions stay readable for the runs that tested them. */
  deleteSystem(systemId: string, options?: CallOptions): Promise<Success>;

  /** Add a configuration as a version, or rename the version that has it; production stays as it is. */
  upsertSystemVersion(systemId: string, body: UpsertSystemVersionBody, options?: CallOptions): Promise<SystemVersion>;

  /** List the 200 tags that most records of a project carry. */
  listProjectTags(projectId: string, options?: CallOptions): Promise<{
    /** Most carried first. */
    data: ProjectTag[];
  }>;

  /** List the tags of a record, oldest first. */
  listRecordTags(recordId: string, options?: CallOptions): Promise<{
    /** All tags of the record. */
    data: RecordTag[];
  }>;

  /** Tag a record. A tag that it carries already is returned as it is. */
  createRecordTag(recordId: string, body: CreateRecordTagBody, options?: CallOptions): Promise<RecordTag>;

  /** Take a tag from a record; fine when it does not carry it. */
  deleteRecordTag(recordId: string, text: string, options?: CallOptions): Promise<{
    /** How many tags went: 0 or 1. */
    deleted: number;
  }>;

  /** List of a run the tags of its records, as they are stored. */
  exportTags(runId: string, query?: ExportTagsQuery, options?: CallOptions): List<ExportedTag>;

  /** Store for a run the tags of its records as they were in another project, all or none, while this one is being imported. */
  importTags(runId: string, body: ImportTagsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List of a project when its testsets were made, and which number their last testcase had, as they are stored. */
  exportTestsets(projectId: string, query?: ExportTestsetsQuery, options?: CallOptions): List<ExportedTestsetOrigin>;

  /** Store for a project when its testsets were made, and which number their last testcase had as they were in another project, all or none, while this one is being imported. */
  importTestsets(projectId: string, body: ImportTestsetsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List the testsets of a project, newest first. */
  listTestsets(projectId: string, query?: ListTestsetsQuery, options?: CallOptions): List<Testset>;

  /** Create a testset: a schema for its testcases and what their fields mean. */
  createTestset(projectId: string, body: CreateTestsetBody, options?: CallOptions): Promise<Testset>;

  /** Delete testcases by their ids, all or none. */
  deleteTestcases(body: DeleteTestcasesBody, options?: CallOptions): Promise<Success>;

  /** Get a testcase. */
  getTestcase(testcaseId: string, options?: CallOptions): Promise<Testcase>;

  /** Replace a testcase's data. Records keep the revision that they were made from. */
  updateTestcase(testcaseId: string, body: UpdateTestcaseBody, options?: CallOptions): Promise<Testcase>;

  /** Get a testset. */
  getTestset(testsetId: string, options?: CallOptions): Promise<Testset>;

  /** Change a testset. Testcases keep the validation errors of the schema that they were written under. */
  updateTestset(testsetId: string, body: UpdateTestsetBody, options?: CallOptions): Promise<Testset>;

  /** Delete a testset with its testcases. Records made from them stay. */
  deleteTestset(testsetId: string, options?: CallOptions): Promise<Success>;

  /** List of a testset its testcases with their revisions, as they are stored. */
  exportTestcases(testsetId: string, query?: ExportTestcasesQuery, options?: CallOptions): List<ExportedTestcase>;

  /** Get the field by which testcases belong together. */
  getTestsetGrouping(testsetId: string, options?: CallOptions): Promise<Grouping>;

  /** Name the field by which testcases belong together; intervals then rest on groups of them. */
  updateTestsetGrouping(testsetId: string, body: UpdateTestsetGroupingBody, options?: CallOptions): Promise<Grouping>;

  /** Store for a testset its testcases with their revisions as they were in another project, all or none, while this one is being imported. */
  importTestcases(testsetId: string, body: ImportTestcasesBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List the testcases of a testset, oldest first. */
  listTestcases(testsetId: string, query?: ListTestcasesQuery, options?: CallOptions): List<Testcase>;

  /** Add testcases to a testset, 1 to 100 at a time, all or none. */
  createTestcases(testsetId: string, body: CreateTestcasesBody, options?: CallOptions): Promise<{
    /** The testcases in the order sent. */
    items: Testcase[];
  }>;

  /** List the spans of a project as they are stored, earliest start first. */
  exportSpans(projectId: string, query?: ExportSpansQuery, options?: CallOptions): List<ExportedSpan>;

  /** Store spans as they were in another project, all or none, while this one is being imported. They make no records. */
  importSpans(projectId: string, body: ImportSpansBody, options?: CallOptions): Promise<{
    /** How many spans were taken; those that were there already count. */
    imported: number;
  }>;

  /** Search the spans of a project, latest start first. */
  listSpans(projectId: string, query?: ListSpansQuery, options?: CallOptions): List<Span>;

  /** Get how a project keeps traces. */
  getTraceSettings(projectId: string, options?: CallOptions): Promise<TraceSettings>;

  /** Say how a project keeps traces. */
  updateTraceSettings(projectId: string, body: UpdateTraceSettingsBody, options?: CallOptions): Promise<TraceSettings>;

  /** Delete a trace with its spans, and the record that was made for it alone, unless somebody has said something of that. */
  deleteTrace(projectId: string, traceId: string, options?: CallOptions): Promise<Success>;

  /** Get a span with everything that came with it. */
  getSpan(projectId: string, traceId: string, spanId: string, options?: CallOptions): Promise<SpanDetail>;

  /** Get what was said in a record, from the spans of its models, tools and agents. */
  getRecordConversation(recordId: string, options?: CallOptions): Promise<{
    /** The messages, each once, the conversation itself first and then that of each sub-agent. */
    data: ConversationEntry[];
    /** The sub-agents. */
    agents: Array<{
      /** Trace of the agent. */
      traceId: string;
      /** Span of the agent. */
      spanId: string;
      /** Name of the agent. */
      name: string;
      /** Sub-agent that it works for; null when it works for the main one. */
      parentAgentSpanId: string | null;
      /** Why it failed; null when it did not. */
      error: string | null;
    }>;
    /** True when there is more than is shown here. */
    truncated: boolean;
  }>;

  /** List the spans of a record as a tree, the first 10,000 by start. */
  listRecordSpans(recordId: string, query?: ListRecordSpansQuery, options?: CallOptions): Promise<{
    /** The spans in the order of the tree: each after its parent, siblings by start. */
    data: TreeSpan[];
    /** True when there is more than is shown here. */
    truncated: boolean;
  }>;

  /** Make a testcase of a record: its inputs, and its outputs as what is expected. */
  createTestcaseFromRecord(recordId: string, body: CreateTestcaseFromRecordBody, options?: CallOptions): Promise<Testcase>;

  /** List of a project its saved views that the caller sees, as they are stored. */
  exportViews(projectId: string, query?: ExportViewsQuery, options?: CallOptions): List<ExportedView>;

  /** Store for a project its saved views that the caller sees as they were in another project, all or none, while this one is being imported. */
  importViews(projectId: string, body: ImportViewsBody, options?: CallOptions): Promise<{
    /** How many rows are there now; those that were there already count. */
    imported: number;
    /** The ids that they have here, in their order; empty where they have none. */
    ids: Array<string | null>;
  }>;

  /** List the saved views of a project, one's own and the shared ones, by name; 500 at most. */
  listViews(projectId: string, options?: CallOptions): Promise<{
    /** By name. */
    data: SavedView[];
  }>;

  /** Save a search of a project’s records under a name, with how it is shown. */
  createView(projectId: string, body: CreateViewBody, options?: CallOptions): Promise<SavedView>;

  /** Change a saved view: who made it, or of a shared one an admin. */
  updateView(viewId: string, body: UpdateViewBody, options?: CallOptions): Promise<SavedView>;

  /** Delete a saved view: who made it, or of a shared one an admin. */
  deleteView(viewId: string, options?: CallOptions): Promise<Success>;
}

/** How each operation is called over HTTP. */
export const operations: { readonly [name in keyof Operations]: OperationFacts } = {
  listKeys: { method: 'GET', path: '/api/v2/keys', query: true, list: true },
  createKey: { method: 'POST', path: '/api/v2/keys', body: true },
  revokeKey: { method: 'DELETE', path: '/api/v2/keys/{keyId}' },
  measureAgreement: { method: 'GET', path: '/api/v2/metrics/{metricId}/agreement', query: true },
  calibrateMetric: { method: 'GET', path: '/api/v2/metrics/{metricId}/calibration', query: true },
  listJudgeDisagreements: { method: 'GET', path: '/api/v2/metrics/{metricId}/calibration/disagreements', query: true, list: true },
  measureDrift: { method: 'GET', path: '/api/v2/metrics/{metricId}/drift', query: true },
  startDriftCheck: { method: 'POST', path: '/api/v2/metrics/{metricId}/drift-checks' },
  getPinnedSet: { method: 'GET', path: '/api/v2/metrics/{metricId}/pinned-set' },
  pinRecords: { method: 'PUT', path: '/api/v2/metrics/{metricId}/pinned-set', body: true },
  deletePinnedSet: { method: 'DELETE', path: '/api/v2/metrics/{metricId}/pinned-set' },
  planRun: { method: 'GET', path: '/api/v2/projects/{projectId}/plan', query: true },
  listTrends: { method: 'GET', path: '/api/v2/projects/{projectId}/trends', query: true },
  compareRuns: { method: 'GET', path: '/api/v2/runs/compare', query: true },
  listChangedTestcases: { method: 'GET', path: '/api/v2/runs/compare/testcases', query: true, list: true },
  summarizeRun: { method: 'GET', path: '/api/v2/runs/{runId}/summary', query: true },
  listAnnotations: { method: 'GET', path: '/api/v2/records/{recordId}/annotations' },
  createAnnotation: { method: 'POST', path: '/api/v2/records/{recordId}/annotations', body: true },
  updateAnnotation: { method: 'PATCH', path: '/api/v2/records/{recordId}/annotations/{annotationId}', body: true },
  deleteAnnotation: { method: 'DELETE', path: '/api/v2/records/{recordId}/annotations/{annotationId}' },
  createReply: { method: 'POST', path: '/api/v2/records/{recordId}/annotations/{annotationId}/replies', body: true },
  updateReply: { method: 'PATCH', path: '/api/v2/records/{recordId}/annotations/{annotationId}/replies/{replyId}', body: true },
  deleteReply: { method: 'DELETE', path: '/api/v2/records/{recordId}/annotations/{annotationId}/replies/{replyId}' },
  resolveAnnotation: { method: 'PUT', path: '/api/v2/records/{recordId}/annotations/{annotationId}/resolution', body: true },
  listThreads: { method: 'GET', path: '/api/v2/records/{recordId}/threads' },
  exportAnnotations: { method: 'GET', path: '/api/v2/runs/{runId}/export/annotations', query: true, list: true },
  exportReplies: { method: 'GET', path: '/api/v2/runs/{runId}/export/replies', query: true, list: true },
  importAnnotations: { method: 'POST', path: '/api/v2/runs/{runId}/import/annotations', body: true },
  importReplies: { method: 'POST', path: '/api/v2/runs/{runId}/import/replies', body: true },
  listRecordAssignees: { method: 'GET', path: '/api/v2/records/{recordId}/assignees' },
  assignRecordUser: { method: 'POST', path: '/api/v2/records/{recordId}/assignees', body: true },
  unassignRecordUser: { method: 'DELETE', path: '/api/v2/records/{recordId}/assignees/{assigneeUserId}' },
  exportAssignments: { method: 'GET', path: '/api/v2/runs/{runId}/export/assignments', query: true, list: true },
  importAssignments: { method: 'POST', path: '/api/v2/runs/{runId}/import/assignments', body: true },
  initiateAttachment: { method: 'POST', path: '/api/v2/attachments', body: true },
  getAttachment: { method: 'GET', path: '/api/v2/attachments/{attachmentId}' },
  deleteAttachment: { method: 'DELETE', path: '/api/v2/attachments/{attachmentId}' },
  commitAttachment: { method: 'POST', path: '/api/v2/attachments/{attachmentId}/commit' },
  listSessionAttachments: { method: 'GET', path: '/api/v2/sessions/{sessionId}/attachments', query: true, list: true },
  exportDriftChecks: { method: 'GET', path: '/api/v2/metrics/{metricId}/export/drift-checks', query: true, list: true },
  exportPinnedLabels: { method: 'GET', path: '/api/v2/metrics/{metricId}/export/pinned-labels', query: true, list: true },
  exportPinnedSet: { method: 'GET', path: '/api/v2/metrics/{metricId}/export/pinned-set', query: true, list: true },
  importDriftChecks: { method: 'POST', path: '/api/v2/metrics/{metricId}/import/drift-checks', body: true },
  importPinnedLabels: { method: 'POST', path: '/api/v2/metrics/{metricId}/import/pinned-labels', body: true },
  importPinnedSet: { method: 'POST', path: '/api/v2/metrics/{metricId}/import/pinned-set', body: true },
  listExecutions: { method: 'GET', path: '/api/v2/runs/{runId}/executions', query: true, list: true },
  cancelExecutions: { method: 'POST', path: '/api/v2/runs/{runId}/executions/cancel' },
  retryExecutions: { method: 'POST', path: '/api/v2/runs/{runId}/executions/retry' },
  getExecutionSummary: { method: 'GET', path: '/api/v2/runs/{runId}/executions/summary' },
  exportExecutions: { method: 'GET', path: '/api/v2/runs/{runId}/export/executions', query: true, list: true },
  importExecutions: { method: 'POST', path: '/api/v2/runs/{runId}/import/executions', body: true },
  getMe: { method: 'GET', path: '/api/v2/me' },
  listMembers: { method: 'GET', path: '/api/v2/members', query: true, list: true },
  createMember: { method: 'POST', path: '/api/v2/members', body: true },
  getMember: { method: 'GET', path: '/api/v2/members/{memberId}' },
  updateMember: { method: 'PATCH', path: '/api/v2/members/{memberId}', body: true },
  deleteMember: { method: 'DELETE', path: '/api/v2/members/{memberId}' },
  listMetricTemplates: { method: 'GET', path: '/api/v2/metric-templates' },
  getMetricTemplate: { method: 'GET', path: '/api/v2/metric-templates/{templateId}' },
  getMetric: { method: 'GET', path: '/api/v2/metrics/{metricId}' },
  updateMetric: { method: 'PATCH', path: '/api/v2/metrics/{metricId}', body: true },
  deleteMetric: { method: 'DELETE', path: '/api/v2/metrics/{metricId}' },
  getJudgeSettings: { method: 'GET', path: '/api/v2/metrics/{metricId}/judge-settings' },
  updateJudgeSettings: { method: 'PUT', path: '/api/v2/metrics/{metricId}/judge-settings', body: true },
  listMetricVersions: { method: 'GET', path: '/api/v2/metrics/{metricId}/versions', query: true, list: true },
  exportMetrics: { method: 'GET', path: '/api/v2/projects/{projectId}/export/metrics', query: true, list: true },
  importMetric: { method: 'POST', path: '/api/v2/projects/{projectId}/import/metrics', body: true },
  listMetrics: { method: 'GET', path: '/api/v2/projects/{projectId}/metrics', query: true, list: true },
  createMetric: { method: 'POST', path: '/api/v2/projects/{projectId}/metrics', body: true },
  previewMetric: { method: 'POST', path: '/api/v2/projects/{projectId}/metrics/preview', body: true },
  getMonitor: { method: 'GET', path: '/api/v2/monitors/{monitorId}' },
  updateMonitor: { method: 'PATCH', path: '/api/v2/monitors/{monitorId}', body: true },
  deleteMonitor: { method: 'DELETE', path: '/api/v2/monitors/{monitorId}' },
  exportDraws: { method: 'GET', path: '/api/v2/monitors/{monitorId}/export/draws', query: true, list: true },
  importDraws: { method: 'POST', path: '/api/v2/monitors/{monitorId}/import/draws', body: true },
  exportMonitors: { method: 'GET', path: '/api/v2/projects/{projectId}/export/monitors', query: true, list: true },
  importMonitors: { method: 'POST', path: '/api/v2/projects/{projectId}/import/monitors', body: true },
  listMonitors: { method: 'GET', path: '/api/v2/projects/{projectId}/monitors', query: true, list: true },
  createMonitor: { method: 'POST', path: '/api/v2/projects/{projectId}/monitors', body: true },
  listProjects: { method: 'GET', path: '/api/v2/projects', query: true, list: true },
  createProject: { method: 'POST', path: '/api/v2/projects', body: true },
  getProject: { method: 'GET', path: '/api/v2/projects/{projectId}' },
  updateProject: { method: 'PATCH', path: '/api/v2/projects/{projectId}', body: true },
  deleteProject: { method: 'DELETE', path: '/api/v2/projects/{projectId}' },
  getProjectImport: { method: 'GET', path: '/api/v2/projects/{projectId}/import' },
  completeProjectImport: { method: 'PUT', path: '/api/v2/projects/{projectId}/import', body: true },
  listProviders: { method: 'GET', path: '/api/v2/providers', query: true, list: true },
  createProvider: { method: 'POST', path: '/api/v2/providers', body: true },
  updateProvider: { method: 'PATCH', path: '/api/v2/providers/{providerId}', body: true },
  deleteProvider: { method: 'DELETE', path: '/api/v2/providers/{providerId}' },
  testProvider: { method: 'POST', path: '/api/v2/providers/{providerId}/test', body: true },
  listProjectRecords: { method: 'GET', path: '/api/v2/projects/{projectId}/records', query: true, list: true },
  countRecordsOverTime: { method: 'GET', path: '/api/v2/projects/{projectId}/records/histogram', query: true },
  getRecord: { method: 'GET', path: '/api/v2/records/{recordId}' },
  deleteRecord: { method: 'DELETE', path: '/api/v2/records/{recordId}' },
  exportRecords: { method: 'GET', path: '/api/v2/runs/{runId}/export/records', query: true, list: true },
  importRecords: { method: 'POST', path: '/api/v2/runs/{runId}/import/records', body: true },
  listRecords: { method: 'GET', path: '/api/v2/runs/{runId}/records', query: true, list: true },
  createRecord: { method: 'POST', path: '/api/v2/runs/{runId}/records', body: true },
  createRecords: { method: 'POST', path: '/api/v2/runs/{runId}/records/bulk-create', body: true },
  exportProposals: { method: 'GET', path: '/api/v2/runs/{runId}/export/proposals', query: true, list: true },
  exportRescorings: { method: 'GET', path: '/api/v2/runs/{runId}/export/rescorings', query: true, list: true },
  importProposals: { method: 'POST', path: '/api/v2/runs/{runId}/import/proposals', body: true },
  importRescorings: { method: 'POST', path: '/api/v2/runs/{runId}/import/rescorings', body: true },
  listRescorings: { method: 'GET', path: '/api/v2/runs/{runId}/rescorings', query: true, list: true },
  createRescoring: { method: 'POST', path: '/api/v2/runs/{runId}/rescorings', body: true },
  getRescoring: { method: 'GET', path: '/api/v2/runs/{runId}/rescorings/{rescoringId}' },
  cancelRescoring: { method: 'POST', path: '/api/v2/runs/{runId}/rescorings/{rescoringId}/cancel' },
  listRescoringChanges: { method: 'GET', path: '/api/v2/runs/{runId}/rescorings/{rescoringId}/changes', query: true, list: true },
  discardRescoring: { method: 'POST', path: '/api/v2/runs/{runId}/rescorings/{rescoringId}/discard' },
  extendRescoring: { method: 'POST', path: '/api/v2/runs/{runId}/rescorings/{rescoringId}/extend' },
  keepRescoring: { method: 'POST', path: '/api/v2/runs/{runId}/rescorings/{rescoringId}/keep' },
  retryRescoring: { method: 'POST', path: '/api/v2/runs/{runId}/rescorings/{rescoringId}/retry' },
  listReviewDisagreements: { method: 'GET', path: '/api/v2/metrics/{metricId}/review-disagreements', query: true, list: true },
  getReviewSettings: { method: 'GET', path: '/api/v2/metrics/{metricId}/review-settings' },
  updateReviewSettings: { method: 'PUT', path: '/api/v2/metrics/{metricId}/review-settings', body: true },
  nextReview: { method: 'POST', path: '/api/v2/projects/{projectId}/reviews/next', query: true },
  getReviewProgress: { method: 'GET', path: '/api/v2/projects/{projectId}/reviews/progress', query: true },
  undoReview: { method: 'POST', path: '/api/v2/projects/{projectId}/reviews/undo', query: true },
  listReviews: { method: 'GET', path: '/api/v2/records/{recordId}/reviews/{metricConfigId}' },
  submitReview: { method: 'POST', path: '/api/v2/records/{recordId}/reviews/{metricConfigId}', body: true },
  skipReview: { method: 'POST', path: '/api/v2/records/{recordId}/reviews/{metricConfigId}/skip' },
  getReviewSample: { method: 'GET', path: '/api/v2/review-samples/{reviewSampleId}' },
  listSampledRecords: { method: 'GET', path: '/api/v2/review-samples/{reviewSampleId}/records', query: true, list: true },
  exportReviewSamples: { method: 'GET', path: '/api/v2/runs/{runId}/export/review-samples', query: true, list: true },
  exportSampleOrigins: { method: 'GET', path: '/api/v2/runs/{runId}/export/sample-origins', query: true, list: true },
  exportSkips: { method: 'GET', path: '/api/v2/runs/{runId}/export/skips', query: true, list: true },
  importReviewSample: { method: 'POST', path: '/api/v2/runs/{runId}/import/review-samples', body: true },
  importSampleOrigins: { method: 'POST', path: '/api/v2/runs/{runId}/import/sample-origins', body: true },
  importSkips: { method: 'POST', path: '/api/v2/runs/{runId}/import/skips', body: true },
  listReviewSamples: { method: 'GET', path: '/api/v2/runs/{runId}/review-samples' },
  createReviewSample: { method: 'POST', path: '/api/v2/runs/{runId}/review-samples', body: true },
  exportRuns: { method: 'GET', path: '/api/v2/projects/{projectId}/export/runs', query: true, list: true },
  importRuns: { method: 'POST', path: '/api/v2/projects/{projectId}/import/runs', body: true },
  listRuns: { method: 'GET', path: '/api/v2/projects/{projectId}/runs', query: true, list: true },
  createRun: { method: 'POST', path: '/api/v2/projects/{projectId}/runs', body: true },
  estimateRun: { method: 'POST', path: '/api/v2/projects/{projectId}/runs/estimate', body: true },
  getRun: { method: 'GET', path: '/api/v2/runs/{runId}' },
  deleteRun: { method: 'DELETE', path: '/api/v2/runs/{runId}' },
  cancelRun: { method: 'POST', path: '/api/v2/runs/{runId}/cancel' },
  exportJudging: { method: 'GET', path: '/api/v2/runs/{runId}/export/judging', query: true, list: true },
  exportRunMetrics: { method: 'GET', path: '/api/v2/runs/{runId}/export/metrics', query: true, list: true },
  importJudging: { method: 'POST', path: '/api/v2/runs/{runId}/import/judging', body: true },
  importRunMetrics: { method: 'POST', path: '/api/v2/runs/{runId}/import/metrics', body: true },
  getJudgeBudget: { method: 'GET', path: '/api/v2/runs/{runId}/judge-budget' },
  updateJudgeBudget: { method: 'PUT', path: '/api/v2/runs/{runId}/judge-budget', body: true },
  addRunMetrics: { method: 'POST', path: '/api/v2/runs/{runId}/metrics', body: true },
  getRunNotes: { method: 'GET', path: '/api/v2/runs/{runId}/notes' },
  updateRunNotes: { method: 'PUT', path: '/api/v2/runs/{runId}/notes', body: true },
  getRunProgress: { method: 'GET', path: '/api/v2/runs/{runId}/progress' },
  getScore: { method: 'GET', path: '/api/v2/records/{recordId}/scores/{metricConfigId}' },
  upsertScore: { method: 'PUT', path: '/api/v2/records/{recordId}/scores/{metricConfigId}', body: true },
  cancelScore: { method: 'POST', path: '/api/v2/records/{recordId}/scores/{metricConfigId}/cancel' },
  retryScore: { method: 'POST', path: '/api/v2/records/{recordId}/scores/{metricConfigId}/retry' },
  exportScores: { method: 'GET', path: '/api/v2/runs/{runId}/export/scores', query: true, list: true },
  importScores: { method: 'POST', path: '/api/v2/runs/{runId}/import/scores', body: true },
  upsertScores: { method: 'POST', path: '/api/v2/runs/{runId}/scores/bulk-upsert', body: true },
  cancelScores: { method: 'POST', path: '/api/v2/runs/{runId}/scores/cancel' },
  retryScores: { method: 'POST', path: '/api/v2/runs/{runId}/scores/retry', body: true },
  changePassword: { method: 'PUT', path: '/api/v2/me/password', body: true },
  createSignInLink: { method: 'POST', path: '/api/v2/members/{memberId}/sign-in-links' },
  signIn: { method: 'POST', path: '/api/v2/sessions', body: true },
  signOut: { method: 'DELETE', path: '/api/v2/sessions/current' },
  findSignInLink: { method: 'POST', path: '/api/v2/sign-in-links/find', body: true },
  redeemSignInLink: { method: 'POST', path: '/api/v2/sign-in-links/redeem', body: true },
  simulateUser: { method: 'POST', path: '/api/v2/agents/{systemVersionId}/simulate', body: true },
  exportSystems: { method: 'GET', path: '/api/v2/projects/{projectId}/export/systems', query: true, list: true },
  importSystems: { method: 'POST', path: '/api/v2/projects/{projectId}/import/systems', body: true },
  listSystems: { method: 'GET', path: '/api/v2/projects/{projectId}/systems', query: true, list: true },
  upsertSystem: { method: 'POST', path: '/api/v2/projects/{projectId}/systems', body: true },
  getSystemVersion: { method: 'GET', path: '/api/v2/systems/versions/{systemVersionId}' },
  getSystem: { method: 'GET', path: '/api/v2/systems/{systemId}' },
  updateSystem: { method: 'PATCH', path: '/api/v2/systems/{systemId}', body: true },
  deleteSystem: { method: 'DELETE', path: '/api/v2/systems/{systemId}' },
  upsertSystemVersion: { method: 'POST', path: '/api/v2/systems/{systemId}/versions', body: true },
  listProjectTags: { method: 'GET', path: '/api/v2/projects/{projectId}/tags' },
  listRecordTags: { method: 'GET', path: '/api/v2/records/{recordId}/tags' },
  createRecordTag: { method: 'POST', path: '/api/v2/records/{recordId}/tags', body: true },
  deleteRecordTag: { method: 'DELETE', path: '/api/v2/records/{recordId}/tags/{text}' },
  exportTags: { method: 'GET', path: '/api/v2/runs/{runId}/export/tags', query: true, list: true },
  importTags: { method: 'POST', path: '/api/v2/runs/{runId}/import/tags', body: true },
  exportTestsets: { method: 'GET', path: '/api/v2/projects/{projectId}/export/testsets', query: true, list: true },
  importTestsets: { method: 'POST', path: '/api/v2/projects/{projectId}/import/testsets', body: true },
  listTestsets: { method: 'GET', path: '/api/v2/projects/{projectId}/testsets', query: true, list: true },
  createTestset: { method: 'POST', path: '/api/v2/projects/{projectId}/testsets', body: true },
  deleteTestcases: { method: 'POST', path: '/api/v2/testcases/bulk-delete', body: true },
  getTestcase: { method: 'GET', path: '/api/v2/testcases/{testcaseId}' },
  updateTestcase: { method: 'PUT', path: '/api/v2/testcases/{testcaseId}', body: true },
  getTestset: { method: 'GET', path: '/api/v2/testsets/{testsetId}' },
  updateTestset: { method: 'PATCH', path: '/api/v2/testsets/{testsetId}', body: true },
  deleteTestset: { method: 'DELETE', path: '/api/v2/testsets/{testsetId}' },
  exportTestcases: { method: 'GET', path: '/api/v2/testsets/{testsetId}/export/testcases', query: true, list: true },
  getTestsetGrouping: { method: 'GET', path: '/api/v2/testsets/{testsetId}/grouping' },
  updateTestsetGrouping: { method: 'PUT', path: '/api/v2/testsets/{testsetId}/grouping', body: true },
  importTestcases: { method: 'POST', path: '/api/v2/testsets/{testsetId}/import/testcases', body: true },
  listTestcases: { method: 'GET', path: '/api/v2/testsets/{testsetId}/testcases', query: true, list: true },
  createTestcases: { method: 'POST', path: '/api/v2/testsets/{testsetId}/testcases', body: true },
  exportSpans: { method: 'GET', path: '/api/v2/projects/{projectId}/export/spans', query: true, list: true },
  importSpans: { method: 'POST', path: '/api/v2/projects/{projectId}/import/spans', body: true },
  listSpans: { method: 'GET', path: '/api/v2/projects/{projectId}/spans', query: true, list: true },
  getTraceSettings: { method: 'GET', path: '/api/v2/projects/{projectId}/trace-settings' },
  updateTraceSettings: { method: 'PUT', path: '/api/v2/projects/{projectId}/trace-settings', body: true },
  deleteTrace: { method: 'DELETE', path: '/api/v2/projects/{projectId}/traces/{traceId}' },
  getSpan: { method: 'GET', path: '/api/v2/projects/{projectId}/traces/{traceId}/spans/{spanId}' },
  getRecordConversation: { method: 'GET', path: '/api/v2/records/{recordId}/conversation' },
  listRecordSpans: { method: 'GET', path: '/api/v2/records/{recordId}/spans', query: true },
  createTestcaseFromRecord: { method: 'POST', path: '/api/v2/records/{recordId}/testcase', body: true },
  exportViews: { method: 'GET', path: '/api/v2/projects/{projectId}/export/views', query: true, list: true },
  importViews: { method: 'POST', path: '/api/v2/projects/{projectId}/import/views', body: true },
  listViews: { method: 'GET', path: '/api/v2/projects/{projectId}/views' },
  createView: { method: 'POST', path: '/api/v2/projects/{projectId}/views', body: true },
  updateView: { method: 'PATCH', path: '/api/v2/views/{viewId}', body: true },
  deleteView: { method: 'DELETE', path: '/api/v2/views/{viewId}' },
};

/** Every stream of server-sent events, as its address: the ids of its path, its query. */
export interface Streams {
  /** Follow changes of the members, providers and projects of the organization as server-sent events. */
  streamChanges(query?: StreamChangesQuery): string;

  /** Follow changes of the runs, records and other resources of a project as server-sent events. */
  streamProjectChanges(projectId: string, query?: StreamProjectChangesQuery): string;

  /** Follow the progress of a run as server-sent events, until machines have nothing left to do. */
  streamRunProgress(runId: string): string;
}

/** The path of each stream. */
export const streams: { readonly [name in keyof Streams]: string } = {
  streamChanges: '/api/v2/events',
  streamProjectChanges: '/api/v2/projects/{projectId}/events',
  streamRunProgress: '/api/v2/runs/{runId}/events',
};
