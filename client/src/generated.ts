// Generated from openapi.json by `node server/generate.ts`. Do not edit.
import type { CallOptions, JsonObject, List, OperationFacts } from './types.ts';

/** What a link in a mail is for. */
export type AddressQuestion = {
  /** What the link does: it begins or ends the mails. */
  does: "confirm" | "stop";
  /** E-mail address that the link is for. */
  address: string;
  /** Name of the organization that sends the mails. */
  organizationName: string;
  /** Whether it is so already. */
  answered: boolean;
};

/** Sends events of a project to a webhook, to Slack, by e-mail or to an OpenTelemetry collector. */
export type Alert = {
  /** Id of the alert. */
  id: string;
  /** Id of its project. */
  projectId: string;
  /** Name of the alert. */
  name: string;
  /** How events are sent. */
  kind: "webhook" | "slack" | "email" | "otlp";
  /** E-mail addresses, or the origin of the URL: the path is left out because it may be a credential. */
  target: string;
  /** email: the addresses, and whether they get mails. Empty for other kinds. */
  addresses: MailAddress[];
  /** Events that are sent. run.completed: all records of a run have their scores. gate.failed: `dokima gate --store` gave a verdict other than pass. budget.reached: the judges of a run have spent their budget. drift.found: a check found that a judge has drifted. monitor.worse: the pass rate of a metric of a monitor has fallen below minPassRate, or the share of a label has risen above maxLabelShare. traffic.worse: the errors, latency or cost of traces went above a limit. record.scored: a record has a new score; for the kind otlp, which sends nothing else. */
  events: Array<"run.completed" | "gate.failed" | "budget.reached" | "drift.found" | "monitor.worse" | "traffic.worse" | "record.scored">;
  /** monitor.worse: lowest acceptable pass rate, from 0 to 1. It applies to every metric of every monitor of the project. */
  minPassRate: number | null;
  /** monitor.worse: id of a category metric, one of whose labels is watched; null for none. Given with label and maxLabelShare. */
  labelMetricId: string | null;
  /** monitor.worse: the label. A configuration without it is not watched. */
  label: string | null;
  /** monitor.worse: highest acceptable share of the label among the scores of the metric in each monitor, from 0 to 1. */
  maxLabelShare: number | null;
  /** monitor.worse and traffic.worse: highest average number of false alarms a year, of each. */
  falseAlarmsPerYear: number;
  /** traffic.worse: length of the windows of UTC that are looked at. */
  trafficWindow: "hour" | "day";
  /** traffic.worse: highest acceptable share of records with a failed span, from 0 to 1; null for any. */
  maxErrorRate: number | null;
  /** traffic.worse: highest acceptable 95th percentile of the latency, in milliseconds; null for any. */
  maxLatencyMs: number | null;
  /** traffic.worse: highest acceptable cost of all records of a window, in US dollars; null for any. */
  maxCostUsd: number | null;
  /** Whether nothing is sent. Events that happen while it is paused are not sent later. */
  paused: boolean;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** Only in lists: the newest event that it told, or is to tell; null if there is none. */
  lastDelivery?: {
    /** The event, or `test`. */
    event: string;
    /** What happened. */
    title: string;
    /** pending: it is being sent or will be sent again. delivered: the receiver accepted it; of several addresses, all that get mails. failed: it is not sent again. */
    state: "pending" | "delivered" | "failed";
    /** When the event was noted. */
    createdAt: string;
  } | null | undefined;
};

/** A new alert with its signing key. */
export type AlertCreated = {
  /** Id of the alert. */
  id: string;
  /** Id of its project. */
  projectId: string;
  /** Name of the alert. */
  name: string;
  /** How events are sent. */
  kind: "webhook" | "slack" | "email" | "otlp";
  /** E-mail addresses, or the origin of the URL: the path is left out because it may be a credential. */
  target: string;
  /** email: the addresses, and whether they get mails. Empty for other kinds. */
  addresses: MailAddress[];
  /** Events that are sent. run.completed: all records of a run have their scores. gate.failed: `dokima gate --store` gave a verdict other than pass. budget.reached: the judges of a run have spent their budget. drift.found: a check found that a judge has drifted. monitor.worse: the pass rate of a metric of a monitor has fallen below minPassRate, or the share of a label has risen above maxLabelShare. traffic.worse: the errors, latency or cost of traces went above a limit. record.scored: a record has a new score; for the kind otlp, which sends nothing else. */
  events: Array<"run.completed" | "gate.failed" | "budget.reached" | "drift.found" | "monitor.worse" | "traffic.worse" | "record.scored">;
  /** monitor.worse: lowest acceptable pass rate, from 0 to 1. It applies to every metric of every monitor of the project. */
  minPassRate: number | null;
  /** monitor.worse: id of a category metric, one of whose labels is watched; null for none. Given with label and maxLabelShare. */
  labelMetricId: string | null;
  /** monitor.worse: the label. A configuration without it is not watched. */
  label: string | null;
  /** monitor.worse: highest acceptable share of the label among the scores of the metric in each monitor, from 0 to 1. */
  maxLabelShare: number | null;
  /** monitor.worse and traffic.worse: highest average number of false alarms a year, of each. */
  falseAlarmsPerYear: number;
  /** traffic.worse: length of the windows of UTC that are looked at. */
  trafficWindow: "hour" | "day";
  /** traffic.worse: highest acceptable share of records with a failed span, from 0 to 1; null for any. */
  maxErrorRate: number | null;
  /** traffic.worse: highest acceptable 95th percentile of the latency, in milliseconds; null for any. */
  maxLatencyMs: number | null;
  /** traffic.worse: highest acceptable cost of all records of a window, in US dollars; null for any. */
  maxCostUsd: number | null;
  /** Whether nothing is sent. Events that happen while it is paused are not sent later. */
  paused: boolean;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** webhook: the key that signs each request, as whsec_ and Base64. It is not shown again. */
  signingSecret: string | null;
};

/** One event that was sent, or is to be sent, by an alert. */
export type AlertDelivery = {
  /** Id of the delivery, and the header webhook-id of each attempt. */
  id: string;
  /** The event, `test`, or `address.confirmation`: the owner of an address is asked. */
  event: string;
  /** What happened. */
  title: string;
  /** pending: it is being sent or will be sent again. delivered: the receiver accepted it; of several addresses, all that get mails. failed: it is not sent again. */
  state: "pending" | "delivered" | "failed";
  /** Number of attempts. */
  numAttempts: number;
  /** HTTP status of the last answer; null without one. */
  status: number | null;
  /** Why the last attempt failed. */
  lastError: string | null;
  /** email: addresses that did not get it, because their owners have not confirmed them. */
  unconfirmed: string[];
  /** When it is sent next; null unless it is pending. */
  nextAttemptAt: string | null;
  /** When the event was noted. */
  createdAt: string;
  /** When it was delivered or given up. */
  endedAt: string | null;
};

/** A pass rate, anchored to a later judge by the trial that adopted it. */
export type AnchoredRate = {
  /** Configuration of the judge that the rate is anchored to. */
  metricConfigId: string;
  /** Estimate of the rate that this judge would have given. */
  estimate: number;
  /** Standard error, including that of the switch. */
  standardError: number;
  interval: Interval;
  /** Amount that the switch adds to the rate. */
  shift: {
    /** The estimate. */
    estimate: number;
    /** Standard error, including that of the switch. */
    standardError: number;
    interval: Interval;
  };
};

/** A rating of a record by a person, with a comment. */
export type Annotation = {
  /** Id of the annotation. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** Span of the record; null if the annotation is about the whole record. */
  spanId: string | null;
  /** Trace of the span; left out without a span. */
  traceId?: string | undefined;
  passage?: Passage | undefined;
  /** true is positive, false is negative. */
  rating: boolean;
  /** Free text of the user; empty if none was given. */
  comment: string;
  /** Id of the author. */
  userId: string;
  /** Present if a model made it. Its thumb never calibrates a judge. */
  madeBy?: "model" | undefined;
  /** When it was written: ISO 8601, UTC, milliseconds. */
  createdAt: string;
};

/** The form of every error. */
export type ApiError = {
  /** What went wrong, for programs. docs/errors.md lists the codes. */
  code: string;
  /** What went wrong and what to do, for people. */
  message: string;
  /** Details of this error; empty if there are none. */
  details: JsonObject;
};

/** An API key without its secret part. */
export type ApiKey = {
  /** Id of the key. */
  id: string;
  /** Id of the key's member, who is the author of all that the key writes. */
  userId: string;
  /** Purpose of the key. */
  name: string;
  /** First characters of the key, to tell keys apart. */
  prefix: string;
  /** full: the key may do what its member may do. read: the key may only read. */
  access: "full" | "read";
  /** Project for traces that are sent with this key and name no project; null without one. */
  defaultProjectId: string | null;
  /** When it was created. */
  createdAt: string;
  /** When it expires; null if never. */
  expiresAt: string | null;
  /** When it was last used, to the minute; null if never. */
  lastUsedAt: string | null;
};

/** A new API key. */
export type ApiKeyCreated = {
  /** Id of the key. */
  id: string;
  /** Id of the key's member, who is the author of all that the key writes. */
  userId: string;
  /** Purpose of the key. */
  name: string;
  /** First characters of the key, to tell keys apart. */
  prefix: string;
  /** full: the key may do what its member may do. read: the key may only read. */
  access: "full" | "read";
  /** Project for traces that are sent with this key and name no project; null without one. */
  defaultProjectId: string | null;
  /** When it was created. */
  createdAt: string;
  /** When it expires; null if never. */
  expiresAt: string | null;
  /** When it was last used, to the minute; null if never. */
  lastUsedAt: string | null;
  /** The key itself. It is shown only here; the service stores a hash. */
  key: string;
};

/** A file of a session. It is declared first and then uploaded. */
export type Attachment = {
  /** Id of the attachment. */
  id: string;
  /** Session that the file belongs to. */
  sessionId: string;
  /** Path of the file in the session. */
  filePath: string;
  /** File name for people; null if none was given. */
  filename: string | null;
  /** Media type as declared. */
  contentType: string | null;
  /** Size in bytes. */
  sizeBytes: number | null;
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string | null;
  /** pending until the bytes have arrived. */
  status: "pending" | "uploaded";
  /** When the bytes arrived; null while pending. */
  uploadedAt: string | null;
  /** Metadata from the client. */
  metadata: JsonObject | null;
};

/** An attachment with a link to its bytes. */
export type AttachmentWithDownload = {
  /** Id of the attachment. */
  id: string;
  /** Session that the file belongs to. */
  sessionId: string;
  /** Path of the file in the session. */
  filePath: string;
  /** File name for people; null if none was given. */
  filename: string | null;
  /** Media type as declared. */
  contentType: string | null;
  /** Size in bytes. */
  sizeBytes: number | null;
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string | null;
  /** pending until the bytes have arrived. */
  status: "pending" | "uploaded";
  /** When the bytes arrived; null while pending. */
  uploadedAt: string | null;
  /** Metadata from the client. */
  metadata: JsonObject | null;
  /** Signed link; null while pending. */
  downloadUrl: string | null;
  /** When the link expires; null while pending. */
  downloadExpiresAt: string | null;
};

/** An entry of the audit log: a write or a sign-in. */
export type AuditEvent = {
  /** Id of the entry. */
  id: string;
  /** When it was done. */
  createdAt: string;
  /** operationId of the request, such as updateMetric or signIn. */
  operation: string;
  /** Group of the operation in this document, such as Metrics. */
  resource: string;
  /** Id of what was written; null if the write was about several. */
  resourceId: string | null;
  /** Id of its project; null outside of projects. */
  projectId: string | null;
  /** Member who did it, or the SCIM token of a directory; null for the operator, the service itself and an unknown person. */
  userId: string | null;
  /** Current name of the member or SCIM token; null if it was deleted. */
  userName: string | null;
  /** API key of the request; null without one. */
  keyId: string | null;
  /** Sign-in of the request; null without one. */
  signInId: string | null;
  /** Address that the request came from; null for the service itself. */
  address: string | null;
  /** Whether it was refused, for example a sign-in with a wrong password. */
  failed: boolean;
  /** For writes of data: number of rows, and the first and last of their ids. */
  details: JsonObject | null;
  /** For settings: the resource before, without secrets. */
  before: JsonObject | null;
  /** For settings: the resource after, without secrets. */
  after: JsonObject | null;
  /** Place in the chain, from 1; null for a few seconds after the write. */
  place: number | null;
  /** SHA-256 of the previous hash and of the content of this entry, in hexadecimal. */
  hash: string | null;
};

/** Result of a check of the audit log. */
export type AuditVerification = {
  /** Whether no entry of the chain was changed or removed. */
  intact: boolean;
  /** Number of entries in the chain. */
  chained: number;
  /** Number of entries of the last seconds that are not in the chain yet. They are not protected. */
  unchained: number;
  /** Number of entries in the chain whose `before` and `after` were erased, because what they are about was deleted. */
  numErased: number;
  /** Place of the last entry in the chain; 0 without one. Note it with hash. */
  place: number;
  /** Hash of the last entry in the chain; empty without one. */
  hash: string;
  /** Where the chain breaks, at most 100. */
  breaks: Array<{
    /** Place in the chain. */
    place: number;
    /** Id of the entry at this place; null if it is missing. */
    id: string | null;
    /** Time of the entry; null if it is missing. */
    createdAt: string | null;
    /** changed: its content is not what was hashed. missing: entries before it were removed. cut: entries after it were removed. replaced: its hash differs from the one that you noted. */
    kind: "changed" | "missing" | "cut" | "replaced";
  }>;
};

/** A record on which the judge and people disagree. */
export type CalibrationDisagreement = {
  /** Id of the record, with trace and span for a metric of spans. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** Trace of the span, for a metric of spans. */
  traceId?: string | undefined;
  /** The span, for a metric of spans. */
  spanId?: string | undefined;
  /** Id of its testcase; null without one. */
  testcaseId: string | null;
  /** Whether the label is for tuning (`dev`) or for testing (`test`). */
  split: string;
  /** Score of the judge. */
  judge: {
    /** The score; a text is a label. */
    value: number | string;
    /** Whether it passes. */
    passed: boolean;
  };
  /** Score of people. */
  human: {
    /** The score; a text is a label. */
    value: number | string;
    /** Whether it passes. */
    passed: boolean;
  };
  /** The record; absent without `records`, null if the record was deleted during the request. */
  record?: RecordDetail | null | undefined;
};

/** A span with what its call used and answered. */
export type CalledSpan = {
  /** Id of its trace, 32 hexadecimal digits. */
  traceId: string;
  /** Id of the span, 16 hexadecimal digits. */
  spanId: string;
  /** Id of its parent; null for a root. */
  parentSpanId: string | null;
  /** Name of the span. */
  name: string;
  /** service.name of its resource; empty without one. */
  service: string;
  /** Kind of the span in OpenTelemetry. */
  kind: "unspecified" | "internal" | "server" | "client" | "producer" | "consumer";
  /** Operation, if its attributes name one. */
  operation: "chat" | "tool" | "agent" | "chain" | "embedding" | "retrieval" | null;
  /** Model that answered, else the model that was asked. */
  modelName: string | null;
  /** Whether it failed. */
  failed: boolean;
  /** When it started: ISO 8601, UTC, nanoseconds. */
  startTime: string;
  /** When it ended; null while it is open. */
  endTime: string | null;
  /** Milliseconds from start to end; null while it is open, and if it ends before it starts. */
  durationMs: number | null;
  /** What the call of a model or a tool used, its error and its tool; null for other spans. */
  call: {
    /** Provider of the model. */
    provider: string | null;
    /** Input tokens. */
    inputTokens: number | null;
    /** Output tokens. */
    outputTokens: number | null;
    /** Input tokens that were read from a cache. */
    cachedInputTokens: number | null;
    /** Output tokens that were spent on reasoning. */
    reasoningTokens: number | null;
    /** Cost in US dollars: as the sender reported it, else computed for a call of a model. */
    costUsd: number | null;
    /** Whether the cost was computed from the tokens by the price table, since the sender reported none. */
    costComputed: boolean;
    /** Error, if the sender reported one. */
    error: string | null;
    /** Tool that it called; null without one. */
    tool: {
      /** Id of the call. */
      id: string | null;
      /** Name of the tool. */
      name: string;
      /** Arguments of the call. */
      arguments: unknown;
      /** Result of the call. */
      result: unknown;
    } | null;
  } | null;
};

/** A testcase in two runs. */
export type ChangedTestcase = {
  /** Id of the testcase, or `record <id>` for a record without one. */
  id: string;
  /** Id of the testcase; null for a record without one. */
  testcaseId: string | null;
  /** How its score changed in the second run. */
  change: "better" | "worse" | "same" | "onlyBefore" | "onlyAfter" | "revised" | "unscored";
  /** Result in this run; null if the run does not have the testcase. */
  before: {
    /** Mean over its trials; null without a score. */
    mean: number | null;
    /** Number of scores. */
    trials: number;
    /** Number of records without a score. */
    missing: number;
    /** Revision of the testcase. */
    revision: number | null;
    /** Ids of its records, at most 20. */
    recordIds: string[];
  } | null;
  /** Result in this run; null if the run does not have the testcase. */
  after: {
    /** Mean over its trials; null without a score. */
    mean: number | null;
    /** Number of scores. */
    trials: number;
    /** Number of records without a score. */
    missing: number;
    /** Revision of the testcase. */
    revision: number | null;
    /** Ids of its records, at most 20. */
    recordIds: string[];
  } | null;
  /** One record of the testcase from each run; absent without `records`. */
  records?: {
    /** The first record of the first run; null without one. */
    before: RecordDetail | null;
    /** The first record of the second run; null without one. */
    after: RecordDetail | null;
  } | undefined;
};

/** A message of a conversation. */
export type ConversationEntry = {
  /** system, user, assistant, tool, or another word of the sender. */
  role: string;
  /** Text of the message. */
  content: string;
  /** Reasoning of the model before its answer. */
  reasoning?: string | undefined;
  /** Tool calls of the model. */
  toolCalls?: Array<{
    /** Id of the call. */
    id: string | null;
    /** Name of the tool. */
    name: string;
    /** Arguments of the call. */
    arguments: unknown;
  }> | undefined;
  /** Id of the tool call that this answers. */
  toolCallId?: string | undefined;
  /** Name of the tool that answers. */
  name?: string | undefined;
  /** Parts that are not text, as received. */
  media?: unknown[] | undefined;
  /** Trace of the message. */
  traceId: string;
  /** First span with the message. */
  spanId: string;
  /** Span of the sub-agent whose conversation it belongs to; null for the main conversation. */
  agentSpanId: string | null;
  /** JSON Pointer to the text in the span as getSpan returns it, for annotations of a passage; null if the span does not have it. */
  path: string | null;
  /** Time of the message. */
  time: string;
  /** Model of the span. */
  modelName: string | null;
  /** Error of the span; null if it did not fail. */
  error: string | null;
};

/** Who created a testset, a metric or a system. */
export type Creator = {
  /** Id of the testset, metric or system. */
  id: string;
  /** User who created it, also with a key. */
  createdByUserId: string;
  /** Name of the user; null for a former member. */
  createdByName: string | null;
};

/** Criteria that a metric scores one by one. The score is the share of their weights that is met. */
export type Criteria = {
  /** Criteria of each record. */
  items: Criterion[];
  /** Whether each testcase adds its own criteria, in `expected.criteria`: a list of texts, or of objects like `items`. The same id in several testcases is the same criterion. */
  fromExpected: boolean;
  /** Whether the judge is asked about each criterion by itself: one call each, so that no criterion colours another. */
  isolate: boolean;
};

/** How far a judge and people agree on each criterion. */
export type CriteriaCalibration = {
  /** Each criterion, compared like a judge: first those of the metric, then those of testcases, which have the most labels first. Each interval is for one criterion. */
  criteria: Array<{
    /** Id of the criterion. */
    id: string;
    /** Its text; null if only testcases have it. */
    text: string | null;
    /** Its weight; null if only testcases have it. */
    weight: number | null;
    /** Whether the score is 0 without it; null if only testcases have it. */
    mustPass: boolean | null;
    /** Method. */
    method: string;
    /** Number of labelled records. */
    n: number;
    /** Effective number of labels (Kish); below `n` if the labels were drawn by strata with unequal probabilities. */
    effectiveN: number;
    /** Confidence level. */
    level: number;
    /** Number of labelled records by the verdicts of judge and people. */
    matrix: {
      /** Judge and people pass the record. */
      truePositives: number;
      /** Only the judge passes the record. */
      falsePositives: number;
      /** Only people pass the record. */
      falseNegatives: number;
      /** Neither passes the record. */
      trueNegatives: number;
    };
    sensitivity: Estimate;
    specificity: Estimate;
    agreement: Estimate;
    baseRate: Estimate;
    kappa: Estimate;
    ac1: Estimate;
    /** Number of records on which they disagree; `listJudgeDisagreements` lists them. */
    numDisagreements: number;
    /** Warnings with their codes. */
    caveats: Array<{
      /** Kind of warning, for programs. */
      code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
      /** The warning, for readers. */
      sentence: string;
    }>;
    /** Warnings for the reader: the sentences of `caveats`. */
    warnings: string[];
    /** Labels without a verdict of the judge; they are left out of the rates. */
    unjudged: number;
    /** `notCalibrated`: no labels. `tooFewLabels`: fewer than 20, or fewer than 5 of a kind. `noBetterThanChance`: the interval of `youden` is not above 0. `calibrated`: that interval is above 0. */
    state: "notCalibrated" | "tooFewLabels" | "noBetterThanChance" | "calibrated";
    /** `unusable`: not shown to be better than chance, or too few labels to tell. `useWithCorrection`: better than chance, but its own rate may be more than 20 points away from that of people. `mayGateAlone`: the upper end of `loss` is at most 20 points. */
    grade: "unusable" | "useWithCorrection" | "mayGateAlone";
  }>;
  /** Number of further criteria: at most 200 are listed. */
  numCriteriaLeftOut: number;
  /** All verdicts on all criteria together. The verdicts on one record depend on each other: the intervals are clustered by record. */
  together: {
    /** Method. */
    method: string;
    /** Number of labelled records. */
    n: number;
    /** Effective number of labels (Kish); below `n` if the labels were drawn by strata with unequal probabilities. */
    effectiveN: number;
    /** Confidence level. */
    level: number;
    /** Number of labelled records by the verdicts of judge and people. */
    matrix: {
      /** Judge and people pass the record. */
      truePositives: number;
      /** Only the judge passes the record. */
      falsePositives: number;
      /** Only people pass the record. */
      falseNegatives: number;
      /** Neither passes the record. */
      trueNegatives: number;
    };
    sensitivity: Estimate;
    specificity: Estimate;
    agreement: Estimate;
    baseRate: Estimate;
    kappa: Estimate;
    ac1: Estimate;
    /** Number of records on which they disagree; `listJudgeDisagreements` lists them. */
    numDisagreements: number;
    /** Warnings with their codes. */
    caveats: Array<{
      /** Kind of warning, for programs. */
      code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
      /** The warning, for readers. */
      sentence: string;
    }>;
    /** Warnings for the reader: the sentences of `caveats`. */
    warnings: string[];
    /** Labels without a verdict of the judge; they are left out of the rates. */
    unjudged: number;
    /** `notCalibrated`: no labels. `tooFewLabels`: fewer than 20, or fewer than 5 of a kind. `noBetterThanChance`: the interval of `youden` is not above 0. `calibrated`: that interval is above 0. */
    state: "notCalibrated" | "tooFewLabels" | "noBetterThanChance" | "calibrated";
    /** `unusable`: not shown to be better than chance, or too few labels to tell. `useWithCorrection`: better than chance, but its own rate may be more than 20 points away from that of people. `mayGateAlone`: the upper end of `loss` is at most 20 points. */
    grade: "unusable" | "useWithCorrection" | "mayGateAlone";
  };
};

/** Criteria that a model wrote, for review. */
export type CriteriaDrafts = {
  /** Criteria in the order of the model. Nothing is stored: someone accepts them one by one into `criteria.items` of the metric. */
  drafts: Array<{
    /** Id that is made of the text. */
    id: string;
    /** One question with a yes or a no. */
    text: string;
    /** Weight; negative for what must not happen. */
    weight: number;
    /** Whether the model would fail the record without it. */
    mustPass: boolean;
    /** Why the model wrote it; may be empty. */
    why: string;
    /** Failures that the model names for it. */
    recordIds: string[];
    /** Criterion that it nearly repeats: one of `criteria`, or an earlier draft. */
    similarTo: string | null;
  }>;
  /** Number of failures that the model reads. */
  numFailures: number;
  /** Model that writes them. */
  modelName: string;
  /** What the call costs, estimated before it. */
  estimate: {
    /** Input tokens of the call, by the length of the question. */
    inputTokens: number | null;
    /** Output tokens of the call, by the length of the question. */
    outputTokens: number | null;
    /** Cost in US dollars of the call, by the length of the question; null if unknown. */
    costUsd: number | null;
  };
  /** Why there are no drafts; null if the model answered or was not asked. */
  error: string | null;
  /** Input tokens of the call. */
  inputTokens: number | null;
  /** Output tokens of the call. */
  outputTokens: number | null;
  /** Cost in US dollars of the call; null if unknown. */
  costUsd: number | null;
};

/** A criterion of a metric. */
export type Criterion = {
  /** Id of the criterion, which its verdicts name. */
  id: string;
  /** What the record must do, as one question with a yes or a no. */
  text: string;
  /** Weight in the share. A criterion with a negative weight takes from the share when it is met; at least one has a positive weight. */
  weight: number;
  /** Whether the score is 0 when it is not met. */
  mustPass: boolean;
};

/** A run held against a registered decision. */
export type DecisionReading = {
  /** Id of the decision. */
  decisionId: string;
  /** Id of the run. */
  runId: string;
  /** Where the run departs from what was registered. */
  deviations: Array<{
    /** Kind of deviation. */
    kind: "registeredAfter" | "testcasesChanged" | "testcasesMissing" | "metricChanged" | "rerun" | "otherLooks" | "runsDeleted" | "tooFew";
    /** The deviation in words. */
    sentence: string;
  }>;
  /** Runs of the testset with scores since the registration, this one included. */
  numLooks: number;
  /** Who shipped this run in spite of the verdict, and why; oldest first. */
  waivers: Array<{
    /** Why. */
    reason: string;
    /** Member who waived. */
    waivedBy: string | null;
    /** When. */
    waivedAt: string;
  }>;
};

/** A number with its uncertainty, or with the reason why it has none. */
export type Estimate = {
  /** Method of the interval. */
  method: string;
  /** Number of independent units: testcases, or groups of testcases. */
  n: number;
  /** Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size or testcases have unequal weights. */
  effectiveN: number;
  /** Confidence level. */
  level: number;
  /** The estimate; null without data. */
  estimate: number | null;
  /** Standard error of the estimate. */
  standardError: number | null;
  /** The interval; null with too little data. */
  interval: Interval | null;
  /** Why there is no interval. */
  reason: string | null;
  /** Assumption of the interval. */
  assumption: string;
  /** Warnings with their codes. */
  caveats: Array<{
    /** Kind of warning, for programs. */
    code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
    /** The warning, for readers. */
    sentence: string;
  }>;
  /** Warnings for the reader: the sentences of `caveats`. */
  warnings: string[];
};

/** One call of the system of a run, with one testcase. */
export type Execution = {
  /** Testcase that is sent to the system. */
  testcaseId: string;
  /** Number of the trial, from 1 to the trials of the run. */
  trial: number;
  /** pending: queued or running. done: the record exists. failed, cancelled: there is no record unless you retry. */
  state: "pending" | "done" | "failed" | "cancelled";
  /** Calls that reached the system. */
  numAttempts: number;
  /** Error of the latest failed call; null if no call failed or a later one succeeded. */
  lastError: string | null;
  /** Record that the execution created. */
  recordId: string | null;
  /** Latency of the system in milliseconds. */
  latencyMs: number | null;
  /** Input tokens of the system; null if it did not report them. */
  inputTokens: number | null;
  /** Output tokens of the system; null if it did not report them. */
  outputTokens: number | null;
  /** Cost of the system in US dollars, without judges: the sum of all attempts whose cost it reported; null if unknown. */
  costUsd: number | null;
  /** Cost of the simulated user in US dollars; null if unknown, and without a simulation. */
  userCostUsd: number | null;
  /** Evidence of a prompt system: prompt as sent, model asked and model that answered. In a simulation: who played the user, and the `messages` if the conversation broke off. */
  evidence: JsonObject | null;
  /** When it last changed. */
  updatedAt: string;
};

/** The executions of a run in numbers. */
export type ExecutionSummary = {
  /** Executions of the run; 0 when clients send its records. */
  numExecutions: number;
  /** Queued or running. */
  pending: number;
  /** Done, with a record. */
  done: number;
  /** Failed for good. */
  failed: number;
  /** Cancelled. */
  cancelled: number;
  /** Sum of the input tokens, attempts without a record included; null if one is unknown. */
  inputTokens: number | null;
  /** Sum of the output tokens, attempts without a record included; null if one is unknown. */
  outputTokens: number | null;
  /** Cost of the system in US dollars, without judges, attempts without a record included; null if one is unknown. */
  costUsd: number | null;
  /** Cost of the simulated users in US dollars; null if one is unknown, and without a simulation. */
  userCostUsd: number | null;
  /** Median latency in milliseconds. */
  medianLatencyMs: number | null;
  /** 95th percentile of the latency in milliseconds. */
  p95LatencyMs: number | null;
  /** Errors of executions that are not done, most frequent first; at most 20. */
  errors: Array<{
    /** pending: the calls wait for their next attempt. failed: there is none. */
    state: "pending" | "failed";
    /** Error of the last attempt. */
    error: string;
    /** Number of executions with this error. */
    numExecutions: number;
    /** Highest number of attempts of one of them. */
    maxAttempts: number;
  }>;
  /** Latency, tokens and cost of the records, from the calls of the service and from traces that clients sent. */
  measured: {
    /** Number of records with a call or a trace that reports latency, tokens or cost. */
    numRecords: number;
    /** Median latency in milliseconds of those that have one. */
    medianLatencyMs: number | null;
    /** Mean of input and output tokens of those that have them, earlier attempts included. */
    tokensPerRecord: number | null;
    /** Mean cost in US dollars of those that have one: earlier attempts included, without judges and simulated users. */
    costUsdPerRecord: number | null;
  };
};

/** The failures of a run in groups. */
export type FailureClusters = {
  /** Clusters, the largest first. `share` is of all grouped failures. */
  clusters: Array<{
    /** Common feature of its failures: a name from the model, else its typical words. */
    name: string;
    /** Words that its failures have and others lack. */
    words: string[];
    /** Its records, the most typical first. */
    recordIds: string[];
    share: Estimate;
  }>;
  /** Records that fit no cluster. */
  others: string[];
  /** Records of the run that failed. */
  numFailures: number;
  /** Failures that were grouped: the newest 500. */
  numGrouped: number;
  /** Texts that were compared: the reasonings of the scores, or inputs and outputs. */
  basis: "reasoning" | "content";
  /** Model of embeddings; null if words were compared. */
  embeddingModelName: string | null;
  /** Model that named the clusters; null if the clusters are named by their words. */
  namedBy: string | null;
  /** Why a call of a model failed; null if none failed. */
  error: string | null;
  /** Cost of the naming in US dollars; null if unknown or no model was asked. */
  costUsd: number | null;
};

/** Fresh testcases that were drawn from the traffic, each record with the same chance. */
export type FreshDraw = {
  /** Records of the traffic that could be drawn, the newest 100,000 at most. */
  numRecords: number;
  /** Records that were drawn. */
  numDrawn: number;
  /** Chance of each of them to be drawn; null without any. */
  inclusionProbability: number | null;
  /** Drawn ones that break the schema of the testset, often because traffic has no expected answer. No run takes them. */
  numMisfits: number;
  /** Numbers of the new fresh testcases; none of a preview. */
  numbers: number[];
  /** The first five. */
  first: JsonObject[];
};

/** A testcase that no version was chosen by. It waits outside of the testset until a run takes it. */
export type FreshTestcase = {
  /** Its number among the fresh testcases of the testset. */
  number: number;
  /** Id of its testset. */
  testsetId: string;
  /** The testcase as sent; absent once a run took it: its testcase has it. */
  jsonData?: JsonObject | undefined;
  /** What does not fit the metric; absent if everything fits. */
  validationErrors?: Array<{
    /** JSON Pointer to the problem. */
    path: string;
    /** What the value must be. */
    message: string;
  }> | undefined;
  /** Chance with which it was drawn from the traffic; null for one that was added. */
  inclusionProbability: number | null;
  /** Record of the traffic that it was made of; null for one that was added. */
  recordId: string | null;
  /** Run that took it and for which alone it is fresh; null while it waits. */
  runId: string | null;
  /** Testcase that it became; null while it waits. */
  testcaseId: string | null;
  /** When it was added. */
  createdAt: string;
};

/** Fresh testcases that were added. */
export type FreshTestcasesCreated = {
  /** Their numbers, in the order sent. */
  numbers: number[];
  /** Those that break the schema: no run takes them. */
  numMisfits: number;
};

/** A confidence interval. */
export type Interval = {
  /** Lower end. */
  low: number;
  /** Upper end. */
  high: number;
};

/** Cost and budget of the judges of a run. */
export type JudgeBudget = {
  /** Budget in US dollars; null means no limit. */
  budgetUsd: number | null;
  /** Known cost so far, in US dollars. Includes replaced verdicts, proposals and lost attempts, so it never falls. Does not include the system under test. */
  spentUsd: number;
  /** Number of verdicts whose cost is unknown, each retry included; spentUsd does not include them. */
  numUnpriced: number;
  /** Number of pending scores and proposals of judges. */
  numWaiting: number;
  /** Whether pending verdicts wait because the budget is used up. Raise the budget to continue. */
  stopped: boolean;
};

/** Comparison of a judge with people who decided the same records. */
export type JudgeCalibration = {
  /** Configuration of the judge. */
  metricConfigId: string;
  /** Its passing threshold; null for a boolean. */
  passingThreshold: number | null;
  /** Source of the labels: `metric`, `overrides`, `thumbs`, or `none` if the human metric of the judge is not known. */
  source: string;
  /** Which labels count. */
  split: string;
  /** Numbers of labelled records, from the 100 newest runs with this configuration. */
  labels: {
    /** Records for tuning the judge. */
    dev: number;
    /** Records for testing the judge. */
    test: number;
    /** Labelled records without a verdict of the judge; they are left out of the rates. */
    unjudged: number;
  };
  /** Labelled records that the judge left out. */
  abstained: {
    /** Labelled records without a verdict of the judge. */
    numRecords: number;
    /** All labelled records. */
    numLabels: number;
    /** Number of the records without a verdict that people passed. */
    numPassedByPeople: number;
    share: Estimate;
  };
  /** When the newest label was given; null without labels. */
  labelledAt: string | null;
  /** Whether records of the metric are pinned for checks of drift. */
  hasPinnedSet: boolean;
  /** Method. */
  method: string;
  /** Number of labelled records. */
  n: number;
  /** Effective number of labels (Kish); below `n` if the labels were drawn by strata with unequal probabilities. */
  effectiveN: number;
  /** Confidence level. */
  level: number;
  /** Number of labelled records by the verdicts of judge and people. */
  matrix: {
    /** Judge and people pass the record. */
    truePositives: number;
    /** Only the judge passes the record. */
    falsePositives: number;
    /** Only people pass the record. */
    falseNegatives: number;
    /** Neither passes the record. */
    trueNegatives: number;
  };
  sensitivity: Estimate;
  specificity: Estimate;
  agreement: Estimate;
  baseRate: Estimate;
  kappa: Estimate;
  ac1: Estimate;
  /** Number of records on which they disagree; `listJudgeDisagreements` lists them. */
  numDisagreements: number;
  /** Warnings with their codes. */
  caveats: Array<{
    /** Kind of warning, for programs. */
    code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
    /** The warning, for readers. */
    sentence: string;
  }>;
  /** Warnings for the reader: the sentences of `caveats`. */
  warnings: string[];
  /** Assumption of all numbers here. */
  assumption: string;
  /** κ with quadratic weights, if both score from 1 to 5. */
  weightedKappa: Estimate | null;
  /** The best passing threshold; null for a boolean and for a category. */
  threshold: {
    /** How the best threshold was chosen. */
    method: string;
    /** Number of labels of the dev split. */
    n: number;
    /** Thresholds from the strictest to the most lenient, at most 100. */
    points: Array<{
      /** Lowest score that passes. */
      threshold: number;
      /** Number of labelled records by the verdicts of judge and people. */
      matrix: {
        /** Judge and people pass the record. */
        truePositives: number;
        /** Only the judge passes the record. */
        falsePositives: number;
        /** Only people pass the record. */
        falseNegatives: number;
        /** Neither passes the record. */
        trueNegatives: number;
      };
      /** Share of the records passed by people that the judge passes; null without any. */
      sensitivity: number | null;
      /** Share of the records failed by people that the judge fails; null without any. */
      specificity: number | null;
      /** Share of records on which judge and people agree. */
      agreement: number;
    }>;
    /** The best threshold on the dev labels; null without labels of both kinds. */
    best: {
      /** Lowest score that passes. */
      threshold: number;
      /** Number of labelled records by the verdicts of judge and people. */
      matrix: {
        /** Judge and people pass the record. */
        truePositives: number;
        /** Only the judge passes the record. */
        falsePositives: number;
        /** Only people pass the record. */
        falseNegatives: number;
        /** Neither passes the record. */
        trueNegatives: number;
      };
      /** Share of the records passed by people that the judge passes; null without any. */
      sensitivity: number | null;
      /** Share of the records failed by people that the judge fails; null without any. */
      specificity: number | null;
      /** Share of records on which judge and people agree. */
      agreement: number;
    } | null;
    /** The same threshold on the test labels. */
    onTest: {
      /** Method. */
      method: string;
      /** Number of labelled records. */
      n: number;
      /** Effective number of labels (Kish); below `n` if the labels were drawn by strata with unequal probabilities. */
      effectiveN: number;
      /** Confidence level. */
      level: number;
      /** Number of labelled records by the verdicts of judge and people. */
      matrix: {
        /** Judge and people pass the record. */
        truePositives: number;
        /** Only the judge passes the record. */
        falsePositives: number;
        /** Only people pass the record. */
        falseNegatives: number;
        /** Neither passes the record. */
        trueNegatives: number;
      };
      sensitivity: Estimate;
      specificity: Estimate;
      agreement: Estimate;
      baseRate: Estimate;
      kappa: Estimate;
      ac1: Estimate;
      /** Number of records on which they disagree; `listJudgeDisagreements` lists them. */
      numDisagreements: number;
      /** Warnings with their codes. */
      caveats: Array<{
        /** Kind of warning, for programs. */
        code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
        /** The warning, for readers. */
        sentence: string;
      }>;
      /** Warnings for the reader: the sentences of `caveats`. */
      warnings: string[];
    } | null;
    /** Why there is no best threshold. */
    reason: string | null;
    /** Warnings for the reader. */
    warnings: string[];
  } | null;
  /** Labels of the judge against those of people; null unless the judge gives labels. */
  confusion: {
    /** The labels of the judge, then those that only people gave. */
    names: string[];
    /** Whether they go from worst to best. False if people gave other labels. */
    ordered: boolean;
    /** Number of records: a row for each label of the judge, a column for each label of people. */
    table: Array<number[]>;
    agreement: Estimate;
    kappa: Estimate;
    alpha: Estimate;
  } | null;
  /** How well a judge is calibrated. */
  judge: {
    /** Configuration of the judge. */
    metricConfigId: string;
    /** Human metric whose scores are the truth about the judge; null if it is not known, or if the labels are of another kind. */
    peopleMetricId: string | null;
    /** When the newest label was given; null without labels. */
    labelledAt: string | null;
    /** Numbers of labelled records by the makers of the labels. */
    labelsBy: {
      /** Number by people: in a browser session, or as their sender said. */
      people: number;
      /** Number that came with a key, whose sender did not say who made them. They count. */
      clients: number;
      /** Number by code. */
      code: number;
      /** Number by models. They are left out: they never calibrate a judge. */
      models: number;
    };
    /** `unusable`: not shown to be better than chance, or too few labels to tell. `useWithCorrection`: better than chance, but its own rate may be more than 20 points away from that of people. `mayGateAlone`: the upper end of `loss` is at most 20 points. */
    grade: "unusable" | "useWithCorrection" | "mayGateAlone";
    /** How far the judge's rate of any set of records can be from that of people by its errors. Null without labels of both kinds. */
    loss: {
      /** The larger of 1 − sensitivity and 1 − specificity; 0.1 is ten points. */
      estimate: number;
      interval: Interval;
      /** Kind of error that is the larger one: it fails good records, or it passes bad ones. */
      largest: "falseFails" | "falsePasses";
    } | null;
    /** `notCalibrated`: no labels. `tooFewLabels`: fewer than 20, or fewer than 5 of a kind. `noBetterThanChance`: the interval of `youden` is not above 0. `calibrated`: that interval is above 0. */
    state: "notCalibrated" | "tooFewLabels" | "noBetterThanChance" | "calibrated";
    /** Number of labelled records that the judge decided. */
    numLabels: number;
    /** Number of labelled records without a verdict of the judge. */
    abstained: number;
    sensitivity: Estimate;
    specificity: Estimate;
    /** Youden's index: 0 is no better than chance, 1 is always right. Null without labels of both kinds. */
    youden: {
      /** Sensitivity + specificity − 1. */
      estimate: number;
      interval: Interval;
    } | null;
    /** The same in words. */
    sentence: string;
    /** The grade and the doubts in a few words, for a badge beside each rate of the judge. */
    trust: string;
    /** What keeps the judge from being trusted as its grade says; `sentence` names them too. */
    doubts: Array<{
      /** `biased` and `biasUndecided`: what its bias battery found. `batteryExpired`: the battery is older than 180 days. `modelUntested`: a model answers that the battery has not tested. `drifted`: its newest drift trial says so. `labelsExpired`: its newest label is older than 365 days. */
      code: "biased" | "biasUndecided" | "batteryExpired" | "modelUntested" | "drifted" | "labelsExpired";
      /** In a few words. */
      words: string;
      /** The doubt as a sentence. */
      sentence: string;
    }>;
  };
  /** Pass rate of `numPasses` among `numJudged` records, corrected with the judge's error rates; null unless both are given. */
  correctedRate: {
    /** Method of the interval. */
    method: string;
    /** Number of independent units: testcases, or groups of testcases. */
    n: number;
    /** Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size or testcases have unequal weights. */
    effectiveN: number;
    /** Confidence level. */
    level: number;
    /** The estimate; null without data. */
    estimate: number | null;
    /** Standard error of the estimate. */
    standardError: number | null;
    /** The interval; null with too little data. */
    interval: Interval | null;
    /** Why there is no interval. */
    reason: string | null;
    /** Assumption of the interval. */
    assumption: string;
    /** Warnings with their codes. */
    caveats: Array<{
      /** Kind of warning, for programs. */
      code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
      /** The warning, for readers. */
      sentence: string;
    }>;
    /** Warnings for the reader: the sentences of `caveats`. */
    warnings: string[];
    /** How often people err, by their blind reviews of the same records. Null with fewer than 30 such records; the correction then assumes that people are right. */
    people: {
      /** Number of records with two or more blind reviews. */
      numRecords: number;
      /** Share of pairs of reviews of one record that differ. */
      disagreement: number;
      /** Estimated share of wrong reviews. It assumes that people err independently and equally often. */
      error: number;
      interval: Interval;
      /** The rate on the assumption that people are right; null if the rate is not corrected for their errors. */
      uncorrected: {
        /** The rate. */
        estimate: number;
        interval: Interval;
      } | null;
    } | null;
    /** Pass rate according to the judge. */
    uncorrected: number | null;
  } | null;
  /** The `rates`, corrected in the same way, in their order. */
  correctedRates: Array<{
    /** Number of judged records. */
    n: number;
    /** The corrected rate; null where it cannot be corrected. */
    estimate: number | null;
    /** Its interval. */
    interval: Interval | null;
  }>;
  /** Only with `configurations`. The newest 10 configurations, each a separate judge. */
  configurations?: Array<{
    /** How well a judge is calibrated. */
    judge: {
      /** Configuration of the judge. */
      metricConfigId: string;
      /** Human metric whose scores are the truth about the judge; null if it is not known, or if the labels are of another kind. */
      peopleMetricId: string | null;
      /** When the newest label was given; null without labels. */
      labelledAt: string | null;
      /** Numbers of labelled records by the makers of the labels. */
      labelsBy: {
        /** Number by people: in a browser session, or as their sender said. */
        people: number;
        /** Number that came with a key, whose sender did not say who made them. They count. */
        clients: number;
        /** Number by code. */
        code: number;
        /** Number by models. They are left out: they never calibrate a judge. */
        models: number;
      };
      /** `unusable`: not shown to be better than chance, or too few labels to tell. `useWithCorrection`: better than chance, but its own rate may be more than 20 points away from that of people. `mayGateAlone`: the upper end of `loss` is at most 20 points. */
      grade: "unusable" | "useWithCorrection" | "mayGateAlone";
      /** How far the judge's rate of any set of records can be from that of people by its errors. Null without labels of both kinds. */
      loss: {
        /** The larger of 1 − sensitivity and 1 − specificity; 0.1 is ten points. */
        estimate: number;
        interval: Interval;
        /** Kind of error that is the larger one: it fails good records, or it passes bad ones. */
        largest: "falseFails" | "falsePasses";
      } | null;
      /** `notCalibrated`: no labels. `tooFewLabels`: fewer than 20, or fewer than 5 of a kind. `noBetterThanChance`: the interval of `youden` is not above 0. `calibrated`: that interval is above 0. */
      state: "notCalibrated" | "tooFewLabels" | "noBetterThanChance" | "calibrated";
      /** Number of labelled records that the judge decided. */
      numLabels: number;
      /** Number of labelled records without a verdict of the judge. */
      abstained: number;
      sensitivity: Estimate;
      specificity: Estimate;
      /** Youden's index: 0 is no better than chance, 1 is always right. Null without labels of both kinds. */
      youden: {
        /** Sensitivity + specificity − 1. */
        estimate: number;
        interval: Interval;
      } | null;
      /** The same in words. */
      sentence: string;
      /** The grade and the doubts in a few words, for a badge beside each rate of the judge. */
      trust: string;
      /** What keeps the judge from being trusted as its grade says; `sentence` names them too. */
      doubts: Array<{
        /** `biased` and `biasUndecided`: what its bias battery found. `batteryExpired`: the battery is older than 180 days. `modelUntested`: a model answers that the battery has not tested. `drifted`: its newest drift trial says so. `labelsExpired`: its newest label is older than 365 days. */
        code: "biased" | "biasUndecided" | "batteryExpired" | "modelUntested" | "drifted" | "labelsExpired";
        /** In a few words. */
        words: string;
        /** The doubt as a sentence. */
        sentence: string;
      }>;
    };
    kappa: Estimate;
  }> | undefined;
  /** Only with `pinnedSet`. The pinned set; null without one. */
  pinnedSet?: PinnedSet | null | undefined;
  /** Only with `criteria`. Each criterion compared with people; null for a metric without criteria. */
  criteria?: CriteriaCalibration | null | undefined;
  /** Only with `jury`. The jury, on all labels; null without one. */
  jury?: JuryAgreement | null | undefined;
  /** Corrected pass rate of the run; null without `runId` and without labels. */
  corrected: {
    /** Id of the run. */
    runId: string;
    /** Corrected with the judge's error rates on all labels. Each trial of a testcase counts. */
    roganGladen: {
      /** Method of the interval. */
      method: string;
      /** Number of independent units: testcases, or groups of testcases. */
      n: number;
      /** Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size or testcases have unequal weights. */
      effectiveN: number;
      /** Confidence level. */
      level: number;
      /** The estimate; null without data. */
      estimate: number | null;
      /** Standard error of the estimate. */
      standardError: number | null;
      /** The interval; null with too little data. */
      interval: Interval | null;
      /** Why there is no interval. */
      reason: string | null;
      /** Assumption of the interval. */
      assumption: string;
      /** Warnings with their codes. */
      caveats: Array<{
        /** Kind of warning, for programs. */
        code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
        /** The warning, for readers. */
        sentence: string;
      }>;
      /** Warnings for the reader: the sentences of `caveats`. */
      warnings: string[];
      /** How often people err, by their blind reviews of the same records. Null with fewer than 30 such records; the correction then assumes that people are right. */
      people: {
        /** Number of records with two or more blind reviews. */
        numRecords: number;
        /** Share of pairs of reviews of one record that differ. */
        disagreement: number;
        /** Estimated share of wrong reviews. It assumes that people err independently and equally often. */
        error: number;
        interval: Interval;
        /** The rate on the assumption that people are right; null if the rate is not corrected for their errors. */
        uncorrected: {
          /** The rate. */
          estimate: number;
          interval: Interval;
        } | null;
      } | null;
      /** Pass rate according to the judge. */
      uncorrected: number | null;
    };
    /** Corrected with the labels of this run alone, which must be a random sample. */
    predictionPowered: {
      /** Method of the interval. */
      method: string;
      /** Number of independent units: testcases, or groups of testcases. */
      n: number;
      /** Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size or testcases have unequal weights. */
      effectiveN: number;
      /** Confidence level. */
      level: number;
      /** The estimate; null without data. */
      estimate: number | null;
      /** Standard error of the estimate. */
      standardError: number | null;
      /** The interval; null with too little data. */
      interval: Interval | null;
      /** Why there is no interval. */
      reason: string | null;
      /** Assumption of the interval. */
      assumption: string;
      /** Warnings with their codes. */
      caveats: Array<{
        /** Kind of warning, for programs. */
        code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
        /** The warning, for readers. */
        sentence: string;
      }>;
      /** Warnings for the reader: the sentences of `caveats`. */
      warnings: string[];
      /** How often people err, by their blind reviews of the same records. Null with fewer than 30 such records; the correction then assumes that people are right. */
      people: {
        /** Number of records with two or more blind reviews. */
        numRecords: number;
        /** Share of pairs of reviews of one record that differ. */
        disagreement: number;
        /** Estimated share of wrong reviews. It assumes that people err independently and equally often. */
        error: number;
        interval: Interval;
        /** The rate on the assumption that people are right; null if the rate is not corrected for their errors. */
        uncorrected: {
          /** The rate. */
          estimate: number;
          interval: Interval;
        } | null;
      } | null;
      /** Pass rate according to the judge. */
      uncorrected: number | null;
      /** Number of labels in this run. */
      numLabels: number;
      /** Number of these labels on which judge and people differ. */
      numDisagreements: number;
      /** Number of further labels that halve the interval; null if labels for the whole run do not. */
      numLabelsToHalve: number | null;
      /** Effect of further labels, in words. */
      moreLabels: string | null;
      /** Whether the service drew the labelled records at random; their inclusion probabilities then weight them. */
      sampled: boolean;
      /** Weight of the judge's verdicts, from 0 (unused) to 1 (fully used). */
      lambda: number | null;
    };
  } | null;
};

/** Models that can judge. */
export type JudgeModels = {
  /** evalModelName of AI metrics that name none: the default of the organization, else DOKIMA_JUDGE_MODEL; null if neither is set. */
  defaultModelName: string | null;
  /** Whether the organization has set the default itself. */
  own: boolean;
  /** Model lists of the providers, by name. */
  providers: Array<{
    /** Name of the provider. */
    provider: string;
    /** Why the list could not be read; null if it was. */
    error: string | null;
    /** When the list was read last. Workers read it once a day. */
    readAt: string;
    /** Models by the provider’s own list. */
    models: Array<{
      /** The model as an evalModelName. */
      name: string;
      /** When the provider shuts the model down; null if it announces no date. */
      endsOn: string | null;
    }>;
  }>;
};

/** How well the judge of a run is calibrated, and the pass rate of the run without its errors. */
export type JudgeOfRun = {
  /** Configuration of the judge. */
  metricConfigId: string;
  /** Human metric whose scores are the truth about the judge; null if it is not known, or if the labels are of another kind. */
  peopleMetricId: string | null;
  /** When the newest label was given; null without labels. */
  labelledAt: string | null;
  /** Numbers of labelled records by the makers of the labels. */
  labelsBy: {
    /** Number by people: in a browser session, or as their sender said. */
    people: number;
    /** Number that came with a key, whose sender did not say who made them. They count. */
    clients: number;
    /** Number by code. */
    code: number;
    /** Number by models. They are left out: they never calibrate a judge. */
    models: number;
  };
  /** `unusable`: not shown to be better than chance, or too few labels to tell. `useWithCorrection`: better than chance, but its own rate may be more than 20 points away from that of people. `mayGateAlone`: the upper end of `loss` is at most 20 points. */
  grade: "unusable" | "useWithCorrection" | "mayGateAlone";
  /** How far the judge's rate of any set of records can be from that of people by its errors. Null without labels of both kinds. */
  loss: {
    /** The larger of 1 − sensitivity and 1 − specificity; 0.1 is ten points. */
    estimate: number;
    interval: Interval;
    /** Kind of error that is the larger one: it fails good records, or it passes bad ones. */
    largest: "falseFails" | "falsePasses";
  } | null;
  /** `notCalibrated`: no labels. `tooFewLabels`: fewer than 20, or fewer than 5 of a kind. `noBetterThanChance`: the interval of `youden` is not above 0. `calibrated`: that interval is above 0. */
  state: "notCalibrated" | "tooFewLabels" | "noBetterThanChance" | "calibrated";
  /** Number of labelled records that the judge decided. */
  numLabels: number;
  /** Number of labelled records without a verdict of the judge. */
  abstained: number;
  sensitivity: Estimate;
  specificity: Estimate;
  /** Youden's index: 0 is no better than chance, 1 is always right. Null without labels of both kinds. */
  youden: {
    /** Sensitivity + specificity − 1. */
    estimate: number;
    interval: Interval;
  } | null;
  /** The same in words. */
  sentence: string;
  /** The grade and the doubts in a few words, for a badge beside each rate of the judge. */
  trust: string;
  /** What keeps the judge from being trusted as its grade says; `sentence` names them too. */
  doubts: Array<{
    /** `biased` and `biasUndecided`: what its bias battery found. `batteryExpired`: the battery is older than 180 days. `modelUntested`: a model answers that the battery has not tested. `drifted`: its newest drift trial says so. `labelsExpired`: its newest label is older than 365 days. */
    code: "biased" | "biasUndecided" | "batteryExpired" | "modelUntested" | "drifted" | "labelsExpired";
    /** In a few words. */
    words: string;
    /** The doubt as a sentence. */
    sentence: string;
  }>;
  /** Pass rate of the run as people would judge it: by the labels of the run if they suffice, else by the judge's error rates. Null without scores of a human metric. */
  correctedRate: {
    /** Method of the interval. */
    method: string;
    /** Number of independent units: testcases, or groups of testcases. */
    n: number;
    /** Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size or testcases have unequal weights. */
    effectiveN: number;
    /** Confidence level. */
    level: number;
    /** The estimate; null without data. */
    estimate: number | null;
    /** Standard error of the estimate. */
    standardError: number | null;
    /** The interval; null with too little data. */
    interval: Interval | null;
    /** Why there is no interval. */
    reason: string | null;
    /** Assumption of the interval. */
    assumption: string;
    /** Warnings with their codes. */
    caveats: Array<{
      /** Kind of warning, for programs. */
      code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
      /** The warning, for readers. */
      sentence: string;
    }>;
    /** Warnings for the reader: the sentences of `caveats`. */
    warnings: string[];
    /** How often people err, by their blind reviews of the same records. Null with fewer than 30 such records; the correction then assumes that people are right. */
    people: {
      /** Number of records with two or more blind reviews. */
      numRecords: number;
      /** Share of pairs of reviews of one record that differ. */
      disagreement: number;
      /** Estimated share of wrong reviews. It assumes that people err independently and equally often. */
      error: number;
      interval: Interval;
      /** The rate on the assumption that people are right; null if the rate is not corrected for their errors. */
      uncorrected: {
        /** The rate. */
        estimate: number;
        interval: Interval;
      } | null;
    } | null;
    /** Pass rate according to the judge. */
    uncorrected: number | null;
  } | null;
};

/** How far a judge can be trusted, signed, so that anyone can check it without the service. */
export type JudgePassport = {
  /** What is signed. */
  payload: {
    /** What this is. */
    format: "dokima-judge-passport";
    /** Version of the format. */
    version: 1;
    /** Id of the project. */
    projectId: string;
    /** Id of the metric. */
    metricId: string;
    /** Name of the metric. */
    metricName: string;
    /** Configuration of the judge. */
    metricConfigId: string;
    /** SHA-256 of all that decides how the configuration scores, without its ids. */
    metricHash: string;
    /** Grade of the judge. */
    grade: "unusable" | "useWithCorrection" | "mayGateAlone";
    /** The grade in words. */
    sentence: string;
    /** How far the judge's rate of any set of records can be from that of people by its errors. Null without labels of both kinds. */
    loss: {
      /** The larger of 1 − sensitivity and 1 − specificity; 0.1 is ten points. */
      estimate: number;
      interval: Interval;
      /** Kind of error that is the larger one: it fails good records, or it passes bad ones. */
      largest: "falseFails" | "falsePasses";
    } | null;
    sensitivity: Estimate;
    specificity: Estimate;
    /** Assumption of these figures. */
    assumption: string;
    /** Number of labels that they rest on. */
    numLabels: number;
    /** Numbers of labelled records by the makers of the labels. */
    labelsBy: {
      /** Number by people: in a browser session, or as their sender said. */
      people: number;
      /** Number that came with a key, whose sender did not say who made them. They count. */
      clients: number;
      /** Number by code. */
      code: number;
      /** Number by models. They are left out: they never calibrate a judge. */
      models: number;
    };
    /** When the newest label was given; null without labels. */
    labelledAt: string | null;
    /** Configuration whose labels these are: this one, or an earlier one with the same hash. */
    calibratedConfigId: string;
    /** The newest finished drift trial of this configuration; null without one. */
    drift: {
      /** Number of the trial. */
      trialNumber: number;
      /** Its conclusion. */
      verdict: "drifted" | "no drift seen";
      /** The conclusion in words. */
      sentence: string;
      /** When it was started. */
      createdAt: string;
    } | null;
    /** The newest battery of this configuration, or of one with the same hash; null without one. */
    battery: {
      /** `biased`: some bias is shown. `cannot tell`: none is shown, and some edit is not clear. `clear`: each edit is clear or does not apply, and no self-preference is shown. */
      verdict: "clear" | "biased" | "cannot tell";
      /** The verdict in words. */
      sentence: string;
      /** Whether all biases were asked for. */
      complete: boolean;
      /** Largest difference that counts as none. */
      margin: number;
      /** Confidence level of the intervals. */
      level: number;
      /** Number of pinned records. */
      numRecords: number;
      /** SHA-256 of the tested configuration: its prompt, models, guidelines, criteria and threshold. */
      metricHash: string;
      /** Model that judges. */
      evalModelName: string | null;
      /** Models that answered, as named by their provider. */
      servedModelNames: string[];
      /** Cost of its verdicts in US dollars; null if one is unknown. */
      costUsd: number | null;
      /** Each bias that was asked for, with what was found. */
      biases: Array<{
        /** The edit, or `selfPreference`: whether the judge passes outputs of its own model more often than those of others that people judge alike. */
        bias: "padding" | "order" | "author" | "authority" | "format" | "language" | "selfPreference";
        /** `not applicable`: the labelled records cannot show it; `sentence` says why. */
        verdict: "clear" | "biased" | "cannot tell" | "not applicable";
        /** Number of records that it was tested on. */
        n: number;
        /** Number of edited records whose verdict changed; null for selfPreference. */
        numFlips: number | null;
        /** Number of them whose verdict changed without the edit; null for selfPreference. */
        numPlaceboFlips: number | null;
        /** Share of flips minus share of placebo flips. For selfPreference: pass rate of own outputs minus that of others, at equal labels. */
        difference: number | null;
        /** Its interval. */
        interval: Interval | null;
        /** p of no difference, adjusted by Holm for all biases of the battery. */
        adjustedP: number | null;
        /** Number of further records that would decide it; null if that is not known. */
        numMoreRecords: number | null;
        /** Smallest share of flips beyond the placebo that 8 of 10 batteries with these records and this noise find; null if they are too few for any, and for selfPreference. */
        minimumDetectable: number | null;
        /** The verdict in words. */
        sentence: string;
      }>;
      /** When its last verdict was in. */
      decidedAt: string;
    } | null;
    /** Number of the trial of the battery; null without one. */
    batteryTrialNumber: number | null;
    /** Whether the battery is clear, complete, not too old, and of the models that answer now: what `requireCalibrated: { battery: true }` asks for. */
    batteryCounts: boolean;
    /** Why it does not count, and what to do; null if it does. */
    batteryReason: string | null;
    /** The model of the judge. */
    model: {
      /** Model that judges. */
      name: string | null;
      /** Models that answered lately, as named by their provider. */
      servedLately: string[];
      /** Day on which the provider shuts it down; null if it announces none. */
      endsOn: string | null;
    };
    /** When it was issued. */
    issuedAt: string;
    /** When it expires. */
    expiresAt: string;
    /** Why then. */
    expiryReason: string;
  };
  /** Signature of the payload. */
  signature: {
    /** Algorithm (RFC 8032). */
    algorithm: "Ed25519";
    /** Name of the key: the beginning of the SHA-256 of its DER form. */
    keyId: string;
    /** Signature of the format, a line break, and the payload as JSON with sorted keys (RFC 8785), in base64. */
    value: string;
  };
};

/** How far each model of a jury agrees with the others and with people. */
export type JuryAgreement = {
  /** Configuration of the judge. */
  metricConfigId: string;
  /** Source of the labels: `metric`, `overrides`, `thumbs`, or `none` if the human metric of the judge is not known. */
  source: string;
  /** Number of records that were read: the newest 2,000, and the newest 2,000 with a label. */
  numRecords: number;
  juryWithPeople: Estimate;
  /** The models of the jury, the metric's own first. */
  models: Array<{
    /** Name of the model. */
    modelName: string;
    /** Number of these records on which it gave a verdict. */
    numVerdicts: number;
    withJury: Estimate;
    withPeople: Estimate;
  }>;
};

/** The labels that a category metric gives, and which of them pass. */
export type Labels = {
  /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
  items: string[];
  /** The labels that pass: at least one, and not all. */
  passing: string[];
  /** Whether the labels go from worst to best. Default: false. */
  ordered: boolean;
};

/** A look that a gate registers before it tests. The same answers have the same number again. */
export type LedgerLook = {
  /** Testset that was looked at; null for a run without one. */
  testsetId: string | null;
  /** Number of the look within its testset; null before the run has scores. */
  look: number | null;
  /** Its number among the looks of its period at these testcases; null before that. */
  number: number | null;
  /** The period whose looks share it: a month, a quarter or a year of the calendar, in UTC. */
  per: "month" | "quarter" | "year";
  /** Chance that any look of a period errs, at most. */
  alpha: number;
  /** The part of `alpha` at which this look is tested; null before that. */
  level: number | null;
};

/** A registered decision without its rules and metrics. */
export type ListedDecision = {
  /** Id of the decision. */
  id: string;
  /** The question. */
  question: string;
  /** Who answers for it. */
  owner: string;
  /** The testset as it was. */
  testset: {
    /** Id of the testset. */
    id: string;
    /** Name of the testset. */
    name: string;
    /** Testcases that it had. */
    numTestcases: number;
    /** Number of the snapshot that holds them. */
    snapshot: number;
    /** Hash of that snapshot. */
    hash: string;
  };
  /** The run that later runs are compared with; null without one. */
  baselineRunId: string | null;
  /** Testcases on which it is decided, as planned. */
  minTestcases: number;
  /** Confidence level of the gate. */
  level: number;
  /** When it was registered. */
  registeredAt: string;
  /** Member who registered it. */
  registeredBy: string | null;
};

/** A run with its name, tags and facts, and what it is for. */
export type ListedRun = {
  /** Id of the run. */
  id: string;
  /** Testset of the run. */
  testsetId: string | null;
  /** System under test. */
  systemId: string | null;
  /** Version of the system under test. */
  systemVersionId: string | null;
  /** Metrics of the run. */
  metricIds: string[];
  /** Configuration of each metric, fixed when the run was created, in the order of metricIds. */
  metricVersionIds: string[];
  /** Number of records. */
  numRecords: number;
  /** Number of testcases of the testset when the run was created, times trials; null without a testset. */
  numExpectedRecords: number | null;
  /** Number of scores that have been given. */
  numScores: number;
  /** Status of the run, derived from its records and scores. */
  status: "pending" | "awaiting_execution" | "running_execution" | "awaiting_scoring" | "running_scoring" | "awaiting_human_scoring" | "completed";
  /** Project of the run. */
  projectId: string;
  /** Name of the run; null or empty for none. `title` then says what the run is. */
  name: string | null;
  /** Name of the run, or a title made of its number, its system with version and its testset. */
  title: string;
  /** Tags of the run. */
  tags: string[];
  /** Origin of the run, as its creator gave it; null if none was given. */
  origin: string | null;
  /** Marks of the run. The newest run with a mark is the baseline latest:MARK of later runs. */
  marks: string[];
  /** Newest verdict of each gate, newest first. */
  verdicts: RunVerdict[];
  /** First 200 characters of the notes. */
  notesStart: string;
  /** The testcases of the testset when the run started; null without a testset. */
  snapshot: {
    /** Number of the snapshot, within its testset. */
    number: number;
    /** SHA-256 of the testcases in hexadecimal. The same testcases have the same hash (docs/testsets.md says how it is computed). */
    hash: string;
    /** Name of the snapshot; empty without one. */
    name: string;
  } | null;
  /** Split of the testset that the run is about; null for all of it. */
  split: string | null;
  /** evaluation: records that clients sent or the service made. traces: the traces of a day. trial: copies of records on which a judge is tried. */
  kind: "evaluation" | "traces" | "trial";
  /** When the run was started. */
  createdAt: string;
  /** Who plays the user, if each record is a conversation; null otherwise. */
  simulation: {
    /** System version that plays the user; null when messages are replayed. */
    userVersionId: string | null;
    /** Maximum number of replies of the system in one conversation. */
    maxTurns: number;
    /** Run whose user messages are sent again; null when a model plays the user, or after the run was deleted. */
    replayOf: string | null;
  } | null;
};

/** A testset without its schema, and how large it is. */
export type ListedTestset = {
  /** Id of the testset. */
  id: string;
  /** Name of the testset. */
  name: string;
  /** Description of the testset. */
  description: string;
  /** Meaning of the top-level fields of a testcase. */
  fieldMapping: {
    /** Fields of jsonData that the system gets. */
    inputs: string[];
    /** Fields of jsonData with the expected output. */
    expected: string[];
    /** Fields of jsonData that only describe the testcase. */
    metadata: string[];
  };
  /** Testcases that it has. */
  numTestcases: number;
  /** When the testset was created. */
  createdAt: string;
};

/** A verdict about a testset that left the service. Asking again about the same answers is no further look. */
export type Look = {
  /** Number of the look within its testset, from 1. */
  number: number;
  /** What asked first. summary: the rates of a new version. report: a shared report or a file. mcp: an agent. evaluate: code. */
  kind: "gate" | "compare" | "summary" | "report" | "mcp" | "ask" | "evaluate";
  /** The newer run. */
  runId: string;
  /** Runs that it was compared with; none for a summary. */
  baselineRunIds: string[];
  /** Version of the system that answered; null if it is not known, or the run was deleted. */
  systemVersionId: string | null;
  /** Hash of the snapshot with which the run began; null without one. */
  hash: string | null;
  /** Split that the run is about; null for all of the testset. */
  split: string | null;
  /** The metrics whose numbers were seen. */
  metrics: Array<{
    /** Id of the metric; null if it was deleted. */
    metricId: string | null;
    /** Name of the metric; null if it was deleted. */
    metricName: string | null;
    /** Its configuration. */
    metricConfigId: string;
    /** The run that was compared; null for a summary. */
    baselineRunId: string | null;
    /** Newest verdict on the newer run; null for a summary. */
    verdict: "better" | "worse" | "cannot tell" | null;
  }>;
  /** Outcome of a gate with a ledger; null for other looks. */
  outcome: "pass" | "worse" | "inconclusive" | "incomplete" | null;
  /** The part of its level at which a gate with a ledger tested; null for other looks. */
  level: number | null;
  /** Member who asked first; null for a reader of a shared report. */
  userId: string | null;
  /** When it was asked for first. */
  at: string;
};

/** Address to which an alert sends mails. */
export type MailAddress = {
  /** E-mail address. */
  address: string;
  /** member: a member of the organization has this address, and did not choose it themselves. confirmed: its owner wants the mails. waiting: its owner has not answered yet. stopped: its owner does not want them. Only member and confirmed get mails. */
  state: "member" | "confirmed" | "waiting" | "stopped";
  /** When its owner was last asked; null if never. */
  askedAt: string | null;
};

/** Result of masking an object. It is not stored. */
export type MaskingPreview = {
  /** The object as it would be stored. */
  data: JsonObject;
  /** Number of values that were replaced. */
  numReplaced: number;
};

/** What a project replaces in data that arrives, before anything is stored. */
export type MaskingSettings = {
  /** Built-in patterns to look for. */
  patterns: Array<"email" | "phone" | "creditCard" | "iban" | "ipAddress" | "secret">;
  /** Custom patterns, applied before the built-in ones. */
  custom: Array<{
    /** Name of the pattern. The match is replaced by this name in capitals: [NAME]. */
    name: string;
    /** Regular expression in the syntax of RE2, which always takes linear time. It must not match the empty text. */
    pattern: string;
  }>;
  /** Paths of fields whose values are replaced whole by [MASKED], such as inputs.user.email. The first part is inputs, outputs, expected, attributes or resource (of spans), jsonData (of testcases) or score. * is any key, ** any number of keys; lists count as their items. */
  fields: string[];
  /** Whether each token contains a keyed hash of the value that it replaces, such as [EMAIL:1a2b3c4d5e6f], so that equal values stay equal. */
  hashed: boolean;
  /** Whether testcases are masked too. */
  testcases: boolean;
  /** Whether comments of annotations, replies, preferences and the reasoning of scores by people are masked too. */
  comments: boolean;
};

/** Who sent this request. */
export type Me = {
  /** The organization that the request belongs to. */
  organization: {
    /** Id of the organization. */
    id: string;
    /** Name of the organization. */
    name: string;
    /** Whether members may make links that show a report without an account. */
    reportLinks: boolean;
  };
  user: Member;
  /** Your rights in the organization. A project may give you others. */
  rights: Array<"read" | "review" | "write" | "admin">;
  /** Key of this request; null if a signed-in person sent it. */
  key: {
    /** Id of the key. */
    id: string;
    /** Name of the key. */
    name: string;
    /** First characters of the key. */
    prefix: string;
    /** Rights of the key. */
    access: "full" | "read";
    /** When it expires; null if never. */
    expiresAt: string | null;
  } | null;
  /** Organizations of the person, the current one included, by name. Empty for a key, which belongs to one organization. */
  organizations: Array<{
    /** Id of the organization. */
    id: string;
    /** Name of the organization. */
    name: string;
    /** admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records. */
    role: "admin" | "member" | "annotator" | "viewer";
    /** Whether the session is of this organization now. */
    current: boolean;
    /** Whether you have joined it. False after single sign-on for an organization whose admins added your address: a switch with `join` joins it. */
    joined: boolean;
  }>;
  /** Position of this answer in the streams of changes. Pass it as `since` to begin a stream after this answer. */
  position: string;
};

/** A person in the organization. */
export type Member = {
  /** Id of the member; the userId of what they write. */
  id: string;
  /** Name of the person. */
  name: string;
  /** E-mail address, unique in the organization. */
  email: string;
  /** admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records. */
  role: "admin" | "member" | "annotator" | "viewer";
  /** Whether the member has chosen a password with a sign-in link and so can sign in. */
  hasPassword: boolean;
  /** Whether a single sign-on account belongs to the member. */
  hasSignedInWithSso: boolean;
  /** False if the directory deactivated the member, who then has no access. */
  active: boolean;
  /** When they became a member. */
  createdAt: string;
};

/** How outputs are scored. evalType and outputType choose one of nine variants, or with `category` one of three that give a label. */
export type Metric = {
  /** Id of the metric. */
  id: string;
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description: string | null;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
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
  /** The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records. */
  spans?: string | undefined;
} | {
  /** Id of the metric. */
  id: string;
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description: string | null;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
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
  /** The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records. */
  spans?: string | undefined;
  criteria?: Criteria | undefined;
} | {
  /** Id of the metric. */
  id: string;
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description: string | null;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "boolean";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName: string;
  /** Temperature of the judge. */
  temperature: number;
  /** The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records. */
  spans?: string | undefined;
} | {
  /** Id of the metric. */
  id: string;
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description: string | null;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "ai";
  /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
  outputType: "category";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName: string;
  /** Temperature of the judge. */
  temperature: number;
  labels: Labels;
} | {
  /** Id of the metric. */
  id: string;
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description: string | null;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "int";
  /** Lowest score that passes. */
  passingThreshold: number;
  /** The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records. */
  spans?: string | undefined;
} | {
  /** Id of the metric. */
  id: string;
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description: string | null;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "float";
  /** Lowest score that passes. */
  passingThreshold: number;
  /** The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records. */
  spans?: string | undefined;
  criteria?: Criteria | undefined;
} | {
  /** Id of the metric. */
  id: string;
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description: string | null;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "boolean";
  /** The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records. */
  spans?: string | undefined;
} | {
  /** Id of the metric. */
  id: string;
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description: string | null;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
  outputType: "category";
  labels: Labels;
} | {
  /** Id of the metric. */
  id: string;
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description: string | null;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "int";
  /** Lowest score that passes. */
  passingThreshold: number;
  /** The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records. */
  spans?: string | undefined;
} | {
  /** Id of the metric. */
  id: string;
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description: string | null;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "float";
  /** Lowest score that passes. */
  passingThreshold: number;
  /** The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records. */
  spans?: string | undefined;
} | {
  /** Id of the metric. */
  id: string;
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description: string | null;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "boolean";
  /** The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records. */
  spans?: string | undefined;
} | {
  /** Id of the metric. */
  id: string;
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description: string | null;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
  outputType: "category";
  labels: Labels;
};

/** A named set of metrics of a project. Deleting a metric removes it from its groups. */
export type MetricGroup = {
  /** Id of the group. */
  id: string;
  /** Name of the group. */
  name: string;
  /** Purpose of the group. */
  description: string;
  /** Metrics of the group in their order, each once. */
  metricIds: string[];
  /** Project of the group and its metrics. */
  projectId: string;
  /** When it was created. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
};

/** How many votes a judge gives, which people it is compared with, and how many people review a record. */
export type MetricSettings = {
  /** How often the judge is asked about each record. The score is the majority or the median; every vote is kept. */
  judgeRepeats: number;
  /** Models that judge in addition to evalModelName, each judgeRepeats times. The score is the majority or the median of all verdicts; each verdict is kept. */
  juryModelNames: string[];
  /** Human metric whose scores are the truth about a judge: the one that was set, else the only one of the project with the same guidelines and kind of score. Null if it is not known; then no rate is corrected. Set null to remove the setting. */
  peopleMetricId: string | null;
  /** Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs. */
  numReviewers: number;
  /** How the current score follows from theirs: the latest, or the majority (for integers and floats the median; with an even number, the lower of the two in the middle; for labels without an order the one of more than half). A metric with criteria has a majority on each criterion. */
  reviewRule: "latest" | "majority";
};

/** A ready-made metric. */
export type MetricTemplate = {
  /** Id of the template. */
  id: string;
  /** Topic. */
  group: "quality" | "grounding" | "conversation" | "agents" | "safety" | "format" | "text" | "people";
  /** Parts of a record that the metric reads: fields, such as outputs.answer, which you can rename in the metric to match your records; and trace, conversation and toolCalls of its trace. */
  reads: string[];
  /** Where the definition comes from. */
  source: string;
  /** The metric as createMetric takes it. */
  metric: {
    /** Name of the metric, shown beside its scores. */
    name: string;
    /** Purpose of the metric. */
    description?: string | null | undefined;
    /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
    guidelines?: string | undefined;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
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
    /** Search of the spans to score, as in the metric. null: the metric scores records. */
    spans?: string | null | undefined;
  } | {
    /** Name of the metric, shown beside its scores. */
    name: string;
    /** Purpose of the metric. */
    description?: string | null | undefined;
    /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
    guidelines?: string | undefined;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
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
    /** Search of the spans to score, as in the metric. null: the metric scores records. */
    spans?: string | null | undefined;
    /** Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none. */
    criteria?: {
      /** Criteria of each record: texts, or objects. Default: none. */
      items?: Array<string | {
        /** Default: made of the text. */
        id?: string | undefined;
        /** What the record must do, as one question with a yes or a no. */
        text: string;
        /** Weight in the share. A criterion with a negative weight takes from the share when it is met; at least one has a positive weight. */
        weight?: number | undefined;
        /** Whether the score is 0 when it is not met. */
        mustPass?: boolean | undefined;
      }> | undefined;
      /** Whether each testcase adds its own criteria, in `expected.criteria`: a list of texts, or of objects like `items`. The same id in several testcases is the same criterion. */
      fromExpected?: boolean | undefined;
      /** Whether the judge is asked about each criterion by itself: one call each, so that no criterion colours another. */
      isolate?: boolean | undefined;
    } | null | undefined;
  } | {
    /** Name of the metric, shown beside its scores. */
    name: string;
    /** Purpose of the metric. */
    description?: string | null | undefined;
    /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
    guidelines?: string | undefined;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
    evalType: "ai";
    /** Kind of score. */
    outputType: "boolean";
    /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
    promptTemplate: string;
    /** Model that judges. */
    evalModelName?: string | undefined;
    /** Temperature of the judge. */
    temperature?: number | undefined;
    /** Search of the spans to score, as in the metric. null: the metric scores records. */
    spans?: string | null | undefined;
  } | {
    /** Name of the metric, shown beside its scores. */
    name: string;
    /** Purpose of the metric. */
    description?: string | null | undefined;
    /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
    guidelines?: string | undefined;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
    evalType: "ai";
    /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
    outputType: "category";
    /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
    promptTemplate: string;
    /** Model that judges. */
    evalModelName?: string | undefined;
    /** Temperature of the judge. */
    temperature?: number | undefined;
    /** The labels that the metric gives. A change makes a new configuration; existing scores keep theirs. */
    labels: {
      /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
      items: string[];
      /** The labels that pass: at least one, and not all. */
      passing: string[];
      /** Whether the labels go from worst to best. Default: false. */
      ordered?: boolean | undefined;
    };
  } | {
    /** Name of the metric, shown beside its scores. */
    name: string;
    /** Purpose of the metric. */
    description?: string | null | undefined;
    /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
    guidelines?: string | undefined;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
    evalType: "human";
    /** Kind of score. */
    outputType: "int";
    /** Lowest score that passes. */
    passingThreshold?: number | undefined;
    /** Search of the spans to score, as in the metric. null: the metric scores records. */
    spans?: string | null | undefined;
  } | {
    /** Name of the metric, shown beside its scores. */
    name: string;
    /** Purpose of the metric. */
    description?: string | null | undefined;
    /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
    guidelines?: string | undefined;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
    evalType: "human";
    /** Kind of score. */
    outputType: "float";
    /** Lowest score that passes. */
    passingThreshold?: number | undefined;
    /** Search of the spans to score, as in the metric. null: the metric scores records. */
    spans?: string | null | undefined;
    /** Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none. */
    criteria?: {
      /** Criteria of each record: texts, or objects. Default: none. */
      items?: Array<string | {
        /** Default: made of the text. */
        id?: string | undefined;
        /** What the record must do, as one question with a yes or a no. */
        text: string;
        /** Weight in the share. A criterion with a negative weight takes from the share when it is met; at least one has a positive weight. */
        weight?: number | undefined;
        /** Whether the score is 0 when it is not met. */
        mustPass?: boolean | undefined;
      }> | undefined;
      /** Whether each testcase adds its own criteria, in `expected.criteria`: a list of texts, or of objects like `items`. The same id in several testcases is the same criterion. */
      fromExpected?: boolean | undefined;
      /** Whether the judge is asked about each criterion by itself: one call each, so that no criterion colours another. */
      isolate?: boolean | undefined;
    } | null | undefined;
  } | {
    /** Name of the metric, shown beside its scores. */
    name: string;
    /** Purpose of the metric. */
    description?: string | null | undefined;
    /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
    guidelines?: string | undefined;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
    evalType: "human";
    /** Kind of score. */
    outputType: "boolean";
    /** Search of the spans to score, as in the metric. null: the metric scores records. */
    spans?: string | null | undefined;
  } | {
    /** Name of the metric, shown beside its scores. */
    name: string;
    /** Purpose of the metric. */
    description?: string | null | undefined;
    /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
    guidelines?: string | undefined;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
    evalType: "human";
    /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
    outputType: "category";
    /** The labels that the metric gives. A change makes a new configuration; existing scores keep theirs. */
    labels: {
      /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
      items: string[];
      /** The labels that pass: at least one, and not all. */
      passing: string[];
      /** Whether the labels go from worst to best. Default: false. */
      ordered?: boolean | undefined;
    };
  } | {
    /** Name of the metric, shown beside its scores. */
    name: string;
    /** Purpose of the metric. */
    description?: string | null | undefined;
    /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
    guidelines?: string | undefined;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
    evalType: "heuristic";
    /** Kind of score. */
    outputType: "int";
    /** Lowest score that passes. */
    passingThreshold?: number | undefined;
    /** Search of the spans to score, as in the metric. null: the metric scores records. */
    spans?: string | null | undefined;
  } | {
    /** Name of the metric, shown beside its scores. */
    name: string;
    /** Purpose of the metric. */
    description?: string | null | undefined;
    /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
    guidelines?: string | undefined;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
    evalType: "heuristic";
    /** Kind of score. */
    outputType: "float";
    /** Lowest score that passes. */
    passingThreshold?: number | undefined;
    /** Search of the spans to score, as in the metric. null: the metric scores records. */
    spans?: string | null | undefined;
  } | {
    /** Name of the metric, shown beside its scores. */
    name: string;
    /** Purpose of the metric. */
    description?: string | null | undefined;
    /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
    guidelines?: string | undefined;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
    evalType: "heuristic";
    /** Kind of score. */
    outputType: "boolean";
    /** Search of the spans to score, as in the metric. null: the metric scores records. */
    spans?: string | null | undefined;
  } | {
    /** Name of the metric, shown beside its scores. */
    name: string;
    /** Purpose of the metric. */
    description?: string | null | undefined;
    /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
    guidelines?: string | undefined;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
    evalType: "heuristic";
    /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
    outputType: "category";
    /** The labels that the metric gives. A change makes a new configuration; existing scores keep theirs. */
    labels: {
      /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
      items: string[];
      /** The labels that pass: at least one, and not all. */
      passing: string[];
      /** Whether the labels go from worst to best. Default: false. */
      ordered?: boolean | undefined;
    };
  };
  /** Example records. */
  examples: {
    /** A record that passes. */
    passing: {
      /** Input of the system. */
      inputs: JsonObject;
      /** Expected output. */
      expected: JsonObject;
      /** Output of the system. */
      outputs: JsonObject;
      /** The parts of its trace that metrics read. */
      trace?: {
        /** Spans. */
        trace?: unknown[] | undefined;
        /** Messages. */
        conversation?: unknown[] | undefined;
        /** Tool calls. */
        toolCalls?: unknown[] | undefined;
      } | undefined;
      /** Why it passes or fails. */
      why: string;
    };
    /** A record that fails. */
    failing: {
      /** Input of the system. */
      inputs: JsonObject;
      /** Expected output. */
      expected: JsonObject;
      /** Output of the system. */
      outputs: JsonObject;
      /** The parts of its trace that metrics read. */
      trace?: {
        /** Spans. */
        trace?: unknown[] | undefined;
        /** Messages. */
        conversation?: unknown[] | undefined;
        /** Tool calls. */
        toolCalls?: unknown[] | undefined;
      } | undefined;
      /** Why it passes or fails. */
      why: string;
    };
  };
};

/** A present or past configuration of a metric. It never changes. */
export type MetricVersion = {
  /** Id of the configuration; the metricConfigId of its scores. */
  id: string;
  /** Whether new runs use it. */
  current: boolean;
  /** When it was created. */
  createdAt: string;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "ai" | "human" | "heuristic";
  /** Kind of score. */
  outputType: "int" | "float" | "boolean" | "category";
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines: string;
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate?: string | undefined;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
  /** The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records. */
  spans?: string | undefined;
  criteria?: Criteria | undefined;
  labels?: Labels | undefined;
};

/** Scores a share of the traces of a project as they arrive. */
export type Monitor = {
  /** Id of the monitor. */
  id: string;
  /** Id of its project. */
  projectId: string;
  /** Name of the monitor. */
  name: string;
  /** Metrics that score the drawn records, each with its configuration at that time. */
  metricIds: string[];
  /** Share of the matching records that is scored. A hash of the session id or trace id decides, so every monitor with this rate or a higher one draws the same record. */
  samplingRate: number;
  /** Records that the monitor looks at: those with the tag, and with a span that matches the other fields. Empty: all records. */
  filter: {
    /** Service of the span. */
    service?: string | undefined;
    /** Name of the span. */
    name?: string | undefined;
    /** Model of the span. */
    modelName?: string | undefined;
    /** true: at least one such span failed. false: none of them failed. */
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
  /** Results since `since`. */
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
      /** Number of records by the state of their score. A failed judge does not count as a no. */
      states: {
        /** Valid scores. */
        scored: number;
        /** Pending scores. */
        pending: number;
        /** Scores that could not be given or do not fit the metric. */
        unscored: number;
        /** Scores whose judge failed. */
        failed: number;
      };
      passRate: Estimate;
      /** Spans of the scored records, for a metric that scores spans. */
      numSpans?: number | undefined;
    }>;
  };
};

/** What happened in a project lately. */
export type News = {
  /** Beginning of the time, a whole hour. */
  since: string;
  /** Evaluations that were started, newest first; at most 5. */
  runs: Array<{
    /** Id of the run. */
    runId: string;
    /** Title of the run. */
    title: string;
    /** Status of the run. */
    status: string;
    /** Number of records. */
    numRecords: number;
    /** Id of the run before it on the same testset; null without one. */
    baselineRunId: string | null;
    /** The metrics that both runs have. Null: not compared, because there is no earlier run, both have more than 2,000 records together, or three newer runs are compared. */
    compared: Array<{
      /** Id of the metric. */
      metricId: string;
      /** Name of the metric. */
      metricName: string;
      /** How far its judge can be trusted, in a few words; null unless a model judges. */
      judge: string | null;
      /** Verdict of `compareRuns`, as it concludes. */
      verdict: "better" | "worse" | "cannot tell";
      /** Difference from the earlier run. */
      difference: number | null;
      /** Interval of the difference. */
      interval: Interval | null;
    }> | null;
  }>;
  /** Changes of the traffic against the 6 days before. Only those that are shown: their interval leaves out 0. */
  changes: Array<{
    /** What changed in the traffic. passRate: the pass rate of a metric. errors: the share of records with an error. cost: the mean cost of a record in US dollars. */
    of: "passRate" | "errors" | "cost";
    /** passRate: id of the metric. */
    metricId: string | null;
    /** passRate: name of the metric. */
    metricName: string | null;
    /** How far its judge can be trusted, in a few words; null unless a model judges. */
    judge: string | null;
    /** Number of records before. */
    numBefore: number;
    /** Number of records since. */
    numAfter: number;
    /** Value before. */
    before: number;
    /** Value since. */
    after: number;
    /** Difference of the values. */
    difference: number;
    interval: Interval;
    /** Confidence level of the interval: all changes of an answer hold together at 95 %. */
    level: number;
  }>;
  /** What alerts told, newest first, without completed runs; at most 10. */
  alerts: Array<{
    /** Id of the alert. */
    alertId: string;
    /** Name of the alert. */
    alertName: string;
    /** The event. */
    event: string;
    /** What happened. */
    title: string;
    /** Page of what it is about. */
    path: string | null;
    /** When it was noted. */
    at: string;
  }>;
  /** Failures in the records of monitors, most first; at most 10. */
  monitors: Array<{
    /** Id of the monitor. */
    monitorId: string;
    /** Name of the monitor. */
    monitorName: string;
    /** Id of the metric. */
    metricId: string;
    /** Name of the metric. */
    metricName: string;
    /** How far its judge can be trusted, in a few words; null unless a model judges. */
    judge: string | null;
    /** What the numbers count. */
    unit: "record" | "span";
    /** Number of scored records, or of their spans. */
    numScored: number;
    /** Number of those that did not pass. */
    numFailed: number;
  }>;
  /** Records that other members scored, most first; at most 10. */
  labels: Array<{
    /** Id of the member. */
    userId: string;
    /** Name of the member. */
    userName: string;
    /** Id of the metric. */
    metricId: string;
    /** Name of the metric. */
    metricName: string;
    /** Number of records that the member scored. */
    numRecords: number;
  }>;
};

/** The next pair to compare. Sides are drawn for each pair and person. */
export type NextPreference = {
  /** The next pair, without the names of its systems; null if you have compared all. */
  pair: {
    /** Number of the pair within the study. */
    number: number;
    /** Inputs that both systems received. */
    inputs: JsonObject;
    /** Expected output; empty without one. */
    expected: JsonObject;
    /** The output on the left. */
    left: JsonObject;
    /** The output on the right. */
    right: JsonObject;
  } | null;
  /** Number of pairs that you have compared. */
  numOwn: number;
  /** Number of pairs of the study. */
  numPairs: number;
};

/** An organization on this service, as the operator sees it. */
export type Organization = {
  /** Id of the organization. */
  id: string;
  /** Name of the organization. */
  name: string;
  /** Model of AI metrics that name none, such as openai/<model>; null for DOKIMA_JUDGE_MODEL. */
  judgeModelName: string | null;
  /** Whether members may make links that show a report without an account. If not, existing links show nothing. */
  reportLinks: boolean;
  /** Number of its active members. */
  numMembers: number;
  /** When it was created. */
  createdAt: string;
};

/** A new organization, its first admin, and the link with which they choose a password. */
export type OrganizationCreated = {
  organization: Organization;
  user: Member;
  signInLink: SignInLink;
};

/** A file that no record and no trace uses. */
export type OrphanAttachment = {
  /** Id of the attachment. */
  id: string;
  /** Session that the file belongs to. */
  sessionId: string;
  /** Path of the file in the session. */
  filePath: string;
  /** File name for people; null if none was given. */
  filename: string | null;
  /** Media type as declared. */
  contentType: string | null;
  /** Size in bytes. */
  sizeBytes: number | null;
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string | null;
  /** pending until the bytes have arrived. */
  status: "pending" | "uploaded";
  /** When the bytes arrived; null while pending. */
  uploadedAt: string | null;
  /** Metadata from the client. */
  metadata: JsonObject | null;
  /** Project that the file was declared in; null if none has it yet. */
  projectId: string | null;
  /** Member who declared it; null if an archive brought it. */
  createdByUserId: string | null;
  /** When it was declared. */
  createdAt: string;
};

/** Part of a text of a record or a span. */
export type Passage = {
  /** JSON Pointer to the text in the record as the API returns it (`/outputs/answer`) or, with `spanId`, in the span (`/output/0/content`, `/attributes/prompt`). */
  path: string;
  /** Start of the passage in the text, in UTF-16 code units. */
  start: number;
  /** Text of the passage. It locates the passage if the text around it has changed. */
  text: string;
};

/** The public key that checks passports. */
export type PassportKey = {
  /** Name of the key. */
  keyId: string;
  /** Algorithm. */
  algorithm: "Ed25519";
  /** The public key, as PEM. */
  publicKeyPem: string;
};

/** Labelled records on which judges are tried, with the reference verdicts of the judge in use. */
export type PinnedSet = {
  /** Id of the metric. */
  metricId: string;
  /** Configuration of the reference. */
  metricConfigId: string;
  /** Models that gave the reference verdicts, as named by their provider. */
  servedModelNames: string[];
  /** Source of the labels: `metric`, `overrides` or `thumbs`. */
  source: string;
  /** Whether the service starts drift trials itself. */
  automatic: boolean;
  /** Number of pinned records. */
  numRecords: number;
  /** Number of pinned records that people pass. */
  numHumanPasses: number;
  /** Number of pinned records that the reference passes. */
  numJudgePasses: number;
  /** Why a drift trial is due: what is new since the last one; null if nothing is. */
  due: string | null;
  /** When the set was pinned. */
  pinnedAt: string;
};

/** Candidates that decide the pinned records of a metric beside its judge. */
export type PinnedTrial = {
  /** Number of the trial, within its metric. */
  number: number;
  /** Id of the metric. */
  metricId: string;
  /** drift: tests the judge in use again. succession: looks for another judge that decides alike. alignment: looks for a prompt that people agree with more often. battery: tests whether edits that keep the truth change verdicts. */
  kind: "drift" | "succession" | "alignment" | "battery";
  /** running: verdicts are pending. ready: it can be decided. adopted: a candidate became the configuration. discarded: nothing changed. */
  state: "running" | "ready" | "adopted" | "discarded";
  /** Configuration of the judge in use, which gave the pinned verdicts. */
  metricConfigId: string;
  /** Model of the judge in use; null for code. */
  evalModelName: string | null;
  /** Largest difference of pass rates that counts as none; null for a drift trial. */
  margin: number | null;
  /** Confidence level. */
  level: number;
  /** Seed that split the labels of an alignment; null for other trials. */
  seed: number | null;
  /** Labels on which prompts by a person are tested: dev for tuning, or test for the check; null for other trials. */
  split: "dev" | "test" | null;
  /** Stored runs on which the candidates were tried too. */
  runIds: string[];
  /** User who started it; null if the service did. */
  createdByUserId: string | null;
  /** When it was started. */
  createdAt: string;
  /** Labels of the trial. */
  labels: {
    /** Number of labelled records that the result rests on. */
    numTested: number;
    /** Number of them that people pass. */
    numHumanPasses: number;
    /** Number of labelled records for tuning. Nothing is claimed from them. */
    numForTuning: number;
  };
  /** Whether pending verdicts wait because the budget of the trial is used up. */
  stopped: boolean;
  /** What a battery found, kept for good; null in other trials, and while verdicts are pending. */
  battery: {
    /** `biased`: some bias is shown. `cannot tell`: none is shown, and some edit is not clear. `clear`: each edit is clear or does not apply, and no self-preference is shown. */
    verdict: "clear" | "biased" | "cannot tell";
    /** The verdict in words. */
    sentence: string;
    /** Whether all biases were asked for. */
    complete: boolean;
    /** Largest difference that counts as none. */
    margin: number;
    /** Confidence level of the intervals. */
    level: number;
    /** Number of pinned records. */
    numRecords: number;
    /** SHA-256 of the tested configuration: its prompt, models, guidelines, criteria and threshold. */
    metricHash: string;
    /** Model that judges. */
    evalModelName: string | null;
    /** Models that answered, as named by their provider. */
    servedModelNames: string[];
    /** Cost of its verdicts in US dollars; null if one is unknown. */
    costUsd: number | null;
    /** Each bias that was asked for, with what was found. */
    biases: Array<{
      /** The edit, or `selfPreference`: whether the judge passes outputs of its own model more often than those of others that people judge alike. */
      bias: "padding" | "order" | "author" | "authority" | "format" | "language" | "selfPreference";
      /** `not applicable`: the labelled records cannot show it; `sentence` says why. */
      verdict: "clear" | "biased" | "cannot tell" | "not applicable";
      /** Number of records that it was tested on. */
      n: number;
      /** Number of edited records whose verdict changed; null for selfPreference. */
      numFlips: number | null;
      /** Number of them whose verdict changed without the edit; null for selfPreference. */
      numPlaceboFlips: number | null;
      /** Share of flips minus share of placebo flips. For selfPreference: pass rate of own outputs minus that of others, at equal labels. */
      difference: number | null;
      /** Its interval. */
      interval: Interval | null;
      /** p of no difference, adjusted by Holm for all biases of the battery. */
      adjustedP: number | null;
      /** Number of further records that would decide it; null if that is not known. */
      numMoreRecords: number | null;
      /** Smallest share of flips beyond the placebo that 8 of 10 batteries with these records and this noise find; null if they are too few for any, and for selfPreference. */
      minimumDetectable: number | null;
      /** The verdict in words. */
      sentence: string;
    }>;
    /** When its last verdict was in. */
    decidedAt: string;
  } | null;
  /** Mean cost of a pinned verdict of the judge in use. */
  costUsd: number | null;
  /** Mean duration of its pinned verdicts in milliseconds. */
  latencyMs: number | null;
  /** Candidates, in the order of the request. */
  candidates: Array<{
    /** Configuration of the candidate. */
    metricConfigId: string;
    /** How it was made. current: the judge in use. model: given in the request. examples: disagreements as examples. rewrite: guidelines that a model rewrote. reference and placebo: the records as they are, judged twice by the tested judge; in an alignment, reference is the saved prompt, where it had no verdict. padding and others: the records with this edit. */
    how: "current" | "model" | "examples" | "rewrite" | "reference" | "placebo" | "padding" | "order" | "author" | "authority" | "format" | "language";
    /** Model that judges; null for code. */
    evalModelName: string | null;
    /** Temperature; null for code. */
    temperature: number | null;
    /** How often the judge is asked. */
    judgeRepeats: number;
    /** Prompt; null for code. */
    promptTemplate: string | null;
    /** How to score. */
    guidelines: string;
    /** Run with copies of the pinned records and the new verdicts; null once it was deleted. */
    runId: string | null;
    /** Models that answered, as named by their provider. */
    servedModelNames: string[];
    /** Number of verdicts still pending. */
    numPending: number;
    /** Mean cost of a verdict in US dollars; null if one is unknown. */
    costUsd: number | null;
    /** Mean duration of a verdict in milliseconds. */
    latencyMs: number | null;
    /** Comparison of the judge in use with its pinned verdicts; null in other trials, while verdicts are pending, and if the run was deleted before they were complete. If the run is deleted later, the comparison at the level 0.95 is kept. */
    drift: {
      /** Method. */
      method: string;
      /** Number of pinned records that were decided again. */
      n: number;
      /** Confidence level. */
      level: number;
      /** Share of these records on which the reference agrees with people. */
      agreementBefore: number | null;
      /** Share of these records on which the judge now agrees with people. */
      agreementNow: number | null;
      /** agreementNow minus agreementBefore. */
      difference: number | null;
      /** Interval of the difference. */
      interval: Interval | null;
      /** Why there is no interval. */
      reason: string | null;
      /** Tests at level α/2 whether the judge agrees with people more or less often than before. */
      mcnemar: {
        /** Two-sided exact p. */
        exact: number;
        /** Two-sided mid-p. The verdict rests on it. */
        midP: number;
      } | null;
      /** Tests at level α/2 whether the judge passes more or fewer records than before. */
      leniency: {
        /** Number of records that failed and now pass. */
        nowPass: number;
        /** Number of records that passed and now fail. */
        nowFail: number;
        /** McNemar's test on the records that changed. */
        mcnemar: {
          /** Two-sided exact p. */
          exact: number;
          /** Two-sided mid-p. The verdict rests on it. */
          midP: number;
        };
      } | null;
      /** Records on which only the reference agrees with people. */
      broken: string[];
      /** Records on which only the judge now agrees with people. */
      mended: string[];
      /** Records without a verdict in this trial. */
      unscored: string[];
      /** Conclusion. */
      verdict: "drifted" | "no drift seen";
      /** The verdict in words. */
      sentence: string;
      /** Assumption of all numbers here. */
      assumption: string;
      /** Warnings with their codes. */
      caveats: Array<{
        /** Kind of warning, for programs. */
        code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
        /** The warning, for readers. */
        sentence: string;
      }>;
      /** Warnings for the reader: the sentences of `caveats`. */
      warnings: string[];
    } | null;
    /** Comparison with the judge in use; null in a drift trial, while verdicts are pending, and once the run was deleted. */
    equivalence: {
      /** Method. */
      method: string;
      /** Confidence level. */
      level: number;
      /** Largest difference of pass rates that counts as none. */
      margin: number;
      /** Pass rates of both judges among the records that people pass. */
      passedByPeople: {
        /** Number of records that both judges decided. */
        n: number;
        /** Share that the judge in use passes. */
        before: number | null;
        /** Share that the candidate passes. */
        after: number | null;
        /** after minus before. */
        difference: number | null;
        /** Standard error of the difference. */
        standardError: number | null;
        /** Interval of the difference at the level 1 − 2α, widened by the missing verdicts. */
        interval: Interval | null;
        /** Number of records that the candidate alone passes. */
        nowPass: number;
        /** Number of records that the judge in use alone passes. */
        nowFail: number;
        /** Number of records without a verdict of the candidate. */
        missing: number;
        /** Number of records with which 8 of 10 trials of two equal judges show that they are equivalent. */
        numNeeded: number;
      };
      /** Pass rates of both judges among the records that people fail. */
      failedByPeople: {
        /** Number of records that both judges decided. */
        n: number;
        /** Share that the judge in use passes. */
        before: number | null;
        /** Share that the candidate passes. */
        after: number | null;
        /** after minus before. */
        difference: number | null;
        /** Standard error of the difference. */
        standardError: number | null;
        /** Interval of the difference at the level 1 − 2α, widened by the missing verdicts. */
        interval: Interval | null;
        /** Number of records that the candidate alone passes. */
        nowPass: number;
        /** Number of records that the judge in use alone passes. */
        nowFail: number;
        /** Number of records without a verdict of the candidate. */
        missing: number;
        /** Number of records with which 8 of 10 trials of two equal judges show that they are equivalent. */
        numNeeded: number;
      };
      /** Largest p of the four one-sided tests. */
      p: number | null;
      /** p, adjusted by Holm for all candidates of the trial. */
      adjustedP: number | null;
      /** Conclusion. */
      verdict: "equivalent" | "not equivalent" | "cannot tell";
      /** The verdict in words. */
      sentence: string;
      /** Assumption of all numbers here. */
      assumption: string;
      /** Warnings with their codes. */
      caveats: Array<{
        /** Kind of warning, for programs. */
        code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
        /** The warning, for readers. */
        sentence: string;
      }>;
      /** Warnings for the reader: the sentences of `caveats`. */
      warnings: string[];
    } | null;
    /** Comparison of the agreement with people; null in a drift trial, while verdicts are pending, and once the run was deleted. */
    agreement: {
      /** Number of labelled records that both judges decided. */
      n: number;
      /** Share on which the judge in use agrees with people. */
      before: number | null;
      /** Its interval. */
      beforeInterval: Interval | null;
      /** Share on which the candidate agrees with people. */
      now: number | null;
      /** Its interval. */
      nowInterval: Interval | null;
      /** now minus before. */
      difference: number | null;
      /** Interval of the difference. */
      interval: Interval | null;
      /** Why there is no interval. */
      reason: string | null;
      /** p of the difference. */
      p: number | null;
      /** p, adjusted by Holm for all candidates of the trial. */
      adjustedP: number | null;
      /** Smallest difference that this number of labels can detect. */
      minimumDetectable: number | null;
      /** better, worse or cannot tell. */
      verdict: string;
      /** The verdict in words. */
      sentence: string;
    } | null;
    /** Comparison of an edit with the placebo; null in other trials, for the reference and the placebo, while verdicts are pending, and once a run was deleted. */
    bias: {
      /** Number of pinned records with all three verdicts: as it is, as it is again, and edited. */
      n: number;
      /** Number of pinned records without one of them: the edit does not apply, or the judge gave no verdict. */
      numUndecided: number;
      /** Number of edited records whose verdict differs from that of the record as it is. */
      numFlips: number;
      /** Number of the same records whose verdict differs when they are judged again as they are. */
      numPlaceboFlips: number;
      /** Share of flips minus share of placebo flips. */
      difference: number | null;
      /** Its interval. */
      interval: Interval | null;
      /** Why there is no interval. */
      reason: string | null;
      /** p of no difference, adjusted by Holm for all edits of the battery. */
      adjustedP: number | null;
      /** Number of records that fail as they are and pass edited. */
      numToPass: number;
      /** Number of records that pass as they are and fail edited. */
      numToFail: number;
      /** Verdict to which the edit is shown to move records. */
      direction: "pass" | "fail" | "neither";
      /** Number of further records that would decide it, if the difference stays; null if it is decided, or if they are too many. */
      numMoreRecords: number | null;
      /** Smallest share of flips beyond the placebo that 8 of 10 batteries with these records and this noise find; null if they are too few for any. */
      minimumDetectable: number | null;
      /** `clear`: the upper end of the interval is within the margin of the trial. `biased`: flips are shown to be more frequent than without the edit. */
      verdict: "clear" | "biased" | "cannot tell";
      /** The verdict in words. */
      sentence: string;
    } | null;
    /** Comparisons of stored runs, by both judges. Empty once the run was deleted. */
    gates: Array<{
      /** Baseline run. */
      baselineRunId: string;
      /** Run that is compared with the baseline. */
      runId: string;
      /** Verdict by the judge in use, on the records of the trial. */
      judge: {
        /** better, worse or cannot tell. */
        verdict: string;
        /** The verdict in words. */
        sentence: string;
      };
      /** Verdict by the candidate, on the same records. */
      candidate: {
        /** better, worse or cannot tell. */
        verdict: string;
        /** The verdict in words. */
        sentence: string;
      };
      /** Whether the verdicts differ. */
      changes: boolean;
    }>;
  }>;
  /** Configuration to adopt: in a succession the cheapest equivalent one, in an alignment the best one that is shown to be better. Null without one. */
  proposedConfigId: string | null;
  /** The verdict of the trial in words. */
  sentence: string;
  /** The adopted candidate with what the trial found; null without one. */
  adopted: {
    /** Configuration that was adopted. */
    metricConfigId: string;
    /** Whether a candidate decides as the judge in use does. */
    equivalence: {
      /** Method. */
      method: string;
      /** Confidence level. */
      level: number;
      /** Largest difference of pass rates that counts as none. */
      margin: number;
      /** Pass rates of both judges among the records that people pass. */
      passedByPeople: {
        /** Number of records that both judges decided. */
        n: number;
        /** Share that the judge in use passes. */
        before: number | null;
        /** Share that the candidate passes. */
        after: number | null;
        /** after minus before. */
        difference: number | null;
        /** Standard error of the difference. */
        standardError: number | null;
        /** Interval of the difference at the level 1 − 2α, widened by the missing verdicts. */
        interval: Interval | null;
        /** Number of records that the candidate alone passes. */
        nowPass: number;
        /** Number of records that the judge in use alone passes. */
        nowFail: number;
        /** Number of records without a verdict of the candidate. */
        missing: number;
        /** Number of records with which 8 of 10 trials of two equal judges show that they are equivalent. */
        numNeeded: number;
      };
      /** Pass rates of both judges among the records that people fail. */
      failedByPeople: {
        /** Number of records that both judges decided. */
        n: number;
        /** Share that the judge in use passes. */
        before: number | null;
        /** Share that the candidate passes. */
        after: number | null;
        /** after minus before. */
        difference: number | null;
        /** Standard error of the difference. */
        standardError: number | null;
        /** Interval of the difference at the level 1 − 2α, widened by the missing verdicts. */
        interval: Interval | null;
        /** Number of records that the candidate alone passes. */
        nowPass: number;
        /** Number of records that the judge in use alone passes. */
        nowFail: number;
        /** Number of records without a verdict of the candidate. */
        missing: number;
        /** Number of records with which 8 of 10 trials of two equal judges show that they are equivalent. */
        numNeeded: number;
      };
      /** Largest p of the four one-sided tests. */
      p: number | null;
      /** p, adjusted by Holm for all candidates of the trial. */
      adjustedP: number | null;
      /** Conclusion. */
      verdict: "equivalent" | "not equivalent" | "cannot tell";
      /** The verdict in words. */
      sentence: string;
      /** Assumption of all numbers here. */
      assumption: string;
      /** Warnings with their codes. */
      caveats: Array<{
        /** Kind of warning, for programs. */
        code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
        /** The warning, for readers. */
        sentence: string;
      }>;
      /** Warnings for the reader: the sentences of `caveats`. */
      warnings: string[];
    };
  } | null;
  /** User who adopted a candidate or discarded the trial. */
  endedByUserId: string | null;
  /** When it was adopted or discarded. */
  endedAt: string | null;
};

/** How many testcases a comparison needs, or how small a difference it can detect. */
export type Plan = {
  /** Id of the metric. */
  metricId: string;
  /** What is compared for int and float metrics. */
  measure: string;
  /** Difference to detect. */
  difference: number | null;
  /** Formula of the plan. */
  method: string;
  /** Number of testcases of the coming run. */
  n: number;
  /** Confidence level. */
  level: number;
  /** Power of the comparison. */
  power: number;
  /** Trials of each testcase. */
  trials: number;
  /** Number of tests that are read together. */
  tests: number;
  /** Runs of the baseline, whose scores count as trials of one. */
  baselineRuns: number;
  /** Numbers of testcases of the planned looks at n; compareRuns takes them as `looks`. */
  looks: number[];
  /** Smallest difference that n testcases can detect; null if it cannot be computed. */
  minimumDetectable: number | null;
  /** Testcases needed to detect `difference`; null without one. */
  numNeeded: number | null;
  /** The looks at as many; null without `difference`. */
  neededLooks: number[] | null;
  /** Groups of the coming run: those of its testset, else of the earlier run. Null if testcases are independent. */
  groups: {
    /** Testcases of a group; of unequal groups, Σm²/Σm of groups of m testcases. */
    size: number;
    /** How many times more the difference varies than that of independent testcases. */
    designEffect: number;
    /** Groups needed to detect `difference`; null without one. */
    numNeeded: number | null;
  } | null;
  /** Assumption of the plan. */
  assumption: string;
  /** Why there is no answer. */
  reason: string | null;
  /** Effect of further labels on a comparison corrected for the judge's errors; null without a model that judges, or without labels of two runs. */
  labels: {
    /** Id of the earlier run. */
    before: string;
    /** Id of the newest run. */
    after: string;
    /** Number of labelled testcases. */
    labelled: {
      /** Labels in the earlier run. */
      before: number;
      /** Labels in the newest run. */
      after: number;
      /** Testcases with a label in both. */
      both: number;
    };
    /** Interval of their difference, corrected for the judge's errors. */
    interval: Interval | null;
    /** Number of further testcases to label in both runs that halve the interval; null if labels for all of them do not. */
    numLabelsToHalve: number | null;
    /** The same in words. */
    moreLabels: string | null;
  } | null;
  /** The earlier run that the plan is based on. */
  basis: {
    /** Id of the run. */
    runId: string;
    /** How its variances were estimated. */
    method: string;
    /** Number of its testcases. */
    n: number;
    /** Variance of the expected scores between testcases. */
    between: number | null;
    /** Variance of the scores within a testcase; null if no testcase has two trials. */
    within: number | null;
    /** Why a variance is unknown. */
    reason: string | null;
  } | null;
  /** Correlation of the expected scores of both systems over testcases, without the noise of trials. */
  correlation: {
    /** Correlation. */
    value: number;
    /** The two runs that it was measured on, or a note that it is assumed. */
    source: string;
    /** Number of testcases that these runs share. */
    n: number;
  };
  /** What the criteria of the metric detect together, and what one of them would alone. A loss that all criteria have is the same loss of the share. */
  criteria?: {
    /** Number of criteria with verdicts in the earlier runs. */
    numCriteria: number;
    /** The mean share of the criteria that are met. */
    share: {
      /** Smallest difference that shows; null if unknown. */
      minimumDetectable: number | null;
      /** Testcases that `difference` needs; null without it, or if unknown. */
      numNeeded: number | null;
    };
    /** One criterion alone: the median over at most 30 of them. */
    alone: {
      /** Smallest difference that shows; null if unknown. */
      minimumDetectable: number | null;
      /** Testcases that `difference` needs; null without it, or if unknown. */
      numNeeded: number | null;
    };
  } | undefined;
};

/** A pair of outputs with its votes. */
export type PreferenceComparison = {
  /** Number of the pair. */
  number: number;
  /** Id of the first run. */
  firstRunId: string;
  /** Id of the second run. */
  secondRunId: string;
  /** Record of the first run. */
  firstRecordId: string;
  /** Record of the second run. */
  secondRecordId: string;
  /** State of the model's verdict; `unasked` if the study has no model. */
  state: "unasked" | "pending" | "scored" | "unscored" | "failed";
  /** Why the model gave no verdict. */
  lastError: string | null;
  /** Cost of the model in US dollars. */
  costUsd: number;
  /** Votes of people and of the model. */
  votes: Array<{
    /** Who compared; null for the model. */
    userId: string | null;
    /** Run whose output was shown on the left, or first. */
    leftRunId: string;
    /** Run that was preferred; null for a tie. */
    preferredRunId: string | null;
    /** The model’s two ratings, from 1 (the first is clearly better) to 5 (the second is): as shown, then swapped. Null for people. */
    ratings: number[] | null;
    /** Reason for the choice; empty if none was given. */
    comment: string;
    /** When it was given. */
    createdAt: string;
  }>;
};

/** Questions and cost of a study. */
export type PreferenceEstimate = {
  /** Number of testcases that would be drawn. */
  numTestcases: number;
  /** Number of testcases that all runs answered, in the same revision. */
  numShared: number;
  /** Number of pairs of outputs. */
  numPairs: number;
  /** Number of questions to the model: two for each pair. */
  numRequests: number;
  /** Estimated tokens sent. */
  inputTokens: number;
  /** Estimated tokens received. */
  outputTokens: number;
  /** Estimated cost in US dollars; null if the price of the model is unknown. */
  costUsd: number | null;
};

/** Which runs are preferred. */
export type PreferenceResult = {
  /** Id of the study. */
  studyId: string;
  /** By people; the majority counts where several compared a pair. Null without one. */
  people: {
    /** Method of the ranking. */
    method: string;
    /** Confidence level. */
    level: number;
    /** Number of testcases, or of groups of them, with a comparison. */
    numUnits: number;
    /** Number of pairs that were compared. */
    numComparisons: number;
    /** The runs, the most preferred one first; null without a ranking. */
    runs: Array<{
      /** Id of the run. */
      runId: string;
      /** Probability of being preferred to another of the runs, with a tie as half; for three or more runs the mean over the others. */
      winRate: number;
      interval: Interval;
      /** Logarithm of the strength of Bradley and Terry’s model; 0 is the mean of all runs. */
      strength: number;
      strengthInterval: Interval;
      /** The places that the tests do not rule out. */
      rank: {
        /** Best place. */
        best: number;
        /** Worst place. */
        worst: number;
      };
    }> | null;
    /** Why there is no ranking. */
    reason: string | null;
    /** One entry for each pair of runs. */
    pairs: Array<{
      /** Id of the first run. */
      firstRunId: string;
      /** Id of the second run. */
      secondRunId: string;
      /** Pairs that the first won. */
      wins: number;
      /** Pairs without a winner. */
      ties: number;
      /** Pairs that the second won. */
      losses: number;
      winRate: Estimate;
      /** Probability that the first is preferred to the second, by the ranking of all pairs. Its interval is not adjusted. Null without a ranking. */
      expected: {
        /** The probability. */
        winRate: number;
        interval: Interval;
      } | null;
      /** Two-sided p of a `winRate` of 0.5, by the comparisons of these two alone, adjusted by Holm over all pairs of runs. */
      directP: number | null;
      /** Contradiction between the ranking and the comparisons of these two runs alone, in words: only the comparisons show a difference, or they show the opposite order. Null without one. */
      sentence: string | null;
      /** Two-sided p of equal strengths, adjusted by Holm over all pairs of runs. */
      adjustedP: number | null;
      /** Whether the two runs are shown to differ: adjustedP decides. In a study of two runs, the interval of `expected` then excludes 0.5. In a study of more, the interval can exclude 0.5 although no difference is shown. */
      apart: boolean;
    }>;
    /** Whether the ranking describes its pairs; null with only two runs or too few comparisons. */
    fit: {
      /** p of the test of the ranking against a separate probability for each pair. */
      p: number;
      /** Degrees of freedom: pairs that met, beyond those that connect all runs. */
      df: number;
      /** False if the test rejects the ranking at the confidence level. */
      fits: boolean;
      /** The same in words. */
      sentence: string;
    } | null;
    /** Warnings for the reader. */
    warnings: string[];
    ties: Estimate;
    position: Estimate;
  } | null;
  /** By the model; null without one. */
  judge: {
    /** Method of the ranking. */
    method: string;
    /** Confidence level. */
    level: number;
    /** Number of testcases, or of groups of them, with a comparison. */
    numUnits: number;
    /** Number of pairs that were compared. */
    numComparisons: number;
    /** The runs, the most preferred one first; null without a ranking. */
    runs: Array<{
      /** Id of the run. */
      runId: string;
      /** Probability of being preferred to another of the runs, with a tie as half; for three or more runs the mean over the others. */
      winRate: number;
      interval: Interval;
      /** Logarithm of the strength of Bradley and Terry’s model; 0 is the mean of all runs. */
      strength: number;
      strengthInterval: Interval;
      /** The places that the tests do not rule out. */
      rank: {
        /** Best place. */
        best: number;
        /** Worst place. */
        worst: number;
      };
    }> | null;
    /** Why there is no ranking. */
    reason: string | null;
    /** One entry for each pair of runs. */
    pairs: Array<{
      /** Id of the first run. */
      firstRunId: string;
      /** Id of the second run. */
      secondRunId: string;
      /** Pairs that the first won. */
      wins: number;
      /** Pairs without a winner. */
      ties: number;
      /** Pairs that the second won. */
      losses: number;
      winRate: Estimate;
      /** Probability that the first is preferred to the second, by the ranking of all pairs. Its interval is not adjusted. Null without a ranking. */
      expected: {
        /** The probability. */
        winRate: number;
        interval: Interval;
      } | null;
      /** Two-sided p of a `winRate` of 0.5, by the comparisons of these two alone, adjusted by Holm over all pairs of runs. */
      directP: number | null;
      /** Contradiction between the ranking and the comparisons of these two runs alone, in words: only the comparisons show a difference, or they show the opposite order. Null without one. */
      sentence: string | null;
      /** Two-sided p of equal strengths, adjusted by Holm over all pairs of runs. */
      adjustedP: number | null;
      /** Whether the two runs are shown to differ: adjustedP decides. In a study of two runs, the interval of `expected` then excludes 0.5. In a study of more, the interval can exclude 0.5 although no difference is shown. */
      apart: boolean;
    }>;
    /** Whether the ranking describes its pairs; null with only two runs or too few comparisons. */
    fit: {
      /** p of the test of the ranking against a separate probability for each pair. */
      p: number;
      /** Degrees of freedom: pairs that met, beyond those that connect all runs. */
      df: number;
      /** False if the test rejects the ranking at the confidence level. */
      fits: boolean;
      /** The same in words. */
      sentence: string;
    } | null;
    /** Warnings for the reader. */
    warnings: string[];
    ties: Estimate;
    position: Estimate;
  } | null;
  /** How far the model agrees with people; null if they compared no pair in common. */
  agreement: {
    /** Pairs that both people and the model compared. */
    numPairs: number;
    same: Estimate;
    ac1: Estimate;
    /** Pairs on which they preferred opposite outputs. */
    opposite: number;
  } | null;
};

/** Outputs of several runs on the same testcases, compared two at a time. */
export type PreferenceStudy = {
  /** Id of the study. */
  id: string;
  /** Project of the study. */
  projectId: string;
  /** Name of the study. */
  name: string;
  /** What makes an output the better one. People and the model read it. */
  criterion: string;
  /** Its runs. */
  runIds: string[];
  /** Number of testcases that were drawn. */
  numTestcases: number;
  /** Number of pairs of outputs. */
  numPairs: number;
  /** The model that compares; null without one. */
  judge: {
    /** Model that compares. */
    modelName: string;
    /** Budget in US dollars; null without a limit. */
    budgetUsd: number | null;
    /** Cost so far in US dollars, as far as prices are known. */
    spentUsd: number;
    /** Pairs that it compared. */
    scored: number;
    /** Pairs that it has yet to compare. */
    pending: number;
    /** Pairs on which it gave no verdict. */
    unscored: number;
    /** Pairs on which it could not be asked. */
    failed: number;
    /** Whether it stopped at its budget. */
    stopped: boolean;
    /** Most frequent reason why a pair has no verdict; null if all have one. */
    lastError: string | null;
  } | null;
  /** Progress of the comparisons by people. */
  people: {
    /** Pairs that someone compared. */
    numPairs: number;
    /** Comparisons by people. */
    numComparisons: number;
    /** Comparisons by you. */
    numOwn: number;
  };
  /** Who started it. */
  createdByUserId: string;
  /** When it was started. */
  createdAt: string;
};

/** Prices of models for all organizations, in US dollars per million tokens. The prices of a provider come before them. */
export type PriceTable = {
  /** Sources of the prices, the one that comes first at the top. */
  sources: Array<{
    /** file: the operator's file (DOKIMA_PRICES_FILE). url: a list that is read each day (DOKIMA_PRICES_URL). shipped: the table of this version. */
    source: "file" | "url" | "shipped";
    /** URL of the list, without a query; null for the others. */
    address: string | null;
    /** Day of the prices, as YYYY-MM-DD; null before the first list was read. */
    date: string | null;
    /** Number of models with a price. */
    numModels: number;
    /** When the list in use was read; null for what is not read from a URL. */
    readAt: string | null;
    /** Why the newest list was not used; null if it was. */
    error: string | null;
    /** Models of the list whose new price is not used. Their price before stays in use. */
    refused: Array<{
      /** Kind of provider and model. */
      modelName: string;
      /** Why its new price is not used. */
      reason: string;
    }>;
  }>;
  /** Prices in use, by kind of provider and model, such as `openai/gpt-4o`, each with its source and day. */
  models: { [name: string]: {
  /** Price of a million tokens that the model reads. */
  input: number;
  /** Price of a million tokens that the model writes. */
  output: number;
  /** Price of a million tokens read from the cache. Default: input. */
  cachedInput?: number | undefined;
  /** Price of a million tokens stored in the cache. Default: input. */
  cacheWrite?: number | undefined;
  /** Price of a million tokens of sound that the model reads. Default: input. */
  audioInput?: number | undefined;
  /** Price of a million tokens of sound read from the cache. Default: cachedInput. */
  cachedAudioInput?: number | undefined;
  /** Price of a million tokens of sound that the model makes. Default: output. */
  audioOutput?: number | undefined;
  /** Prices that hold from a day on in place of these, earliest first. */
  changes?: Array<{
    /** First day of the price, as YYYY-MM-DD (UTC). */
    from: string;
    /** Price of a million tokens that the model reads. */
    input: number;
    /** Price of a million tokens that the model writes. */
    output: number;
    /** Price of a million tokens read from the cache. Default: input. */
    cachedInput?: number | undefined;
    /** Price of a million tokens stored in the cache. Default: input. */
    cacheWrite?: number | undefined;
    /** Price of a million tokens of sound that the model reads. Default: input. */
    audioInput?: number | undefined;
    /** Price of a million tokens of sound read from the cache. Default: cachedInput. */
    cachedAudioInput?: number | undefined;
    /** Price of a million tokens of sound that the model makes. Default: output. */
    audioOutput?: number | undefined;
  }> | undefined;
  /** file: the operator's file (DOKIMA_PRICES_FILE). url: a list that is read each day (DOKIMA_PRICES_URL). shipped: the table of this version. */
  source: "file" | "url" | "shipped";
  /** Day on which the price was read, as YYYY-MM-DD: the one that the list has for the price, else that of the list. */
  date: string | null;
  /** Page that the list names for the price; null if it names none. */
  reference: string | null;
} };
};

/** Holds the testsets, metrics, systems and runs of one AI system under test. */
export type Project = {
  /** Id of the project. */
  id: string;
  /** Name of the project. */
  name: string | null;
  /** Description of the project. */
  description: string | null;
};

/** Who may do what in a project. */
export type ProjectAccess = {
  /** Whether only the project's members and the organization's admins see the project. */
  restricted: boolean;
  /** Name of the project. */
  projectName: string;
  /** Members to whom the project gives a role, in the order in which they got it. */
  members: Array<{
    /** Id of the member. */
    userId: string;
    /** admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records. */
    role: "admin" | "member" | "annotator" | "viewer";
  }>;
  /** Your rights in the project. */
  rights: Array<"read" | "review" | "write" | "admin">;
  /** What the project is used for beside evaluations. review: it has a metric that people score, or a side-by-side comparison. production: it has traces, a monitor or an alert. */
  uses: Array<"review" | "production">;
  /** Number of records that wait for your score, at most 100; 0 if you may not review. */
  numToReview: number;
};

/** Status of the import of an archive into a project. */
export type ProjectImport = {
  /** Id of the project. */
  projectId: string;
  /** When the import began. */
  startedAt: string;
  /** When the last line was stored; null while the import is incomplete. */
  completedAt: string | null;
  /** Lines of the archive that are stored. */
  numLines: number;
  /** Imported rows, by part of the archive. */
  rows: { [name: string]: number };
  /** Rows whose author is now the importer, because the author is not a member or the importer is not an admin. */
  yours: { [name: string]: number };
  /** Rows of reviewers and assignees who are not members here. They are not imported. */
  leftOut: { [name: string]: number };
  /** Monitors that are now paused, and pending executions that are now cancelled. */
  changed: { [name: string]: number };
};

/** Who sees a project, how long it keeps data, what it masks, and whether it is indexed for search. */
export type ProjectSettings = {
  /** Whether only the project's members and the organization's admins see the project. */
  restricted: boolean;
  /** Days after which records, with their scores and traces, are deleted; null: never. */
  recordDays: number | null;
  /** Days after which traces, and the records created from them, are deleted; null: never. */
  traceDays: number | null;
  /** Whether the texts and fields of records are indexed for search; null: from the first search on that needs the index. A search finds every record without the index too, but reads the records one by one. */
  searchIndex: boolean | null;
  masking: MaskingSettings;
};

/** A tag of a project's records. */
export type ProjectTag = {
  /** The tag. */
  text: string;
  /** Number of records with the tag. */
  numRecords: number;
};

/** A provider of models, without its secrets. */
export type Provider = {
  /** Id of the provider. */
  id: string;
  /** The part of an evalModelName before the slash: `ollama` for `ollama/gemma3`. */
  name: string;
  /** API of the provider. */
  kind: "openai" | "anthropic" | "google" | "azure" | "bedrock" | "openai-compatible";
  /** Base URL; null for the default. */
  baseUrl: string | null;
  /** azure: resourceName, apiVersion. bedrock: region, accessKeyId, secretAccessKey, sessionToken. openai: organization, project. Secret options are stored encrypted and never shown; an update without them keeps them. */
  options: { [name: string]: string };
  /** Whether a key or a secret option is stored. */
  hasSecret: boolean;
  /** Maximum number of concurrent requests of one process. */
  maxConcurrency: number;
  /** Maximum number of requests per minute of one process; null means no limit. */
  requestsPerMinute: number | null;
  /** Prices of models by their name, in US dollars per million tokens: `{ "gemma3": { "input": 0.1, "output": 0.4 } }`. They override the price table of the server. */
  prices: { [name: string]: {
  /** Price of a million tokens that the model reads. */
  input: number;
  /** Price of a million tokens that the model writes. */
  output: number;
  /** Price of a million tokens read from the cache. Default: input. */
  cachedInput?: number | undefined;
  /** Price of a million tokens stored in the cache. Default: input. */
  cacheWrite?: number | undefined;
  /** Price of a million tokens of sound that the model reads. Default: input. */
  audioInput?: number | undefined;
  /** Price of a million tokens of sound read from the cache. Default: cachedInput. */
  cachedAudioInput?: number | undefined;
  /** Price of a million tokens of sound that the model makes. Default: output. */
  audioOutput?: number | undefined;
} };
  /** Longest reply of a judge in tokens, its thoughts included. Not sent to models that refuse it. */
  maxOutputTokens: number;
  /** Time for one answer, in milliseconds: a verdict of a judge with the repair of an unreadable one, or the answer to any other question of the service. Systems under test have their own. */
  timeoutMs: number;
  /** When it was added. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
};

/** One case that the system handled: inputs, expected output, outputs. */
export type Record = {
  /** Id of the record, `<run>-<n>`. */
  id: string;
  /** Id of its run. */
  runId: string;
  /** Id of its testcase; absent without one. */
  testcaseId?: string | undefined;
  /** Input of the system. */
  inputs: JsonObject;
  /** Expected output. */
  expected: JsonObject;
  /** Output of the system. */
  outputs: JsonObject;
};

/** A record assigned to a user. */
export type RecordAssignment = {
  /** Id of the assignment. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** Id of the user who should look at the record. */
  assigneeUserId: string;
  /** The user who assigned it. */
  assignedByUserId: string;
  /** When it was assigned. */
  createdAt: string;
};

/** A record with everything except annotations and attachments. */
export type RecordDetail = {
  /** Id of the record, `<run>-<n>`. */
  id: string;
  /** Id of its run. */
  runId: string;
  /** Id of its testcase; absent without one. */
  testcaseId?: string | undefined;
  /** Input of the system. */
  inputs: JsonObject;
  /** Expected output. */
  expected: JsonObject;
  /** Output of the system. */
  outputs: JsonObject;
  /** The scores that have been given. */
  scores: Score[];
  /** State of every score of the record. */
  scoreStates: ScoreState[];
  /** Whether the scores and annotations of others are left out, because you have yet to score the record in a review queue. Only for a single record. */
  blind?: boolean | undefined;
  /** Tags, oldest first. */
  tags: string[];
  /** Users whom the record is assigned to, oldest assignment first. */
  assigneeUserIds: string[];
  /** Numbers of annotations. */
  annotationCounts: {
    /** Positive annotations. */
    positive: number;
    /** Negative annotations. */
    negative: number;
    /** Annotations with a comment. */
    commented: number;
  };
  /** Latency, tokens and cost of the record, from its traces or else the call of its system; null without either. */
  measures: {
    /** Latency in milliseconds. */
    latencyMs: number | null;
    /** Input tokens. */
    inputTokens: number | null;
    /** Output tokens. */
    outputTokens: number | null;
    /** Cost in US dollars, as reported: earlier attempts included, without judges and simulated users. */
    costUsd: number | null;
    /** Number of failed spans. */
    numErrors: number;
    /** User whom its traces name. */
    userId: string | null;
  } | null;
  /** Revision of the testcase when the record was created. */
  testcaseRevision: number | null;
  /** Revision of the testcase now; null if it was deleted, or without one. Only for a single record. */
  currentTestcaseRevision?: number | null | undefined;
  /** Id that links the record to a trace. */
  otelLinkId: string | null;
  /** Record that was copied into this one for the trial of a judge. */
  originRecordId: string | null;
  /** Session that it belongs to. */
  sessionId: string | null;
  /** When it was created; for a record of traces, when the first of them began. */
  createdAt: string;
};

/** The fields of the records of a project. */
export type RecordFields = {
  /** Paths of fields that records have, at most 500, as the search writes them, such as `outputs.answer`. Fields within arrays are left out. A new field appears some seconds after its first record. */
  fields: string[];
};

/** Number of records over time. */
export type RecordHistogram = {
  /** Number of records that match the filters. */
  numRecords: number;
  /** Start of the first interval; null if the project has no records. */
  start: string | null;
  /** Length of each interval in seconds: a round number of milliseconds (0.005 is five), seconds, minutes, hours or days. */
  bucketSeconds: number;
  /** Number of records created in each interval, oldest first. The intervals reach from createdAfter, or the first record of the project, to createdBefore, or the last record. */
  counts: number[];
  /** Whether the counts are estimates: in each interval of a large project, up to 300 records are tested against the filters. Without filters, or with those that an index answers, counts are exact. */
  estimated: boolean;
};

/** A tag on a record. */
export type RecordTag = {
  /** Id of the tag on this record. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** The tag. */
  text: string;
  /** Origin of the tag: a user of the API, or a trace. */
  source: "user" | "otel";
  /** Id of the user who added it; null for a trace. */
  userId: string | null;
  /** When it was added. */
  createdAt: string;
};

/** A record with all its scores. */
export type RecordWithScores = {
  /** Id of the record, `<run>-<n>`. */
  id: string;
  /** Id of its run. */
  runId: string;
  /** Id of its testcase; absent without one. */
  testcaseId?: string | undefined;
  /** Input of the system. */
  inputs: JsonObject;
  /** Expected output. */
  expected: JsonObject;
  /** Output of the system. */
  outputs: JsonObject;
  /** The scores that have been given. */
  scores: Score[];
};

/** A decision that was registered before its run. The audit log holds it. */
export type RegisteredDecision = {
  /** SHA-256 of the document as canonical JSON (RFC 8785), in hexadecimal. */
  id: string;
  /** What was registered. Nothing changes it. */
  document: {
    /** What this is. */
    format: "dokima-decision";
    /** Version of the format. */
    version: 1;
    /** Id of the project. */
    projectId: string;
    /** The question. */
    question: string;
    /** Who answers for it. */
    owner: string;
    /** The testset as it was. */
    testset: {
      /** Id of the testset. */
      id: string;
      /** Name of the testset. */
      name: string;
      /** Testcases that it had. */
      numTestcases: number;
      /** Number of the snapshot that holds them. */
      snapshot: number;
      /** Hash of that snapshot. */
      hash: string;
    };
    /** The run that later runs are compared with; null without one. */
    baseline: {
      /** Id of the run. */
      runId: string;
      /** Version that answered; null if it is not known. */
      systemVersionId: string | null;
      /** When the run was created. */
      createdAt: string;
    } | null;
    /** The metrics that decide, as they were. */
    metrics: Array<{
      /** Id of the metric. */
      id: string;
      /** Name of the metric. */
      name: string;
      /** Its configuration. */
      configId: string;
      /** SHA-256 of all that decides how the configuration scores. */
      hash: string;
      /** Model that judges; null without one. */
      evalModelName: string | null;
    }>;
    /** The rules. */
    rules: JsonObject;
    /** Testcases on which it is decided, as planned. */
    minTestcases: number;
    /** Chance to see the planned difference. */
    power: number;
    /** Confidence level of the gate. */
    level: number;
    /** When it was registered. */
    registeredAt: string;
    /** Member who registered it. */
    registeredBy: string | null;
  };
};

/** A reply to an annotation. */
export type Reply = {
  /** Id of the reply. */
  id: string;
  /** Id of the annotation that it replies to. */
  annotationId: string;
  /** Text of the reply. */
  comment: string;
  /** Id of the author. */
  userId: string;
  /** When it was written. */
  createdAt: string;
  /** When its author last changed it; null if never. */
  updatedAt: string | null;
};

/** A link that shows a report without an account, without its secret part. */
export type ReportLink = {
  /** Id of the link. */
  id: string;
  /** Id of the project. */
  projectId: string;
  /** For whom or for what the link is. */
  name: string;
  /** The compared runs of the project, 2 to 8 ids, the baseline first. */
  runs: string[];
  /** What is compared: pass rates or mean scores. */
  measure: "pass" | "score";
  /** Who made it. The link ends when they can no longer read the project. */
  userId: string;
  /** How often it was used. */
  numUses: number;
  /** When it was last used; null if never. */
  lastUsedAt: string | null;
  /** When it was made. */
  createdAt: string;
  /** When it ends. */
  expiresAt: string;
};

/** A new link to a report. */
export type ReportLinkCreated = {
  /** Id of the link. */
  id: string;
  /** Id of the project. */
  projectId: string;
  /** For whom or for what the link is. */
  name: string;
  /** The compared runs of the project, 2 to 8 ids, the baseline first. */
  runs: string[];
  /** What is compared: pass rates or mean scores. */
  measure: "pass" | "score";
  /** Who made it. The link ends when they can no longer read the project. */
  userId: string;
  /** How often it was used. */
  numUses: number;
  /** When it was last used; null if never. */
  lastUsedAt: string | null;
  /** When it was made. */
  createdAt: string;
  /** When it ends. */
  expiresAt: string;
  /** The link itself. It is shown only here; the service stores a hash. */
  url: string;
};

/** The links to reports of a project. */
export type ReportLinks = {
  /** Links that have not ended, newest first. */
  data: ReportLink[];
  /** Whether the admins of the organization allow such links. */
  allowed: boolean;
};

/** New scores of a run by one metric, as proposals until they are adopted. */
export type Rescoring = {
  /** Number of the trial, within its metric. */
  number: number;
  /** Id of the metric. */
  metricId: string;
  /** rescoring: scores the records of a run by a configuration. */
  kind: "rescoring";
  /** Run whose records are re-scored. */
  runId: string;
  /** Configuration by which the run was scored when the rescoring began. */
  metricConfigId: string;
  /** Configuration that proposes. */
  proposedConfigId: string;
  /** Whether it covers every record of the run; if not, it covers chosen records. */
  wholeRun: boolean;
  /** Sample that is re-scored first; null without one. */
  sample: {
    /** Number of records in the sample. */
    size: number;
    /** Seed of the sample. Records are drawn in the order of the SHA-256 of "<seed> <record id>", so the same seed gives the same sample. */
    seed: number;
  } | null;
  /** running: proposals are being made. sampled: the sample is done, the other records wait for extend. ready: review, then adopt or discard. adopted: the proposals replaced the scores. discarded: no score has changed. */
  state: "running" | "sampled" | "ready" | "adopted" | "discarded";
  /** Why pending proposals are not made: the judge budget of the run is used up. Raise it to continue. */
  stoppedBy: "judgeBudget" | null;
  /** Number of records with a proposal, and of those that extend would add. */
  numRecords: number;
  /** Number of records left out because a person or a client gave their score, or people are asked for it. */
  numGiven: number;
  /** Number of records with a proposal, finished or pending. */
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
    givenSince: number;
    /** The proposal is not made yet. */
    pending: number;
  };
  /** Cost of the proposals so far. Proposals do not reuse earlier verdicts. */
  spent: {
    /** Cost in US dollars; null if that of one proposal is unknown. Code costs 0. */
    costUsd: number | null;
    /** Tokens that the judge read, as far as it reports them. */
    inputTokens: number;
    /** Tokens that the judge wrote, as far as it reports them. */
    outputTokens: number;
  };
  /** Estimate for the remaining records, measured on the finished proposals; null when no record remains. */
  estimate: {
    /** Records without a proposal, which extend would add. */
    numRecords: number;
    /** Proposals that the estimate is measured on. */
    numMeasured: number;
    /** Cost in US dollars; null if that of one measured proposal is unknown. Code costs 0. */
    costUsd: {
      /** The value if the remaining records are like those that were measured. */
      estimate: number;
      /** Lower end of the 95 % prediction interval; null with fewer than two measured proposals. */
      low: number | null;
      /** Upper end of the 95 % prediction interval. */
      high: number | null;
    } | null;
    /** Tokens that the judge will read; null until something is measured. */
    inputTokens: {
      /** The value if the remaining records are like those that were measured. */
      estimate: number;
      /** Lower end of the 95 % prediction interval; null with fewer than two measured proposals. */
      low: number | null;
      /** Upper end of the 95 % prediction interval. */
      high: number | null;
    } | null;
    /** Tokens that the judge will write; null until something is measured. */
    outputTokens: {
      /** The value if the remaining records are like those that were measured. */
      estimate: number;
      /** Lower end of the 95 % prediction interval; null with fewer than two measured proposals. */
      low: number | null;
      /** Upper end of the 95 % prediction interval. */
      high: number | null;
    } | null;
    /** Estimated duration in seconds: of a judge within the limits of its provider, of code in the sandbox of one process. Null until something is measured. */
    seconds: number | null;
  } | null;
  /** User who started it. */
  createdByUserId: string;
  /** When it was started. */
  createdAt: string;
  /** User who adopted or discarded it. */
  endedByUserId: string | null;
  /** When it was adopted or discarded. */
  endedAt: string | null;
};

/** Counts of the next purge, each at most 100,000. A purge runs every minute. */
export type RetentionPreview = {
  /** Records that would be deleted, with their scores and traces. */
  numRecords: number;
  /** Older records that are kept, among the 100,000 oldest. */
  numKeptRecords: number;
  /** Kept records by reason. A record with several reasons counts in each. */
  keptBecause: {
    /** With an annotation. */
    annotated: number;
    /** Assigned to someone. */
    assigned: number;
    /** With a tag by a person. */
    tagged: number;
    /** With a review. */
    reviewed: number;
    /** With a score by a person: of a metric that people score, or given on the pages. Scores that a client sends for other metrics do not count. */
    scored: number;
    /** Pinned to check a judge. */
    pinned: number;
    /** In the newest run with a mark on a testset, or in a trial of a judge. */
    inKeptRun: number;
  };
  /** Traces that would be deleted for their age. */
  numTraces: number;
};

/** Score of a record by one person. */
export type Review = {
  /** Id of the review. */
  id: string;
  /** Id of the record. */
  recordId: string;
  /** Configuration of the metric. */
  metricConfigId: string;
  /** Id of the reviewer. */
  userId: string;
  /** Who made it: a person, a client that did not say who did, or a model. */
  madeBy: "person" | "client" | "model";
  /** The value field of the metric (binaryScore, intScore, floatScore or categoryScore), with reasoning. */
  score: JsonObject;
  /** Whether the reviewer could not have seen another person's review of the record before. It says nothing about the judge's verdict: the queue hides that, but a member who may read the project can have seen it elsewhere, which is not known. Reviewers who may only review can't have seen it. */
  blind: boolean;
  /** When it was submitted. */
  submittedAt: string;
};

/** A record on which reviewers disagree. */
export type ReviewDisagreement = {
  /** Id of the record. */
  recordId: string;
  /** Configuration of the metric. */
  metricConfigId: string;
  /** Highest minus lowest value, with 1 for true and 0 for false. */
  spread: number;
  /** Reviews, oldest first. */
  reviews: Review[];
};

/** A metric by which a record waits for your score. */
export type ReviewMetric = {
  /** Id of the metric. */
  metricId: string;
  /** Configuration of the metric. */
  metricConfigId: string;
  /** Name of the metric. */
  metricName: string;
  /** Instructions for reviewers. */
  guidelines: string;
  /** Kind of score. */
  outputType: "int" | "float" | "boolean" | "category";
  /** Criteria to score one by one: send `criteria: [{ id, met }]` in place of a value. null: the metric has none. */
  criteria: Criteria | null;
  /** Labels to choose from, for a category; null for other metrics. */
  labels: Labels | null;
  /** Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs. */
  numReviewers: number;
  /** When your claim on the record expires; null if you have none. */
  claimedUntil: string | null;
  /** Your last score of this record, even if undone since; null if there is none. */
  previousScore: JsonObject | null;
};

/** A random sample of a run's records for people to score. */
export type ReviewSample = {
  /** Id of the sample. */
  id: string;
  /** Id of the run that it was drawn from. */
  runId: string;
  /** Id of the metric. */
  metricId: string;
  /** Configuration for which people score the records. */
  metricConfigId: string;
  /** Seed of the sample: the records of a stratum are drawn in the order of the SHA-256 of "<seed> <record id>". */
  seed: number;
  /** What defines the strata; null without strata. */
  stratifyBy: {
    /** Two strata: records with this tag and records without it. */
    tag?: string | undefined;
    /** One stratum for each value of this field of the inputs; a long value counts by its start. */
    inputField?: string | undefined;
    /** One stratum for each value of this field of the testcase's current data. */
    testcaseField?: string | undefined;
    /** Three strata by another metric: pass, fail, or no valid score yet. */
    metricId?: string | undefined;
  } | null;
  /** How the sample is divided among the strata: in proportion to their records, or as equally as possible. Each gets at least one record. */
  allocation: "proportional" | "equal";
  /** Number of records that could have been drawn: all records of the run when the sample was last filled. */
  numRecords: number;
  /** Number of records in the sample. */
  numDrawn: number;
  /** Strata. All records of a stratum have the same probability. A sample without strata has one stratum for each wave. */
  strata: Array<{
    /** The tag, value or verdict; null for records without one and in a sample without strata. */
    value: string | null;
    /** Number of the wave. Records that arrive after a draw form separate strata, in wave 2 and later. */
    wave: number;
    /** Number of records of the stratum at its first draw. */
    numRecords: number;
    /** Number of its records in the sample. */
    numDrawn: number;
    /** Probability that a record is drawn: numDrawn / numRecords. */
    inclusionProbability: number;
  }>;
  /** Who first drew it. */
  userId: string;
  /** When it was first drawn. */
  createdAt: string;
};

/** A record for you to score. Other scores are left out, so that they do not influence you. */
export type ReviewTask = {
  /** Id of the record. */
  recordId: string;
  /** Id of the metric. */
  metricId: string;
  /** Configuration of the metric. */
  metricConfigId: string;
  /** Name of the metric. */
  metricName: string;
  /** Instructions for reviewers. */
  guidelines: string;
  /** Kind of score. */
  outputType: "int" | "float" | "boolean" | "category";
  /** Criteria to score one by one: send `criteria: [{ id, met }]` in place of a value. null: the metric has none. */
  criteria: Criteria | null;
  /** Labels to choose from, for a category; null for other metrics. */
  labels: Labels | null;
  /** Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs. */
  numReviewers: number;
  /** Whether the record is assigned to you. */
  assigned: boolean;
  /** Whether traces belong to the record: it has a conversation. */
  hasSpans: boolean;
  /** When your claim on the record expires; null if you have none. */
  claimedUntil: string | null;
  /** Your last score of this record, even if undone since; null if there is none. */
  previousScore: JsonObject | null;
  record: Record;
};

/** How far people who reviewed the same records agree. */
export type ReviewerAgreement = {
  /** Configuration that people scored. */
  metricConfigId: string;
  /** Kind of score. */
  outputType: string;
  /** Lowest score that passes; null for a boolean. */
  passingThreshold: number | null;
  /** What is compared: `score` or `pass`. */
  measure: string;
  /** What was reviewed. For a metric that scores spans, what is called a record here is a span, and the last score that each person gave it is their review. */
  unit: "record" | "span";
  /** Confidence level. */
  level: number;
  /** Number of reviews that count, at most the 200,000 of the newest runs. */
  numReviews: number;
  /** Number of reviews that do not count, because their authors could have seen others. */
  numReviewsLeftOut: number;
  /** Number of records with a review. */
  numRecords: number;
  /** Number of records with two or more reviews. */
  numRecordsWithSeveral: number;
  agreement: Estimate;
  alpha: Estimate;
  ac: Estimate;
  /** Each reviewer compared with the others: the 50 with the most reviews, most first. */
  reviewers: Array<{
    /** Id of the reviewer. */
    userId: string;
    /** Number of their reviews. */
    numReviews: number;
    /** Number of these records that others reviewed too. */
    numShared: number;
    /** Share of the others who gave the same score, averaged over the shared records. */
    agreement: number | null;
    /** How much higher they score than the others on the shared records; for pass or fail, a difference of shares. */
    difference: number | null;
    /** α without this reviewer. If it is higher than α, this reviewer disagrees with the rest. */
    alphaWithout: number | null;
  }>;
  /** Number of further reviewers. */
  numReviewersLeftOut: number;
  /** Pairs of reviewers: the 100 with the most records in common. */
  pairs: Array<{
    /** Ids of the two reviewers. */
    userIds: string[];
    /** Number of records that both reviewed. */
    n: number;
    agreement: Estimate;
    /** Cohen's κ, with quadratic weights for scores from 1 to 5; null for floats. */
    kappa: Estimate | null;
  }>;
  /** Only with `criteria`. Each criterion that was reviewed, first those of the metric; at most 200. */
  criteria?: Array<{
    /** Id of the criterion. */
    id: string;
    /** Its text; null if only testcases have it. */
    text: string | null;
    /** Number of records with two or more reviews of it. */
    numRecordsWithSeveral: number;
    agreement: Estimate;
    alpha: Estimate;
    ac: Estimate;
  }> | undefined;
  /** Warnings with their codes. */
  caveats: Array<{
    /** Kind of warning, for programs. */
    code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
    /** The warning, for readers. */
    sentence: string;
  }>;
  /** Warnings for the reader: the sentences of `caveats`. */
  warnings: string[];
};

/** An evaluation: records of a system, scored by metrics. */
export type Run = {
  /** Id of the run. */
  id: string;
  /** Testset of the run. */
  testsetId: string | null;
  /** System under test. */
  systemId: string | null;
  /** Version of the system under test. */
  systemVersionId: string | null;
  /** Metrics of the run. */
  metricIds: string[];
  /** Configuration of each metric, fixed when the run was created, in the order of metricIds. */
  metricVersionIds: string[];
  /** Number of records. */
  numRecords: number;
  /** Number of testcases of the testset when the run was created, times trials; null without a testset. */
  numExpectedRecords: number | null;
  /** Number of scores that have been given. */
  numScores: number;
  /** Status of the run, derived from its records and scores. */
  status: "pending" | "awaiting_execution" | "running_execution" | "awaiting_scoring" | "running_scoring" | "awaiting_human_scoring" | "completed";
};

/** Comparison of runs on the testcases that both have in the same revision. */
export type RunComparison = {
  /** The runs in the order of the request. */
  runs: Array<{
    /** Id of the run. */
    runId: string;
    /** Testset of the run; null without one. */
    testset: {
      /** Id of the testset. */
      id: string;
      /** Name of the testset. */
      name: string;
      /** Meaning of the top-level fields of a testcase. */
      fieldMapping: {
        /** Fields of jsonData that the system gets. */
        inputs: string[];
        /** Fields of jsonData with the expected output. */
        expected: string[];
        /** Fields of jsonData that only describe the testcase. */
        metadata: string[];
      };
    } | null;
    /** The testcases of the testset when the run started; null without a testset. */
    snapshot: {
      /** Number of the snapshot, within its testset. */
      number: number;
      /** SHA-256 of the testcases in hexadecimal. The same testcases have the same hash (docs/testsets.md says how it is computed). */
      hash: string;
      /** Name of the snapshot; empty without one. */
      name: string;
    } | null;
    /** Split of the testset that the run is about; null for all of it. */
    split: string | null;
    /** System under test. */
    systemId: string | null;
    /** Version of the system under test. */
    systemVersionId: string | null;
    /** Number of records of the run; with `by`, of the slice. */
    numRecords: number;
    /** Grouping field of the testset, if any. The test then compares groups. */
    groupedBy: string | null;
  }>;
  /** Confidence level. */
  level: number;
  /** Power of the minimum detectable differences. */
  power: number;
  /** Seed of random draws. */
  seed: number;
  /** What is compared for int and float metrics. */
  measure: string;
  /** Test of paired runs: `fixed`, `sequential` or `planned`. */
  test: string;
  /** Only with `test=planned`. Numbers of testcases of the looks. */
  looks?: number[] | undefined;
  /** Slice that is compared; null for all records. The adjustment does not cover tests of other slices. */
  slice: {
    /** Criterion of the slice. */
    by: string;
    /** Its tag, or value of the field. */
    value: string;
  } | null;
  /** Only with `pooled`. Runs whose scores count as further trials of the first run. */
  pooled?: string[] | undefined;
  weightedBy?: WeightedBy | undefined;
  /** Only with `criteriaOf`. Number of further criteria: at most 1,000 are in the answer, first those of the metric, then those of testcases with the most verdicts. */
  numCriteriaLeftOut?: number | undefined;
  /** Number of tests that Holm's adjustment covers. */
  tests: number;
  /** Only with three runs or more, and without weights. The best run of each metric, corrected for the choice. */
  winners?: Winner[] | undefined;
  /** Each run paired with each later run of the list, or only the first run with each other. */
  pairs: Array<{
    /** Id of the baseline run. */
    before: string;
    /** Id of the run compared with it. */
    after: string;
    /** What differs between the testcases with which the runs started; null unless both have a snapshot of one testset. Only testcases that both runs have unchanged are compared. */
    testcases: {
      /** Whether both runs are about the same testcases. */
      same: boolean;
      /** Testcases that only the snapshot of the second run has. */
      numAdded: number;
      /** Testcases that both have, with different texts. */
      numChanged: number;
      /** Testcases that only the snapshot of the first run has. */
      numRemoved: number;
      /** The same in words. */
      sentence: string;
    } | null;
    /** Results of the metrics that both runs have. */
    metrics: Array<{
      /** Id of the metric. */
      metricId: string;
      /** Name of the metric. */
      metricName: string;
      /** ai: a model scores. human: people score. heuristic: code or a client scores. */
      evalType: "ai" | "human" | "heuristic";
      /** Kind of score. */
      outputType: "int" | "float" | "boolean" | "category";
      /** Lowest score that passes; null for a boolean, which passes when true, and for a category, whose labels pass or not. */
      passingThreshold: number | null;
      /** Configurations that gave the scores. */
      metricConfigIds: {
        /** Configuration in the first run. */
        before: string;
        /** Configuration in the second run. */
        after: string;
      };
      /** Method of interval and test. */
      method: string;
      /** Number of testcases compared; without pairs, those of both runs together. */
      n: number;
      /** Whether the runs share testcases; without any, all testcases are compared unpaired. */
      paired: boolean;
      /** Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size. */
      effectiveN: number;
      /** Confidence level. */
      level: number;
      /** Power of the minimum detectable difference. */
      power: number;
      /** Seed of the random signs; null if none were drawn. */
      seed: number | null;
      /** Mean of the first run. */
      before: number | null;
      /** Mean of the second run. */
      after: number | null;
      /** Second run minus first run. */
      difference: number | null;
      /** Standard error of the difference. */
      standardError: number | null;
      /** Interval of the difference; null with too little data. */
      interval: Interval | null;
      /** Interval of the difference at `simultaneousLevel` (Bonferroni). Those of all tests of this answer hold together at `level`, as the verdicts do. */
      simultaneousInterval: Interval | null;
      /** Confidence level of `simultaneousInterval`: 1 − (1 − level)/tests. */
      simultaneousLevel: number;
      /** Interval at `verdictLevel`, the level at which the verdict is decided: with a verdict it does not contain 0. */
      verdictInterval: Interval | null;
      /** Confidence level of `verdictInterval`: 1 − (1 − level)·p/adjustedP, the step of Holm's method; `simultaneousLevel` with `test=planned` or a p of 0. */
      verdictLevel: number;
      /** Why there is no interval. */
      reason: string | null;
      /** Two-sided p of the test that belongs to the interval. */
      p: number | null;
      /** p adjusted by Holm over all tests of this answer. The verdict rests on it. With `test=planned` also for the looks: p times α/nominal at its step of Holm. */
      adjustedP: number | null;
      /** McNemar's test, for booleans with one trial. */
      mcnemar: {
        /** Exact p. */
        exact: number;
        /** Mid-p. */
        midP: number;
      } | null;
      /** Sizes of the difference that compare across metrics and studies. */
      effectSizes: {
        /** Difference of the pass rates; null for scores. */
        riskDifference: number | null;
        /** Odds ratio; null for scores, averaged trials and groups. */
        oddsRatio: {
          /** Odds of passing, second run to first run; null if infinite. */
          estimate: number | null;
          /** Lower end of its interval. */
          low: number;
          /** Upper end of its interval; null if it has none. */
          high: number | null;
          /** Method of the odds ratio. */
          method: string;
        } | null;
        /** Cohen's h of the pass rates: 0.2 is small, 0.5 medium, 0.8 large. */
        cohensH: number | null;
        /** Interval of Cohen's h: that of the difference on its scale. */
        cohensHInterval: Interval | null;
        /** Cohen's d of the mean scores, in standard deviations of a testcase. */
        cohensD: number | null;
        /** Interval of Cohen's d at `level`; null without spread. */
        cohensDInterval: Interval | null;
      };
      /** Evidence of the sequential test; null for other tests, groups and unpaired runs. */
      watched: {
        /** e-value: evidence against equal systems; 1 is no evidence. */
        eValue: number;
        /** Evidence that decides the test among all tests of this answer: 1/(1 − simultaneousLevel). */
        neededEvidence: number;
        /** Number of testcases, in their order, after which the evidence was reached; null if it was not. */
        numUntilDecided: number | null;
        /** Testcases that a single test at the end needs to detect the observed difference with `power`; null if the difference is 0. */
        numForFixedTest: number | null;
      } | null;
      /** Only with `test=planned`. This look at the runs. */
      look?: {
        /** Place of this look in the plan, from 1; 0 before the first. Between two looks it is the earlier one. */
        look: number;
        /** Number of looks of the plan. */
        numLooks: number;
        /** Testcases with scores in both runs, and with all trials in the later run. The look uses the first ones, in the order of the later run. */
        numSeen: number;
        /** Testcases of the last look. */
        numPlanned: number;
        /** Testcases of the next look; null after the last, and if the rest of the run was cancelled. */
        next: number | null;
        /** Information fraction: share of the planned testcases that this look uses. */
        fraction: number;
        /** Standardized difference that decides this look, among all tests of this answer; null before the first look. */
        boundary: number | null;
        /** Two-sided p of a single test at this boundary; null before the first look. */
        nominal: number | null;
        /** The boundary at `level` if this were the only test of the answer, for a reader who adjusts for several tests; null before the first look. */
        boundaryAlone: number | null;
        /** Two-sided p of a single test at `boundaryAlone`. */
        nominalAlone: number | null;
        /** Chance that the last look decides, given what this look sees, if the true difference is one that a single test at the end detects with `power`; null before the first look and at the last. */
        conditionalPower: number | null;
        /** Whether this chance is below 10 %. Advice that does not bind: the error rate holds whether you stop or go on. */
        futile: boolean;
      } | undefined;
      /** Possible effect of missing scores; null if none is missing, if the runs share no testcase, and before the last of planned looks. */
      missing: {
        /** Testcases of both runs that lack a score in at least one. */
        numMissing: number;
        /** Testcases of both runs. */
        numTestcases: number;
        range: Interval;
        /** Number of these testcases that would have to go against the verdict to undo it; null without a verdict, or if even all of them cannot. */
        tippingPoint: number | null;
        /** Whether the verdict holds whatever the missing scores are; null without a verdict. */
        holds: boolean | null;
        /** The same in words. */
        sentence: string;
      } | null;
      /** Testcases of the first run, compared or not. */
      numBaselineTestcases: number;
      /** Number of testcases that are better in the second run. */
      wins: number;
      /** Number of testcases that are worse. */
      losses: number;
      /** Number of testcases that are the same. */
      ties: number;
      /** Correlation between the runs over testcases. The higher it is, the more pairing helps. */
      correlation: number | null;
      /** Interval without pairing. */
      unpairedInterval: Interval | null;
      /** Smallest true difference that such a comparison detects with this power. */
      minimumDetectable: number | null;
      /** Verdict on the second run; a difference needs both interval and test. */
      verdict: "better" | "worse" | "cannot tell";
      /** The verdict in words. */
      sentence: string;
      /** Assumption of the interval. */
      assumption: string;
      /** Warnings with their codes. */
      caveats: Array<{
        /** Kind of warning, for programs. */
        code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
        /** The warning, for readers. */
        sentence: string;
      }>;
      /** Warnings for the reader: the sentences of `caveats`. */
      warnings: string[];
      /** Only for a category: its labels in both runs. Trials are averaged, and testcases of a group count as one unit. */
      labels?: {
        /** Number of testcases with a label in both runs. */
        n: number;
        /** Test of whether the labels are distributed differently. sign flips: of labels with an order, whether testcases moved up or down. */
        test: "stuart-maxwell" | "sign flips";
        /** Its statistic; null without one. */
        statistic: number | null;
        /** Its degrees of freedom; null without a statistic. */
        df: number | null;
        /** Two-sided p, not adjusted for other metrics; null if no testcase changed its label. The verdict is about the pass rate. */
        p: number | null;
        /** Of labels with an order: share of testcases with a better label minus that with a worse one; else null. */
        netBetter: number | null;
        /** Shares over the testcases with a label in both runs. */
        shares: Array<{
          /** The label. */
          label: string;
          /** Whether it passes, in the second run. */
          passes: boolean;
          /** Its share in the first run. */
          before: number;
          /** Its share in the second run. */
          after: number;
        }>;
        /** Which labels became which, the 200 with the most testcases first. */
        moves: Array<{
          /** The label in the first run. */
          from: string;
          /** The label in the second run; the same if it stayed. */
          to: string;
          /** Number of testcases with a trial of `from` before and one of `to` after. `listChangedTestcases` lists them. */
          numTestcases: number;
        }>;
        /** Number of further pairs of labels with testcases. */
        numMovesLeftOut: number;
      } | undefined;
      /** How well the judges of both runs are calibrated; null unless a model judges. */
      judge: {
        before: JudgeOfRun;
        after: JudgeOfRun;
        /** Whether `interval` includes the judge's errors. Always false: the interval of `corrected` includes them. */
        errorInInterval: boolean;
        /** Whether the judge has the same error rates on both runs; null without labels in both. */
        errors: {
          /** Share that the judge passes, among the records that people pass. */
          sensitivity: {
            /** The rate on the first run; null without labels of this kind. */
            before: number | null;
            /** The rate on the second run. */
            after: number | null;
            /** Number of labels of this kind in the first run. */
            numBefore: number;
            /** Number of labels of this kind in the second run. */
            numAfter: number;
            /** Second run minus first run. */
            difference: number | null;
            /** Its interval, at half of α; null below five labels of this kind in either run. */
            interval: Interval | null;
            /** Two-sided p of equal rates. */
            p: number | null;
          };
          /** Share that the judge fails, among the records that people fail. */
          specificity: {
            /** The rate on the first run; null without labels of this kind. */
            before: number | null;
            /** The rate on the second run. */
            after: number | null;
            /** Number of labels of this kind in the first run. */
            numBefore: number;
            /** Number of labels of this kind in the second run. */
            numAfter: number;
            /** Second run minus first run. */
            difference: number | null;
            /** Its interval, at half of α; null below five labels of this kind in either run. */
            interval: Interval | null;
            /** Two-sided p of equal rates. */
            p: number | null;
          };
          /** Confidence level of both tests together. */
          level: number;
          /** Two-sided p of both tests together (Bonferroni); null if neither could be made. */
          p: number | null;
          /** `differs`: the judge has different error rates on the two runs, so its errors do not cancel in a difference. `unknown`: too few labels. */
          verdict: "differs" | "cannot tell" | "unknown";
          /** The verdict in words. */
          sentence: string;
        } | null;
      } | null;
      /** The difference as people would judge it; null unless a model judges, or if people's scores are of another kind. */
      corrected: {
        /** Method of the correction. */
        method: string;
        /** Testcases that the judge scored in both runs. */
        n: number;
        /** Confidence level. */
        level: number;
        /** Number of labelled testcases. */
        labelled: {
          /** Labels in the first run. */
          before: number;
          /** Labels in the second run. */
          after: number;
          /** Testcases with a label in both runs. */
          both: number;
        };
        /** Labels on which judge and people differ. */
        disagreements: {
          /** Number of labels. */
          before: number;
          /** Number of labels. */
          after: number;
        };
        /** Difference according to the judge. */
        uncorrected: number | null;
        /** Difference as people would judge it; null without labels. */
        difference: number | null;
        /** Standard error of the difference. */
        standardError: number | null;
        /** Interval of the difference, the judge's errors included. */
        interval: Interval | null;
        /** Interval at `simultaneousLevel` (Bonferroni). Those of all corrected differences of this answer hold together at `level`. */
        simultaneousInterval: Interval | null;
        /** Confidence level of `simultaneousInterval`: 1 − (1 − level)/tests. */
        simultaneousLevel: number;
        /** Interval at `verdictLevel`, the level at which the verdict is decided: with a verdict it does not contain 0. */
        verdictInterval: Interval | null;
        /** Confidence level of `verdictInterval`: 1 − (1 − level)·p/adjustedP, the step of Holm's method; `simultaneousLevel` with `test=planned` or a p of 0. */
        verdictLevel: number;
        /** Two-sided p. If only labels are used, it comes from inverting the interval. */
        p: number | null;
        /** p adjusted by Holm over all corrected differences of this answer. The verdict rests on it. */
        adjustedP: number | null;
        /** Number of corrected differences that Holm's adjustment covers. */
        tests: number;
        /** Weights of the judge's verdicts; null without labels. */
        lambda: {
          /** Weight of the judge's verdicts, from 0 (unused) to 1 (fully used). */
          before: number;
          /** Weight of the judge's verdicts, from 0 (unused) to 1 (fully used). */
          after: number;
        } | null;
        /** Number of further testcases to label in both runs that halve the interval; null if labels for all of them do not. */
        numLabelsToHalve: number | null;
        /** Effect of further labels, in words. */
        moreLabels: string | null;
        /** Whether the service drew the labelled records of both runs at random. */
        sampled: boolean;
        /** Why there is no interval. */
        reason: string | null;
        /** Verdict on the second run by the corrected difference. */
        verdict: "better" | "worse" | "cannot tell";
        /** The verdict in words. */
        sentence: string;
        /** Assumption of the correction. */
        assumption: string;
        /** Warnings with their codes. */
        caveats: Array<{
          /** Kind of warning, for programs. */
          code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
          /** The warning, for readers. */
          sentence: string;
        }>;
        /** Warnings for the reader: the sentences of `caveats`. */
        warnings: string[];
      } | null;
      /** The verdict to act on: what people would say, where that is known. */
      conclusion: {
        /** people: `corrected`, because people scored a random sample of both runs; only with `test=fixed`. scores: the scores as they are. */
        basis: "scores" | "people";
        /** Difference, the second run minus the first. */
        difference: number | null;
        /** Its confidence interval at the level at which the verdict is decided, among all tests of this answer. */
        interval: Interval | null;
        /** Confidence level of the interval. */
        level: number;
        /** Verdict on the second run. */
        verdict: "better" | "worse" | "cannot tell";
        /** The verdict in words. */
        sentence: string;
      };
      /** The difference, split into the part of the system and that of the judge; null unless a trial leads from the judge of one run to that of the other, and pass rates are compared. */
      split: SplitChange | null;
      /** Testcases that were not compared, by reason. */
      dropped: {
        /** Testcases in the first run only. */
        onlyBefore: {
          /** Number of testcases. */
          numTestcases: number;
          /** The first 20; `listChangedTestcases` lists all. */
          testcases: string[];
        };
        /** Testcases in the second run only. */
        onlyAfter: {
          /** Number of testcases. */
          numTestcases: number;
          /** The first 20; `listChangedTestcases` lists all. */
          testcases: string[];
        };
        /** Testcases that changed between the runs. */
        revised: {
          /** Number of testcases. */
          numTestcases: number;
          /** The first 20; `listChangedTestcases` lists all. */
          testcases: string[];
        };
        /** Testcases without a score in one of the runs. */
        unscored: {
          /** Number of testcases. */
          numTestcases: number;
          /** The first 20; `listChangedTestcases` lists all. */
          testcases: string[];
        };
      };
      slices?: SliceLosses | undefined;
      /** Only with `worst`, in the pairs of the first run. The testcases that lost most, with their records: those of the first 4 MB in the answer. */
      worst?: ChangedTestcase[] | undefined;
    }>;
    /** Metrics that were not compared. */
    notCompared: Array<{
      /** Id of the metric. */
      metricId: string;
      /** Name of the metric. */
      metricName: string;
      /** Reason. */
      reason: string;
    }>;
    usage?: UsageRises | undefined;
  }>;
};

/** Estimate of what the judges of a run will cost. */
export type RunCostEstimate = {
  /** Number of records that the estimate is for. */
  numRecords: number;
  /** Cost of all judges in US dollars; null if one of their prices is unknown. */
  costUsd: number | null;
  /** Whether testcases hold images, PDF or audio whose tokens are not in the estimate, because no verdict was measured yet. */
  leavesOutFiles: boolean;
  /** One entry for each metric, in the order of the request. */
  metrics: Array<{
    /** Id of the metric. */
    metricId: string;
    /** earlierScores: measured on verdicts of this configuration in its newest runs. template: from the length of the prompt and of the testcases, with 250 tokens for the unknown output, 200 for the verdict and 100 for each further criterion; with `isolate`, one call for each. free: no judge. */
    basis: "earlierScores" | "template" | "free";
    /** Number of verdicts that the estimate is measured on; for code, number of timings. */
    numMeasured: number;
    /** Tokens that the judge will read. */
    inputTokens: number;
    /** Tokens that it will write. */
    outputTokens: number;
    /** Cost of the judge in US dollars; null if the price of its model is unknown. */
    costUsd: number | null;
    /** Estimated duration in seconds: of a judge within the limits of its provider, of code in the sandbox of one process. Null until something is measured, and for people. */
    seconds: number | null;
  }>;
  /** Cost of calling the system once for each record, in US dollars, with 250 tokens for the unknown output; null without a system, for an endpoint, for an unknown price and with simulation. */
  systemCostUsd: number | null;
  /** Estimated cost of the conversations, without judges; null without simulation. */
  simulation: {
    /** Number of conversations. */
    numConversations: number;
    /** Maximum number of calls of the model that plays the user. */
    maxUserCalls: number;
    /** Maximum number of calls of the system under test. */
    maxSystemCalls: number;
    /** Highest cost of the user in US dollars; null if the price of its model is unknown. */
    userCostUsd: number | null;
    /** Highest cost of the system in US dollars; null for an endpoint, whose cost the service does not know, and if the price of its model is unknown. */
    systemCostUsd: number | null;
  } | null;
};

/** A run with its notes, progress, calls of the system and judge budget. */
export type RunDetail = {
  /** Id of the run. */
  id: string;
  /** Testset of the run. */
  testsetId: string | null;
  /** System under test. */
  systemId: string | null;
  /** Version of the system under test. */
  systemVersionId: string | null;
  /** Metrics of the run. */
  metricIds: string[];
  /** Configuration of each metric, fixed when the run was created, in the order of metricIds. */
  metricVersionIds: string[];
  /** Number of records. */
  numRecords: number;
  /** Number of testcases of the testset when the run was created, times trials; null without a testset. */
  numExpectedRecords: number | null;
  /** Number of scores that have been given. */
  numScores: number;
  /** Status of the run, derived from its records and scores. */
  status: "pending" | "awaiting_execution" | "running_execution" | "awaiting_scoring" | "running_scoring" | "awaiting_human_scoring" | "completed";
  /** Project of the run. */
  projectId: string;
  /** Name of the run; null or empty for none. `title` then says what the run is. */
  name: string | null;
  /** Name of the run, or a title made of its number, its system with version and its testset. */
  title: string;
  /** Tags of the run. */
  tags: string[];
  /** Origin of the run, as its creator gave it; null if none was given. */
  origin: string | null;
  /** Marks of the run. The newest run with a mark is the baseline latest:MARK of later runs. */
  marks: string[];
  /** Newest verdict of each gate, newest first. */
  verdicts: RunVerdict[];
  /** First 200 characters of the notes. */
  notesStart: string;
  /** The testcases of the testset when the run started; null without a testset. */
  snapshot: {
    /** Number of the snapshot, within its testset. */
    number: number;
    /** SHA-256 of the testcases in hexadecimal. The same testcases have the same hash (docs/testsets.md says how it is computed). */
    hash: string;
    /** Name of the snapshot; empty without one. */
    name: string;
  } | null;
  /** Split of the testset that the run is about; null for all of it. */
  split: string | null;
  /** evaluation: records that clients sent or the service made. traces: the traces of a day. trial: copies of records on which a judge is tried. */
  kind: "evaluation" | "traces" | "trial";
  /** When the run was started. */
  createdAt: string;
  /** Who plays the user, if each record is a conversation; null otherwise. */
  simulation: {
    /** System version that plays the user; null when messages are replayed. */
    userVersionId: string | null;
    /** Maximum number of replies of the system in one conversation. */
    maxTurns: number;
    /** Run whose user messages are sent again; null when a model plays the user, or after the run was deleted. */
    replayOf: string | null;
  } | null;
  /** Testset of the run; null without one. */
  testset: {
    /** Id of the testset. */
    id: string;
    /** Name of the testset. */
    name: string;
    /** Meaning of the top-level fields of a testcase. */
    fieldMapping: {
      /** Fields of jsonData that the system gets. */
      inputs: string[];
      /** Fields of jsonData with the expected output. */
      expected: string[];
      /** Fields of jsonData that only describe the testcase. */
      metadata: string[];
    };
  } | null;
  /** Notes on the run, in Markdown or plain text; empty at first. */
  notes: string;
  /** Progress of the scores of a run, metric by metric. */
  progress: {
    /** Number of records. */
    numRecords: number;
    /** Number of testcases of the testset when the run started; null without a testset. */
    numExpectedRecords: number | null;
    /** Whether the service still has work to do: records are expected, or scores are pending that wait neither for people nor for a higher budget. */
    working: boolean;
    /** Why pending scores wait: judgeBudget means that the judge budget is used up. Raise it to continue. */
    stoppedBy: "judgeBudget" | null;
    /** Why nothing progresses although scores or calls are pending: no process does the work. Null otherwise. */
    reason: string | null;
    /** Number of calls of the system that failed for good: they made no record. */
    numFailedCalls: number;
    /** Number of calls of the system that failed and wait for another attempt. `executions.errors` has their errors. */
    numRetriedCalls: number;
    /** Number of errors: failed calls, failed scores, and scores that do not fit their metric. A completed run can have errors. */
    numErrors: number;
    /** One entry for each configuration with scores in the run. */
    metrics: Array<{
      /** Id of the metric. */
      metricId: string;
      /** Name of the metric. */
      metricName: string;
      /** Who scores: a model, code or people. */
      evalType: "ai" | "heuristic" | "human";
      /** Whether the service makes the scores, with code or a judge. Only such scores can be cancelled and retried. */
      automatic: boolean;
      /** Configuration that scores. */
      metricConfigId: string;
      /** Number of pending scores. */
      pending: number;
      /** Number of scores that have been given. */
      scored: number;
      /** Number of scores that could not be given, through no fault of the service. */
      unscored: number;
      /** Number of scores that failed. */
      failed: number;
      /** Number of the given scores that do not fit the metric: they have no value and count nowhere. */
      invalid: number;
      /** Why scores are retried later, failed or do not fit the metric, or the one reason for which every score of the run is unscored. */
      reason: string | null;
    }>;
  };
  executions: ExecutionSummary;
  judgeBudget: JudgeBudget;
  /** Models that end within 60 days or have ended, the first to end first. */
  modelEndings: Array<{
    /** evalModelName. */
    modelName: string;
    /** Day on which the provider shuts it down, as YYYY-MM-DD. */
    endsOn: string;
    /** Days until then; negative when it has passed. */
    daysLeft: number;
    /** Metrics that it judges now. */
    metricIds: string[];
  }>;
};

/** Estimate of one metric of a run. Trials of a testcase are averaged first. */
export type RunEstimate = {
  /** Method of the interval. */
  method: string;
  /** Number of independent units: testcases, or groups of testcases. */
  n: number;
  /** Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size or testcases have unequal weights. */
  effectiveN: number;
  /** Confidence level. */
  level: number;
  /** The estimate; null without data. */
  estimate: number | null;
  /** Standard error of the estimate. */
  standardError: number | null;
  /** The interval; null with too little data. */
  interval: Interval | null;
  /** Why there is no interval. */
  reason: string | null;
  /** Assumption of the interval. */
  assumption: string;
  /** Warnings with their codes. */
  caveats: Array<{
    /** Kind of warning, for programs. */
    code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
    /** The warning, for readers. */
    sentence: string;
  }>;
  /** Warnings for the reader: the sentences of `caveats`. */
  warnings: string[];
  /** Number of testcases with at least one score. */
  numTestcases: number;
  /** Range of the estimate if every missing score were the worst or the best possible; null if none is missing. */
  range: Interval | null;
  /** pass@k and pass^k; empty unless testcases have several trials. */
  passK: Array<{
    /** Number of trials. */
    k: number;
    passAtK: Estimate;
    passHatK: Estimate;
  }>;
  /** Testcases that passed in one trial and failed in another. */
  flaky: {
    /** Number of testcases. */
    numTestcases: number;
    /** The first 100. */
    testcases: Array<{
      /** Id of the testcase. */
      testcaseId: string;
      /** Number of trials. */
      trials: number;
      /** Number of trials that passed. */
      numPasses: number;
    }>;
  };
};

/** Summary of a run, metric by metric, each number with its uncertainty. */
export type RunSummary = {
  /** Id of the run. */
  runId: string;
  /** When it was started. */
  createdAt: string;
  /** Confidence level. */
  level: number;
  /** Number of records of the run. */
  numRecords: number;
  /** Grouping field of the testset, whose groups the intervals are based on; null without one. */
  groupedBy: string | null;
  weightedBy?: WeightedBy | undefined;
  /** Only with `criteriaOf`. Number of further criteria: at most 1,000 are in the answer, first those of the metric, then those of testcases with the most verdicts. */
  numCriteriaLeftOut?: number | undefined;
  /** One entry for each configuration with scores in the run, first those that the run was started with. */
  metrics: Array<{
    /** Id of the metric. */
    metricId: string;
    /** Name of the metric. */
    metricName: string;
    /** Configuration that gave the scores. */
    metricConfigId: string;
    /** ai: a model scores. human: people score. heuristic: code or a client scores. */
    evalType: "ai" | "human" | "heuristic";
    /** Kind of score. */
    outputType: "int" | "float" | "boolean" | "category";
    /** Lowest score that passes; null for a boolean, which passes when true, and for a category, whose labels pass or not. */
    passingThreshold: number | null;
    /** Whether the run was started with this configuration. */
    pinned: boolean;
    /** Number of records by the state of their score. A failed judge does not count as a no. */
    states: {
      /** Valid scores. */
      scored: number;
      /** Pending scores. */
      pending: number;
      /** Scores that could not be given or do not fit the metric. */
      unscored: number;
      /** Scores whose judge failed. */
      failed: number;
    };
    passRate: RunEstimate;
    /** Mean score; null for a boolean and for a category. */
    mean: RunEstimate | null;
    /** Number of spans with a score, for a metric that scores spans: passRate and mean are over them, clustered by record. */
    numSpans?: number | undefined;
    /** Only with `criteriaOf`: the criterion that this entry is about. */
    criterion?: {
      /** Id of the criterion. */
      id: string;
      /** Its text; null if only testcases have it. */
      text: string | null;
      /** Its weight; null if only testcases have it. */
      weight: number | null;
      /** Whether the score is 0 without it; null if only testcases have it. */
      mustPass: boolean | null;
      /** Number of records on which several votes were given. */
      numVoted: number;
      /** Number of these on which the votes differ: a criterion with many is vague. */
      numSplit: number;
    } | undefined;
    /** Only for a category: how often each label was given. */
    labels?: {
      /** Whether the labels go from worst to best. */
      ordered: boolean;
      /** One entry for each label, in the order of the metric. */
      shares: Array<{
        /** The label. */
        label: string;
        /** Whether it passes. */
        passes: boolean;
        /** Number of scores with it. */
        numScores: number;
        share: Estimate;
      }>;
    } | undefined;
    /** Number of records by score; floats in 20 bins. Empty for a category, which has `labels`. */
    distribution: Array<{
      /** Smallest score of the bin. */
      low: number;
      /** Largest score of the bin. */
      high: number;
      /** Number of scores. */
      numScores: number;
    }>;
    /** Cost of the judge; null unless a model judges. */
    cost: {
      /** Cost in US dollars; null if no cost is known. */
      costUsd: number | null;
      /** Tokens sent. */
      inputTokens: number | null;
      /** Tokens received. */
      outputTokens: number | null;
      /** Number of scores whose cost is known; `costUsd` is their sum. */
      priced: number;
    } | null;
    /** How well the judge is calibrated; null unless a model judges. The intervals leave its errors out. */
    judge: JudgeOfRun | null;
  }>;
  /** Breakdown by `by`; null without it. With many groups some differ by chance: read `versusRest.adjustedP`. */
  breakdown: {
    /** Criterion of the groups. */
    by: string;
    /** The 100 largest groups, largest first. */
    groups: Array<{
      /** The tag, or the value of the field. */
      value: string;
      /** Number of records of this group. */
      numRecords: number;
      /** Results of this group, as for the whole run. */
      metrics: Array<{
        /** Id of the metric. */
        metricId: string;
        /** Name of the metric. */
        metricName: string;
        /** Configuration that gave the scores. */
        metricConfigId: string;
        /** ai: a model scores. human: people score. heuristic: code or a client scores. */
        evalType: "ai" | "human" | "heuristic";
        /** Kind of score. */
        outputType: "int" | "float" | "boolean" | "category";
        /** Lowest score that passes; null for a boolean, which passes when true, and for a category, whose labels pass or not. */
        passingThreshold: number | null;
        /** Whether the run was started with this configuration. */
        pinned: boolean;
        /** Number of records by the state of their score. A failed judge does not count as a no. */
        states: {
          /** Valid scores. */
          scored: number;
          /** Pending scores. */
          pending: number;
          /** Scores that could not be given or do not fit the metric. */
          unscored: number;
          /** Scores whose judge failed. */
          failed: number;
        };
        passRate: RunEstimate;
        /** Mean score; null for a boolean and for a category. */
        mean: RunEstimate | null;
        /** Number of spans with a score, for a metric that scores spans: passRate and mean are over them, clustered by record. */
        numSpans?: number | undefined;
        /** Only with `criteriaOf`: the criterion that this entry is about. */
        criterion?: {
          /** Id of the criterion. */
          id: string;
          /** Its text; null if only testcases have it. */
          text: string | null;
          /** Its weight; null if only testcases have it. */
          weight: number | null;
          /** Whether the score is 0 without it; null if only testcases have it. */
          mustPass: boolean | null;
          /** Number of records on which several votes were given. */
          numVoted: number;
          /** Number of these on which the votes differ: a criterion with many is vague. */
          numSplit: number;
        } | undefined;
        /** Only for a category: how often each label was given. */
        labels?: {
          /** Whether the labels go from worst to best. */
          ordered: boolean;
          /** One entry for each label, in the order of the metric. */
          shares: Array<{
            /** The label. */
            label: string;
            /** Whether it passes. */
            passes: boolean;
            /** Number of scores with it. */
            numScores: number;
            share: Estimate;
          }>;
        } | undefined;
        /** Number of records by score; floats in 20 bins. Empty for a category, which has `labels`. */
        distribution: Array<{
          /** Smallest score of the bin. */
          low: number;
          /** Largest score of the bin. */
          high: number;
          /** Number of scores. */
          numScores: number;
        }>;
        /** The group compared with the other records of the run. */
        versusRest: {
          /** Pass rate of the group minus that of all other records; null without either. */
          difference: number | null;
          /** Its interval at `level`, not adjusted for the number of groups. */
          interval: Interval | null;
          /** Two-sided p. */
          p: number | null;
          /** p adjusted by Benjamini and Hochberg over all groups and metrics of the breakdown: of the groups at or below 0.05, about 5 % differ by chance only. */
          adjustedP: number | null;
        };
      }>;
    }>;
    /** Number of further groups. */
    numGroupsLeftOut: number;
    /** The groups by `across`, which make a table with those by `by`; null without it. */
    crossed: {
      /** Criterion of the groups. */
      by: string;
      /** The 100 largest groups, largest first. */
      groups: Array<{
        /** The tag, or the value of the field. */
        value: string;
        /** Number of records of this group. */
        numRecords: number;
        /** Results of this group, as for the whole run. */
        metrics: Array<{
          /** Id of the metric. */
          metricId: string;
          /** Name of the metric. */
          metricName: string;
          /** Configuration that gave the scores. */
          metricConfigId: string;
          /** ai: a model scores. human: people score. heuristic: code or a client scores. */
          evalType: "ai" | "human" | "heuristic";
          /** Kind of score. */
          outputType: "int" | "float" | "boolean" | "category";
          /** Lowest score that passes; null for a boolean, which passes when true, and for a category, whose labels pass or not. */
          passingThreshold: number | null;
          /** Whether the run was started with this configuration. */
          pinned: boolean;
          /** Number of records by the state of their score. A failed judge does not count as a no. */
          states: {
            /** Valid scores. */
            scored: number;
            /** Pending scores. */
            pending: number;
            /** Scores that could not be given or do not fit the metric. */
            unscored: number;
            /** Scores whose judge failed. */
            failed: number;
          };
          passRate: RunEstimate;
          /** Mean score; null for a boolean and for a category. */
          mean: RunEstimate | null;
          /** Number of spans with a score, for a metric that scores spans: passRate and mean are over them, clustered by record. */
          numSpans?: number | undefined;
          /** Only with `criteriaOf`: the criterion that this entry is about. */
          criterion?: {
            /** Id of the criterion. */
            id: string;
            /** Its text; null if only testcases have it. */
            text: string | null;
            /** Its weight; null if only testcases have it. */
            weight: number | null;
            /** Whether the score is 0 without it; null if only testcases have it. */
            mustPass: boolean | null;
            /** Number of records on which several votes were given. */
            numVoted: number;
            /** Number of these on which the votes differ: a criterion with many is vague. */
            numSplit: number;
          } | undefined;
          /** Only for a category: how often each label was given. */
          labels?: {
            /** Whether the labels go from worst to best. */
            ordered: boolean;
            /** One entry for each label, in the order of the metric. */
            shares: Array<{
              /** The label. */
              label: string;
              /** Whether it passes. */
              passes: boolean;
              /** Number of scores with it. */
              numScores: number;
              share: Estimate;
            }>;
          } | undefined;
          /** Number of records by score; floats in 20 bins. Empty for a category, which has `labels`. */
          distribution: Array<{
            /** Smallest score of the bin. */
            low: number;
            /** Largest score of the bin. */
            high: number;
            /** Number of scores. */
            numScores: number;
          }>;
          /** The group compared with the other records of the run. */
          versusRest: {
            /** Pass rate of the group minus that of all other records; null without either. */
            difference: number | null;
            /** Its interval at `level`, not adjusted for the number of groups. */
            interval: Interval | null;
            /** Two-sided p. */
            p: number | null;
            /** p adjusted by Benjamini and Hochberg over all groups and metrics of the breakdown: of the groups at or below 0.05, about 5 % differ by chance only. */
            adjustedP: number | null;
          };
        }>;
      }>;
      /** Number of further groups. */
      numGroupsLeftOut: number;
      /** Cells of the table that have records, at most 1,000. */
      cells: Array<{
        /** Value of `by`. */
        row: string;
        /** Value of `across`. */
        column: string;
        /** Number of records with both. */
        numRecords: number;
        /** One entry for each metric of the summary. */
        metrics: Array<{
          /** Configuration that gave the scores. */
          metricConfigId: string;
          /** Number of records with a score. */
          scored: number;
          /** Number of records that passed. */
          passed: number;
        }>;
      }>;
      /** Pass rate of each metric over the table. */
      passRates: Array<{
        /** Configuration that gave the scores. */
        metricConfigId: string;
        passRate: Estimate;
      }>;
    } | null;
  } | null;
};

/** Verdict of a gate on a run. */
export type RunVerdict = {
  /** Name of the gate, such as the file with its rules. */
  gate: string;
  /** pass, worse, inconclusive (not enough data to decide) or incomplete (scores, testcases or labels are missing). */
  outcome: "pass" | "worse" | "inconclusive" | "incomplete";
  /** Run that it was compared with; null without one. */
  baselineRunId: string | null;
  /** The runs that it was compared with, in words; null without one. */
  against: string | null;
  /** The first rule that did not pass; null if all passed. */
  reason: string | null;
  /** When the gate decided. */
  decidedAt: string;
};

/** A record of a sample. */
export type SampledRecord = {
  /** Id of the record. */
  recordId: string;
  /** The tag, value or verdict; null for records without one and in a sample without strata. */
  stratum: string | null;
  /** Wave of its stratum. */
  wave: number;
  /** Probability that the record is in the sample. */
  inclusionProbability: number;
  /** State of its score. */
  state: "pending" | "scored" | "unscored" | "failed";
  /** Value of its score, with 1 for true and for a label that passes, and 0 for false and for another label; null without one. */
  value: number | null;
  /** Its label, for a category; null for other metrics and without a score. */
  label: string | null;
};

/** A saved search of a project's records. */
export type SavedView = {
  /** Id of the view. */
  id: string;
  /** Name of the view. */
  name: string;
  /** Whether all members see it, or only its author. */
  shared: boolean;
  /** The search as typed, for example `result:fail tag:"look again" refund`; empty finds all records. */
  search: string;
  /** Display settings: columns, their order and width, row height. */
  display: JsonObject;
  /** Author of the view. */
  userId: string;
  /** When it was created. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
};

/** A run or a drift trial that the service starts at set times. */
export type Schedule = {
  /** Id of the schedule. */
  id: string;
  /** Id of its project. */
  projectId: string;
  /** Name of the schedule, and of its runs. */
  name: string;
  /** Cron expression of five fields: minute, hour, day of the month, month, day of the week. `0 2 * * 1-5` is 02:00 from Monday to Friday. Two times must be at least 5 minutes apart. */
  cron: string;
  /** Time zone of the expression, by its IANA name such as Europe/Athens. */
  timeZone: string;
  /** What the service starts. */
  task: {
    /** Starts a run that the service executes. */
    kind: "run";
    /** Testset of the run. */
    testsetId: string;
    /** Number of the snapshot that each run is about; default the testset as it is then. */
    snapshot?: number | undefined;
    /** Split of the testset that the run is about; default all testcases. */
    split?: string | undefined;
    /** System that is called, with the version that is then its production version. */
    systemId: string;
    /** Metrics that score each record. */
    metricIds: string[];
    /** Number of trials of each testcase; default 1. */
    trials?: number | undefined;
    /** Makes each record a conversation with a simulated user (docs/simulating.md). */
    simulation?: {
      /** System version that plays the user. It stays the same, so that results of different nights compare. */
      userVersionId: string;
      /** Maximum number of replies of the system in one conversation. */
      maxTurns?: number | undefined;
    } | undefined;
    /** Budget of the judges of each run in US dollars; default no limit. */
    judgeBudgetUsd?: number | undefined;
  } | {
    /** Starts a drift trial of a judge. */
    kind: "drift";
    /** Metric with pinned records. */
    metricId: string;
  };
  /** Whether nothing is started. */
  paused: boolean;
  /** Next time; null while it is paused or if there is none. */
  nextAt: string | null;
  /** When it was last due. */
  lastAt: string | null;
  /** Run that it then started. */
  lastRunId: string | null;
  /** Why nothing was started at the last time. */
  lastError: string | null;
  /** Only after runNow. true: it was due already and had not started yet, so both start one run. */
  merged?: boolean | undefined;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
};

/** A token for SCIM, without its secret part. */
export type ScimToken = {
  /** Id of the token. */
  id: string;
  /** Purpose of the token. */
  name: string;
  /** First characters of the token, to tell tokens apart. */
  prefix: string;
  /** When it was created. */
  createdAt: string;
  /** When it was last used, to the minute; null if never. */
  lastUsedAt: string | null;
};

/** A new token for SCIM. */
export type ScimTokenCreated = {
  /** Id of the token. */
  id: string;
  /** Purpose of the token. */
  name: string;
  /** First characters of the token, to tell tokens apart. */
  prefix: string;
  /** When it was created. */
  createdAt: string;
  /** When it was last used, to the minute; null if never. */
  lastUsedAt: string | null;
  /** The token itself. It is shown only here; the service stores a hash. */
  token: string;
  /** Base URL of SCIM, for the directory. */
  url: string;
};

/** Score of a record by a metric. */
export type Score = {
  /** Id of the record. */
  recordId: string;
  /** Configuration of the metric that gave the score. */
  metricConfigId: string;
  /** One of binaryScore, intScore and floatScore, with reasoning; categoryScore, a label, for a category metric. For a metric with criteria: `criteria: [{ id, met, reason, quote }]`, from which floatScore is computed. All scores of a record have at most 100 MB. */
  score: JsonObject;
  /** What does not fit the metric; absent if everything fits. */
  validationErrors?: Array<{
    /** JSON Pointer to the problem. */
    path: string;
    /** What the value must be. */
    message: string;
  }> | undefined;
  /** Member who gave the score; `background-job` for an automatic or a pending one. */
  userId: string;
  /** Who made it, if its sender said so or reviewers did: a person, a client or a model. `scoreStates` of the record has it for each score. */
  madeBy?: "person" | "client" | "model" | undefined;
};

/** A score with everything known about its origin. */
export type ScoreDetail = {
  /** Id of the record. */
  recordId: string;
  /** Configuration of the metric that gave the score. */
  metricConfigId: string;
  /** pending, scored, unscored or failed. */
  state: string;
  /** The score; null without one. */
  score: JsonObject | null;
  /** Why it is unscored or failed. */
  reason: string | null;
  /** Error of the last attempt. */
  lastError: string | null;
  /** Number of attempts. */
  numAttempts: number;
  /** Id of the member who gave the score, in person or with a key. */
  scoredByUserId: string | null;
  /** Who made the score: a person, a client that did not say who did, a model, or code. Null without a score. */
  madeBy: "person" | "client" | "model" | "code" | null;
  /** Evidence of the score. For a model: the model asked and the model that answered, the prompt as sent, the raw reply, tokens, cost, latency and hash of the input (docs/judges.md). For code: what was cut from the trace and, on one record of each batch, the time per record. */
  evidence: JsonObject | null;
  /** When the state last changed. */
  updatedAt: string;
  /** Replaced scores, newest first. */
  history: Array<{
    /** Configuration of the metric that gave the score. */
    metricConfigId: string;
    /** pending, scored, unscored or failed. */
    state: string;
    /** The score; null without one. */
    score: JsonObject | null;
    /** Why it is unscored or failed. */
    reason: string | null;
    /** Id of the member who gave the score, in person or with a key. */
    scoredByUserId: string | null;
    /** Who made the score: a person, a client that did not say who did, a model, or code. Null without a score. */
    madeBy: "person" | "client" | "model" | "code" | null;
    /** Evidence of the score. For a model: the model asked and the model that answered, the prompt as sent, the raw reply, tokens, cost, latency and hash of the input (docs/judges.md). For code: what was cut from the trace and, on one record of each batch, the time per record. */
    evidence: JsonObject | null;
    /** When it was given. */
    scoredAt: string;
    /** When it was replaced. */
    replacedAt: string;
  }>;
};

/** State and score of one metric on one record. */
export type ScoreState = {
  /** Id of the metric. */
  metricId: string;
  /** Name of the metric. */
  metricName: string;
  /** Configuration of the metric that gave the score. */
  metricConfigId: string;
  /** State of the score. Only a scored one has a value; a failed judge does not count as a no. */
  state: "pending" | "scored" | "unscored" | "failed";
  /** Whether the value reaches the metric's threshold; null without a valid value. */
  passed: boolean | null;
  /** The score; null without one. */
  score: JsonObject | null;
  /** Why it is unscored or failed. */
  reason: string | null;
  /** What does not fit the metric; absent if everything fits. */
  validationErrors?: Array<{
    /** JSON Pointer to the problem. */
    path: string;
    /** What the value must be. */
    message: string;
  }> | undefined;
  /** Id of the member who gave the score, in person or with a key. */
  scoredByUserId: string | null;
  /** Who made the score: a person, a client that did not say who did, a model, or code. Null without a score. */
  madeBy: "person" | "client" | "model" | "code" | null;
  /** When the state last changed. */
  updatedAt: string;
};

/** A split of a testset that no member, judge page or agent reads until its looks are spent. */
export type Seal = {
  /** Id of the sealed split. */
  id: string;
  /** Its testset. */
  testsetId: string;
  /** sealed: no one reads it. opening: its budget is spent, and it opens now. opened: its testcases are in the testset again. */
  state: "sealed" | "opening" | "opened";
  /** Split that the testcases get when they open. */
  split: string;
  /** Testcases that it has. */
  numTestcases: number;
  /** Probability with which each record of the traffic was drawn; null for testcases that existed. */
  probability: number | null;
  /** Those that were in runs before they were sealed: people may know them. */
  numSeen: number;
  /** Version that looks compare with. */
  baselineVersionId: string;
  /** Metrics that decide. */
  metrics: Array<{
    /** Id of the metric. */
    metricId: string;
    /** Its name when the split was sealed. */
    metricName: string;
    /** Difference of the best version until now from the baseline, rounded to its noise. It moves only when a version beats the best by more than the noise. */
    difference: number;
  }>;
  /** Chance that any look errs, at most. Look t has t^-1.5 of it, divided by 2.612. */
  alpha: number;
  /** Loss that a version may have and still pass, such as 0.02. With 0 it passes only if it is shown to be better. */
  margin: number;
  /** Looks until the split opens. */
  maxLooks: number;
  /** Looks until now. */
  numLooks: number;
  /** Project with the runs of its looks; null before it opens, and without a look. */
  openedProjectId: string | null;
  /** Member who sealed it. */
  createdByUserId: string;
  /** When it was sealed. */
  createdAt: string;
  /** When it opened; null before. */
  openedAt: string | null;
  /** The same in words. */
  sentence: string;
};

/** A look at a sealed split. It says no more than this of the testcases. */
export type SealedLook = {
  /** Its sealed split. */
  sealId: string;
  /** Number of the look, from 1. */
  number: number;
  /** Looks that are left. */
  numLeft: number;
  /** Version that was looked at. */
  systemVersionId: string;
  /** The part of alpha at which it was tested, on both sides. */
  level: number;
  /** The answer; null while the version is called and scored. */
  answer: "pass" | "worse" | "not enough" | null;
  /** Why there is no other answer; null otherwise. */
  reason: string | null;
  /** The answers by metric; empty until there is one. */
  metrics: Array<{
    /** Id of the metric. */
    metricId: string;
    /** Its name. */
    metricName: string;
    /** pass: better than the baseline, or no worse by more than the margin. worse: worse than that. not enough: neither is shown. */
    answer: "pass" | "worse" | "not enough";
    /** Difference of the best version until then from the baseline, rounded to its noise. */
    difference: number;
    /** Whether this version is the best, and moved the difference. */
    improved: boolean;
  }>;
  /** Member who asked. */
  userId: string;
  /** When it was asked. */
  createdAt: string;
  /** When it was answered; null before. */
  answeredAt: string | null;
  /** The same in words. */
  sentence: string;
};

/** State of a project's search index. */
export type SearchIndex = {
  /** Whether new records are put into the index. The setting searchIndex, or the first search, turns it on. */
  active: boolean;
  /** Number of records that the index does not have yet, at most 10000. A search reads them one by one. */
  numWaiting: number;
};

/** Latency, tokens, cost and scores of the records of a project over time. A record counts at its creation. */
export type Series = {
  /** Start of the first bucket. */
  start: string;
  /** End of the series. */
  end: string;
  /** Length of a bucket. */
  bucket: "hour" | "day" | "week";
  /** Confidence level. */
  level: number;
  /** Changes after this time may be missing; null if everything is counted. Hours with many records are counted every few minutes. */
  countedUntil: string | null;
  /** Number of hours whose records are not in the series yet, for example after an upgrade. */
  numUncountedHours: number;
  /** Configurations that gave scores, by name of the metric, newest first. */
  metrics: Array<{
    /** Id of the metric. */
    metricId: string;
    /** Name of the metric. */
    metricName: string;
    /** Who scores. */
    evalType: "ai" | "human" | "heuristic";
    /** Kind of score. */
    outputType: "int" | "float" | "boolean" | "category";
    /** Configuration. */
    metricConfigId: string;
    /** Whether it is the current configuration. */
    current: boolean;
    labels?: Labels | undefined;
    /** What its rates and means count. Its `states` count records. */
    unit: "record" | "span";
  }>;
  /** The groups with most records, at most 8; one without `by`. */
  groups: Array<{
    /** The model, the id of the version, or the tag; null for records without one, or without `by`. */
    value: string | null;
    /** The value to show: for a version, its system and name. */
    label: string;
    total: SeriesPoint;
    /** Buckets that have records, oldest first. */
    points: SeriesPoint[];
  }>;
  /** Number of groups that are left out. */
  numOtherGroups: number;
  /** Only with `compare`. Changes of pass rates. */
  changes?: SeriesChange[] | undefined;
};

/** A change of a pass rate, with its test. */
export type SeriesChange = {
  /** Configuration of the metric. */
  metricConfigId: string;
  /** The group that both buckets are of; null with `compare=groups`. */
  group: string | null;
  /** The earlier bucket by its start, or the first group by its label. */
  from: string;
  /** The later bucket, or the other group. */
  to: string;
  /** Pass rate in `from`. */
  before: number | null;
  /** Pass rate in `to`. */
  after: number | null;
  /** Number of scores in `from`: of records, or of spans. */
  numBefore: number;
  /** Number of scores in `to`. */
  numAfter: number;
  /** `after` − `before`. */
  difference: number | null;
  /** Its confidence interval, with each user as one unit, and for spans each record without a user. */
  interval: Interval | null;
  /** Interval at `simultaneousLevel` (Bonferroni). Those of all changes of this answer hold together at `level`. */
  simultaneousInterval: Interval | null;
  /** 1 − (1 − `level`) divided by `tests`. */
  simultaneousLevel: number;
  /** Two-sided p of no change. */
  p: number | null;
  /** p adjusted by Holm over all changes of this answer. The verdict rests on it. */
  adjustedP: number | null;
  /** Number of changes that were tested together. */
  tests: number;
  /** Verdict on `to`. */
  verdict: "better" | "worse" | "cannot tell";
  /** The verdict in words. */
  sentence: string;
  /** Warnings with their codes. */
  caveats: Array<{
    /** Kind of warning, for programs. */
    code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
    /** The warning, for readers. */
    sentence: string;
  }>;
};

/** The records of a bucket. */
export type SeriesPoint = {
  /** Start of the bucket. */
  start: string;
  /** Number of records that were created in the bucket. */
  numRecords: number;
  errors: SeriesValue;
  /** Percentiles of the latency in milliseconds, with an error of at most 2 %. */
  latency: {
    p50: SeriesValue;
    p95: SeriesValue;
    p99: SeriesValue;
  };
  /** Tokens. */
  tokens: {
    /** Sum of the input tokens. */
    input: number;
    /** Sum of the output tokens. */
    output: number;
    mean: SeriesValue;
  };
  /** Cost of the system, without judges. */
  cost: {
    /** Sum in US dollars. */
    sum: number;
    mean: SeriesValue;
  };
  /** Scores by configuration. */
  scores: Array<{
    /** Configuration of the metric. */
    metricConfigId: string;
    /** Number of records by the state of their score. A failed judge does not count as a no. */
    states: {
      /** Valid scores. */
      scored: number;
      /** Pending scores. */
      pending: number;
      /** Scores that could not be given or do not fit the metric. */
      unscored: number;
      /** Scores whose judge failed. */
      failed: number;
    };
    passRate: SeriesValue;
    /** Mean score, of records or spans as in `passRate`; null for a boolean and for a category. */
    mean: SeriesValue | null;
    /** Only for a category: the labels that were given most in the whole answer, at most 20, in the order of the metric. */
    labels?: Array<{
      /** The label. */
      label: string;
      /** Number of scores with it. */
      numScores: number;
      share: SeriesValue;
    }> | undefined;
  }>;
};

/** A value over the records of a bucket, with its uncertainty. */
export type SeriesValue = {
  /** Number of records that it rests on; of spans for a metric with the `unit` span. */
  n: number;
  /** The value; null without records. */
  estimate: number | null;
  /** Its confidence interval; null with too few records. */
  interval: Interval | null;
  /** Warnings with their codes. */
  caveats: Array<{
    /** Kind of warning, for programs. */
    code: "fewTestcases" | "fewGroups" | "spanMeans" | "spanLabels" | "fewLabels" | "fewRecords" | "nearBound" | "noSpread" | "noEvent" | "skewed" | "unpaired" | "missingScores" | "missingVerdicts" | "invalidScores" | "belowFloor" | "dependentRecords" | "metricChanged" | "judgeError" | "judgeNoBetterThanChance" | "judgeNotCalibrated" | "judgeErrsDifferently" | "peopleErr" | "sampleIncomplete" | "notSampled" | "labelsOfModels" | "abstained" | "reviewsLeftOut" | "reviewsSeen" | "partialCoverage" | "notSequential" | "orderNotDrawn" | "mixedScorers" | "repeatedInputs" | "nearDuplicates" | "unequalWeights" | "withoutWeight" | "notCorrected";
    /** The warning, for readers. */
    sentence: string;
  }>;
};

/** A report as its link shows it. */
export type SharedReport = {
  /** For whom or for what the link is. */
  name: string;
  /** Name of the project. */
  projectName: string;
  /** When the link ends. */
  expiresAt: string;
  /** The compared runs of the project, 2 to 8 ids, the baseline first. */
  runs: string[];
  /** What is compared: pass rates or mean scores. */
  measure: "pass" | "score";
  /** Planned looks, as in the comparison of runs. */
  looks?: number[] | undefined;
  /** Weights of testcases, as in the comparison. */
  weightBy?: string | undefined;
  /** Shares of strata, as in the comparison. */
  shares?: string | undefined;
  /** More runs of the baseline by id, as in the comparison. */
  pooled?: string[] | undefined;
  /** The compared runs. */
  details: Array<{
    /** Id of the run. */
    id: string;
    /** Its name; null without one. */
    name: string | null;
    /** Its name, or what it is of. */
    title: string;
    /** The start of its notes; null without any. */
    notesStart: string | null;
    /** Number of its records. */
    numRecords: number;
    /** When it was started. */
    createdAt: string;
  }>;
  comparison: RunComparison;
};

/** Sign-in of a person. The answer sets the cookie of its session. */
export type SignIn = {
  /** Id of the sign-in. */
  id: string;
  user: Member;
  /** When it expires. */
  expiresAt: string;
  /** Organizations of the person, the current one included, by name. Empty for a key, which belongs to one organization. */
  organizations: Array<{
    /** Id of the organization. */
    id: string;
    /** Name of the organization. */
    name: string;
    /** admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records. */
    role: "admin" | "member" | "annotator" | "viewer";
    /** Whether the session is of this organization now. */
    current: boolean;
    /** Whether you have joined it. False after single sign-on for an organization whose admins added your address: a switch with `join` joins it. */
    joined: boolean;
  }>;
};

/** Link with which a member chooses a password, the first or a new one. */
export type SignInLink = {
  /** The link to give to the member. The first person who uses it chooses the password. */
  url: string;
  /** When it expires. */
  expiresAt: string;
};

/** The member whom a sign-in link is for. */
export type SignInLinkTarget = {
  /** Organization of the member. */
  organization: {
    /** Id of the organization. */
    id: string;
    /** Name of the organization. */
    name: string;
  };
  user: Member;
  /** Whether it asks a person who came by single sign-on if they enter the organization. Such a link takes no password. */
  passwordless: boolean;
  /** Session of another member in this browser, which the link would replace; null if none. */
  replacedSession: {
    /** E-mail address of its member. */
    email: string;
    /** Name of its organization. */
    organizationName: string;
  } | null;
};

/** The ways to sign in. */
export type SignInOptions = {
  /** Whether members can sign in with a password. */
  hasPasswords: boolean;
  /** Single sign-on; null when it is off. */
  sso: {
    /** Name of the provider. */
    name: string;
    /** Path that begins the sign-in in a browser. */
    path: string;
  } | null;
};

/** A decision with all that it rests on, signed, so that anyone can compute it again. */
export type SignedDecision = {
  /** The in-toto statement about the commit or version; docs/deciding.md describes it. */
  statement: JsonObject;
  /** The public key, as PEM. */
  publicKeyPem: string;
  /** Signature of the service. */
  signatures: Array<{
    /** Name of the key, as in getPassportKey. */
    keyid: string;
    /** Signature of the statement as DSSE v1 signs it, in base64. */
    sig: string;
  }>;
};

/** How single sign-on is set. The environment of the service sets it. */
export type SingleSignOn = {
  /** Whether people can sign in with a provider of OpenID Connect. */
  on: boolean;
  /** Whether passwords are off. */
  required: boolean;
  /** How the provider is set; null when single sign-on is off. */
  provider: {
    /** Name of the provider on the sign-in page. */
    name: string;
    /** Issuer of the provider. */
    issuer: string;
    /** Id of this service at the provider. */
    clientId: string;
    /** Address that the provider must allow. */
    redirectUri: string;
    /** Address that the provider calls when it ends a session. */
    logoutUri: string;
    /** Scopes of the sign-in. */
    scopes: string;
    /** Claim of the ID token that lists the groups. */
    groupsClaim: string;
    /** Number of groups that give a role. */
    numGroups: number;
    /** Role of people whose groups give none; null: only members can sign in. */
    defaultRole: "admin" | "member" | "annotator" | "viewer" | null;
    /** Whether each address of the provider counts as verified. */
    trustsEmail: boolean;
  } | null;
};

/** The slices of a testset that lost more than the rest. */
export type SliceLosses = {
  /** Fields that divide the shared testcases into slices that can be tested. */
  fields: string[];
  /** Number of slices that were tested. */
  numSlices: number;
  /** Smallest p of the slices; null without slices. */
  p: number | null;
  /** The same, adjusted by Holm for the metrics and pairs of the answer. */
  adjustedP: number | null;
  /** What was found, in words. */
  sentence: string;
  /** The worst slices, at most 5: first those that are named, the largest loss (`shrunk`) first; then those with the smallest p. */
  worst: Array<{
    /** Field of the testcases: `metadata.<field>` or `inputs.<field>`. */
    field: string;
    /** Its value in this slice. */
    value: string;
    /** Number of testcases of the slice that both runs have. */
    n: number;
    /** Mean in the first run. */
    before: number;
    /** Mean in the second run. */
    after: number;
    /** The second run minus the first. */
    difference: number;
    /** The difference, shrunk towards the mean of all slices of the field, because the worst of many slices is worst partly by chance. */
    shrunk: number;
    shrunkInterval: Interval;
    /** p of a loss larger than in the rest, adjusted for all slices of all fields of this metric. */
    p: number;
    /** Whether the slice is shown to have lost more than the rest, among all metrics and pairs of the answer. */
    named: boolean;
  }>;
};

/** A testset as it was at one time. */
export type Snapshot = {
  /** Number of the snapshot, within its testset. */
  number: number;
  /** Id of the testset. */
  testsetId: string;
  /** Name of the snapshot; empty without one. */
  name: string;
  /** SHA-256 of the testcases in hexadecimal. The same testcases have the same hash (docs/testsets.md says how it is computed). */
  hash: string;
  /** Whether the testset still has exactly these testcases. */
  current: boolean;
  /** Number of testcases. */
  numTestcases: number;
  /** Testcases that the snapshot before lacks. */
  numAdded: number;
  /** Testcases that the snapshot before has with another text, split or tag. */
  numChanged: number;
  /** Testcases that only the snapshot before has. */
  numRemoved: number;
  /** Testcases whose texts were erased since. The hash stays as it was. */
  numErased: number;
  /** Runs that started with these testcases. */
  numRuns: number;
  /** member: a member asked for it. run: a run started. restore: an older snapshot was about to be restored. */
  madeBy: "member" | "run" | "restore";
  /** Member who made it; null if the service did. */
  createdByUserId: string | null;
  /** When it was made. */
  createdAt: string;
};

/** What restoring a snapshot changed. */
export type SnapshotRestored = {
  /** Number of the snapshot of what the testset was before. */
  before: number;
  /** Testcases that are there again. */
  numAdded: number;
  /** Testcases that have their former text, split and tags again. */
  numChanged: number;
  /** Testcases that are no longer there. */
  numRemoved: number;
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
  /** service.name of its resource; empty without one. */
  service: string;
  /** Kind of the span in OpenTelemetry. */
  kind: "unspecified" | "internal" | "server" | "client" | "producer" | "consumer";
  /** Operation, if its attributes name one. */
  operation: "chat" | "tool" | "agent" | "chain" | "embedding" | "retrieval" | null;
  /** Model that answered, else the model that was asked. */
  modelName: string | null;
  /** Whether it failed. */
  failed: boolean;
  /** When it started: ISO 8601, UTC, nanoseconds. */
  startTime: string;
  /** When it ended; null while it is open. */
  endTime: string | null;
  /** Milliseconds from start to end; null while it is open, and if it ends before it starts. */
  durationMs: number | null;
  /** Record that it belongs to; null while that record does not exist. */
  recordId: string | null;
};

/** A span with all its data. */
export type SpanDetail = {
  /** Id of its trace, 32 hexadecimal digits. */
  traceId: string;
  /** Id of the span, 16 hexadecimal digits. */
  spanId: string;
  /** Id of its parent; null for a root. */
  parentSpanId: string | null;
  /** Name of the span. */
  name: string;
  /** service.name of its resource; empty without one. */
  service: string;
  /** Kind of the span in OpenTelemetry. */
  kind: "unspecified" | "internal" | "server" | "client" | "producer" | "consumer";
  /** Operation, if its attributes name one. */
  operation: "chat" | "tool" | "agent" | "chain" | "embedding" | "retrieval" | null;
  /** Model that answered, else the model that was asked. */
  modelName: string | null;
  /** Whether it failed. */
  failed: boolean;
  /** When it started: ISO 8601, UTC, nanoseconds. */
  startTime: string;
  /** When it ended; null while it is open. */
  endTime: string | null;
  /** Milliseconds from start to end; null while it is open, and if it ends before it starts. */
  durationMs: number | null;
  /** Record that it belongs to; null while that record does not exist. */
  recordId: string | null;
  /** Provider of the model. */
  provider: string | null;
  /** Input tokens. */
  inputTokens: number | null;
  /** Output tokens. */
  outputTokens: number | null;
  /** Input tokens that were read from a cache. */
  cachedInputTokens: number | null;
  /** Output tokens that were spent on reasoning. */
  reasoningTokens: number | null;
  /** Cost in US dollars: as the sender reported it, else computed for a call of a model. */
  costUsd: number | null;
  /** Whether the cost was computed from the tokens by the price table, since the sender reported none. */
  costComputed: boolean;
  /** Error, if the sender reported one. */
  error: string | null;
  /** Input messages. */
  input: Array<{
    /** system, user, assistant, tool, or another word of the sender. */
    role: string;
    /** Text of the message. */
    content: string;
    /** Reasoning of the model before its answer. */
    reasoning?: string | undefined;
    /** Tool calls of the model. */
    toolCalls?: Array<{
      /** Id of the call. */
      id: string | null;
      /** Name of the tool. */
      name: string;
      /** Arguments of the call. */
      arguments: unknown;
    }> | undefined;
    /** Id of the tool call that this answers. */
    toolCallId?: string | undefined;
    /** Name of the tool that answers. */
    name?: string | undefined;
    /** Parts that are not text, as received. */
    media?: unknown[] | undefined;
  }>;
  /** Output messages. */
  output: Array<{
    /** system, user, assistant, tool, or another word of the sender. */
    role: string;
    /** Text of the message. */
    content: string;
    /** Reasoning of the model before its answer. */
    reasoning?: string | undefined;
    /** Tool calls of the model. */
    toolCalls?: Array<{
      /** Id of the call. */
      id: string | null;
      /** Name of the tool. */
      name: string;
      /** Arguments of the call. */
      arguments: unknown;
    }> | undefined;
    /** Id of the tool call that this answers. */
    toolCallId?: string | undefined;
    /** Name of the tool that answers. */
    name?: string | undefined;
    /** Parts that are not text, as received. */
    media?: unknown[] | undefined;
  }>;
  /** Tool that it called; null without one. */
  tool: {
    /** Id of the call. */
    id: string | null;
    /** Name of the tool. */
    name: string;
    /** Arguments of the call. */
    arguments: unknown;
    /** Result of the call. */
    result: unknown;
  } | null;
  /** W3C trace state. */
  traceState: string;
  /** Numbers of items that the sender dropped. */
  dropped: {
    /** Attributes. */
    numAttributes: number;
    /** Events. */
    numEvents: number;
    /** Links. */
    numLinks: number;
  };
  /** Attributes as received. */
  attributes: JsonObject;
  /** Events as received. */
  events: JsonObject[];
  /** Links to other spans, as received. */
  links: JsonObject[];
  /** Attributes as received. */
  resource: JsonObject;
  /** Instrumentation scope: name, version, attributes. */
  scope: JsonObject;
};

/** Score of a span of a record by a metric that scores spans. */
export type SpanScore = {
  /** Id of the record. */
  recordId: string;
  /** Id of the trace, 32 hexadecimal digits. */
  traceId: string;
  /** Id of the span, 16 hexadecimal digits. */
  spanId: string;
  /** Id of the metric. */
  metricId: string;
  /** Name of the metric. */
  metricName: string;
  /** Configuration of the metric that gave the score. */
  metricConfigId: string;
  /** State of the score. Only a scored one has a value; a failed judge does not count as a no. */
  state: "pending" | "scored" | "unscored" | "failed";
  /** Whether the value reaches the metric's threshold; null without a valid value. */
  passed: boolean | null;
  /** The score; null without one. */
  score: JsonObject | null;
  /** Why it is unscored or failed. */
  reason: string | null;
  /** Id of the member who gave the score, in person or with a key. */
  scoredByUserId: string | null;
  /** Who made the score: a person, a client that did not say who did, a model, or code. Null without a score. */
  madeBy: "person" | "client" | "model" | "code" | null;
  /** When the state last changed. */
  updatedAt: string;
  /** Why the score does not fit the metric; null if it fits. */
  validationErrors: Array<{
    /** JSON Pointer to the problem. */
    path: string;
    /** What the value must be. */
    message: string;
  }> | null;
};

/** Score of a span with its evidence and the verdicts that it replaced. */
export type SpanScoreDetail = {
  /** Id of the record. */
  recordId: string;
  /** Id of the trace, 32 hexadecimal digits. */
  traceId: string;
  /** Id of the span, 16 hexadecimal digits. */
  spanId: string;
  /** Id of the metric. */
  metricId: string;
  /** Name of the metric. */
  metricName: string;
  /** Configuration of the metric that gave the score. */
  metricConfigId: string;
  /** State of the score. Only a scored one has a value; a failed judge does not count as a no. */
  state: "pending" | "scored" | "unscored" | "failed";
  /** Whether the value reaches the metric's threshold; null without a valid value. */
  passed: boolean | null;
  /** The score; null without one. */
  score: JsonObject | null;
  /** Why it is unscored or failed. */
  reason: string | null;
  /** Id of the member who gave the score, in person or with a key. */
  scoredByUserId: string | null;
  /** Who made the score: a person, a client that did not say who did, a model, or code. Null without a score. */
  madeBy: "person" | "client" | "model" | "code" | null;
  /** When the state last changed. */
  updatedAt: string;
  /** Why the score does not fit the metric; null if it fits. */
  validationErrors: Array<{
    /** JSON Pointer to the problem. */
    path: string;
    /** What the value must be. */
    message: string;
  }> | null;
  /** Evidence of the score, as in the score of a record. */
  evidence: JsonObject | null;
  /** Verdicts of this span by this configuration that were replaced, newest first. */
  history: Array<{
    /** pending, scored, unscored or failed. */
    state: string;
    /** The score; null without one. */
    score: JsonObject | null;
    /** Why it is unscored or failed. */
    reason: string | null;
    /** Id of the member who gave the score, in person or with a key. */
    scoredByUserId: string | null;
    /** Who made the score: a person, a client that did not say who did, a model, or code. Null without a score. */
    madeBy: "person" | "client" | "model" | "code" | null;
    /** Evidence of the score. For a model: the model asked and the model that answered, the prompt as sent, the raw reply, tokens, cost, latency and hash of the input (docs/judges.md). For code: what was cut from the trace and, on one record of each batch, the time per record. */
    evidence: JsonObject | null;
    /** When it was given. */
    scoredAt: string;
    /** When it was replaced. */
    replacedAt: string;
  }>;
};

/** A change of a pass rate across a switch of judges. The parts add up to it. */
export type SplitChange = {
  /** Change of the pass rate. */
  total: number;
  /** The system's part: what one judge would have seen. */
  system: {
    /** The estimate. */
    estimate: number;
    /** Standard error, including that of the switch. */
    standardError: number;
    interval: Interval;
  };
  /** The judge's part: what the switch changes about the first run. */
  judge: {
    /** The estimate. */
    estimate: number;
    /** Standard error, including that of the switch. */
    standardError: number;
    interval: Interval;
  };
  /** Both parts in words. */
  sentence: string;
};

/** The request is done and has no other result. */
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
  /** Description of the system. */
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
  /** Configuration of this version: model, prompt, parameters; any JSON object. */
  config: JsonObject;
};

/** A version of a system with its labels and its note. */
export type SystemVersionDetails = {
  /** Id of the version. */
  id: string;
  /** Id of the system. */
  systemId: string;
  /** Name of the system. */
  systemName: string;
  /** Name of the version. */
  name: string;
  /** Why the version was made; empty if no reason was given. */
  note: string;
  /** Labels that point to it: production, latest for the newest version, and those of the team. */
  labels: string[];
  /** Labels of the system that only admins of the project move. */
  protectedLabels: string[];
  /** When it was created. */
  createdAt: string;
  /** Configuration of this version: model, prompt, parameters; any JSON object. */
  config: JsonObject;
  /** Inputs that its prompt reads by name. */
  variables: string[];
};

/** A test case for the system: its input and the expected output. */
export type Testcase = {
  /** Id of the testcase, `<testset>-<n>`. */
  id: string;
  /** Id of its testset. */
  testsetId: string;
  /** The testcase as sent. */
  jsonData: JsonObject;
  /** The fields of jsonData that the testset maps to inputs. */
  inputs: JsonObject;
  /** The fields of jsonData that the testset maps to expected. */
  expected: JsonObject;
  /** Its split; absent without one. */
  split?: string | undefined;
  /** Its tags; absent without any. */
  tags?: string[] | undefined;
  /** What does not fit the metric; absent if everything fits. */
  validationErrors?: Array<{
    /** JSON Pointer to the problem. */
    path: string;
    /** What the value must be. */
    message: string;
  }> | undefined;
};

/** A testcase that differs between two snapshots. */
export type TestcaseDifference = {
  /** Id of the testcase. */
  testcaseId: string;
  /** What happened to it from the first to the second. */
  change: "added" | "changed" | "removed";
  /** The testcase in the first snapshot; null if it is not there. */
  before: {
    /** Revision of the testcase. */
    revision: number;
    /** Its split; null without one. */
    split: string | null;
    /** Its tags. */
    tags: string[];
    /** The testcase; null if its text was erased. */
    jsonData: JsonObject | null;
  } | null;
  /** The testcase in the second snapshot; null if it is not there. */
  after: {
    /** Revision of the testcase. */
    revision: number;
    /** Its split; null without one. */
    split: string | null;
    /** Its tags. */
    tags: string[];
    /** The testcase; null if its text was erased. */
    jsonData: JsonObject | null;
  } | null;
};

/** Testcases that a model wrote, for review. */
export type TestcaseDrafts = {
  /** Drafts in the order of the model. Nothing is stored. */
  drafts: Array<{
    /** The testcase, to be sent to createTestcases once someone has read it. Its field `origin` is `generated`: name it as metadata of the testset, so that runs show the rate of these testcases apart. */
    jsonData: JsonObject;
    /** Id of the testcase that it nearly repeats, or `draft 1` for an earlier draft; null if it repeats none. */
    similarTo: string | null;
    /** Share of trigrams that it has in common with the most similar one, from 0 to 1. */
    similarity: number;
  }>;
  /** Number of testcases that the drafts were compared with. */
  numCompared: number;
  /** Model that wrote them. */
  modelName: string;
  /** Why there are no drafts; null if the model answered. */
  error: string | null;
  /** Input tokens of the call. */
  inputTokens: number | null;
  /** Output tokens of the call. */
  outputTokens: number | null;
  /** Cost of the call in US dollars; null if unknown. */
  costUsd: number | null;
};

/** How many testcases got a split or tags. */
export type TestcasesMarked = {
  /** Testcases that fit. */
  numTestcases: number;
  /** Those whose split or tags changed. */
  numChanged: number;
};

/** A set of testcases that share one schema. */
export type Testset = {
  /** Id of the testset. */
  id: string;
  /** Name of the testset. */
  name: string;
  /** Description of the testset. */
  description: string;
  /** JSON Schema that validates each testcase. `$schema` chooses draft 2020-12 or 2019-09; default draft 7. Drafts 4 and 6 are read as draft 7; `exclusiveMinimum: true`, `exclusiveMaximum: true` and a top-level `id` of draft 4 are refused. */
  jsonSchema: JsonObject;
  /** Meaning of the top-level fields of a testcase. */
  fieldMapping: {
    /** Fields of jsonData that the system gets. */
    inputs: string[];
    /** Fields of jsonData with the expected output. */
    expected: string[];
    /** Fields of jsonData that only describe the testcase. */
    metadata: string[];
  };
};

/** What a testset has. */
export type TestsetCounts = {
  /** Number of testcases. */
  numTestcases: number;
  /** Testcases that do not match the schema. */
  numInvalid: number;
  /** The splits, largest first. */
  splits: Array<{
    /** Name of the split. */
    split: string;
    /** Number of testcases. */
    numTestcases: number;
  }>;
  /** The 100 most frequent tags. */
  tags: Array<{
    /** The tag. */
    tag: string;
    /** Number of testcases. */
    numTestcases: number;
  }>;
};

/** What stored runs tell about the testcases of a testset: which have a wrong key, show nothing, or stand in a prompt. */
export type TestsetExamination = {
  /** Id of the testset. */
  testsetId: string;
  /** Metric by which testcases pass; null if no run has scores. */
  metricId: string | null;
  /** Name of the metric. */
  metricName: string | null;
  /** Runs that were read, newest first. */
  runs: Array<{
    /** Id of the run. */
    runId: string;
    /** Name of the version that answered; null if it is not known. */
    version: string | null;
    /** Records with a verdict on the current revision of a testcase. */
    numRecords: number;
  }>;
  /** Different versions among them. Runs without a version count as one each. */
  numVersions: number;
  /** Different models that the configurations of these versions name. */
  numModels: number;
  /** Records that were read. */
  numRecords: number;
  /** What was looked for. */
  kinds: Array<{
    /** Kind of finding. */
    kind: "wrongKey" | "duel" | "leaked" | "twin" | "flaky" | "hopeless" | "dead";
    /** Testcases that have it. */
    numTestcases: number;
    /** What the kind means. */
    meaning: string;
    /** Why testcases could not be examined for it; null if they were. */
    reason: string | null;
  }>;
  /** Findings, up to `limit` of each kind. */
  findings: Array<{
    /** Kind of finding. */
    kind: "wrongKey" | "duel" | "leaked" | "twin" | "flaky" | "hopeless" | "dead";
    /** Id of the testcase. */
    testcaseId: string;
    /** The evidence in words. */
    sentence: string;
    /** wrongKey: how probable it is that the key is wrong, if versions err independently. Else null. */
    probability: number | null;
    /** wrongKey: the answer that versions agree on. Else null. */
    proposal: string | null;
    /** twin: the testcase that it resembles. Else null. */
    otherTestcaseId: string | null;
    /** leaked: the system whose version has the text. Else null. */
    systemId: string | null;
    /** leaked: the metric whose judge has the text. Else null. */
    metricId: string | null;
    /** Records that show it, up to 5. */
    recordIds: string[];
  }>;
  /** Assumption of the probabilities of wrong keys. */
  assumption: string;
  /** The comparison of two runs, repeated without suspects: wrong keys, duels, leaks and repeated twins. Null with fewer than two runs. */
  comparison: {
    /** Run that is compared. */
    before: string;
    /** Run that it is compared with. */
    after: string;
    /** A comparison of pass rates. */
    all: {
      /** Testcases that were compared. */
      n: number;
      /** Later pass rate less the earlier one. */
      difference: number | null;
      /** Interval of the difference. */
      interval: Interval | null;
      /** The verdict. */
      verdict: string;
      /** The verdict in words. */
      sentence: string;
    };
    /** A comparison of pass rates. */
    withoutSuspects: {
      /** Testcases that were compared. */
      n: number;
      /** Later pass rate less the earlier one. */
      difference: number | null;
      /** Interval of the difference. */
      interval: Interval | null;
      /** The verdict. */
      verdict: string;
      /** The verdict in words. */
      sentence: string;
    };
    /** Testcases that were left out. */
    numSuspects: number;
    /** Whether the verdict is another one. */
    changed: boolean;
    /** The result in words. */
    sentence: string;
  } | null;
  /** The testset at a glance. */
  card: {
    /** Testcases of the testset. */
    numTestcases: number;
    /** Testcases with an expected answer. */
    numWithKey: number;
    /** Testcases with a verdict. */
    numAnswered: number;
    /** Testcases that a model wrote, by their field `origin`. */
    numGenerated: number;
    /** Testcases that were changed since they were made. */
    numRevised: number;
    /** Testcases that do not fit the schema. */
    numInvalid: number;
    /** Times at which testcases were added. */
    numBatches: number;
    /** When the first testcase was made. */
    firstAt: string | null;
    /** When the last testcase was made or changed. */
    lastAt: string | null;
    /** Fields that the system gets. */
    inputs: string[];
    /** Fields of the expected answer. */
    expected: string[];
    /** Field by which testcases depend on each other. */
    groupingField: string | null;
    /** Share of the testcases with labels on which people agree with the metric; null without labels. */
    agreement: Estimate | null;
  };
  /** What was not read because it is too much, each as a sentence. */
  leftOut: string[];
  /** Confidence level. */
  level: number;
};

/** Which testcases of a testset depend on each other, for example by a shared document, conversation or author. */
export type TestsetSettings = {
  /** Top-level field of jsonData. Testcases with the same value form a group; one without the field is its own group. Null: no groups. */
  groupingField: string | null;
  /** Which split a testcase gets that has none. The first rule that fits decides. Setting them splits the testcases that have no split; later ones get theirs when they are created. */
  splitRules: Array<{
    /** Name of the split, such as dev or test. */
    split: string;
    /** A search such as `split:dev tag:hard data.lang:de refund`: filters, and words that jsonData contains (docs/searching.md). */
    q?: string | undefined;
    /** Share of the testcases. It is drawn by the group of a testcase, so that no group is in two splits; the shares of the rules are of different testcases. */
    share?: number | undefined;
  }>;
};

/** Thread of an annotation: its replies, and whether it is resolved. */
export type Thread = {
  /** Id of the annotation that started the thread. */
  annotationId: string;
  /** When it was resolved; null while it is open. */
  resolvedAt: string | null;
  /** Who resolved it. */
  resolvedByUserId: string | null;
  /** Replies, oldest first. */
  replies: Reply[];
};

/** A trace with its sums and the scores of its record. */
export type Trace = {
  /** Id of the trace, 32 hexadecimal digits. */
  traceId: string;
  /** Name of its root span. */
  name: string | null;
  /** service.name of its root span; empty without one. */
  service: string | null;
  /** Model that answered in it; the first by name if there are several. */
  modelName: string | null;
  /** When it started: ISO 8601, UTC, nanoseconds. */
  startTime: string;
  /** Milliseconds from its first start to its last end; null if no span has ended. */
  durationMs: number | null;
  /** Number of its spans. */
  numSpans: number;
  /** Number of its failed spans. */
  numErrors: number;
  /** Input tokens of the calls of models; null when none was reported. */
  inputTokens: number | null;
  /** Output tokens of the calls of models. */
  outputTokens: number | null;
  /** Cost in US dollars: as reported, else computed from tokens by the price table. */
  costUsd: number | null;
  /** The beginning of its input, as one line of at most 300 characters. */
  input: string | null;
  /** The beginning of its output. */
  output: string | null;
  /** Session that it belongs to. */
  sessionId: string | null;
  /** User that it names. */
  userId: string | null;
  /** Its record; null while that record does not exist. */
  recordId: string | null;
  /** State of every score of its record. */
  scoreStates: TraceScoreState[];
};

/** State and score of one metric on the record of a trace. If the record has several traces, a metric of spans has the lowest score of the spans of this trace, once all spans of the record have theirs. */
export type TraceScoreState = {
  /** Id of the metric. */
  metricId: string;
  /** Name of the metric. */
  metricName: string;
  /** Configuration of the metric that gave the score. */
  metricConfigId: string;
  /** State of the score. Only a scored one has a value; a failed judge does not count as a no. */
  state: "pending" | "scored" | "unscored" | "failed";
  /** Whether the value reaches the metric's threshold; null without a valid value. */
  passed: boolean | null;
  /** The score; null without one. */
  score: JsonObject | null;
  /** Why it is unscored or failed. */
  reason: string | null;
  /** What does not fit the metric; absent if everything fits. */
  validationErrors?: Array<{
    /** JSON Pointer to the problem. */
    path: string;
    /** What the value must be. */
    message: string;
  }> | undefined;
  /** Id of the member who gave the score, in person or with a key. */
  scoredByUserId: string | null;
  /** Who made the score: a person, a client that did not say who did, a model, or code. Null without a score. */
  madeBy: "person" | "client" | "model" | "code" | null;
  /** When the state last changed. */
  updatedAt: string;
  /** trace: what it says is about this trace alone. record: it is about all traces of the record, such as those of a session. */
  whose: "trace" | "record";
};

/** A session: traces with one session id. */
export type TraceSession = {
  /** Id of the session, as its traces name it. */
  sessionId: string;
  /** User that its traces name. */
  userId: string | null;
  /** Record of the session. */
  recordId: string | null;
  /** The beginning of its first input. */
  input: string | null;
  /** Number of its traces. */
  numTraces: number;
  /** Number of failed spans. */
  numErrors: number;
  /** Input tokens of the calls of models; null when none was reported. */
  inputTokens: number | null;
  /** Output tokens of the calls of models. */
  outputTokens: number | null;
  /** Cost in US dollars: as reported, else computed from tokens by the price table. */
  costUsd: number | null;
  /** Start of its first trace. */
  firstSeen: string;
  /** End of its last trace. */
  lastSeen: string;
};

/** A user of the system, as traces name them. */
export type TraceUser = {
  /** Id of the user, as the traces name it. */
  userId: string;
  /** Number of sessions. */
  numSessions: number;
  /** Number of its traces. */
  numTraces: number;
  /** Number of failed spans. */
  numErrors: number;
  /** Input tokens of the calls of models; null when none was reported. */
  inputTokens: number | null;
  /** Output tokens of the calls of models. */
  outputTokens: number | null;
  /** Cost in US dollars: as reported, else computed from tokens by the price table. */
  costUsd: number | null;
  /** Start of its first trace. */
  firstSeen: string;
  /** End of its last trace. */
  lastSeen: string;
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
  /** service.name of its resource; empty without one. */
  service: string;
  /** Kind of the span in OpenTelemetry. */
  kind: "unspecified" | "internal" | "server" | "client" | "producer" | "consumer";
  /** Operation, if its attributes name one. */
  operation: "chat" | "tool" | "agent" | "chain" | "embedding" | "retrieval" | null;
  /** Model that answered, else the model that was asked. */
  modelName: string | null;
  /** Whether it failed. */
  failed: boolean;
  /** When it started: ISO 8601, UTC, nanoseconds. */
  startTime: string;
  /** When it ended; null while it is open. */
  endTime: string | null;
  /** Milliseconds from start to end; null while it is open, and if it ends before it starts. */
  durationMs: number | null;
  /** Depth below the root. */
  depth: number;
  /** Whether its parent has not arrived. The span is then shown as a root. */
  parentMissing: boolean;
};

/** Each metric over the latest runs. Overlapping intervals do not compare runs; use compareRuns for that. */
export type Trends = {
  /** Confidence level. */
  level: number;
  /** Number of runs considered. */
  numRuns: number;
  /** Only with weights. Number of runs without points, because their testcases have no such field or too few testcases of a value. */
  numUnweighted?: number | undefined;
  /** One entry for each metric with scores in these runs. */
  metrics: Array<{
    /** Id of the metric. */
    metricId: string;
    /** Name of the metric. */
    metricName: string;
    /** Kind of score. */
    outputType: "int" | "float" | "boolean" | "category";
    /** One point for each run and configuration, oldest first. */
    points: Array<{
      /** Id of the run. */
      runId: string;
      /** When it was started. */
      createdAt: string;
      /** Testset of the run. Runs of different testsets do not form one trend. */
      testsetId: string | null;
      /** Version of the system under test. */
      systemVersionId: string | null;
      /** Configuration that gave the scores. */
      metricConfigId: string;
      /** Grouping field of the testset, whose groups the intervals are based on. */
      groupedBy: string | null;
      /** Number of records by the state of their score. A failed judge does not count as a no. */
      states: {
        /** Valid scores. */
        scored: number;
        /** Pending scores. */
        pending: number;
        /** Scores that could not be given or do not fit the metric. */
        unscored: number;
        /** Scores whose judge failed. */
        failed: number;
      };
      passRate: Estimate;
      /** Mean score; null for a boolean and for a category. */
      mean: Estimate | null;
      /** Only for a category: how often each label was given. */
      labels?: {
        /** Whether the labels go from worst to best. */
        ordered: boolean;
        /** One entry for each label, in the order of the metric. */
        shares: Array<{
          /** The label. */
          label: string;
          /** Whether it passes. */
          passes: boolean;
          /** Number of scores with it. */
          numScores: number;
          share: Estimate;
        }>;
      } | undefined;
      /** The pass rate anchored to the judge that succeeded this one; null without a successor. */
      anchored: AnchoredRate | null;
      /** Change since the previous point of the same testset, if another judge gave that point and a trial leads from that judge to this one; else null. */
      change: SplitChange | null;
      /** Cost of the judge; null unless a model judges. */
      cost: {
        /** Cost in US dollars; null if no cost is known. */
        costUsd: number | null;
        /** Tokens sent. */
        inputTokens: number | null;
        /** Tokens received. */
        outputTokens: number | null;
        /** Number of scores whose cost is known; `costUsd` is their sum. */
        priced: number;
      } | null;
      /** Only with `judges`. The judge of the run; null unless a model judges. */
      judge?: JudgeOfRun | null | undefined;
    }>;
  }>;
  /** Only with `judges`. The runs, oldest first, with what people were asked. */
  runs?: Array<{
    /** Id of the run. */
    runId: string;
    /** Metrics that the run was started with. */
    metricIds: string[];
    /** Number of records. */
    numRecords: number;
    /** Random samples for people to score, oldest first. */
    samples: Array<{
      /** Human metric whose queue the sample fills. */
      metricId: string;
      /** Number of records in the sample. */
      numDrawn: number;
    }>;
  }> | undefined;
};

/** A trial of configurations of a metric: on its pinned records, or on the records of a run. */
export type Trial = PinnedTrial | Rescoring;

/** One record of a trial: its score and the proposed one, or the verdicts of the saved and of the edited prompt. */
export type TrialChange = {
  /** Id of the record. */
  recordId: string;
  /** Effect of the proposal on the score. */
  change: "passToFail" | "failToPass" | "valueOnly" | "same" | "newlyScored" | "unscored" | "failed" | "givenSince" | "pending";
  /** Whether the proposal became the score; null until the rescoring is adopted. */
  applied: boolean | null;
  /** Whether people pass it; null in a rescoring. */
  people: boolean | null;
  /** Copy of the record that the candidate judged; null in a rescoring. */
  judgedRecordId: string | null;
  /** Current score; after adopt, the score that was replaced. In an alignment, the verdict of the saved prompt. Null without one. */
  before: {
    /** Configuration that scored. */
    metricConfigId: string;
    /** pending, scored, unscored or failed. */
    state: string;
    /** Whether it passes; null without a valid value. */
    passed: boolean | null;
    /** The score; null without one. */
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
    /** Whether it passes; null without a valid value. */
    passed: boolean | null;
    /** The score; null without one. */
    score: JsonObject | null;
    /** Why the proposal has no value. */
    reason: string | null;
  };
};

/** What a battery or an alignment of written prompts would ask for and cost. Nothing is started. */
export type TrialEstimate = {
  /** Number of pinned records; 0 if none is pinned. */
  numRecords: number;
  /** Number of verdicts that the trial would ask for. */
  numVerdicts: number;
  /** Their cost in US dollars; null if it cannot be estimated. */
  costUsd: number | null;
  /** earlierScores: measured on the newest verdicts of this configuration. template: from the length of the prompt and of the records. unknown: the price of the model is not known. */
  basis: "earlierScores" | "template" | "unknown";
  /** Number of pinned records with which an edit that changes no verdict is shown to be clear; null for an alignment. */
  numToClear: number | null;
  /** The biases that were asked for; none for an alignment. */
  biases: Array<{
    /** The bias. */
    bias: "padding" | "order" | "author" | "authority" | "format" | "language" | "selfPreference";
    /** Number of pinned records that can show it. */
    numRecords: number;
    /** Why it is not applicable; null if it is. */
    reason: string | null;
  }>;
  /** Share of pinned labels on which people agree with the prompt as it is saved; null for a battery. */
  saved: {
    dev: Estimate;
    test: Estimate;
  } | null;
  /** Number of alignments that were tested on the labels for the check so far: the more there are, the less a further one proves. Null for a battery. */
  numChecks: number | null;
  /** The estimate in words, with the next step if it cannot start. */
  sentence: string;
};

/** Rise of latency, tokens and cost from the first run to the second, on the shared testcases. */
export type UsageRises = {
  /** Geometric mean of the latency of a record in milliseconds. */
  latencyMs: {
    /** Number of testcases for which both runs know it. */
    n: number;
    /** Mean in the first run; null if it is not known. */
    before: number | null;
    /** Mean in the second run. */
    after: number | null;
    /** Rise as a share of the value before: 0.1 is 10 % more. */
    rise: number | null;
    /** Interval of `rise` at `level`. */
    interval: Interval | null;
    /** Two-sided p of no change. */
    p: number | null;
    /** The change in words. */
    sentence: string;
    /** Warnings for the reader: the sentences of `caveats`. */
    warnings: string[];
  };
  /** Input and output tokens of a record, without judges. */
  tokens: {
    /** Number of testcases for which both runs know it. */
    n: number;
    /** Mean in the first run; null if it is not known. */
    before: number | null;
    /** Mean in the second run. */
    after: number | null;
    /** Rise as a share of the value before: 0.1 is 10 % more. */
    rise: number | null;
    /** Interval of `rise` at `level`. */
    interval: Interval | null;
    /** Two-sided p of no change. */
    p: number | null;
    /** The change in words. */
    sentence: string;
    /** Warnings for the reader: the sentences of `caveats`. */
    warnings: string[];
  };
  /** Cost of a record in US dollars, without judges. */
  costUsd: {
    /** Number of testcases for which both runs know it. */
    n: number;
    /** Mean in the first run; null if it is not known. */
    before: number | null;
    /** Mean in the second run. */
    after: number | null;
    /** Rise as a share of the value before: 0.1 is 10 % more. */
    rise: number | null;
    /** Interval of `rise` at `level`. */
    interval: Interval | null;
    /** Two-sided p of no change. */
    p: number | null;
    /** The change in words. */
    sentence: string;
    /** Warnings for the reader: the sentences of `caveats`. */
    warnings: string[];
  };
};

/** Number of records, traces or runs by the value of a field. */
export type ValueGroups = {
  /** What is grouped by. */
  by: string;
  /** Number of records, traces or runs that were counted. */
  n: number;
  /** Whether older ones were left out: only the `newest` are read. Each count is then of these. */
  partial: boolean;
  /** Number with other values. One with several values, such as tags, counts once for each. */
  numOthers: number;
  /** Whether those of one statement have more than 1,000 different values: then counts of rare values are too low. */
  manyValues: boolean;
  /** The groups, largest first. */
  groups: Array<{
    /** The value, at most 200 characters; null for those without one. Values that differ only in case are one group where the search finds them together. */
    value: string | null;
    /** Filter of the search that finds the group; null if none does. */
    words: string | null;
    /** Number with the value. */
    n: number;
    /** Pass rate of `rateOf` in the group, by the newest score of each record; null without `rateOf`. Records with the same inputs are one unit. The rate of a metric that scores spans is over the spans of the records. */
    passRate: Estimate | null;
  }>;
};

/** A run that is shipped in spite of the verdict. The audit log holds it. */
export type Waiver = {
  /** Id of the waiver. */
  id: string;
  /** Id of the decision. */
  decisionId: string;
  /** Run that is shipped. */
  runId: string;
  /** Why. */
  reason: string;
  /** Member who waived. */
  waivedBy: string | null;
  /** When. */
  waivedAt: string;
};

/** A figure of the last 30 days with the alarms that a limit would have raised. */
export type WatchedFigure = {
  /** errors: share of records with a failed span. latency: 95th percentile in milliseconds. cost: sum in US dollars. passRate: of a metric of a monitor. labelShare: of a label of a category of a monitor. */
  measure: "errors" | "latency" | "cost" | "passRate" | "labelShare";
  /** What is watched, in words. */
  name: string;
  /** How far the judge of a passRate can be trusted, in a few words; null unless a model judges. */
  judge: string | null;
  /** Length of the windows of `points`. */
  window: "hour" | "day";
  /** The limit that it is held against. */
  limit: number;
  /** Windows with records, oldest first. */
  points: Array<{
    /** Start of the window. */
    start: string;
    /** Number of records that it rests on. */
    n: number;
    /** The figure in this window. */
    value: number;
  }>;
  /** When an alarm would have been raised, oldest first. At most one a day. */
  alarms: string[];
};

/** How often a testset was looked at. Who looks often enough finds a difference by luck. */
export type Wear = {
  /** Id of the testset. */
  testsetId: string;
  /** Split whose looks are counted; null for all. */
  split: string | null;
  /** The period whose looks share it: a month, a quarter or a year of the calendar, in UTC. */
  per: "month" | "quarter" | "year";
  /** Start of the present period. */
  since: string;
  /** Looks in this period. */
  numLooks: number;
  /** Versions that were looked at in this period; a run without a version is one of its own. */
  numVersions: number;
  /** Looks at all. */
  numLooksEver: number;
  /** Chance that any look of a period errs, at most. */
  alpha: number;
  /** The part of `alpha` at which a gate with a ledger tests the next look. */
  next: number;
  /** The part of `alpha` that the looks of this period have left. */
  left: number;
  /** The same in words. */
  sentence: string;
  /** Fresh testcases that wait for a run. */
  numWaiting: number;
  /** Fresh testcases that wait and break the schema: no run takes them. */
  numMisfits: number;
  /** Fresh testcases that runs took. */
  numTaken: number;
  /** Fresh testcases that `runId` took; null without that parameter. */
  numOfRun: number | null;
  /** Fresh testcases against old ones, by metric; empty before a run with fresh testcases has scores. */
  metrics: Array<{
    /** Id of the metric. */
    metricId: string;
    /** Name of the metric. */
    metricName: string;
    /** Runs whose fresh testcases have scores, the newest 200 at most. */
    numRuns: number;
    /** Fresh testcases in them. */
    numFresh: number;
    /** By testcase across runs for the old part, because their luck is the same in each run; by testcase for the fresh part. It includes the luck of the old testcases. */
    optimism: {
      /** Pass rate of the old testcases, on average over the runs. */
      old: number;
      /** Pass rate of the fresh testcases. */
      fresh: number;
      /** Old − fresh: how much better versions look here than elsewhere. */
      difference: number;
      /** A confidence interval. */
      interval: {
        /** Lower end. */
        low: number;
        /** Upper end. */
        high: number;
      };
    };
    /** Without wear it is ever announced for any metric with a chance of `alpha` at most, however often one looks. The odds are those of a lower bound of the old rate, so that a lucky testset is not accused. */
    bet: {
      /** What a player has, from 1 at the start, who bets on each fresh testcase that it fails. */
      evidence: number;
      /** At this much wear is announced. */
      needed: number;
      /** First run after which the evidence reached it; null without. */
      announcedBy: string | null;
    };
    /** The same in words. */
    sentence: string;
  }>;
};

/** What the numbers of an answer are weighted by. Counts of records and testcases are not weighted. */
export type WeightedBy = {
  /** Field of the testcase. */
  field: string;
  /** Shares of the values; null if the field is the weight. */
  shares: Array<{
    /** Value of the field. */
    value: string;
    /** Its share of the traffic. */
    share: number;
    /** Number of testcases with this value. */
    numTestcases: number;
  }> | null;
  /** Number of testcases with a weight. */
  numTestcases: number;
  /** Number of testcases that are left out, because they have no weight or share. */
  numLeftOut: number;
  /** The weighting in words. */
  sentence: string;
};

/** The best of several runs, corrected for the choice. */
export type Winner = {
  /** Id of the metric. */
  metricId: string;
  /** Name of the metric. */
  metricName: string;
  /** Id of the run that looks best. */
  runId: string;
  /** Number of runs among which it is the best: those of this answer, and up to 20 newer or older runs of the testset that scored the same testcases. */
  numTries: number;
  /** Number of testcases that all of them share. */
  n: number;
  /** Its observed mean, which is too high on average because the best run was chosen. */
  mean: number;
  /** Its mean, corrected for the choice (median-unbiased). */
  estimate: number;
  interval: Interval;
  /** The result in words. */
  sentence: string;
};

/** Query parameters of listKeys. */
export type ListKeysQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createKey. */
export type CreateKeyBody = {
  /** Purpose of the key. */
  name: string;
  /** full: the key may do what its member may do. read: the key may only read. */
  access?: "full" | "read" | undefined;
  /** Project for traces that are sent with this key and name no project. */
  defaultProjectId?: string | undefined;
  /** When the key expires. Default: never, or together with the key of this request; a key cannot create one that outlives it. */
  expiresAt?: string | undefined;
};

/** Request body of updateAlert. */
export type UpdateAlertBody = {
  /** Name of the alert. */
  name?: string | undefined;
  /** webhook: where events are posted. slack: an incoming webhook of Slack, or of a chat that takes the same messages. otlp: the path of an OpenTelemetry collector that takes logs, such as https://otel.example.com/v1/logs. Never shown again. */
  url?: string | undefined;
  /** otlp: headers of each request, such as a key. Never shown again. */
  headers?: { [name: string]: string } | undefined;
  /** email: who receives the mail. An address that belongs to no member gets nothing until its owner has confirmed it. */
  recipients?: string[] | undefined;
  /** Events that are sent. run.completed: all records of a run have their scores. gate.failed: `dokima gate --store` gave a verdict other than pass. budget.reached: the judges of a run have spent their budget. drift.found: a check found that a judge has drifted. monitor.worse: the pass rate of a metric of a monitor has fallen below minPassRate, or the share of a label has risen above maxLabelShare. traffic.worse: the errors, latency or cost of traces went above a limit. record.scored: a record has a new score; for the kind otlp, which sends nothing else. */
  events?: Array<"run.completed" | "gate.failed" | "budget.reached" | "drift.found" | "monitor.worse" | "traffic.worse" | "record.scored"> | undefined;
  /** monitor.worse: lowest acceptable pass rate, from 0 to 1. It applies to every metric of every monitor of the project. */
  minPassRate?: number | null | undefined;
  /** monitor.worse: id of a category metric, one of whose labels is watched; null for none. Given with label and maxLabelShare. */
  labelMetricId?: string | null | undefined;
  /** monitor.worse: the label. A configuration without it is not watched. */
  label?: string | null | undefined;
  /** monitor.worse: highest acceptable share of the label among the scores of the metric in each monitor, from 0 to 1. */
  maxLabelShare?: number | null | undefined;
  /** monitor.worse and traffic.worse: highest average number of false alarms a year, of each. */
  falseAlarmsPerYear?: number | undefined;
  /** traffic.worse: length of the windows of UTC that are looked at. */
  trafficWindow?: "hour" | "day" | undefined;
  /** traffic.worse: highest acceptable share of records with a failed span, from 0 to 1; null for any. */
  maxErrorRate?: number | null | undefined;
  /** traffic.worse: highest acceptable 95th percentile of the latency, in milliseconds; null for any. */
  maxLatencyMs?: number | null | undefined;
  /** traffic.worse: highest acceptable cost of all records of a window, in US dollars; null for any. */
  maxCostUsd?: number | null | undefined;
  /** true: nothing is sent. Events that happen while it is paused are not sent later. */
  paused?: boolean | undefined;
};

/** Request body of askAddressOwner. */
export type AskAddressOwnerBody = {
  /** One of the addresses of the alert. */
  address: string;
};

/** Query parameters of listAlertDeliveries. */
export type ListAlertDeliveriesQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of getAddressQuestion. */
export type GetAddressQuestionBody = {
  /** The part of the link behind the #. */
  token: string;
};

/** Request body of redeemAddressLink. */
export type RedeemAddressLinkBody = {
  /** The part of the link behind the #. */
  token: string;
};

/** Query parameters of listAlarms. */
export type ListAlarmsQuery = {
  /** As in an alert. */
  minPassRate?: number | undefined;
  /** As in an alert. */
  labelMetricId?: string | undefined;
  /** As in an alert. */
  label?: string | undefined;
  /** As in an alert. */
  maxLabelShare?: number | undefined;
  /** monitor.worse and traffic.worse: highest average number of false alarms a year, of each. */
  falseAlarmsPerYear?: number | undefined;
  /** traffic.worse: length of the windows of UTC that are looked at. */
  trafficWindow?: "hour" | "day" | undefined;
  /** As in an alert. */
  maxErrorRate?: number | undefined;
  /** As in an alert. */
  maxLatencyMs?: number | undefined;
  /** As in an alert. */
  maxCostUsd?: number | undefined;
};

/** Request body of createAlert. */
export type CreateAlertBody = {
  /** Name of the alert. */
  name: string;
  /** How events are sent. It cannot be changed. */
  kind: "webhook" | "slack" | "email" | "otlp";
  /** webhook: where events are posted. slack: an incoming webhook of Slack, or of a chat that takes the same messages. otlp: the path of an OpenTelemetry collector that takes logs, such as https://otel.example.com/v1/logs. Never shown again. */
  url?: string | undefined;
  /** otlp: headers of each request, such as a key. Never shown again. */
  headers?: { [name: string]: string } | undefined;
  /** email: who receives the mail. An address that belongs to no member gets nothing until its owner has confirmed it. */
  recipients?: string[] | undefined;
  /** Events that are sent. run.completed: all records of a run have their scores. gate.failed: `dokima gate --store` gave a verdict other than pass. budget.reached: the judges of a run have spent their budget. drift.found: a check found that a judge has drifted. monitor.worse: the pass rate of a metric of a monitor has fallen below minPassRate, or the share of a label has risen above maxLabelShare. traffic.worse: the errors, latency or cost of traces went above a limit. record.scored: a record has a new score; for the kind otlp, which sends nothing else. */
  events: Array<"run.completed" | "gate.failed" | "budget.reached" | "drift.found" | "monitor.worse" | "traffic.worse" | "record.scored">;
  /** monitor.worse: lowest acceptable pass rate, from 0 to 1. It applies to every metric of every monitor of the project. */
  minPassRate?: number | null | undefined;
  /** monitor.worse: id of a category metric, one of whose labels is watched; null for none. Given with label and maxLabelShare. */
  labelMetricId?: string | null | undefined;
  /** monitor.worse: the label. A configuration without it is not watched. */
  label?: string | null | undefined;
  /** monitor.worse: highest acceptable share of the label among the scores of the metric in each monitor, from 0 to 1. */
  maxLabelShare?: number | null | undefined;
  /** monitor.worse and traffic.worse: highest average number of false alarms a year, of each. */
  falseAlarmsPerYear?: number | undefined;
  /** traffic.worse: length of the windows of UTC that are looked at. */
  trafficWindow?: "hour" | "day" | undefined;
  /** traffic.worse: highest acceptable share of records with a failed span, from 0 to 1; null for any. */
  maxErrorRate?: number | null | undefined;
  /** traffic.worse: highest acceptable 95th percentile of the latency, in milliseconds; null for any. */
  maxLatencyMs?: number | null | undefined;
  /** traffic.worse: highest acceptable cost of all records of a window, in US dollars; null for any. */
  maxCostUsd?: number | null | undefined;
  /** Whether nothing is sent. Events that happen while it is paused are not sent later. */
  paused?: boolean | undefined;
};

/** Query parameters of measureAgreement. */
export type MeasureAgreementQuery = {
  /** Confidence level of every interval. */
  level?: number | undefined;
  /** Configuration that people scored; default that of the run, else the current one. */
  metricConfigId?: string | undefined;
  /** Run whose reviews count; default all runs. */
  runId?: string | undefined;
  /** What is compared for int and float metrics: `score`, or `pass` (whether the score passes). */
  measure?: "score" | "pass" | undefined;
  /** Whether the agreement on each criterion comes with the answer, for a metric with criteria. */
  criteria?: boolean | undefined;
  /** Whether to count reviews whose author could have seen the reviews of others. Such reviews agree more than independent ones. Those of spans always count, with the caveat `reviewsSeen`. */
  sighted?: boolean | undefined;
};

/** Query parameters of calibrateMetric. */
export type CalibrateMetricQuery = {
  /** Source of people's labels. `metric`: scores of the metric `against`, else of the human metric of the judge (`peopleMetricId` of its settings). `overrides`: scores that people gave in place of the judge. `thumbs`: the majority of the record's annotations. Default `metric`. */
  labels?: "metric" | "overrides" | "thumbs" | undefined;
  /** Metric by which people scored the same records. Default the human metric of the judge. */
  against?: string | undefined;
  /** Configuration of the judge; default that of the run, else the current one. Each configuration is a separate judge. */
  metricConfigId?: string | undefined;
  /** Which labels count. A hash of its testcase assigns each label to `dev` or `test` permanently. */
  split?: "all" | "dev" | "test" | undefined;
  /** Confidence level of every interval. */
  level?: number | undefined;
  /** Run whose pass rate is corrected for the errors of the judge. */
  runId?: string | undefined;
  /** Number of records, from any set, that the judge passed. Requires `numJudged`. */
  numPasses?: number | undefined;
  /** Number of records in that set that the judge decided; `correctedRate` is their corrected pass rate. */
  numJudged?: number | undefined;
  /** Whether the newest 10 configurations of the metric are compared with people too. */
  configurations?: boolean | undefined;
  /** Whether the pinned set of the metric comes with the answer. */
  pinnedSet?: boolean | undefined;
  /** Whether a metric with criteria is compared with people criterion by criterion, on the records on which both gave verdicts on it. The metric of people needs criteria with the same ids. */
  criteria?: boolean | undefined;
  /** Whether each model of the judge's jury is compared with the jury and with people. */
  jury?: boolean | undefined;
  /** Pass rates to correct, such as the points of a chart, each as passes, a slash and judged. `correctedRates` has the corrected ones. */
  rates?: string | undefined;
};

/** Query parameters of listJudgeDisagreements. */
export type ListJudgeDisagreementsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Source of people's labels. `metric`: scores of the metric `against`, else of the human metric of the judge (`peopleMetricId` of its settings). `overrides`: scores that people gave in place of the judge. `thumbs`: the majority of the record's annotations. Default `metric`. */
  labels?: "metric" | "overrides" | "thumbs" | undefined;
  /** Metric by which people scored the same records. Default the human metric of the judge. */
  against?: string | undefined;
  /** Configuration of the judge; default that of the run, else the current one. Each configuration is a separate judge. */
  metricConfigId?: string | undefined;
  /** Which labels count. A hash of its testcase assigns each label to `dev` or `test` permanently. */
  split?: "all" | "dev" | "test" | undefined;
  /** Whether each disagreement comes with its record. */
  records?: boolean | undefined;
};

/** Query parameters of getJudgePassport. */
export type GetJudgePassportQuery = {
  /** Configuration of the judge; default the current one. */
  metricConfigId?: string | undefined;
  /** Days until it expires, at most. */
  days?: number | undefined;
};

/** Query parameters of getProjectNews. */
export type GetProjectNewsQuery = {
  /** Length of the time that the news are about, in hours before now. */
  hours?: number | undefined;
};

/** Query parameters of planRun. */
export type PlanRunQuery = {
  /** Metric that compares the systems. */
  metricId: string;
  /** Difference to detect, in the unit of the score; 0.03 for 3 percentage points. */
  difference?: number | undefined;
  /** Testcases of the coming run; default those of the testset, else as many as the earlier run had. */
  n?: number | undefined;
  /** Testset of the coming run. */
  testsetId?: string | undefined;
  /** Split of the testset that the coming run is about; default all testcases. */
  split?: string | undefined;
  /** Trials of each testcase. */
  trials?: number | undefined;
  /** Number of tests of a pair that are read together: its metrics. With `candidates`, Holm covers tests × candidates; each then needs the level 1 − (1 − level)/(tests × candidates). */
  tests?: number | undefined;
  /** Runs that are compared with the baseline, not with each other (`pairs=first`). */
  candidates?: number | undefined;
  /** Runs of the baseline, the others as `pooled`. They lower its noise if an earlier run has trials, or if two earlier runs are of the same version. */
  baselineRuns?: number | undefined;
  /** Planned looks at the growing run, at equal shares of its testcases (`test=planned`). */
  looks?: number | undefined;
  /** What is compared for int and float metrics: `score`, or `pass` (whether the score passes). */
  measure?: "score" | "pass" | undefined;
  /** Confidence level of every interval. */
  level?: number | undefined;
  /** Power of the minimum detectable difference. */
  power?: number | undefined;
};

/** Request body of createReportLink. */
export type CreateReportLinkBody = {
  /** For whom or for what the link is. */
  name: string;
  /** Days until the link ends, 1 to 90. */
  days?: number | undefined;
  /** The compared runs of the project, 2 to 8 ids, the baseline first. */
  runs: string[];
  /** What is compared: pass rates or mean scores. */
  measure: "pass" | "score";
  /** Planned looks, as in the comparison of runs. */
  looks?: number[] | undefined;
  /** Weights of testcases, as in the comparison. */
  weightBy?: string | undefined;
  /** Shares of strata, as in the comparison. */
  shares?: string | undefined;
  /** More runs of the baseline by id, as in the comparison. */
  pooled?: string[] | undefined;
};

/** Query parameters of getSeries. */
export type GetSeriesQuery = {
  /** Start, rounded down to a whole bucket; default a week before the end. */
  createdAfter?: string | undefined;
  /** End; default now. */
  createdBefore?: string | undefined;
  /** Length of a bucket in UTC; weeks begin on Monday. Default hours up to 3 days, days up to 120, else weeks. */
  bucket?: "hour" | "day" | "week" | undefined;
  /** Split by model, system version or tag. */
  by?: "model" | "version" | "tag" | undefined;
  /** traces: only records that were made from traces. runs: only the others. */
  source?: "traces" | "runs" | undefined;
  /** Only records that this monitor drew. Not together with `by`. */
  monitorId?: string | undefined;
  /** Also test pass rates, with users as units. buckets: each bucket against the one before it, in each group; two weeks make one test. groups: each group of `by` against the first one, over the whole range. */
  compare?: "buckets" | "groups" | undefined;
  /** Confidence level of every interval. */
  level?: number | undefined;
};

/** Query parameters of listTrends. */
export type ListTrendsQuery = {
  /** Maximum number of runs, newest first. */
  limit?: number | undefined;
  /** Only this metric and the runs that were started with it, or scored by it. */
  metricId?: string | undefined;
  /** Only runs of this kind. */
  kind?: "evaluation" | "traces" | undefined;
  /** true: only runs that have scores. */
  scored?: boolean | undefined;
  /** Whether each point comes with its judge, and `runs` with what people were asked. */
  judges?: boolean | undefined;
  /** Numeric field of the testcase by which each testcase counts, such as `metadata.visits`. Testcases without a number above 0 are left out and counted. Not with `shares`. */
  weightBy?: string | undefined;
  /** Field of the testcase, and the share of each of its values in the traffic, such as `metadata.intent:refund=0.7,order=0.2,other=0.1`. The shares add up to 1. Testcases of other values are left out and counted. Not with `weightBy`. */
  shares?: string | undefined;
  /** Confidence level of every interval. */
  level?: number | undefined;
};

/** Request body of getSharedReport. */
export type GetSharedReportBody = {
  /** What follows the # of the link. */
  token: string;
};

/** Query parameters of compareRuns. */
export type CompareRunsQuery = {
  /** Ids of 2 to 8 runs, the baseline first. Repeat the parameter or separate ids with commas. */
  runs: string[];
  /** Confidence level of every interval. */
  level?: number | undefined;
  /** Id of a metric with criteria. `metrics` then has its criteria, each as a boolean metric of its own: its metricId is `<metric>/<criterion>`, and its name `<metric> › <criterion>`. */
  criteriaOf?: string | undefined;
  /** Power of the minimum detectable difference. */
  power?: number | undefined;
  /** Seed of random draws. */
  seed?: number | undefined;
  /** What is compared for int and float metrics: `score`, or `pass` (whether the score passes). */
  measure?: "score" | "pass" | undefined;
  /** Test of paired runs. `fixed` holds for one look at finished runs. `sequential` may be looked at again and again while runs grow, and needs more testcases. `planned` decides only at the `looks` that you planned, and needs hardly more than `fixed`. With `sequential`, groups, and runs without common testcases, are compared by `fixed`; then `watched` is null and a caveat (`notSequential`) says so. */
  test?: "fixed" | "sequential" | "planned" | undefined;
  /** Only with `test=planned`, which needs it. Numbers of testcases at which you look at the growing run, ascending, such as 125,250,375,500; chosen before the first look. A run that has all its records and scores takes the last look, also with fewer testcases. The end of a cancelled run is no look. Repeat the parameter or separate numbers with commas. */
  looks?: number[] | undefined;
  /** With `value`, compares one slice: the records with this tag (`tag`), or with this value of `metadata.<field>` (a field of the testcase) or `inputs.<field>`. */
  by?: string | undefined;
  /** Tag, or value of the field, of the slice. */
  value?: string | undefined;
  /** all: each run with each later one. first: the first run with each other. Holm covers the pairs of the answer, so with eight runs `first` pays for 7 pairs and not for 28. */
  pairs?: "all" | "first" | undefined;
  /** Ids of more runs of the baseline, such as earlier runs of main. Their scores count as further trials of the first run, testcase by testcase, so the baseline has less noise. Repeat the parameter or separate ids with commas. */
  pooled?: string[] | undefined;
  /** Whether each pair says how latency, tokens and cost changed. Not with `by`. */
  usage?: boolean | undefined;
  /** Whether each metric says which slices lost more than the rest, in the pairs of the first run. Looks at every field of inputs and metadata with 2 to 50 values; one test covers all of them. Not with `by`. */
  slices?: boolean | undefined;
  /** Numeric field of the testcase by which each testcase counts, such as `metadata.visits`. Testcases without a number above 0 are left out and counted. Not with `shares`. */
  weightBy?: string | undefined;
  /** Field of the testcase, and the share of each of its values in the traffic, such as `metadata.intent:refund=0.7,order=0.2,other=0.1`. The shares add up to 1. Testcases of other values are left out and counted. Not with `weightBy`. */
  shares?: string | undefined;
  /** Number of testcases that each metric lists of those that lost most, in the pairs of the first run. Not with `by`. */
  worst?: number | undefined;
};

/** Query parameters of listChangedTestcases. */
export type ListChangedTestcasesQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Ids of two runs, the baseline first. Repeat the parameter or separate ids with commas. */
  runs: string[];
  /** Metric whose scores are compared. */
  metricId: string;
  /** What is compared for int and float metrics: `score`, or `pass` (whether the score passes). */
  measure?: "score" | "pass" | undefined;
  /** Changes to list; default those that are better or worse. Repeat the parameter or separate values with commas. */
  change?: Array<"better" | "worse" | "same" | "onlyBefore" | "onlyAfter" | "revised" | "unscored"> | undefined;
  /** testcase: by id. worst: the largest losses first. best: the largest gains first. Testcases without a difference come last. */
  order?: "testcase" | "worst" | "best" | undefined;
  /** Only testcases with this label of a category in a trial of the first run. Lists better, worse and same by default. */
  labelBefore?: string | undefined;
  /** The same for the second run. */
  labelAfter?: string | undefined;
  /** Whether each testcase comes with its records. */
  records?: boolean | undefined;
};

/** Request body of groupFailures. */
export type GroupFailuresBody = {
  /** Metric whose failures are grouped; default those of any metric. */
  metricId?: string | undefined;
  /** Model that names the clusters; default the model of judges. */
  modelName?: string | undefined;
  /** Model of embeddings by which failures are grouped; default by their words. */
  embeddingModelName?: string | undefined;
};

/** Request body of createLook. */
export type CreateLookBody = {
  /** Runs that the run is compared with. */
  baselineRunIds: string[];
  /** Chance that any look of a period errs, at most. */
  alpha: number;
  /** The period whose looks share it: a month, a quarter or a year of the calendar, in UTC. */
  per: "month" | "quarter" | "year";
  /** pass, worse, inconclusive (not enough data to decide) or incomplete (scores, testcases or labels are missing). */
  outcome?: "pass" | "worse" | "inconclusive" | "incomplete" | undefined;
};

/** Query parameters of summarizeRun. */
export type SummarizeRunQuery = {
  /** Confidence level of every interval. */
  level?: number | undefined;
  /** Id of a metric with criteria. `metrics` then has its criteria, each as a boolean metric of its own: its metricId is `<metric>/<criterion>`, and its name `<metric> › <criterion>`. */
  criteriaOf?: string | undefined;
  /** Breaks the summary down by `tag`, `metadata.<field>` (a field of the testcase) or `inputs.<field>`. */
  by?: string | undefined;
  /** With `by`, a second criterion: both make a table, such as persona by scenario. Not with `weightBy` or `shares`. */
  across?: string | undefined;
  /** Numeric field of the testcase by which each testcase counts, such as `metadata.visits`. Testcases without a number above 0 are left out and counted. Not with `shares`. */
  weightBy?: string | undefined;
  /** Field of the testcase, and the share of each of its values in the traffic, such as `metadata.intent:refund=0.7,order=0.2,other=0.1`. The shares add up to 1. Testcases of other values are left out and counted. Not with `weightBy`. */
  shares?: string | undefined;
};

/** Query parameters of examineTestset. */
export type ExamineTestsetQuery = {
  /** Metric by which testcases pass; default the one with the most scores in the newest run. */
  metricId?: string | undefined;
  /** Human metric whose scores are compared with the metric; default the one of its settings. */
  against?: string | undefined;
  /** Newest runs that are read, at most. */
  maxRuns?: number | undefined;
  /** Earlier run of the comparison that is repeated; needs `after`. */
  before?: string | undefined;
  /** Later run of that comparison; needs `before`. Default: the newest two of different versions. */
  after?: string | undefined;
  /** Findings of each kind that are listed, at most. */
  limit?: number | undefined;
  /** Confidence level of every interval. */
  level?: number | undefined;
};

/** Query parameters of listLooks. */
export type ListLooksQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query parameters of getWear. */
export type GetWearQuery = {
  /** The period whose looks share it: a month, a quarter or a year of the calendar, in UTC. */
  per?: "month" | "quarter" | "year" | undefined;
  /** Chance that any look of a period errs, at most. */
  alpha?: number | undefined;
  /** Only looks at testcases of this split. */
  split?: string | undefined;
  /** A run of the testset, whose fresh testcases are counted. */
  runId?: string | undefined;
  /** Confidence level of the optimism. */
  level?: number | undefined;
};

/** Request body of createAnnotation. */
export type CreateAnnotationBody = {
  /** true is positive, false is negative. */
  rating: boolean;
  /** Free text; empty if none was given. */
  comment?: string | undefined;
  /** Span of this record that the annotation is about. */
  spanId?: string | null | undefined;
  /** Trace of the span. Needed only if two traces of the record have a span of this id. */
  traceId?: string | null | undefined;
  /** Part of a text of a record or a span. */
  passage?: {
    /** JSON Pointer to the text in the record as the API returns it (`/outputs/answer`) or, with `spanId`, in the span (`/output/0/content`, `/attributes/prompt`). */
    path: string;
    /** Start of the passage in the text, in UTF-16 code units. */
    start: number;
    /** Text of the passage. It locates the passage if the text around it has changed. */
    text: string;
  } | undefined;
  /** Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge. */
  madeBy?: "person" | "client" | "model" | undefined;
};

/** Request body of updateAnnotation. */
export type UpdateAnnotationBody = {
  /** true is positive, false is negative. */
  rating?: boolean | undefined;
  /** Free text; empty if none was given. */
  comment?: string | undefined;
};

/** Request body of createReply. */
export type CreateReplyBody = {
  /** Text of the reply. */
  comment: string;
};

/** Request body of updateReply. */
export type UpdateReplyBody = {
  /** Text of the reply. */
  comment: string;
};

/** Request body of resolveAnnotation. */
export type ResolveAnnotationBody = {
  /** true resolves the thread, false opens it again. */
  resolved: boolean;
};

/** Query parameters of listThreads. */
export type ListThreadsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of assignRecordUser. */
export type AssignRecordUserBody = {
  /** Id of the user who should look at the record. */
  assigneeUserId: string;
};

/** Request body of initiateAttachment. */
export type InitiateAttachmentBody = {
  /** Project that the file belongs to. Default: the project of the session. */
  projectId?: string | undefined;
  /** Session that the file belongs to. */
  sessionId: string;
  /** Path of the file in the session. */
  filePath: string;
  /** SHA-256 of the bytes. The upload must match it. */
  sha256: string;
  /** Size in bytes. The upload must match it. */
  sizeBytes: number;
  /** Media type of the bytes. */
  contentType: string;
  /** File name for people. */
  filename?: string | undefined;
  /** Any JSON object. */
  metadata?: JsonObject | undefined;
};

/** Query parameters of listOrphanAttachments. */
export type ListOrphanAttachmentsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query parameters of listSessionAttachments. */
export type ListSessionAttachmentsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Lists the files of this project. Default: of all projects that you see. */
  projectId?: string | undefined;
};

/** Query parameters of listAuditEvents. */
export type ListAuditEventsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Only entries at or after this time. */
  createdAfter?: string | undefined;
  /** Only entries before this time. */
  createdBefore?: string | undefined;
  /** Only what this member did. */
  userId?: string | undefined;
  /** Only this operation, such as updateMetric. */
  operation?: string | undefined;
  /** Only this group of operations, such as Metrics. */
  resource?: string | undefined;
  /** Only writes of the resource with this id. */
  resourceId?: string | undefined;
  /** Only writes in this project. */
  projectId?: string | undefined;
  /** true: only refused requests and sign-ins. false: only the others. */
  failed?: boolean | undefined;
};

/** Query parameters of verifyAuditEvents. */
export type VerifyAuditEventsQuery = {
  /** Place of an entry that you have noted. Requires hash. */
  place?: number | undefined;
  /** Hash that the entry at this place had. */
  hash?: string | undefined;
};

/** Query parameters of streamChanges. */
export type StreamChangesQuery = {
  /** Project to follow. Default: only what belongs to the organization itself. */
  projectId?: string | undefined;
  /** Ends the stream after this many seconds. Connect again to continue. */
  maxSeconds?: number | undefined;
  /** `position` of getMe or the `id` of an event: the stream begins with what was committed after it. A client that reads its data after getMe and follows from there misses nothing. Changes are kept for five minutes. Default: now. */
  since?: string | undefined;
};

/** Query parameters of listDecisions. */
export type ListDecisionsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createDecision. */
export type CreateDecisionBody = {
  /** The question that is decided. */
  question: string;
  /** Who answers for the decision. */
  owner: string;
  /** Testset on which it is decided. */
  testsetId: string;
  /** Run that later runs are compared with. */
  baselineRunId?: string | undefined;
  /** Metrics that decide, with their current configurations. */
  metricIds: string[];
  /** The rules, as in dokima.yaml. */
  rules: JsonObject;
  /** Testcases on which it is decided, as planned. */
  minTestcases: number;
  /** Chance to see the planned difference. */
  power?: number | undefined;
  /** Confidence level of the gate. */
  level?: number | undefined;
};

/** Request body of exportDecision. */
export type ExportDecisionBody = {
  /** Run that is decided about. */
  runId: string;
  /** The rules of the gate; default the registered ones. */
  rules?: JsonObject | undefined;
  /** Run to compare with; default that of the rules, else the registered one. */
  baselineRunId?: string | undefined;
  /** Confidence level of the gate; default the registered one. */
  level?: number | undefined;
  /** Commit that is decided about, which becomes a subject of the statement. */
  commit?: string | undefined;
  /** Whether the inputs, expected outputs and outputs are in the file, and not only their hashes. */
  texts?: boolean | undefined;
};

/** Query parameters of readDecision. */
export type ReadDecisionQuery = {
  /** Run that is held against it. */
  runId: string;
};

/** Request body of waiveDecision. */
export type WaiveDecisionBody = {
  /** Run that is shipped. */
  runId: string;
  /** Why, in spite of the verdict. */
  reason: string;
};

/** Query parameters of listExecutions. */
export type ListExecutionsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Only executions in this state. */
  state?: "pending" | "done" | "failed" | "cancelled" | undefined;
};

/** Query parameters of listMembers. */
export type ListMembersQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createMember. */
export type CreateMemberBody = {
  /** Name of the person. */
  name: string;
  /** E-mail address, unique in the organization. */
  email: string;
  /** admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records. */
  role: "admin" | "member" | "annotator" | "viewer";
};

/** Request body of updateMember. */
export type UpdateMemberBody = {
  /** Name of the person. */
  name?: string | undefined;
  /** admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records. */
  role?: "admin" | "member" | "annotator" | "viewer" | undefined;
};

/** Request body of updateMyOrganization. */
export type UpdateMyOrganizationBody = {
  /** Name of the organization. */
  name?: string | undefined;
  /** Model of AI metrics that name none, such as openai/<model>; null for DOKIMA_JUDGE_MODEL. */
  judgeModelName?: string | null | undefined;
  /** Whether members may make links that show a report without an account. If not, existing links show nothing. */
  reportLinks?: boolean | undefined;
};

/** Query parameters of listScimTokens. */
export type ListScimTokensQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createScimToken. */
export type CreateScimTokenBody = {
  /** Purpose of the token. */
  name: string;
};

/** Request body of updateMetricGroup. */
export type UpdateMetricGroupBody = {
  /** Name of the group. */
  name?: string | undefined;
  /** Purpose of the group. */
  description?: string | undefined;
  /** Metrics of the group in their order, each once. */
  metricIds?: string[] | undefined;
};

/** Query parameters of listMetricGroups. */
export type ListMetricGroupsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createMetricGroup. */
export type CreateMetricGroupBody = {
  /** Name of the group. */
  name: string;
  /** Purpose of the group. */
  description?: string | undefined;
  /** Metrics of the group in their order, each once. */
  metricIds: string[];
};

/** Request body of updateMetric. */
export type UpdateMetricBody = {
  /** Name of the metric, shown beside its scores. */
  name?: string | undefined;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
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
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name?: string | undefined;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
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
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
  /** Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none. */
  criteria?: {
    /** Criteria of each record: texts, or objects. Default: none. */
    items?: Array<string | {
      /** Default: made of the text. */
      id?: string | undefined;
      /** What the record must do, as one question with a yes or a no. */
      text: string;
      /** Weight in the share. A criterion with a negative weight takes from the share when it is met; at least one has a positive weight. */
      weight?: number | undefined;
      /** Whether the score is 0 when it is not met. */
      mustPass?: boolean | undefined;
    }> | undefined;
    /** Whether each testcase adds its own criteria, in `expected.criteria`: a list of texts, or of objects like `items`. The same id in several testcases is the same criterion. */
    fromExpected?: boolean | undefined;
    /** Whether the judge is asked about each criterion by itself: one call each, so that no criterion colours another. */
    isolate?: boolean | undefined;
  } | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name?: string | undefined;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "boolean";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate?: string | undefined;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name?: string | undefined;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "ai";
  /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
  outputType: "category";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate?: string | undefined;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** The labels that the metric gives. A change makes a new configuration; existing scores keep theirs. */
  labels?: {
    /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
    items: string[];
    /** The labels that pass: at least one, and not all. */
    passing: string[];
    /** Whether the labels go from worst to best. Default: false. */
    ordered?: boolean | undefined;
  } | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name?: string | undefined;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "int";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name?: string | undefined;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "float";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
  /** Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none. */
  criteria?: {
    /** Criteria of each record: texts, or objects. Default: none. */
    items?: Array<string | {
      /** Default: made of the text. */
      id?: string | undefined;
      /** What the record must do, as one question with a yes or a no. */
      text: string;
      /** Weight in the share. A criterion with a negative weight takes from the share when it is met; at least one has a positive weight. */
      weight?: number | undefined;
      /** Whether the score is 0 when it is not met. */
      mustPass?: boolean | undefined;
    }> | undefined;
    /** Whether each testcase adds its own criteria, in `expected.criteria`: a list of texts, or of objects like `items`. The same id in several testcases is the same criterion. */
    fromExpected?: boolean | undefined;
    /** Whether the judge is asked about each criterion by itself: one call each, so that no criterion colours another. */
    isolate?: boolean | undefined;
  } | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name?: string | undefined;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "boolean";
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name?: string | undefined;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
  outputType: "category";
  /** The labels that the metric gives. A change makes a new configuration; existing scores keep theirs. */
  labels?: {
    /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
    items: string[];
    /** The labels that pass: at least one, and not all. */
    passing: string[];
    /** Whether the labels go from worst to best. Default: false. */
    ordered?: boolean | undefined;
  } | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name?: string | undefined;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "int";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name?: string | undefined;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "float";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name?: string | undefined;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "boolean";
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name?: string | undefined;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
  outputType: "category";
  /** The labels that the metric gives. A change makes a new configuration; existing scores keep theirs. */
  labels?: {
    /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
    items: string[];
    /** The labels that pass: at least one, and not all. */
    passing: string[];
    /** Whether the labels go from worst to best. Default: false. */
    ordered?: boolean | undefined;
  } | undefined;
};

/** Request body of updateMetricSettings. */
export type UpdateMetricSettingsBody = {
  /** How often the judge is asked about each record. The score is the majority or the median; every vote is kept. */
  judgeRepeats?: number | undefined;
  /** Models that judge in addition to evalModelName, each judgeRepeats times. The score is the majority or the median of all verdicts; each verdict is kept. */
  juryModelNames?: string[] | undefined;
  /** Human metric whose scores are the truth about a judge: the one that was set, else the only one of the project with the same guidelines and kind of score. Null if it is not known; then no rate is corrected. Set null to remove the setting. */
  peopleMetricId?: string | null | undefined;
  /** Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs. */
  numReviewers?: number | undefined;
  /** How the current score follows from theirs: the latest, or the majority (for integers and floats the median; with an even number, the lower of the two in the middle; for labels without an order the one of more than half). A metric with criteria has a majority on each criterion. */
  reviewRule?: "latest" | "majority" | undefined;
};

/** Query parameters of listMetricVersions. */
export type ListMetricVersionsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of draftCriteria. */
export type DraftCriteriaBody = {
  /** What a good answer is, such as the guidelines of the metric. */
  guidelines?: string | undefined;
  /** Run whose failures show what goes wrong: 20 of them, spread over the newest 500. */
  runId?: string | undefined;
  /** Metric whose failures count; default those of any metric of the run. */
  metricId?: string | undefined;
  /** Texts of criteria that there are: the model writes others, and repetitions are marked. */
  criteria?: string[] | undefined;
  /** Most criteria to write. */
  numCriteria?: number | undefined;
  /** Model that writes them; default the model of judges. */
  modelName?: string | undefined;
  /** Whether only the cost is estimated, and no model is asked. */
  dryRun?: boolean | undefined;
};

/** Query parameters of listMetrics. */
export type ListMetricsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createMetric. */
export type CreateMetricBody = {
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
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
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
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
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
  /** Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none. */
  criteria?: {
    /** Criteria of each record: texts, or objects. Default: none. */
    items?: Array<string | {
      /** Default: made of the text. */
      id?: string | undefined;
      /** What the record must do, as one question with a yes or a no. */
      text: string;
      /** Weight in the share. A criterion with a negative weight takes from the share when it is met; at least one has a positive weight. */
      weight?: number | undefined;
      /** Whether the score is 0 when it is not met. */
      mustPass?: boolean | undefined;
    }> | undefined;
    /** Whether each testcase adds its own criteria, in `expected.criteria`: a list of texts, or of objects like `items`. The same id in several testcases is the same criterion. */
    fromExpected?: boolean | undefined;
    /** Whether the judge is asked about each criterion by itself: one call each, so that no criterion colours another. */
    isolate?: boolean | undefined;
  } | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "boolean";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "ai";
  /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
  outputType: "category";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** The labels that the metric gives. A change makes a new configuration; existing scores keep theirs. */
  labels: {
    /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
    items: string[];
    /** The labels that pass: at least one, and not all. */
    passing: string[];
    /** Whether the labels go from worst to best. Default: false. */
    ordered?: boolean | undefined;
  };
} | {
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "int";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "float";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
  /** Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none. */
  criteria?: {
    /** Criteria of each record: texts, or objects. Default: none. */
    items?: Array<string | {
      /** Default: made of the text. */
      id?: string | undefined;
      /** What the record must do, as one question with a yes or a no. */
      text: string;
      /** Weight in the share. A criterion with a negative weight takes from the share when it is met; at least one has a positive weight. */
      weight?: number | undefined;
      /** Whether the score is 0 when it is not met. */
      mustPass?: boolean | undefined;
    }> | undefined;
    /** Whether each testcase adds its own criteria, in `expected.criteria`: a list of texts, or of objects like `items`. The same id in several testcases is the same criterion. */
    fromExpected?: boolean | undefined;
    /** Whether the judge is asked about each criterion by itself: one call each, so that no criterion colours another. */
    isolate?: boolean | undefined;
  } | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "boolean";
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
  outputType: "category";
  /** The labels that the metric gives. A change makes a new configuration; existing scores keep theirs. */
  labels: {
    /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
    items: string[];
    /** The labels that pass: at least one, and not all. */
    passing: string[];
    /** Whether the labels go from worst to best. Default: false. */
    ordered?: boolean | undefined;
  };
} | {
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "int";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "float";
  /** Lowest score that passes. */
  passingThreshold?: number | undefined;
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "boolean";
  /** Search of the spans to score, as in the metric. null: the metric scores records. */
  spans?: string | null | undefined;
} | {
  /** Name of the metric, shown beside its scores. */
  name: string;
  /** Purpose of the metric. */
  description?: string | null | undefined;
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
  outputType: "category";
  /** The labels that the metric gives. A change makes a new configuration; existing scores keep theirs. */
  labels: {
    /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
    items: string[];
    /** The labels that pass: at least one, and not all. */
    passing: string[];
    /** Whether the labels go from worst to best. Default: false. */
    ordered?: boolean | undefined;
  };
};

/** Request body of previewMetric. */
export type PreviewMetricBody = {
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "int";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Record of the project to score. Either this or `record`. */
  recordId?: string | undefined;
  /** A record to score that is not in the project. */
  record?: {
    /** Input of the system. */
    inputs?: JsonObject | undefined;
    /** Output of the system. */
    outputs?: JsonObject | undefined;
    /** Expected output. */
    expected?: JsonObject | undefined;
    /** The parts of its trace that metrics read. */
    trace?: {
      /** Spans. */
      trace?: unknown[] | undefined;
      /** Messages. */
      conversation?: unknown[] | undefined;
      /** Tool calls. */
      toolCalls?: unknown[] | undefined;
    } | undefined;
  } | undefined;
  /** Search of spans: one of those of the record that it chooses is scored. */
  spans?: string | undefined;
  /** The span to score. Default: the first that `spans` chooses. */
  spanId?: string | undefined;
  /** Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses. */
  traceId?: string | undefined;
  /** Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none. */
  metricId?: string | undefined;
  /** Models that judge the record beside evalModelName. */
  juryModelNames?: string[] | undefined;
} | {
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "float";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Record of the project to score. Either this or `record`. */
  recordId?: string | undefined;
  /** A record to score that is not in the project. */
  record?: {
    /** Input of the system. */
    inputs?: JsonObject | undefined;
    /** Output of the system. */
    outputs?: JsonObject | undefined;
    /** Expected output. */
    expected?: JsonObject | undefined;
    /** The parts of its trace that metrics read. */
    trace?: {
      /** Spans. */
      trace?: unknown[] | undefined;
      /** Messages. */
      conversation?: unknown[] | undefined;
      /** Tool calls. */
      toolCalls?: unknown[] | undefined;
    } | undefined;
  } | undefined;
  /** Search of spans: one of those of the record that it chooses is scored. */
  spans?: string | undefined;
  /** The span to score. Default: the first that `spans` chooses. */
  spanId?: string | undefined;
  /** Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses. */
  traceId?: string | undefined;
  /** Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none. */
  criteria?: {
    /** Criteria of each record: texts, or objects. Default: none. */
    items?: Array<string | {
      /** Default: made of the text. */
      id?: string | undefined;
      /** What the record must do, as one question with a yes or a no. */
      text: string;
      /** Weight in the share. A criterion with a negative weight takes from the share when it is met; at least one has a positive weight. */
      weight?: number | undefined;
      /** Whether the score is 0 when it is not met. */
      mustPass?: boolean | undefined;
    }> | undefined;
    /** Whether each testcase adds its own criteria, in `expected.criteria`: a list of texts, or of objects like `items`. The same id in several testcases is the same criterion. */
    fromExpected?: boolean | undefined;
    /** Whether the judge is asked about each criterion by itself: one call each, so that no criterion colours another. */
    isolate?: boolean | undefined;
  } | null | undefined;
  /** Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none. */
  metricId?: string | undefined;
  /** Models that judge the record beside evalModelName. */
  juryModelNames?: string[] | undefined;
} | {
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "ai";
  /** Kind of score. */
  outputType: "boolean";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Record of the project to score. Either this or `record`. */
  recordId?: string | undefined;
  /** A record to score that is not in the project. */
  record?: {
    /** Input of the system. */
    inputs?: JsonObject | undefined;
    /** Output of the system. */
    outputs?: JsonObject | undefined;
    /** Expected output. */
    expected?: JsonObject | undefined;
    /** The parts of its trace that metrics read. */
    trace?: {
      /** Spans. */
      trace?: unknown[] | undefined;
      /** Messages. */
      conversation?: unknown[] | undefined;
      /** Tool calls. */
      toolCalls?: unknown[] | undefined;
    } | undefined;
  } | undefined;
  /** Search of spans: one of those of the record that it chooses is scored. */
  spans?: string | undefined;
  /** The span to score. Default: the first that `spans` chooses. */
  spanId?: string | undefined;
  /** Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses. */
  traceId?: string | undefined;
  /** Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none. */
  metricId?: string | undefined;
  /** Models that judge the record beside evalModelName. */
  juryModelNames?: string[] | undefined;
} | {
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "ai";
  /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
  outputType: "category";
  /** Prompt for the judge, with placeholders like {{outputs.answer}}. */
  promptTemplate: string;
  /** Model that judges. */
  evalModelName?: string | undefined;
  /** Temperature of the judge. */
  temperature?: number | undefined;
  /** Record of the project to score. Either this or `record`. */
  recordId?: string | undefined;
  /** A record to score that is not in the project. */
  record?: {
    /** Input of the system. */
    inputs?: JsonObject | undefined;
    /** Output of the system. */
    outputs?: JsonObject | undefined;
    /** Expected output. */
    expected?: JsonObject | undefined;
    /** The parts of its trace that metrics read. */
    trace?: {
      /** Spans. */
      trace?: unknown[] | undefined;
      /** Messages. */
      conversation?: unknown[] | undefined;
      /** Tool calls. */
      toolCalls?: unknown[] | undefined;
    } | undefined;
  } | undefined;
  /** The labels that the metric gives. A change makes a new configuration; existing scores keep theirs. */
  labels: {
    /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
    items: string[];
    /** The labels that pass: at least one, and not all. */
    passing: string[];
    /** Whether the labels go from worst to best. Default: false. */
    ordered?: boolean | undefined;
  };
  /** Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none. */
  metricId?: string | undefined;
  /** Models that judge the record beside evalModelName. */
  juryModelNames?: string[] | undefined;
} | {
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "int";
  /** Record of the project to score. Either this or `record`. */
  recordId?: string | undefined;
  /** A record to score that is not in the project. */
  record?: {
    /** Input of the system. */
    inputs?: JsonObject | undefined;
    /** Output of the system. */
    outputs?: JsonObject | undefined;
    /** Expected output. */
    expected?: JsonObject | undefined;
    /** The parts of its trace that metrics read. */
    trace?: {
      /** Spans. */
      trace?: unknown[] | undefined;
      /** Messages. */
      conversation?: unknown[] | undefined;
      /** Tool calls. */
      toolCalls?: unknown[] | undefined;
    } | undefined;
  } | undefined;
  /** Search of spans: one of those of the record that it chooses is scored. */
  spans?: string | undefined;
  /** The span to score. Default: the first that `spans` chooses. */
  spanId?: string | undefined;
  /** Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses. */
  traceId?: string | undefined;
} | {
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "float";
  /** Record of the project to score. Either this or `record`. */
  recordId?: string | undefined;
  /** A record to score that is not in the project. */
  record?: {
    /** Input of the system. */
    inputs?: JsonObject | undefined;
    /** Output of the system. */
    outputs?: JsonObject | undefined;
    /** Expected output. */
    expected?: JsonObject | undefined;
    /** The parts of its trace that metrics read. */
    trace?: {
      /** Spans. */
      trace?: unknown[] | undefined;
      /** Messages. */
      conversation?: unknown[] | undefined;
      /** Tool calls. */
      toolCalls?: unknown[] | undefined;
    } | undefined;
  } | undefined;
  /** Search of spans: one of those of the record that it chooses is scored. */
  spans?: string | undefined;
  /** The span to score. Default: the first that `spans` chooses. */
  spanId?: string | undefined;
  /** Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses. */
  traceId?: string | undefined;
} | {
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score. */
  outputType: "boolean";
  /** Record of the project to score. Either this or `record`. */
  recordId?: string | undefined;
  /** A record to score that is not in the project. */
  record?: {
    /** Input of the system. */
    inputs?: JsonObject | undefined;
    /** Output of the system. */
    outputs?: JsonObject | undefined;
    /** Expected output. */
    expected?: JsonObject | undefined;
    /** The parts of its trace that metrics read. */
    trace?: {
      /** Spans. */
      trace?: unknown[] | undefined;
      /** Messages. */
      conversation?: unknown[] | undefined;
      /** Tool calls. */
      toolCalls?: unknown[] | undefined;
    } | undefined;
  } | undefined;
  /** Search of spans: one of those of the record that it chooses is scored. */
  spans?: string | undefined;
  /** The span to score. Default: the first that `spans` chooses. */
  spanId?: string | undefined;
  /** Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses. */
  traceId?: string | undefined;
} | {
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "human";
  /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
  outputType: "category";
  /** Record of the project to score. Either this or `record`. */
  recordId?: string | undefined;
  /** A record to score that is not in the project. */
  record?: {
    /** Input of the system. */
    inputs?: JsonObject | undefined;
    /** Output of the system. */
    outputs?: JsonObject | undefined;
    /** Expected output. */
    expected?: JsonObject | undefined;
    /** The parts of its trace that metrics read. */
    trace?: {
      /** Spans. */
      trace?: unknown[] | undefined;
      /** Messages. */
      conversation?: unknown[] | undefined;
      /** Tool calls. */
      toolCalls?: unknown[] | undefined;
    } | undefined;
  } | undefined;
  /** The labels that the metric gives. A change makes a new configuration; existing scores keep theirs. */
  labels: {
    /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
    items: string[];
    /** The labels that pass: at least one, and not all. */
    passing: string[];
    /** Whether the labels go from worst to best. Default: false. */
    ordered?: boolean | undefined;
  };
} | {
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "int";
  /** Record of the project to score. Either this or `record`. */
  recordId?: string | undefined;
  /** A record to score that is not in the project. */
  record?: {
    /** Input of the system. */
    inputs?: JsonObject | undefined;
    /** Output of the system. */
    outputs?: JsonObject | undefined;
    /** Expected output. */
    expected?: JsonObject | undefined;
    /** The parts of its trace that metrics read. */
    trace?: {
      /** Spans. */
      trace?: unknown[] | undefined;
      /** Messages. */
      conversation?: unknown[] | undefined;
      /** Tool calls. */
      toolCalls?: unknown[] | undefined;
    } | undefined;
  } | undefined;
  /** Search of spans: one of those of the record that it chooses is scored. */
  spans?: string | undefined;
  /** The span to score. Default: the first that `spans` chooses. */
  spanId?: string | undefined;
  /** Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses. */
  traceId?: string | undefined;
} | {
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "float";
  /** Record of the project to score. Either this or `record`. */
  recordId?: string | undefined;
  /** A record to score that is not in the project. */
  record?: {
    /** Input of the system. */
    inputs?: JsonObject | undefined;
    /** Output of the system. */
    outputs?: JsonObject | undefined;
    /** Expected output. */
    expected?: JsonObject | undefined;
    /** The parts of its trace that metrics read. */
    trace?: {
      /** Spans. */
      trace?: unknown[] | undefined;
      /** Messages. */
      conversation?: unknown[] | undefined;
      /** Tool calls. */
      toolCalls?: unknown[] | undefined;
    } | undefined;
  } | undefined;
  /** Search of spans: one of those of the record that it chooses is scored. */
  spans?: string | undefined;
  /** The span to score. Default: the first that `spans` chooses. */
  spanId?: string | undefined;
  /** Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses. */
  traceId?: string | undefined;
} | {
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score. */
  outputType: "boolean";
  /** Record of the project to score. Either this or `record`. */
  recordId?: string | undefined;
  /** A record to score that is not in the project. */
  record?: {
    /** Input of the system. */
    inputs?: JsonObject | undefined;
    /** Output of the system. */
    outputs?: JsonObject | undefined;
    /** Expected output. */
    expected?: JsonObject | undefined;
    /** The parts of its trace that metrics read. */
    trace?: {
      /** Spans. */
      trace?: unknown[] | undefined;
      /** Messages. */
      conversation?: unknown[] | undefined;
      /** Tool calls. */
      toolCalls?: unknown[] | undefined;
    } | undefined;
  } | undefined;
  /** Search of spans: one of those of the record that it chooses is scored. */
  spans?: string | undefined;
  /** The span to score. Default: the first that `spans` chooses. */
  spanId?: string | undefined;
  /** Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses. */
  traceId?: string | undefined;
} | {
  /** ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text. */
  guidelines?: string | undefined;
  /** ai: a model scores. human: people score. heuristic: code or a client scores. */
  evalType: "heuristic";
  /** Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants. */
  outputType: "category";
  /** Record of the project to score. Either this or `record`. */
  recordId?: string | undefined;
  /** A record to score that is not in the project. */
  record?: {
    /** Input of the system. */
    inputs?: JsonObject | undefined;
    /** Output of the system. */
    outputs?: JsonObject | undefined;
    /** Expected output. */
    expected?: JsonObject | undefined;
    /** The parts of its trace that metrics read. */
    trace?: {
      /** Spans. */
      trace?: unknown[] | undefined;
      /** Messages. */
      conversation?: unknown[] | undefined;
      /** Tool calls. */
      toolCalls?: unknown[] | undefined;
    } | undefined;
  } | undefined;
  /** The labels that the metric gives. A change makes a new configuration; existing scores keep theirs. */
  labels: {
    /** The labels, 2 to 100. With an order, from worst to best. They differ in more than their case. */
    items: string[];
    /** The labels that pass: at least one, and not all. */
    passing: string[];
    /** Whether the labels go from worst to best. Default: false. */
    ordered?: boolean | undefined;
  };
};

/** Request body of updateMonitor. */
export type UpdateMonitorBody = {
  /** Name of the monitor. */
  name?: string | undefined;
  /** Metrics that score the drawn records, each with its configuration at that time. */
  metricIds?: string[] | undefined;
  /** Share of the matching records that is scored. A hash of the session id or trace id decides, so every monitor with this rate or a higher one draws the same record. */
  samplingRate?: number | undefined;
  /** Records that the monitor looks at: those with the tag, and with a span that matches the other fields. Empty: all records. */
  filter?: {
    /** Service of the span. */
    service?: string | undefined;
    /** Name of the span. */
    name?: string | undefined;
    /** Model of the span. */
    modelName?: string | undefined;
    /** true: at least one such span failed. false: none of them failed. */
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

/** Query parameters of listMonitors. */
export type ListMonitorsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createMonitor. */
export type CreateMonitorBody = {
  /** Name of the monitor. */
  name: string;
  /** Metrics that score the drawn records, each with its configuration at that time. */
  metricIds: string[];
  /** Share of the matching records that is scored. A hash of the session id or trace id decides, so every monitor with this rate or a higher one draws the same record. */
  samplingRate: number;
  /** Records that the monitor looks at: those with the tag, and with a span that matches the other fields. Empty: all records. */
  filter?: {
    /** Service of the span. */
    service?: string | undefined;
    /** Name of the span. */
    name?: string | undefined;
    /** Model of the span. */
    modelName?: string | undefined;
    /** true: at least one such span failed. false: none of them failed. */
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

/** Request body of upsertMonitor. */
export type UpsertMonitorBody = {
  /** Name of the monitor. A monitor of this name is changed, otherwise one is created. */
  description: string;
  /** Metrics that score the records. They replace those of an existing monitor. */
  metrics: string[];
  /** Records that the monitor looks at. Empty: all records. */
  filter?: {
    /** Service of a span of the record. */
    serviceName?: string | undefined;
  } | undefined;
};

/** Query parameters of listOrganizations. */
export type ListOrganizationsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createOrganization. */
export type CreateOrganizationBody = {
  /** Name of the organization. */
  name: string;
  /** E-mail address, unique in the organization. */
  adminEmail: string;
  /** Name of the person. */
  adminName?: string | undefined;
};

/** Request body of updateOrganization. */
export type UpdateOrganizationBody = {
  /** Name of the organization. */
  name: string;
};

/** Request body of createOperatorLink. */
export type CreateOperatorLinkBody = {
  /** E-mail address, unique in the organization. */
  email: string;
};

/** Query parameters of listPreferenceComparisons. */
export type ListPreferenceComparisonsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Only pairs on which two people, or people and the model, differ. A tie differs from a preference. Default: all pairs. */
  only?: "disagreements" | undefined;
};

/** Request body of updatePreferenceJudge. */
export type UpdatePreferenceJudgeBody = {
  /** Model that compares, such as `openai/gpt-4.1-mini`. */
  modelName: string;
  /** Budget of the model in US dollars. It stops there; only calls under way can exceed the budget. Default: no limit. */
  budgetUsd?: number | undefined;
};

/** Request body of submitPreference. */
export type SubmitPreferenceBody = {
  /** Number of the pair. */
  pairNumber: number;
  /** The better output, by the side on which you saw it, or `tie`. */
  choice: "left" | "right" | "tie";
  /** Reason for the choice. */
  comment?: string | undefined;
};

/** Query parameters of getPreferenceResult. */
export type GetPreferenceResultQuery = {
  /** Confidence level of every interval. */
  level?: number | undefined;
};

/** Query parameters of listPreferenceStudies. */
export type ListPreferenceStudiesQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createPreferenceStudy. */
export type CreatePreferenceStudyBody = {
  /** Name of the study. */
  name?: string | undefined;
  /** What makes an output the better one. People and the model read it. */
  criterion: string;
  /** Runs of the project on the same testcases, each once. */
  runIds: string[];
  /** Number of testcases to draw from those that all runs answered. */
  numTestcases?: number | undefined;
  /** Model that compares the pairs too. Default: only people compare. */
  judge?: {
    /** Model that compares, such as `openai/gpt-4.1-mini`. */
    modelName: string;
    /** Budget of the model in US dollars. It stops there; only calls under way can exceed the budget. Default: no limit. */
    budgetUsd?: number | undefined;
  } | undefined;
};

/** Request body of estimatePreferenceStudy. */
export type EstimatePreferenceStudyBody = {
  /** Name of the study. */
  name?: string | undefined;
  /** What makes an output the better one. People and the model read it. */
  criterion: string;
  /** Runs of the project on the same testcases, each once. */
  runIds: string[];
  /** Number of testcases to draw from those that all runs answered. */
  numTestcases?: number | undefined;
  /** Model that compares the pairs too. Default: only people compare. */
  judge?: {
    /** Model that compares, such as `openai/gpt-4.1-mini`. */
    modelName: string;
    /** Budget of the model in US dollars. It stops there; only calls under way can exceed the budget. Default: no limit. */
    budgetUsd?: number | undefined;
  } | undefined;
};

/** Query parameters of listProjects. */
export type ListProjectsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createProject. */
export type CreateProjectBody = {
  /** Name of the project. */
  name: string;
  /** Description of the project. */
  description: string;
  /** Key that an import tool chooses for its source. A second create with the same key returns the first project. */
  importKey?: string | undefined;
};

/** Request body of updateProject. */
export type UpdateProjectBody = {
  /** New name. */
  name?: string | null | undefined;
  /** New description. */
  description?: string | null | undefined;
};

/** Request body of askProject. */
export type AskProjectBody = {
  /** Question about the project. */
  question: string;
};

/** Query parameters of listCreators. */
export type ListCreatorsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Whose creators. */
  resource: "testsets" | "metrics" | "systems";
};

/** Request body of previewMasking. */
export type PreviewMaskingBody = {
  /** Settings to try. Default: those of the project. */
  settings?: {
    /** Built-in patterns to look for. */
    patterns: Array<"email" | "phone" | "creditCard" | "iban" | "ipAddress" | "secret">;
    /** Custom patterns, applied before the built-in ones. */
    custom: Array<{
      /** Name of the pattern. The match is replaced by this name in capitals: [NAME]. */
      name: string;
      /** Regular expression in the syntax of RE2, which always takes linear time. It must not match the empty text. */
      pattern: string;
    }>;
    /** Paths of fields whose values are replaced whole by [MASKED], such as inputs.user.email. The first part is inputs, outputs, expected, attributes or resource (of spans), jsonData (of testcases) or score. * is any key, ** any number of keys; lists count as their items. */
    fields: string[];
    /** Whether each token contains a keyed hash of the value that it replaces, such as [EMAIL:1a2b3c4d5e6f], so that equal values stay equal. */
    hashed: boolean;
    /** Whether testcases are masked too. */
    testcases: boolean;
    /** Whether comments of annotations, replies, preferences and the reasoning of scores by people are masked too. */
    comments: boolean;
  } | undefined;
  /** An object to mask. A path of a field begins at its first key, so put a record as {"inputs": {}, "outputs": {}}. */
  data: JsonObject;
};

/** Request body of upsertProjectMember. */
export type UpsertProjectMemberBody = {
  /** admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records. */
  role: "admin" | "member" | "annotator" | "viewer";
};

/** Query parameters of previewRetention. */
export type PreviewRetentionQuery = {
  /** Counts as if this were set. */
  recordDays?: number | undefined;
  /** Counts as if this were set. */
  traceDays?: number | undefined;
};

/** Request body of updateProjectSettings. */
export type UpdateProjectSettingsBody = {
  /** Whether only the project's members and the organization's admins see the project. */
  restricted?: boolean | undefined;
  /** Days after which records, with their scores and traces, are deleted; null: never. */
  recordDays?: number | null | undefined;
  /** Days after which traces, and the records created from them, are deleted; null: never. */
  traceDays?: number | null | undefined;
  /** Whether the texts and fields of records are indexed for search; null: from the first search on that needs the index. A search finds every record without the index too, but reads the records one by one. */
  searchIndex?: boolean | null | undefined;
  /** What the project replaces in data that arrives from now on. */
  masking?: {
    /** Built-in patterns to look for. */
    patterns: Array<"email" | "phone" | "creditCard" | "iban" | "ipAddress" | "secret">;
    /** Custom patterns, applied before the built-in ones. */
    custom: Array<{
      /** Name of the pattern. The match is replaced by this name in capitals: [NAME]. */
      name: string;
      /** Regular expression in the syntax of RE2, which always takes linear time. It must not match the empty text. */
      pattern: string;
    }>;
    /** Paths of fields whose values are replaced whole by [MASKED], such as inputs.user.email. The first part is inputs, outputs, expected, attributes or resource (of spans), jsonData (of testcases) or score. * is any key, ** any number of keys; lists count as their items. */
    fields: string[];
    /** Whether each token contains a keyed hash of the value that it replaces, such as [EMAIL:1a2b3c4d5e6f], so that equal values stay equal. */
    hashed: boolean;
    /** Whether testcases are masked too. */
    testcases: boolean;
    /** Whether comments of annotations, replies, preferences and the reasoning of scores by people are masked too. */
    comments: boolean;
  } | undefined;
};

/** Query parameters of listModelEndings. */
export type ListModelEndingsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query parameters of listProviders. */
export type ListProvidersQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createProvider. */
export type CreateProviderBody = {
  /** The part of an evalModelName before the slash: `ollama` for `ollama/gemma3`. */
  name: string;
  /** API of the provider. */
  kind: "openai" | "anthropic" | "google" | "azure" | "bedrock" | "openai-compatible";
  /** Base URL; default that of the public API; required for openai-compatible. */
  baseUrl?: string | undefined;
  /** API key. Stored encrypted and never shown. */
  apiKey?: string | undefined;
  /** azure: resourceName, apiVersion. bedrock: region, accessKeyId, secretAccessKey, sessionToken. openai: organization, project. Secret options are stored encrypted and never shown; an update without them keeps them. */
  options?: { [name: string]: string } | undefined;
  /** Maximum number of concurrent requests of one process. */
  maxConcurrency?: number | undefined;
  /** Maximum number of requests per minute of one process; null means no limit. */
  requestsPerMinute?: number | null | undefined;
  /** Prices of models by their name, in US dollars per million tokens: `{ "gemma3": { "input": 0.1, "output": 0.4 } }`. They override the price table of the server. */
  prices?: { [name: string]: {
  /** Price of a million tokens that the model reads. */
  input: number;
  /** Price of a million tokens that the model writes. */
  output: number;
  /** Price of a million tokens read from the cache. Default: input. */
  cachedInput?: number | undefined;
  /** Price of a million tokens stored in the cache. Default: input. */
  cacheWrite?: number | undefined;
  /** Price of a million tokens of sound that the model reads. Default: input. */
  audioInput?: number | undefined;
  /** Price of a million tokens of sound read from the cache. Default: cachedInput. */
  cachedAudioInput?: number | undefined;
  /** Price of a million tokens of sound that the model makes. Default: output. */
  audioOutput?: number | undefined;
} } | undefined;
  /** Longest reply of a judge in tokens, its thoughts included. Not sent to models that refuse it. */
  maxOutputTokens?: number | undefined;
  /** Time for one answer, in milliseconds: a verdict of a judge with the repair of an unreadable one, or the answer to any other question of the service. Systems under test have their own. */
  timeoutMs?: number | undefined;
};

/** Request body of updateProvider. */
export type UpdateProviderBody = {
  /** Base URL; null for the default. */
  baseUrl?: string | null | undefined;
  /** API key. Stored encrypted and never shown. */
  apiKey?: string | undefined;
  /** azure: resourceName, apiVersion. bedrock: region, accessKeyId, secretAccessKey, sessionToken. openai: organization, project. Secret options are stored encrypted and never shown; an update without them keeps them. */
  options?: { [name: string]: string } | undefined;
  /** Maximum number of concurrent requests of one process. */
  maxConcurrency?: number | undefined;
  /** Maximum number of requests per minute of one process; null means no limit. */
  requestsPerMinute?: number | null | undefined;
  /** Prices of models by their name, in US dollars per million tokens: `{ "gemma3": { "input": 0.1, "output": 0.4 } }`. They override the price table of the server. */
  prices?: { [name: string]: {
  /** Price of a million tokens that the model reads. */
  input: number;
  /** Price of a million tokens that the model writes. */
  output: number;
  /** Price of a million tokens read from the cache. Default: input. */
  cachedInput?: number | undefined;
  /** Price of a million tokens stored in the cache. Default: input. */
  cacheWrite?: number | undefined;
  /** Price of a million tokens of sound that the model reads. Default: input. */
  audioInput?: number | undefined;
  /** Price of a million tokens of sound read from the cache. Default: cachedInput. */
  cachedAudioInput?: number | undefined;
  /** Price of a million tokens of sound that the model makes. Default: output. */
  audioOutput?: number | undefined;
} } | undefined;
  /** Longest reply of a judge in tokens, its thoughts included. Not sent to models that refuse it. */
  maxOutputTokens?: number | undefined;
  /** Time for one answer, in milliseconds: a verdict of a judge with the repair of an unreadable one, or the answer to any other question of the service. Systems under test have their own. */
  timeoutMs?: number | undefined;
};

/** Request body of testProvider. */
export type TestProviderBody = {
  /** The model to ask, without the name of the provider. */
  modelName: string;
};

/** Query parameters of listProjectRecords. */
export type ListProjectRecordsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Number of records to skip. Skipping costs as much as reading them. To continue from there use cursor; with a cursor, offset is ignored. */
  offset?: number | undefined;
  /** Order: created, latency, cost, tokens or score and a metric, such as `score.Accuracy`; with a minus the greatest first. Default -created. Records without a value come last. Takes the place of `sort:` in q. */
  sort?: string | undefined;
  /** Search as typed in the search field, for example `score.Accuracy:<0.5 latency:>2s -error refund`. An unknown filter is a 400 with a suggestion. docs/searching.md lists the filters. */
  q?: string | undefined;
  /** Only records with all of these tags. Repeat the parameter or separate tags with commas. */
  tags?: string[] | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
  /** Metric that `result` refers to; default any metric. */
  metricId?: string | undefined;
  /** Only records with a score of this result. pass and fail are values; the rest are states. */
  result?: "pass" | "fail" | "pending" | "unscored" | "failed" | undefined;
  /** Only records assigned to this user. */
  assigneeUserId?: string | undefined;
  /** Only records with this text in a key, a string or a number of inputs, expected or outputs. Case does not matter. */
  text?: string | undefined;
  /** Only records created at this time or later. */
  createdAfter?: string | undefined;
  /** Only records created before this time. */
  createdBefore?: string | undefined;
};

/** Query parameters of groupProjectRecords. */
export type GroupProjectRecordsQuery = {
  /** What to group by, in the words of the search: a field such as `outputs.answer`, a score such as `score.Accuracy`, or tag, model, version, run, user, session, source, error or testcase. */
  by: string;
  /** Maximum number to read, newest first, 1 to 100000; `partial` says when some are left out. */
  newest?: number | undefined;
  /** Metric, by id or name, whose pass rate each group gets. */
  rateOf?: string | undefined;
  /** Maximum number of groups, 1 to 200: the largest. */
  most?: number | undefined;
  /** Search as typed in the search field, for example `score.Accuracy:<0.5 latency:>2s -error refund`. An unknown filter is a 400 with a suggestion. docs/searching.md lists the filters. */
  q?: string | undefined;
  /** Only records with all of these tags. Repeat the parameter or separate tags with commas. */
  tags?: string[] | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
  /** Metric that `result` refers to; default any metric. */
  metricId?: string | undefined;
  /** Only records with a score of this result. pass and fail are values; the rest are states. */
  result?: "pass" | "fail" | "pending" | "unscored" | "failed" | undefined;
  /** Only records assigned to this user. */
  assigneeUserId?: string | undefined;
  /** Only records with this text in a key, a string or a number of inputs, expected or outputs. Case does not matter. */
  text?: string | undefined;
  /** Only records created at this time or later. */
  createdAfter?: string | undefined;
  /** Only records created before this time. */
  createdBefore?: string | undefined;
};

/** Query parameters of getRecordHistogram. */
export type GetRecordHistogramQuery = {
  /** Maximum number of time intervals, 2 to 500. */
  buckets?: number | undefined;
  /** Search as typed in the search field, for example `score.Accuracy:<0.5 latency:>2s -error refund`. An unknown filter is a 400 with a suggestion. docs/searching.md lists the filters. */
  q?: string | undefined;
  /** Only records with all of these tags. Repeat the parameter or separate tags with commas. */
  tags?: string[] | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
  /** Metric that `result` refers to; default any metric. */
  metricId?: string | undefined;
  /** Only records with a score of this result. pass and fail are values; the rest are states. */
  result?: "pass" | "fail" | "pending" | "unscored" | "failed" | undefined;
  /** Only records assigned to this user. */
  assigneeUserId?: string | undefined;
  /** Only records with this text in a key, a string or a number of inputs, expected or outputs. Case does not matter. */
  text?: string | undefined;
  /** Only records created at this time or later. */
  createdAfter?: string | undefined;
  /** Only records created before this time. */
  createdBefore?: string | undefined;
};

/** Query parameters of listRecords. */
export type ListRecordsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Only records with all of these tags. Repeat the parameter or separate tags with commas. */
  tags?: string[] | undefined;
};

/** Request body of createRecord. */
export type CreateRecordBody = {
  /** Testcase that the record belongs to. */
  testcaseId?: string | undefined;
  /** Input of the system. */
  inputs: JsonObject;
  /** Expected output. */
  expected: JsonObject;
  /** Output of the system. */
  outputs: JsonObject;
  /** Id that links the record to a trace. A second create in the run with the same id returns the first record. An empty id means no link. */
  otelLinkId?: string | undefined;
  /** Session that the record belongs to. */
  sessionId?: string | undefined;
};

/** Request body of createRecords. */
export type CreateRecordsBody = {
  /** The records, 1 to 1000. All are created or none. */
  items: Array<{
    /** Testcase that the record belongs to. */
    testcaseId?: string | undefined;
    /** Input of the system. */
    inputs: JsonObject;
    /** Expected output. */
    expected: JsonObject;
    /** Output of the system. */
    outputs: JsonObject;
    /** Id that links the record to a trace. A second create in the run with the same id returns the first record. An empty id means no link. */
    otelLinkId?: string | undefined;
    /** Session that the record belongs to. */
    sessionId?: string | undefined;
    /** Existing scores. They are stored with the record and not asked for again. */
    scores?: Array<{
      /** Configuration of the metric that gave the score. */
      metricConfigId: string;
      /** One of binaryScore, intScore and floatScore, with reasoning; categoryScore, a label, for a category metric. For a metric with criteria: `criteria: [{ id, met, reason, quote }]`, from which floatScore is computed. All scores of a record have at most 100 MB. */
      score: JsonObject;
      /** Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge. */
      madeBy?: "person" | "client" | "model" | undefined;
    }> | undefined;
  }>;
};

/** Query parameters of listReviewDisagreements. */
export type ListReviewDisagreementsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
};

/** Request body of assignReviews. */
export type AssignReviewsBody = {
  /** People who get the records, in turn. Empty: with `fromUserId`, the records are then for anyone. */
  userIds: string[];
  /** Number of these people who get each record. */
  numPerRecord?: number | undefined;
  /** Reassigns the records of this user that still wait for their score. Without it, only records without an assigned user are assigned. */
  fromUserId?: string | undefined;
  /** Maximum number of records, oldest first. */
  maxRecords?: number | undefined;
};

/** Query parameters of assignReviews. */
export type AssignReviewsQuery = {
  /** Only records whose score for this metric is pending. */
  metricId?: string | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
};

/** Query parameters of leaveReviews. */
export type LeaveReviewsQuery = {
  /** Only records whose score for this metric is pending. */
  metricId?: string | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
  /** Only this record. */
  recordId?: string | undefined;
};

/** Query parameters of nextReview. */
export type NextReviewQuery = {
  /** Only records whose score for this metric is pending. */
  metricId?: string | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
};

/** Query parameters of getReviewProgress. */
export type GetReviewProgressQuery = {
  /** Only records whose score for this metric is pending. */
  metricId?: string | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
};

/** Query parameters of undoReview. */
export type UndoReviewQuery = {
  /** Only records whose score for this metric is pending. */
  metricId?: string | undefined;
  /** Only records of this run. */
  runId?: string | undefined;
};

/** Request body of submitReviews. */
export type SubmitReviewsBody = {
  /** Your score by each metric. */
  reviews: Array<{
    /** Configuration of the metric. */
    metricConfigId: string;
    /** The value field of the metric (binaryScore, intScore, floatScore or categoryScore), with reasoning. */
    score: JsonObject;
    /** Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge. */
    madeBy?: "person" | "client" | "model" | undefined;
  }>;
  /** Configurations by which you skip the record. */
  skip?: string[] | undefined;
  /** Whether your earlier reviews of the record may be replaced. false: the answer is 409 if there is one by these metrics. */
  replace?: boolean | undefined;
};

/** Request body of submitReview. */
export type SubmitReviewBody = {
  /** The value field of the metric (binaryScore, intScore, floatScore or categoryScore), with reasoning. */
  score: JsonObject;
  /** Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge. */
  madeBy?: "person" | "client" | "model" | undefined;
};

/** Query parameters of listSampledRecords. */
export type ListSampledRecordsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query parameters of listReviewSamples. */
export type ListReviewSamplesQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createReviewSample. */
export type CreateReviewSampleBody = {
  /** Human metric whose queue is filled, with its current configuration. */
  metricId: string;
  /** Number of records in the sample. Either this or share. */
  size?: number | undefined;
  /** Share of the run's records in the sample, rounded up. Either this or size. */
  share?: number | undefined;
  /** Seed of the sample: the records of a stratum are drawn in the order of the SHA-256 of "<seed> <record id>". */
  seed?: number | undefined;
  /** What defines the strata: one of the four. */
  stratifyBy?: {
    /** Two strata: records with this tag and records without it. */
    tag?: string | undefined;
    /** One stratum for each value of this field of the inputs; a long value counts by its start. */
    inputField?: string | undefined;
    /** One stratum for each value of this field of the testcase's current data. */
    testcaseField?: string | undefined;
    /** Three strata by another metric: pass, fail, or no valid score yet. */
    metricId?: string | undefined;
  } | undefined;
  /** How the sample is divided among the strata: in proportion to their records, or as equally as possible. Each gets at least one record. */
  allocation?: "proportional" | "equal" | undefined;
};

/** Query parameters of listRunDetails. */
export type ListRunDetailsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Only runs with this origin. */
  origin?: string | undefined;
  /** Only runs with this mark. */
  mark?: string | undefined;
  /** Only runs that this gate decided about. */
  gate?: string | undefined;
  /** Only runs with this verdict of a gate; with `gate`, of that gate. */
  outcome?: "pass" | "worse" | "inconclusive" | "incomplete" | undefined;
  /** A search such as `testset:Mails tag:nightly prompt`: filters, and words that title, notes, tags, marks or origin contain. */
  q?: string | undefined;
  /** Only runs with this tag. */
  tag?: string | undefined;
  /** Only runs of this testset. */
  testsetId?: string | undefined;
  /** Only runs of this system. */
  systemId?: string | undefined;
  /** Only runs with this metric. */
  metricId?: string | undefined;
  /** Only runs with this status. */
  status?: "pending" | "awaiting_execution" | "running_execution" | "awaiting_scoring" | "running_scoring" | "awaiting_human_scoring" | "completed" | undefined;
  /** Only runs of this kind. */
  kind?: "evaluation" | "traces" | "trial" | undefined;
  /** true: only runs that have scores. */
  scored?: boolean | undefined;
};

/** Query parameters of listRuns. */
export type ListRunsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Only runs with this origin. */
  origin?: string | undefined;
  /** Only runs with this mark. */
  mark?: string | undefined;
  /** Only runs that this gate decided about. */
  gate?: string | undefined;
  /** Only runs with this verdict of a gate; with `gate`, of that gate. */
  outcome?: "pass" | "worse" | "inconclusive" | "incomplete" | undefined;
  /** A search such as `testset:Mails tag:nightly prompt`: filters, and words that title, notes, tags, marks or origin contain. */
  q?: string | undefined;
  /** Only runs with this tag. */
  tag?: string | undefined;
  /** Only runs of this testset. */
  testsetId?: string | undefined;
  /** Only runs of this system. */
  systemId?: string | undefined;
  /** Only runs with this metric. */
  metricId?: string | undefined;
  /** Only runs with this status. */
  status?: "pending" | "awaiting_execution" | "running_execution" | "awaiting_scoring" | "running_scoring" | "awaiting_human_scoring" | "completed" | undefined;
  /** Only runs of this kind. */
  kind?: "evaluation" | "traces" | "trial" | undefined;
  /** true: only runs that have scores. */
  scored?: boolean | undefined;
};

/** Request body of createRun. */
export type CreateRunBody = {
  /** Testset of the run. */
  testsetId?: string | null | undefined;
  /** Number of the snapshot of the testset that the run is about; default the testset as it is now, which then gets a snapshot. An older one needs execute. */
  snapshot?: number | undefined;
  /** Split of the testset that the run is about; default all testcases. */
  split?: string | undefined;
  /** Fresh testcases that the run takes: they join the testset before its snapshot, and are fresh for this run alone. Fewer if fewer wait. */
  fresh?: number | undefined;
  /** Version of the system under test. */
  systemVersionId?: string | null | undefined;
  /** Metrics that score each record, without duplicates. */
  metricIds: string[];
  /** Whether the service calls the system version with each testcase and creates the records (docs/executing-runs.md). */
  execute?: boolean | undefined;
  /** Budget for the judges of the run in US dollars; default no limit (docs/judges.md). */
  judgeBudgetUsd?: number | undefined;
  /** Number of trials of each testcase, with execute. */
  trials?: number | undefined;
  /** With execute, each record is a conversation with a simulated user (docs/simulating.md). */
  simulation?: {
    /** System version that plays the user: a prompt. Required without replayOf. */
    userVersionId?: string | undefined;
    /** Maximum number of replies of the system in one conversation. */
    maxTurns?: number | undefined;
    /** Simulation of the same testset whose user messages are sent again, word for word. No model plays the user. Required without userVersionId. */
    replayOf?: string | undefined;
  } | undefined;
  /** Name of the run; null or empty for none. `title` then says what the run is. */
  name?: string | null | undefined;
  /** Tags of the run. */
  tags?: string[] | undefined;
  /** Origin of the run, such as the tool and id of an import. Lists find the run by it. */
  origin?: string | undefined;
};

/** Request body of estimateRun. */
export type EstimateRunBody = {
  /** Metrics that would score, each once. */
  metricIds: string[];
  /** Testset whose testcases become records. */
  testsetId?: string | undefined;
  /** Number of the snapshot of the testset that the run is about; default the testset as it is now, which then gets a snapshot. An older one needs execute. */
  snapshot?: number | undefined;
  /** Split of the testset that the run is about; default all testcases. */
  split?: string | undefined;
  /** Number of trials of each testcase. */
  trials?: number | undefined;
  /** Number of records, if there is no testset. */
  numRecords?: number | undefined;
  /** Testcases that are not stored yet, in place of testsetId. */
  testcases?: JsonObject[] | undefined;
  /** System under test. With simulation, this or systemConfig is required; else it gives systemCostUsd. */
  systemVersionId?: string | undefined;
  /** Configuration of a system that is not stored yet, in place of systemVersionId. */
  systemConfig?: JsonObject | undefined;
  /** With execute, each record is a conversation with a simulated user (docs/simulating.md). */
  simulation?: {
    /** System version that plays the user: a prompt. Required without replayOf. */
    userVersionId?: string | undefined;
    /** Maximum number of replies of the system in one conversation. */
    maxTurns?: number | undefined;
    /** Simulation of the same testset whose user messages are sent again, word for word. No model plays the user. Required without userVersionId. */
    replayOf?: string | undefined;
  } | undefined;
  /** Prompt of a simulated user that is not stored yet, in place of userVersionId in simulation. */
  userConfig?: JsonObject | undefined;
};

/** Query parameters of groupProjectRuns. */
export type GroupProjectRunsQuery = {
  /** What to group by: testset, system, version, metric, tag, mark, gate, outcome, status, kind or origin. */
  by: string;
  /** Maximum number to read, newest first, 1 to 100000; `partial` says when some are left out. */
  newest?: number | undefined;
  /** Metric, by id or name, whose pass rate each group gets. */
  rateOf?: string | undefined;
  /** Maximum number of groups, 1 to 200: the largest. */
  most?: number | undefined;
  /** Only runs with this origin. */
  origin?: string | undefined;
  /** Only runs with this mark. */
  mark?: string | undefined;
  /** Only runs that this gate decided about. */
  gate?: string | undefined;
  /** Only runs with this verdict of a gate; with `gate`, of that gate. */
  outcome?: "pass" | "worse" | "inconclusive" | "incomplete" | undefined;
  /** A search such as `testset:Mails tag:nightly prompt`: filters, and words that title, notes, tags, marks or origin contain. */
  q?: string | undefined;
  /** Only runs with this tag. */
  tag?: string | undefined;
  /** Only runs of this testset. */
  testsetId?: string | undefined;
  /** Only runs of this system. */
  systemId?: string | undefined;
  /** Only runs with this metric. */
  metricId?: string | undefined;
  /** Only runs with this status. */
  status?: "pending" | "awaiting_execution" | "running_execution" | "awaiting_scoring" | "running_scoring" | "awaiting_human_scoring" | "completed" | undefined;
  /** Only runs of this kind. */
  kind?: "evaluation" | "traces" | "trial" | undefined;
  /** true: only runs that have scores. */
  scored?: boolean | undefined;
};

/** Request body of cancelRun. */
export type CancelRunBody = {
  /** Only this kind of work. Default: all three. */
  of?: "executions" | "scores" | "proposals" | undefined;
  /** Only scores, or proposals, of this metric. Needs `of: scores` or `of: proposals`. */
  metricId?: string | undefined;
  /** Only the score of this record by `metricConfigId`. Needs `of: scores`. */
  recordId?: string | undefined;
  /** Only the score of `recordId` by this configuration of a metric. */
  metricConfigId?: string | undefined;
  /** Only proposals of this rescoring of `metricId`. Needs `of: proposals`. */
  trialNumber?: number | undefined;
};

/** Request body of updateRunDetails. */
export type UpdateRunDetailsBody = {
  /** Name of the run; null or empty for none. `title` then says what the run is. */
  name?: string | null | undefined;
  /** Tags of the run. */
  tags?: string[] | undefined;
  /** Marks of the run. The newest run with a mark is the baseline latest:MARK of later runs. */
  marks?: string[] | undefined;
  /** Notes on the run. */
  notes?: string | undefined;
  /** Budget in US dollars for all verdicts since the start of the run; null removes the limit. Scores that wait for a higher budget continue. */
  judgeBudgetUsd?: number | null | undefined;
};

/** Request body of addRunMetrics. */
export type AddRunMetricsBody = {
  /** Metrics of the project, without duplicates. Metrics that the run already has stay as they are. */
  metricIds: string[];
};

/** Request body of retryRun. */
export type RetryRunBody = {
  /** Only this kind of work. Default: all three. */
  of?: "executions" | "scores" | "proposals" | undefined;
  /** Only scores, or proposals, of this metric. Needs `of: scores` or `of: proposals`. */
  metricId?: string | undefined;
  /** Only the score of this record by `metricConfigId`. Needs `of: scores`. */
  recordId?: string | undefined;
  /** Only the score of `recordId` by this configuration of a metric. */
  metricConfigId?: string | undefined;
  /** Only proposals of this rescoring of `metricId`. Needs `of: proposals`. */
  trialNumber?: number | undefined;
  /** Only scores in these states. Default: both. Needs `of: scores`. */
  states?: Array<"failed" | "unscored"> | undefined;
};

/** Request body of upsertRunVerdict. */
export type UpsertRunVerdictBody = {
  /** pass, worse, inconclusive (not enough data to decide) or incomplete (scores, testcases or labels are missing). */
  outcome: "pass" | "worse" | "inconclusive" | "incomplete";
  /** Run that it was compared with; null without one. */
  baselineRunId?: string | null | undefined;
  /** The runs that it was compared with, in words; null without one. */
  against?: string | null | undefined;
  /** The first rule that did not pass; null if all passed. */
  reason?: string | null | undefined;
  /** Mark that the run gets. Only with the outcome pass. */
  mark?: string | undefined;
};

/** Request body of createSchedule. */
export type CreateScheduleBody = {
  /** Name of the schedule, and of its runs. */
  name: string;
  /** Cron expression of five fields: minute, hour, day of the month, month, day of the week. `0 2 * * 1-5` is 02:00 from Monday to Friday. Two times must be at least 5 minutes apart. */
  cron: string;
  /** Time zone of the expression, by its IANA name such as Europe/Athens. */
  timeZone?: string | undefined;
  /** What the service starts. */
  task: {
    /** Starts a run that the service executes. */
    kind: "run";
    /** Testset of the run. */
    testsetId: string;
    /** Number of the snapshot that each run is about; default the testset as it is then. */
    snapshot?: number | undefined;
    /** Split of the testset that the run is about; default all testcases. */
    split?: string | undefined;
    /** System that is called, with the version that is then its production version. */
    systemId: string;
    /** Metrics that score each record. */
    metricIds: string[];
    /** Number of trials of each testcase; default 1. */
    trials?: number | undefined;
    /** Makes each record a conversation with a simulated user (docs/simulating.md). */
    simulation?: {
      /** System version that plays the user. It stays the same, so that results of different nights compare. */
      userVersionId: string;
      /** Maximum number of replies of the system in one conversation. */
      maxTurns?: number | undefined;
    } | undefined;
    /** Budget of the judges of each run in US dollars; default no limit. */
    judgeBudgetUsd?: number | undefined;
  } | {
    /** Starts a drift trial of a judge. */
    kind: "drift";
    /** Metric with pinned records. */
    metricId: string;
  };
  /** Whether nothing is started. */
  paused?: boolean | undefined;
};

/** Request body of updateSchedule. */
export type UpdateScheduleBody = {
  /** Name of the schedule, and of its runs. */
  name?: string | undefined;
  /** Cron expression of five fields: minute, hour, day of the month, month, day of the week. `0 2 * * 1-5` is 02:00 from Monday to Friday. Two times must be at least 5 minutes apart. */
  cron?: string | undefined;
  /** Time zone of the expression, by its IANA name such as Europe/Athens. */
  timeZone?: string | undefined;
  /** What the service starts. */
  task?: {
    /** Starts a run that the service executes. */
    kind: "run";
    /** Testset of the run. */
    testsetId: string;
    /** Number of the snapshot that each run is about; default the testset as it is then. */
    snapshot?: number | undefined;
    /** Split of the testset that the run is about; default all testcases. */
    split?: string | undefined;
    /** System that is called, with the version that is then its production version. */
    systemId: string;
    /** Metrics that score each record. */
    metricIds: string[];
    /** Number of trials of each testcase; default 1. */
    trials?: number | undefined;
    /** Makes each record a conversation with a simulated user (docs/simulating.md). */
    simulation?: {
      /** System version that plays the user. It stays the same, so that results of different nights compare. */
      userVersionId: string;
      /** Maximum number of replies of the system in one conversation. */
      maxTurns?: number | undefined;
    } | undefined;
    /** Budget of the judges of each run in US dollars; default no limit. */
    judgeBudgetUsd?: number | undefined;
  } | {
    /** Starts a drift trial of a judge. */
    kind: "drift";
    /** Metric with pinned records. */
    metricId: string;
  } | undefined;
  /** true: nothing is started until it is false again. */
  paused?: boolean | undefined;
  /** Makes it due at once. Its later times do not change. */
  runNow?: true | undefined;
};

/** Request body of upsertScore. */
export type UpsertScoreBody = {
  /** One of binaryScore, intScore and floatScore, with reasoning; categoryScore, a label, for a category metric. For a metric with criteria: `criteria: [{ id, met, reason, quote }]`, from which floatScore is computed. All scores of a record have at most 100 MB. */
  score?: JsonObject | undefined;
  /** Member who gave the score, with the score of a human metric only; default: the member of the key. It also counts as a review by this member. */
  userId?: string | undefined;
  /** Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge. */
  madeBy?: "person" | "client" | "model" | undefined;
};

/** Query parameters of getSpanScore. */
export type GetSpanScoreQuery = {
  /** Trace of the span. Needed only if two traces of the record have a span of this id. */
  traceId?: string | undefined;
};

/** Request body of upsertSpanScore. */
export type UpsertSpanScoreBody = {
  /** One of binaryScore, intScore and floatScore, with reasoning. */
  score: JsonObject;
  /** Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge. */
  madeBy?: "person" | "client" | "model" | undefined;
  /** Trace of the span. Needed only if two traces of the record have a span of this id. */
  traceId?: string | undefined;
};

/** Request body of upsertScores. */
export type UpsertScoresBody = {
  /** Scores of records of this run, or the reasons why they are missing, 1 to 1000. All are stored or none. */
  items: Array<{
    /** Id of the record. */
    recordId: string;
    /** Configuration of the metric that gave the score. */
    metricConfigId: string;
    /** One of binaryScore, intScore and floatScore, with reasoning; categoryScore, a label, for a category metric. For a metric with criteria: `criteria: [{ id, met, reason, quote }]`, from which floatScore is computed. All scores of a record have at most 100 MB. */
    score?: JsonObject | undefined;
    /** Why there is no score: the record is unscored. In place of score. */
    reason?: string | undefined;
    /** Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge. */
    madeBy?: "person" | "client" | "model" | undefined;
  }>;
};

/** Request body of updatePassword. */
export type UpdatePasswordBody = {
  /** The current password. */
  currentPassword: string;
  /** The new password, 10 to 200 characters. */
  newPassword: string;
};

/** Request body of getSignInLink. */
export type GetSignInLinkBody = {
  /** The part of a sign-in link after the #. */
  token: string;
};

/** Request body of redeemSignInLink. */
export type RedeemSignInLinkBody = {
  /** The part of a sign-in link after the #. */
  token: string;
  /** The new password, 10 to 200 characters. */
  password?: string | undefined;
  /** Name of the person. */
  name?: string | undefined;
  /** E-mail address, unique in the organization. */
  email?: string | undefined;
};

/** Request body of signIn. */
export type SignInBody = {
  /** E-mail address of the member. */
  email: string;
  /** Password of the member. */
  password: string;
};

/** Request body of switchOrganization. */
export type SwitchOrganizationBody = {
  /** Id of the organization to switch to. */
  organizationId: string;
  /** Whether to join it first, if its admins added you and you have not joined it yet. */
  join?: boolean | undefined;
};

/** Request body of simulateUser. */
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

/** Query parameters of listSystems. */
export type ListSystemsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of upsertSystem. */
export type UpsertSystemBody = {
  /** Description of the system. */
  description?: string | undefined;
  /** Name of the system, created if it does not exist. */
  name?: string | undefined;
  /** Configuration of this version: model, prompt, parameters; any JSON object. */
  config: JsonObject;
};

/** Request body of trySystem. */
export type TrySystemBody = {
  /** Configuration of the system, as of a version. Required without systemVersionId. */
  config?: JsonObject | undefined;
  /** Version of a system of the project. Required without config. */
  systemVersionId?: string | undefined;
  /** Testcase of the project that is sent to the system. Required without inputs. */
  testcaseId?: string | undefined;
  /** Inputs that are sent to the system. Required without testcaseId. */
  inputs?: JsonObject | undefined;
  /** Holds one conversation of a simulation. Fields of the testcase or inputs such as `persona` describe the user. */
  simulation?: {
    /** Configuration of the prompt that plays the user, as of a version. */
    userConfig: JsonObject;
    /** Maximum number of replies of the system. */
    maxTurns?: number | undefined;
  } | undefined;
};

/** Request body of updateSystem. */
export type UpdateSystemBody = {
  /** New name. Answers 409 if another system of the project has it. */
  name?: string | undefined;
  /** New description. */
  description?: string | undefined;
  /** Id of the new production version. */
  productionVersionId?: string | undefined;
};

/** Request body of upsertSystemLabel. */
export type UpsertSystemLabelBody = {
  /** Version of the system that the label points to from now on. */
  systemVersionId: string;
  /** Whether only admins of the project can move or remove the label from now on. Only they can change this. Default: unchanged. */
  protected?: boolean | undefined;
};

/** Query parameters of listSystemVersions. */
export type ListSystemVersionsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of upsertSystemVersion. */
export type UpsertSystemVersionBody = {
  /** Configuration of this version: model, prompt, parameters; any JSON object. */
  config: JsonObject;
  /** Name of the version; renames an existing version with this configuration. */
  name?: string | undefined;
  /** Why the version was made. */
  note?: string | undefined;
};

/** Query parameters of listProjectTags. */
export type ListProjectTagsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createRecordTag. */
export type CreateRecordTagBody = {
  /** The tag: 1 to 256 characters after trimming, without a comma. */
  text: string;
};

/** Query parameters of listTestsetDetails. */
export type ListTestsetDetailsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query parameters of listTestsets. */
export type ListTestsetsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createTestset. */
export type CreateTestsetBody = {
  /** Name of the testset. */
  name: string;
  /** Description of the testset. */
  description: string;
  /** JSON Schema that validates each testcase. `$schema` chooses draft 2020-12 or 2019-09; default draft 7. Drafts 4 and 6 are read as draft 7; `exclusiveMinimum: true`, `exclusiveMaximum: true` and a top-level `id` of draft 4 are refused. */
  jsonSchema: JsonObject;
  /** Meaning of the top-level fields of a testcase. */
  fieldMapping: {
    /** Fields of jsonData that the system gets. */
    inputs: string[];
    /** Fields of jsonData with the expected output. */
    expected: string[];
    /** Fields of jsonData that only describe the testcase. */
    metadata: string[];
  };
};

/** Request body of createTestcaseFromRecord. */
export type CreateTestcaseFromRecordBody = {
  /** Testset of the new testcase. */
  testsetId: string;
};

/** Query parameters of listSealedLooks. */
export type ListSealedLooksQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createSealedLook. */
export type CreateSealedLookBody = {
  /** Version of a system to look at. The service must be able to call it. */
  systemVersionId: string;
};

/** Request body of deleteTestcases. */
export type DeleteTestcasesBody = {
  /** Ids of the testcases to delete. All are deleted or none. */
  ids: string[];
  /** Whether their texts are erased from the snapshots of the testset too. By default, snapshots that have them keep them. */
  erase?: boolean | undefined;
};

/** Request body of updateTestcase. */
export type UpdateTestcaseBody = {
  /** The testcase as sent. */
  jsonData: JsonObject;
};

/** Request body of updateTestset. */
export type UpdateTestsetBody = {
  /** Name of the testset. */
  name?: string | undefined;
  /** Description of the testset. */
  description?: string | undefined;
  /** JSON Schema that validates each testcase. `$schema` chooses draft 2020-12 or 2019-09; default draft 7. Drafts 4 and 6 are read as draft 7; `exclusiveMinimum: true`, `exclusiveMaximum: true` and a top-level `id` of draft 4 are refused. */
  jsonSchema?: JsonObject | undefined;
  /** Meaning of the top-level fields of a testcase. */
  fieldMapping?: {
    /** Fields of jsonData that the system gets. */
    inputs: string[];
    /** Fields of jsonData with the expected output. */
    expected: string[];
    /** Fields of jsonData that only describe the testcase. */
    metadata: string[];
  } | undefined;
};

/** Request body of draftTestcases. */
export type DraftTestcasesBody = {
  /** Topic of the testcases. */
  description?: string | undefined;
  /** Records of the project, such as failures, that new testcases should be like. */
  recordIds?: string[] | undefined;
  /** Number of testcases. */
  numTestcases: number;
  /** Model that writes them; default the model of judges. */
  modelName?: string | undefined;
};

/** Query parameters of listFreshTestcases. */
export type ListFreshTestcasesQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createFreshTestcases. */
export type CreateFreshTestcasesBody = {
  /** The testcases, 1 to 100. */
  items: Array<{
    /** The testcase as sent. */
    jsonData: JsonObject;
  }>;
};

/** Request body of deleteFreshTestcases. */
export type DeleteFreshTestcasesBody = {
  /** Numbers of fresh testcases that wait. All are deleted or none. */
  numbers: number[];
};

/** Request body of drawFreshTestcases. */
export type DrawFreshTestcasesBody = {
  /** Number of testcases. */
  numTestcases?: number | undefined;
  /** Traffic of so many days. */
  days?: number | undefined;
  /** Seed of the draw. */
  seed?: number | undefined;
  /** Whether nothing is added: a preview. */
  dryRun?: boolean | undefined;
};

/** Query parameters of listSeals. */
export type ListSealsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createSeal. */
export type CreateSealBody = {
  /** Only these testcases. */
  ids?: string[] | undefined;
  /** A search such as `split:dev tag:hard data.lang:de refund`: filters, and words that jsonData contains (docs/searching.md). */
  q?: string | undefined;
  /** A drawn share of them, from 0 to 1. Testcases of one group stay together. */
  share?: number | undefined;
  /** Whether only testcases count that no record has. */
  unseen?: boolean | undefined;
  /** Makes the testcases of inputs of traced records, instead of testcases that exist. No one learns which were drawn. They have no expected output, so the metrics must do without. When the looks are spent, the next ones are drawn and sealed. */
  traffic?: {
    /** Records that are drawn, each with the same probability. */
    size: number;
    /** Days that the traffic is drawn from. */
    days?: number | undefined;
  } | undefined;
  /** Seed of the draw. */
  seed?: number | undefined;
  /** Version of a system that later ones are compared with. The service must be able to call it. */
  baselineVersionId: string;
  /** Metrics that decide, with their configurations of now: judges and code. People would see the testcases. */
  metricIds: string[];
  /** Chance that any look errs, at most. Look t has t^-1.5 of it, divided by 2.612. */
  alpha?: number | undefined;
  /** Looks until the split opens. */
  maxLooks?: number | undefined;
  /** Loss that a version may have and still pass, such as 0.02. With 0 it passes only if it is shown to be better. */
  margin?: number | undefined;
  /** Split that the testcases get when they open. */
  split?: string | undefined;
};

/** Request body of updateTestsetSettings. */
export type UpdateTestsetSettingsBody = {
  /** Top-level field of jsonData. Testcases with the same value form a group; one without the field is its own group. Null: no groups. */
  groupingField?: string | null | undefined;
  /** Which split a testcase gets that has none. The first rule that fits decides. Setting them splits the testcases that have no split; later ones get theirs when they are created. */
  splitRules?: Array<{
    /** Name of the split, such as dev or test. */
    split: string;
    /** A search such as `split:dev tag:hard data.lang:de refund`: filters, and words that jsonData contains (docs/searching.md). */
    q?: string | undefined;
    /** Share of the testcases. It is drawn by the group of a testcase, so that no group is in two splits; the shares of the rules are of different testcases. */
    share?: number | undefined;
  }> | undefined;
};

/** Query parameters of listSnapshots. */
export type ListSnapshotsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Request body of createSnapshot. */
export type CreateSnapshotBody = {
  /** Name of the snapshot; empty without one. */
  name?: string | undefined;
};

/** Request body of updateSnapshot. */
export type UpdateSnapshotBody = {
  /** Name of the snapshot; empty without one. */
  name: string;
};

/** Query parameters of listSnapshotDifferences. */
export type ListSnapshotDifferencesQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Number of the snapshot to compare with; default the testset as it is now. */
  against?: number | undefined;
  /** Only this testcase. */
  testcaseId?: string | undefined;
};

/** Query parameters of listTestcases. */
export type ListTestcasesQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** A search such as `split:dev tag:hard data.lang:de refund`: filters, and words that jsonData contains (docs/searching.md). */
  q?: string | undefined;
  /** Number of a snapshot: its testcases, as they were then. Default the testcases of now. */
  snapshot?: number | undefined;
};

/** Request body of createTestcases. */
export type CreateTestcasesBody = {
  /** The testcases, 1 to 100. */
  items: Array<{
    /** The testcase as sent. */
    jsonData: JsonObject;
    /** Name of the split, such as dev or test. */
    split?: string | undefined;
    /** Tags of the testcase. */
    tags?: string[] | undefined;
  }>;
};

/** Request body of updateTestcaseMarks. */
export type UpdateTestcaseMarksBody = {
  /** Only these testcases. */
  ids?: string[] | undefined;
  /** A search such as `split:dev tag:hard data.lang:de refund`: filters, and words that jsonData contains (docs/searching.md). */
  q?: string | undefined;
  /** A drawn share of them, from 0 to 1. */
  share?: number | undefined;
  /** Seed of the draw of the share. */
  seed?: number | undefined;
  /** Split that they get; null takes it away. */
  split?: string | null | undefined;
  /** Tags that they get. */
  addTags?: string[] | undefined;
  /** Tags that they lose. */
  removeTags?: string[] | undefined;
  /** Whether testcases are only counted, and none is changed. */
  dryRun?: boolean | undefined;
};

/** Query parameters of listTraceSessions. */
export type ListTraceSessionsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Only sessions of this user. */
  userId?: string | undefined;
};

/** Query parameters of listSpans. */
export type ListSpansQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Only spans of this trace. */
  traceId?: string | undefined;
  /** Only spans of this service. */
  service?: string | undefined;
  /** Only spans with this name. */
  name?: string | undefined;
  /** Only spans of this model. */
  modelName?: string | undefined;
  /** true: only spans without a parent, usually one in each trace. false: only the others. */
  root?: boolean | undefined;
  /** true: only spans that failed. false: only the others. */
  error?: boolean | undefined;
  /** Minimum duration in milliseconds. */
  minDurationMs?: number | undefined;
  /** Maximum duration in milliseconds. */
  maxDurationMs?: number | undefined;
  /** Only spans that started at this time or later. */
  startedAfter?: string | undefined;
  /** Only spans that started before this time. */
  startedBefore?: string | undefined;
};

/** Query parameters of listTraces. */
export type ListTracesQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Search as typed in the search field, for example `latency:>2s model:gpt-5 -error refund`. An unknown filter is a 400 with a suggestion. docs/searching.md lists the filters. */
  q?: string | undefined;
  /** Order: started, latency, cost, tokens or score and a metric, such as `score.Accuracy`; with a minus the greatest first. Default -started. Traces without a value come last. Takes the place of `sort:` in q. */
  sort?: string | undefined;
};

/** Query parameters of groupProjectTraces. */
export type GroupProjectTracesQuery = {
  /** What to group by: service, name, model, session, user or error of the trace, or what its record has: a field such as `outputs.answer`, a score such as `score.Accuracy`, tag or testcase. */
  by: string;
  /** Maximum number to read, newest first, 1 to 100000; `partial` says when some are left out. */
  newest?: number | undefined;
  /** Metric, by id or name, whose pass rate each group gets. */
  rateOf?: string | undefined;
  /** Maximum number of groups, 1 to 200: the largest. */
  most?: number | undefined;
  /** Search as typed in the search field, for example `latency:>2s model:gpt-5 -error refund`. An unknown filter is a 400 with a suggestion. docs/searching.md lists the filters. */
  q?: string | undefined;
};

/** Query parameters of getTraceConversation. */
export type GetTraceConversationQuery = {
  /** true: also the spans, with what each call used and answered. */
  spans?: boolean | undefined;
};

/** Query parameters of listTraceSpans. */
export type ListTraceSpansQuery = {
  /** Maximum number of spans, by start. `limit=1` shows whether there are any. */
  limit?: number | undefined;
};

/** Query parameters of listTraceUsers. */
export type ListTraceUsersQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
};

/** Query parameters of getRecordConversation. */
export type GetRecordConversationQuery = {
  /** true: also the spans, with what each call used and answered. */
  spans?: boolean | undefined;
};

/** Query parameters of listRecordSpans. */
export type ListRecordSpansQuery = {
  /** Maximum number of spans, by start. `limit=1` shows whether there are any. */
  limit?: number | undefined;
};

/** Request body of upsertPinnedSet. */
export type UpsertPinnedSetBody = {
  /** Source of the labels, as for the calibration. Default `metric`. */
  labels?: "metric" | "overrides" | "thumbs" | undefined;
  /** Metric by which people scored the same records. Default the human metric of the judge. A judge whose human metric is not known takes this one. */
  against?: string | undefined;
  /** Configuration of the reference; default the current one. */
  metricConfigId?: string | undefined;
  /** Maximum number of records. If more are labelled, a hash of their ids chooses. */
  size?: number | undefined;
  /** Whether the service starts drift trials itself: for each new configuration, and for each model that answers for the first time. */
  automatic?: boolean | undefined;
};

/** Request body of createTrial. */
export type CreateTrialBody = {
  /** Tests whether the judge in use still decides as before. */
  kind: "drift";
} | {
  /** Tests whether another judge decides alike. */
  kind: "succession";
  /** Candidates. A field that a candidate leaves out keeps the value of the metric. */
  candidates: Array<{
    /** Model that judges. */
    evalModelName?: string | undefined;
    /** Prompt for the judge. */
    promptTemplate?: string | undefined;
    /** How to score. */
    guidelines?: string | undefined;
    /** Temperature of the judge. */
    temperature?: number | undefined;
    /** How often the judge is asked. */
    judgeRepeats?: number | undefined;
  }>;
  /** Largest difference of pass rates that counts as none: among the records that people pass, and among the records that people fail. */
  margin?: number | undefined;
  /** Stored runs on which the candidates are tried too, at 100 testcases. Each is compared with the baseline of its last gate if that is listed, else with the first. */
  runIds?: string[] | undefined;
} | {
  /** Tests whether people agree more often with prompts made from disagreements. */
  kind: "alignment";
  /** Model that rewrites the guidelines, which may be the judge itself. Without it only examples are tried. */
  rewriterModelName?: string | undefined;
  /** Number of disagreements that one candidate shows as examples. */
  numExamples?: number | undefined;
  /** Seed that splits the labels by their inputs. A metric keeps the seed of its first alignment. */
  seed?: number | undefined;
  /** Prompts that a person wrote; then none are made, and the fields above must be left out. A field that a candidate leaves out keeps the value of the metric. Records without a verdict of the saved prompt are judged by it too. */
  candidates?: Array<{
    /** Model that judges. */
    evalModelName?: string | undefined;
    /** Prompt for the judge. */
    promptTemplate?: string | undefined;
    /** How to score. */
    guidelines?: string | undefined;
    /** Temperature of the judge. */
    temperature?: number | undefined;
    /** How often the judge is asked. */
    judgeRepeats?: number | undefined;
  }> | undefined;
  /** Only with candidates: labels on which they are tested. dev: labels for tuning, whose disagreements may be read; no candidate can be adopted. test: labels that are kept for the check. A calibration splits them in the same way. */
  split?: "dev" | "test" | undefined;
  /** Budget of all its verdicts in US dollars. What it does not reach stays pending, until it is raised for the runs of the trial or the trial is discarded. */
  budgetUsd?: number | undefined;
} | {
  /** Tests whether edits that keep the truth change the verdicts of a judge. */
  kind: "battery";
  /** Biases. Default all. padding: sentences without content. order: lists of the inputs and expectations, reversed. author: a name. authority: experts agree. format: Markdown as plain text, and plain text as Markdown. language: the author is not a native speaker. selfPreference: no edit; outputs of the judge’s own model against those of others that people judge alike. */
  edits?: Array<"padding" | "order" | "author" | "authority" | "format" | "language" | "selfPreference"> | undefined;
  /** Largest share of verdicts that an edit may change beyond a placebo, to be called clear. */
  margin?: number | undefined;
  /** Budget of all its verdicts in US dollars. What it does not reach stays pending, until it is raised for the runs of the trial or the trial is discarded. */
  budgetUsd?: number | undefined;
  /** Configuration of the metric that is tested, such as a candidate of a succession. Default the current one. */
  metricConfigId?: string | undefined;
} | {
  /** Scores a run again by one configuration and lists what would change. */
  kind: "rescoring";
  /** Run that the metric scores, by code or by a model. */
  runId: string;
  /** Configuration of the metric to score with; default the current one. */
  metricConfigId?: string | undefined;
  /** Records of the run to re-score; default all of them. */
  recordIds?: string[] | undefined;
  /** Re-score only this many records first, and estimate the rest. `extend` goes on with the other records; the sample is not scored twice. */
  sample?: {
    /** Number of records in the sample. */
    size: number;
    /** Seed of the sample. Records are drawn in the order of the SHA-256 of "<seed> <record id>", so the same seed gives the same sample. */
    seed?: number | undefined;
  } | undefined;
};

/** Request body of estimateTrial. */
export type EstimateTrialBody = {
  /** Tests whether edits that keep the truth change the verdicts of a judge. */
  kind: "battery";
  /** Biases. Default all. padding: sentences without content. order: lists of the inputs and expectations, reversed. author: a name. authority: experts agree. format: Markdown as plain text, and plain text as Markdown. language: the author is not a native speaker. selfPreference: no edit; outputs of the judge’s own model against those of others that people judge alike. */
  edits?: Array<"padding" | "order" | "author" | "authority" | "format" | "language" | "selfPreference"> | undefined;
  /** Largest share of verdicts that an edit may change beyond a placebo, to be called clear. */
  margin?: number | undefined;
  /** Budget of all its verdicts in US dollars. What it does not reach stays pending, until it is raised for the runs of the trial or the trial is discarded. */
  budgetUsd?: number | undefined;
  /** Configuration of the metric that is tested, such as a candidate of a succession. Default the current one. */
  metricConfigId?: string | undefined;
} | {
  /** Tests whether people agree more often with prompts made from disagreements. */
  kind: "alignment";
  /** Model that rewrites the guidelines, which may be the judge itself. Without it only examples are tried. */
  rewriterModelName?: string | undefined;
  /** Number of disagreements that one candidate shows as examples. */
  numExamples?: number | undefined;
  /** Seed that splits the labels by their inputs. A metric keeps the seed of its first alignment. */
  seed?: number | undefined;
  /** Prompts that a person wrote; then none are made, and the fields above must be left out. A field that a candidate leaves out keeps the value of the metric. Records without a verdict of the saved prompt are judged by it too. */
  candidates?: Array<{
    /** Model that judges. */
    evalModelName?: string | undefined;
    /** Prompt for the judge. */
    promptTemplate?: string | undefined;
    /** How to score. */
    guidelines?: string | undefined;
    /** Temperature of the judge. */
    temperature?: number | undefined;
    /** How often the judge is asked. */
    judgeRepeats?: number | undefined;
  }> | undefined;
  /** Only with candidates: labels on which they are tested. dev: labels for tuning, whose disagreements may be read; no candidate can be adopted. test: labels that are kept for the check. A calibration splits them in the same way. */
  split?: "dev" | "test" | undefined;
  /** Budget of all its verdicts in US dollars. What it does not reach stays pending, until it is raised for the runs of the trial or the trial is discarded. */
  budgetUsd?: number | undefined;
};

/** Query parameters of getTrial. */
export type GetTrialQuery = {
  /** Confidence level of every interval. */
  level?: number | undefined;
};

/** Query parameters of listTrialChanges. */
export type ListTrialChangesQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Only records that change in this way. */
  change?: "passToFail" | "failToPass" | "valueOnly" | "same" | "newlyScored" | "unscored" | "failed" | "givenSince" | "pending" | undefined;
  /** Only records on which people disagree with the saved or with the edited prompt. Not for rescorings. */
  disagreements?: boolean | undefined;
  /** Candidate of an alignment; default its first edited prompt. */
  metricConfigId?: string | undefined;
};

/** Request body of decideTrial. */
export type DecideTrialBody = {
  /** Makes a candidate the configuration of the metric: trends and comparisons are anchored across the switch. Or makes the proposals of a rescoring the scores of its run: the replaced ones become history; scores of people and clients stay. */
  decision: "adopted";
  /** Configuration of the candidate. A rescoring has only one and needs none. */
  metricConfigId?: string | undefined;
  /** Whether to adopt a candidate that the trial does not show to be a successor. */
  evenIfNotShown?: boolean | undefined;
} | {
  /** Ends the trial without a change of the metric or of a score. Its pending verdicts or proposals are dropped. */
  decision: "discarded";
};

/** Query parameters of listTrials. */
export type ListTrialsQuery = {
  /** Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB. */
  limit?: number | undefined;
  /** nextCursor of the previous page; absent or empty for the first page. */
  cursor?: string | undefined;
  /** Only trials of this metric. Either this or runId is required. */
  metricId?: string | undefined;
  /** Only rescorings of this run. */
  runId?: string | undefined;
  /** Only trials of these kinds. */
  kinds?: Array<"drift" | "succession" | "alignment" | "battery" | "rescoring"> | undefined;
  /** Confidence level of every interval. */
  level?: number | undefined;
};

/** Request body of createView. */
export type CreateViewBody = {
  /** Name of the view. */
  name: string;
  /** Whether all members see it, or only its author. */
  shared: boolean;
  /** The search as typed, for example `result:fail tag:"look again" refund`; empty finds all records. */
  search: string;
  /** Display settings: columns, their order and width, row height. */
  display: JsonObject;
};

/** Request body of updateView. */
export type UpdateViewBody = {
  /** Name of the view. */
  name?: string | undefined;
  /** Whether all members see it, or only its author. */
  shared?: boolean | undefined;
  /** The search as typed, for example `result:fail tag:"look again" refund`; empty finds all records. */
  search?: string | undefined;
  /** Display settings: columns, their order and width, row height. */
  display?: JsonObject | undefined;
};

/** Every operation of the API. The arguments are the ids in its path, its body and its query parameters. */
export interface Operations {
  /** List your API keys, oldest first. An admin gets the keys of all members. */
  listKeys(query?: ListKeysQuery, options?: CallOptions): List<ApiKey>;

  /** Create an API key for yourself. Only this answer shows the key. */
  createKey(body: CreateKeyBody, options?: CallOptions): Promise<ApiKeyCreated>;

  /** Delete an API key at once: your own or, as an admin, any key. */
  deleteKey(keyId: string, options?: CallOptions): Promise<Success>;

  /** Change, pause or resume an alert. Admins of the project only. */
  updateAlert(alertId: string, body: UpdateAlertBody, options?: CallOptions): Promise<Alert>;

  /** Delete an alert with its log. Admins of the project only. */
  deleteAlert(alertId: string, options?: CallOptions): Promise<Success>;

  /** Ask the owner of an address again if they want the mails. Admins of the project only. At most 3 mails a day to one address, and 50 of the organization. */
  askAddressOwner(alertId: string, body: AskAddressOwnerBody, options?: CallOptions): Promise<Alert>;

  /** List the deliveries of an alert, newest first. Finished deliveries are kept for 30 days. */
  listAlertDeliveries(alertId: string, query?: ListAlertDeliveriesQuery, options?: CallOptions): List<AlertDelivery>;

  /** Send a finished delivery again. Admins of the project only. */
  retryAlertDelivery(alertId: string, deliveryId: string, options?: CallOptions): Promise<Success>;

  /** Send a test message now and return how it went. Admins of the project only. */
  testAlert(alertId: string, options?: CallOptions): Promise<AlertDelivery>;

  /** Get what a link in a mail is for. It is a POST, so that no log contains the token. */
  getAddressQuestion(body: GetAddressQuestionBody, options?: CallOptions): Promise<AddressQuestion>;

  /** Confirm an address, or stop the mails to it. The link says which. */
  redeemAddressLink(body: RedeemAddressLinkBody, options?: CallOptions): Promise<Success>;

  /** List the alarms that limits would have raised in the last 30 days. Holds the traffic and the monitors of the last 30 days against the limits of an alert, stored or not. Nothing is sent. */
  listAlarms(projectId: string, query?: ListAlarmsQuery, options?: CallOptions): Promise<{
    /** The watched figures: those with a limit. */
    data: WatchedFigure[];
  }>;

  /** List the alerts of a project, oldest first. There are at most 50. */
  listAlerts(projectId: string, options?: CallOptions): Promise<{
    /** Alerts, oldest first. */
    data: Alert[];
  }>;

  /** Send events of a project to a webhook, to Slack or by e-mail. Admins of the project only. Only this answer shows the signing key. */
  createAlert(projectId: string, body: CreateAlertBody, options?: CallOptions): Promise<AlertCreated>;

  /** Measure how far people who reviewed the same records agree. */
  measureAgreement(metricId: string, query?: MeasureAgreementQuery, options?: CallOptions): Promise<ReviewerAgreement>;

  /** Compare a judge with people. Its errors, the best passing threshold, and the pass rate of a run corrected for the errors. */
  calibrateMetric(metricId: string, query?: CalibrateMetricQuery, options?: CallOptions): Promise<JudgeCalibration>;

  /** List the records on which a judge and people disagree, oldest first. */
  listJudgeDisagreements(metricId: string, query?: ListJudgeDisagreementsQuery, options?: CallOptions): List<CalibrationDisagreement>;

  /** Get the passport of a judge: how far it can be trusted, signed. Its grade, error rates, labels by maker, drift, bias battery, the end of its model, and when the passport expires. Each answer is signed when it is asked for and says how things are then. */
  getJudgePassport(metricId: string, query?: GetJudgePassportQuery, options?: CallOptions): Promise<JudgePassport>;

  /** Get the public key that checks passports of judges. */
  getPassportKey(options?: CallOptions): Promise<PassportKey>;

  /** Get what happened in a project lately. New runs with their verdict against the run before, changes of traffic that are shown, alerts, failures in monitors and labels of other members. */
  getProjectNews(projectId: string, query?: GetProjectNewsQuery, options?: CallOptions): Promise<News>;

  /** Plan a comparison from earlier runs. How many testcases it needs, or how small a difference it can detect. */
  planRun(projectId: string, query: PlanRunQuery, options?: CallOptions): Promise<Plan>;

  /** List the links of a project that show a report without an account. */
  listReportLinks(projectId: string, options?: CallOptions): Promise<ReportLinks>;

  /** Make a link that shows the comparison of runs without an account. Only this answer shows it. An admin allows such links in the settings of the organization. */
  createReportLink(projectId: string, body: CreateReportLinkBody, options?: CallOptions): Promise<ReportLinkCreated>;

  /** Get the measures and scores of a project's records over time. Volume, errors, latency, tokens, cost and scores, each with its uncertainty. */
  getSeries(projectId: string, query?: GetSeriesQuery, options?: CallOptions): Promise<Series>;

  /** List each metric of a project over its latest runs, each point with its uncertainty. */
  listTrends(projectId: string, query?: ListTrendsQuery, options?: CallOptions): Promise<Trends>;

  /** Get the report that a link shows. It is a POST, so that no log contains the token. Every link that shows nothing has the same answer, 401. */
  getSharedReport(body: GetSharedReportBody, options?: CallOptions): Promise<SharedReport>;

  /** Revoke a link to a report at once. */
  deleteReportLink(reportLinkId: string, options?: CallOptions): Promise<Success>;

  /** Compare runs on the testcases that they share: differences, intervals and verdicts. */
  compareRuns(query: CompareRunsQuery, options?: CallOptions): Promise<RunComparison>;

  /** List the testcases whose scores changed between two runs. */
  listChangedTestcases(query: ListChangedTestcasesQuery, options?: CallOptions): List<ChangedTestcase>;

  /** Group the failures of a run by what they have in common. A model names the groups if there is one. Nothing is written. */
  groupFailures(runId: string, body: GroupFailuresBody, options?: CallOptions): Promise<FailureClusters>;

  /** Register the look of a gate before it tests, or its outcome after. Answers which look of the period it is, and the part of `alpha` that it has: look t has t^-1.5 of it, divided by 2.612. All looks together err with probability `alpha` at most, however they depend on each other. */
  createLook(runId: string, body: CreateLookBody, options?: CallOptions): Promise<LedgerLook>;

  /** Summarize a run metric by metric, each number with its uncertainty. */
  summarizeRun(runId: string, query?: SummarizeRunQuery, options?: CallOptions): Promise<RunSummary>;

  /** Examine the testcases of a testset by stored runs. Finds wrong keys, disagreements with people, leaks into prompts, twins, flaky testcases, and testcases that tell no version apart, each with its evidence. Repeats a comparison without the suspects. */
  examineTestset(testsetId: string, query?: ExamineTestsetQuery, options?: CallOptions): Promise<TestsetExamination>;

  /** List the verdicts about a testset that left the service, newest first. Comparisons, gates, reports, answers to agents and code, and summaries of new versions, each with who asked and when. */
  listLooks(testsetId: string, query?: ListLooksQuery, options?: CallOptions): List<Look>;

  /** Count the looks at a testset, and compare fresh testcases with old ones. */
  getWear(testsetId: string, query?: GetWearQuery, options?: CallOptions): Promise<Wear>;

  /** List the annotations of a record, oldest first. */
  listAnnotations(recordId: string, options?: CallOptions): Promise<{
    /** All annotations of the record. */
    data: Annotation[];
  }>;

  /** Rate a record, one of its spans or a passage of its text. A comment is optional. */
  createAnnotation(recordId: string, body: CreateAnnotationBody, options?: CallOptions): Promise<Annotation>;

  /** Change an annotation. Only its author or an admin may do this. */
  updateAnnotation(recordId: string, annotationId: string, body: UpdateAnnotationBody, options?: CallOptions): Promise<Annotation>;

  /** Delete an annotation. Only its author or an admin may do this. */
  deleteAnnotation(recordId: string, annotationId: string, options?: CallOptions): Promise<Success>;

  /** Reply to an annotation. */
  createReply(recordId: string, annotationId: string, body: CreateReplyBody, options?: CallOptions): Promise<Reply>;

  /** Change a reply. Only its author or an admin may do this. */
  updateReply(recordId: string, annotationId: string, replyId: string, body: UpdateReplyBody, options?: CallOptions): Promise<Reply>;

  /** Delete a reply. Only its author or an admin may do this. */
  deleteReply(recordId: string, annotationId: string, replyId: string, options?: CallOptions): Promise<Success>;

  /** Resolve the thread of an annotation, or open it again. */
  resolveAnnotation(recordId: string, annotationId: string, body: ResolveAnnotationBody, options?: CallOptions): Promise<Thread>;

  /** List the threads of a record, oldest first. A thread is an annotation that has replies or is resolved. */
  listThreads(recordId: string, query?: ListThreadsQuery, options?: CallOptions): List<Thread>;

  /** List the assignments of a record, oldest first. */
  listRecordAssignees(recordId: string, options?: CallOptions): Promise<{
    /** All assignments of the record. */
    data: RecordAssignment[];
  }>;

  /** Assign a record to a user. An existing assignment is returned unchanged. */
  assignRecordUser(recordId: string, body: AssignRecordUserBody, options?: CallOptions): Promise<RecordAssignment>;

  /** Remove the assignment of a record to a user. It is not an error if there is none. */
  unassignRecordUser(recordId: string, assigneeUserId: string, options?: CallOptions): Promise<{
    /** Number of assignments removed, 0 or 1. */
    deleted: number;
  }>;

  /** Declare a file of a session and get a link for its upload. The file belongs to `projectId`. Without it, to the only project in which the session has a record or a trace and you may write, or to the default project of the key if that has one. Otherwise it has no project until you store a record or a trace of the session: until then only you and admins see it. */
  initiateAttachment(body: InitiateAttachmentBody, options?: CallOptions): Promise<{
    /** Id of the attachment. */
    id: string;
    /** Whether these bytes are already stored under this path. */
    alreadyExists: boolean;
    /** Signed link for the upload. */
    uploadUrl: string | null;
    /** Method of the upload. */
    uploadMethod: "PUT" | null;
    /** When the link expires. */
    expiresAt: string | null;
  }>;

  /** List the files that no record and no trace uses, newest first. A file whose record or trace has not been stored yet is among them: look at `createdAt` before you delete it. Admins only. */
  listOrphanAttachments(query?: ListOrphanAttachmentsQuery, options?: CallOptions): List<OrphanAttachment>;

  /** Get an attachment with a link to its bytes. */
  getAttachment(attachmentId: string, options?: CallOptions): Promise<AttachmentWithDownload>;

  /** Delete an attachment and its bytes. */
  deleteAttachment(attachmentId: string, options?: CallOptions): Promise<Success>;

  /** Confirm an upload. Answers 400 if the bytes have not arrived. */
  commitAttachment(attachmentId: string, options?: CallOptions): Promise<Attachment>;

  /** List the attachments of a session, newest first. */
  listSessionAttachments(sessionId: string, query?: ListSessionAttachmentsQuery, options?: CallOptions): List<Attachment>;

  /** List the audit log: every write and sign-in, newest first. Admins only. */
  listAuditEvents(query?: ListAuditEventsQuery, options?: CallOptions): List<AuditEvent>;

  /** Check that no entry of the audit log was changed or removed. Admins only. */
  verifyAuditEvents(query?: VerifyAuditEventsQuery, options?: CallOptions): Promise<AuditVerification>;

  /** List the registered decisions of a project, newest first. */
  listDecisions(projectId: string, query?: ListDecisionsQuery, options?: CallOptions): List<ListedDecision>;

  /** Register a decision before its run. The question, the rules, and the testset, metrics and baseline as they are. The audit log holds it, so that nothing changes it later. */
  createDecision(projectId: string, body: CreateDecisionBody, options?: CallOptions): Promise<RegisteredDecision>;

  /** Get a registered decision. */
  getDecision(projectId: string, decisionId: string, options?: CallOptions): Promise<RegisteredDecision>;

  /** Get a decision about a run as one signed file. The registration, the rules, the data of the runs, judges, waivers, deviations and all numbers, as an in-toto statement. `dokima verify` checks it without the service. Up to 50,000 records. */
  exportDecision(projectId: string, decisionId: string, body: ExportDecisionBody, options?: CallOptions): Promise<SignedDecision>;

  /** Hold a run against a registered decision: deviations in words, and waivers. */
  readDecision(projectId: string, decisionId: string, query: ReadDecisionQuery, options?: CallOptions): Promise<DecisionReading>;

  /** Record who ships a run in spite of the verdict, and why. */
  waiveDecision(projectId: string, decisionId: string, body: WaiveDecisionBody, options?: CallOptions): Promise<Waiver>;

  /** List the executions of a run, including failed ones. */
  listExecutions(runId: string, query?: ListExecutionsQuery, options?: CallOptions): List<Execution>;

  /** Get the organization, the member and the key of this request. */
  getMe(options?: CallOptions): Promise<Me>;

  /** List the members of the organization, oldest first. */
  listMembers(query?: ListMembersQuery, options?: CallOptions): List<Member>;

  /** Add a member. Admins only. */
  createMember(body: CreateMemberBody, options?: CallOptions): Promise<Member>;

  /** Get a member. */
  getMember(userId: string, options?: CallOptions): Promise<Member>;

  /** Change the name or role of a member. Admins only. The role of the last admin cannot be changed. */
  updateMember(userId: string, body: UpdateMemberBody, options?: CallOptions): Promise<Member>;

  /** Remove a member and their keys. Admins only. Their records, scores and comments stay. */
  deleteMember(userId: string, options?: CallOptions): Promise<Success>;

  /** Change the name or a setting of the organization of this request. Admins only. Existing metrics keep their model, unless they wait for a default. */
  updateMyOrganization(body: UpdateMyOrganizationBody, options?: CallOptions): Promise<Organization>;

  /** List the tokens with which a directory provisions the organization, oldest first. */
  listScimTokens(query?: ListScimTokensQuery, options?: CallOptions): List<ScimToken>;

  /** Create a token for SCIM. Only this answer shows it. Admins only. */
  createScimToken(body: CreateScimTokenBody, options?: CallOptions): Promise<ScimTokenCreated>;

  /** Delete a token for SCIM at once. The members stay. Admins only. */
  deleteScimToken(tokenId: string, options?: CallOptions): Promise<Success>;

  /** Get a metric group. */
  getMetricGroup(metricGroupId: string, options?: CallOptions): Promise<MetricGroup>;

  /** Change a metric group. The given metrics replace the ones it has. */
  updateMetricGroup(metricGroupId: string, body: UpdateMetricGroupBody, options?: CallOptions): Promise<MetricGroup>;

  /** Delete a metric group. Its metrics stay. */
  deleteMetricGroup(metricGroupId: string, options?: CallOptions): Promise<Success>;

  /** List the metric groups of a project, newest first. */
  listMetricGroups(projectId: string, query?: ListMetricGroupsQuery, options?: CallOptions): List<MetricGroup>;

  /** Create a metric group. */
  createMetricGroup(projectId: string, body: CreateMetricGroupBody, options?: CallOptions): Promise<MetricGroup>;

  /** List the metric templates, each with a record that passes and one that fails. Tests run the code of each template on both records. For prompts, tests check what a judge is shown and how its verdict is read, but ask no real model: try yours with `POST /projects/{projectId}/metrics/preview`. */
  listMetricTemplates(options?: CallOptions): Promise<{
    /** All templates, by group and name. */
    data: MetricTemplate[];
  }>;

  /** Get a metric. */
  getMetric(metricId: string, options?: CallOptions): Promise<Metric>;

  /** Change a metric. A change that affects scoring makes a new configuration; existing scores keep theirs. */
  updateMetric(metricId: string, body: UpdateMetricBody, options?: CallOptions): Promise<Metric>;

  /** Delete a metric. Its configurations and all their scores stay. */
  deleteMetric(metricId: string, options?: CallOptions): Promise<Success>;

  /** Get the settings of a metric: votes and people of a judge, reviewers. */
  getMetricSettings(metricId: string, options?: CallOptions): Promise<MetricSettings>;

  /** Change the settings of a metric. Changes the settings that the body names. The votes of a judge are for AI metrics, and a change makes a new configuration; `peopleMetricId` is for metrics that a model or code scores; reviewers are for human metrics. */
  updateMetricSettings(metricId: string, body: UpdateMetricSettingsBody, options?: CallOptions): Promise<MetricSettings>;

  /** List the configurations of a metric, newest first. Drafts that only trials have tried, such as edited prompts that were measured, are in the list of trials. */
  listMetricVersions(metricId: string, query?: ListMetricVersionsQuery, options?: CallOptions): List<MetricVersion>;

  /** Let a model draft criteria of a metric for review. From guidelines, the failures of a run, or both. Repetitions are marked. `dryRun` says the cost and asks no model. Nothing is written. */
  draftCriteria(projectId: string, body: DraftCriteriaBody, options?: CallOptions): Promise<CriteriaDrafts>;

  /** List the metrics of a project, newest first. */
  listMetrics(projectId: string, query?: ListMetricsQuery, options?: CallOptions): List<Metric>;

  /** Create a metric. evalType and outputType choose one of nine variants, or with `category` one of three that give a label. */
  createMetric(projectId: string, body: CreateMetricBody, options?: CallOptions): Promise<Metric>;

  /** Preview a metric that is not saved. Scores a record, or the one in the body, and returns prompt, verdict, time and cost. Nothing is written. */
  previewMetric(projectId: string, body: PreviewMetricBody, options?: CallOptions): Promise<{
    /** scored, unscored or failed. */
    state: string;
    /** The score that would be stored; null without one. */
    score: JsonObject | null;
    /** Why there is no score. */
    reason: string | null;
    /** Language of the code: javascript stands for TypeScript too; null for a judge. */
    language: "javascript" | "python" | null;
    /** The prompt as sent; null for code. */
    prompt: string | null;
    /** Raw reply of the model; null for code. */
    rawReply: string | null;
    /** Why the last reply is not a verdict, or the message of the provider about files that its model refused; null for a verdict. */
    error: string | null;
    /** Verdict of each model of the jury; null without a jury. */
    jury: Array<{
      /** Name of the model as it was asked. */
      modelName: string;
      /** Its verdict; null without one. */
      verdict: {
        /** Its score. */
        value: boolean | number | string;
        /** Reason for the score. */
        reasoning: string;
      } | null;
      /** Why it gave no verdict. */
      reason: string | null;
      /** Error in its last reply. */
      error: string | null;
      /** Cost in US dollars; null if the price is unknown. */
      costUsd: number | null;
    }> | null;
    /** The model that answered, as named by its provider. */
    modelAnswered: string | null;
    /** Tokens of the prompt. */
    inputTokens: number | null;
    /** Tokens of the reply. */
    outputTokens: number | null;
    /** Cost; null if the price is unknown. */
    costUsd: number | null;
    /** The parts of the record's trace that the metric read; null if it reads none, or without a trace. */
    trace: {
      /** Number of spans of the record. */
      numSpans: number;
      /** Parts that were cut to fit the limits. */
      cut: string[];
    } | null;
    /** The spans of the record that `spans` chooses; null without it. */
    spans: Array<{
      /** Trace of the span. */
      traceId: string;
      /** Id of the span. */
      spanId: string;
      /** Name of the span. */
      name: string;
    }> | null;
    /** The span that was scored; null without `spans`. */
    spanId: string | null;
    /** Trace of the span that was scored; null without `spans`. */
    traceId: string | null;
    /** Duration in milliseconds. */
    latencyMs: number;
  }>;

  /** Get a monitor with its results. */
  getMonitor(monitorId: string, options?: CallOptions): Promise<Monitor>;

  /** Change, pause or resume a monitor. The change applies to traces that arrive afterwards. */
  updateMonitor(monitorId: string, body: UpdateMonitorBody, options?: CallOptions): Promise<Monitor>;

  /** Delete a monitor and its pending scores. Scores that were given stay. */
  deleteMonitor(monitorId: string, options?: CallOptions): Promise<Success>;

  /** List the monitors of a project with their results, oldest first. */
  listMonitors(projectId: string, query?: ListMonitorsQuery, options?: CallOptions): List<Monitor>;

  /** Create a monitor, which scores a share of the traces that arrive from now on. */
  createMonitor(projectId: string, body: CreateMonitorBody, options?: CallOptions): Promise<Monitor>;

  /** Create or change the monitor of a name, as wrapAISDK of the public TypeScript client does. */
  upsertMonitor(projectId: string, body: UpsertMonitorBody, options?: CallOptions): Promise<Monitor>;

  /** List the organizations of this service, oldest first. For the operator. */
  listOrganizations(query?: ListOrganizationsQuery, options?: CallOptions): List<Organization>;

  /** Create an organization and its first admin. The admin chooses a password with the returned link. For the operator. */
  createOrganization(body: CreateOrganizationBody, options?: CallOptions): Promise<OrganizationCreated>;

  /** Change the name of an organization. For the operator. */
  updateOrganization(organizationId: string, body: UpdateOrganizationBody, options?: CallOptions): Promise<Organization>;

  /** Create a sign-in link for the member with this e-mail address. It works also where single sign-on is required. For the operator. */
  createOperatorLink(organizationId: string, body: CreateOperatorLinkBody, options?: CallOptions): Promise<SignInLink>;

  /** Get a preference study and its progress. */
  getPreferenceStudy(preferenceStudyId: string, options?: CallOptions): Promise<PreferenceStudy>;

  /** Delete a preference study with its pairs and votes. Its runs stay. */
  deletePreferenceStudy(preferenceStudyId: string, options?: CallOptions): Promise<Success>;

  /** List the pairs of a preference study with their votes. A filter keeps only the pairs on which votes differ. */
  listPreferenceComparisons(preferenceStudyId: string, query?: ListPreferenceComparisonsQuery, options?: CallOptions): List<PreferenceComparison>;

  /** Let a model compare the pairs without its verdict, within a budget. A different model than before starts over. */
  updatePreferenceJudge(preferenceStudyId: string, body: UpdatePreferenceJudgeBody, options?: CallOptions): Promise<PreferenceStudy>;

  /** Get the next pair to compare. It does not name the systems, and its sides are drawn by chance. */
  getNextPreference(preferenceStudyId: string, options?: CallOptions): Promise<NextPreference>;

  /** Say which output of a pair is better. A second answer replaces the first. */
  submitPreference(preferenceStudyId: string, body: SubmitPreferenceBody, options?: CallOptions): Promise<Success>;

  /** Take back your last preference and get its pair again. The answer is null if you have none. A second call takes back the one before. */
  undoPreference(preferenceStudyId: string, options?: CallOptions): Promise<NextPreference>;

  /** Rank the runs of a preference study, with intervals, by people and by the model. */
  getPreferenceResult(preferenceStudyId: string, query?: GetPreferenceResultQuery, options?: CallOptions): Promise<PreferenceResult>;

  /** List the preference studies of a project, newest first. There are at most 200. */
  listPreferenceStudies(projectId: string, query?: ListPreferenceStudiesQuery, options?: CallOptions): List<PreferenceStudy>;

  /** Compare the outputs of runs on the same testcases, two at a time. People compare without the names of the systems; a model sees each pair in both orders. */
  createPreferenceStudy(projectId: string, body: CreatePreferenceStudyBody, options?: CallOptions): Promise<PreferenceStudy>;

  /** Estimate the pairs of a preference study and the cost of its model. Nothing is written. */
  estimatePreferenceStudy(projectId: string, body: EstimatePreferenceStudyBody, options?: CallOptions): Promise<PreferenceEstimate>;

  /** List the projects, oldest first. */
  listProjects(query?: ListProjectsQuery, options?: CallOptions): List<Project>;

  /** Create a project. */
  createProject(body: CreateProjectBody, options?: CallOptions): Promise<Project>;

  /** Get a project. */
  getProject(projectId: string, options?: CallOptions): Promise<Project>;

  /** Change the name or the description of a project. */
  updateProject(projectId: string, body: UpdateProjectBody, options?: CallOptions): Promise<Project>;

  /** Delete a project and everything in it. This cannot be undone. */
  deleteProject(projectId: string, options?: CallOptions): Promise<Success>;

  /** Get who may do what in a project, yourself included. */
  getProjectAccess(projectId: string, options?: CallOptions): Promise<ProjectAccess>;

  /** Let a model answer a question about a project. The default model of the organization answers, with tools that only read. Each claim names the runs and records that it rests on. With `Accept: text/event-stream`, calls of tools and the words of the answer come as they are made. */
  askProject(projectId: string, body: AskProjectBody, options?: CallOptions): Promise<{
    /** The answer. Each claim rests on runs or records that the model has read. */
    claims: Array<{
      /** The claim, in words. */
      text: string;
      /** Runs that it rests on. */
      runIds: string[];
      /** Records that it rests on. */
      recordIds: string[];
      /** Number of testcases or records that it counts; null if it counts none. */
      n: number | null;
    }>;
    /** Number of claims that are left out, because they name no run or record that the model has read. */
    numLeftOut: number;
    /** Calls of tools by the model, in order. */
    steps: Array<{
      /** Tool of the MCP server. */
      tool: string;
      /** Its arguments as JSON. */
      arguments: string;
    }>;
    /** Model that answered. */
    modelName: string;
    /** Why there is no whole answer; null if there is one. */
    error: string | null;
    /** Input tokens of all calls; null if one is unknown. */
    inputTokens: number | null;
    /** Output tokens of all calls; null if one is unknown. */
    outputTokens: number | null;
    /** Cost of all calls in US dollars; null if one is unknown. */
    costUsd: number | null;
  }>;

  /** List who created the testsets, the metrics or the systems of a project. The oldest resource first, without those that the service created. */
  listCreators(projectId: string, query: ListCreatorsQuery, options?: CallOptions): List<Creator>;

  /** Get the status of the import of a project; 404 for a project that was not imported. */
  getProjectImport(projectId: string, options?: CallOptions): Promise<ProjectImport>;

  /** Show what masking does to an object. Nothing is stored. */
  previewMasking(projectId: string, body: PreviewMaskingBody, options?: CallOptions): Promise<MaskingPreview>;

  /** Give a member a role in a project. Admins of the project only. */
  upsertProjectMember(projectId: string, userId: string, body: UpsertProjectMemberBody, options?: CallOptions): Promise<Success>;

  /** Remove the role that a project gives a member. Admins of the project only. */
  deleteProjectMember(projectId: string, userId: string, options?: CallOptions): Promise<Success>;

  /** Show what the next purge of a project would delete. */
  previewRetention(projectId: string, query?: PreviewRetentionQuery, options?: CallOptions): Promise<RetentionPreview>;

  /** Get how far a project's search index is. */
  getSearchIndex(projectId: string, options?: CallOptions): Promise<SearchIndex>;

  /** Get who sees a project, how long it keeps data, what it masks, and whether it is indexed. */
  getProjectSettings(projectId: string, options?: CallOptions): Promise<ProjectSettings>;

  /** Change the settings of a project. Admins of the project only. Changes the settings that the body names; masking is replaced whole, and holds for data that arrives from now on. */
  updateProjectSettings(projectId: string, body: UpdateProjectSettingsBody, options?: CallOptions): Promise<ProjectSettings>;

  /** List the models that can judge, by the lists of the providers, and the default model. */
  listJudgeModels(options?: CallOptions): Promise<JudgeModels>;

  /** Read the model lists of all providers now. Admins only. */
  refreshJudgeModels(options?: CallOptions): Promise<JudgeModels>;

  /** Read the price table of the server, with its sources and their dates. */
  getPrices(options?: CallOptions): Promise<PriceTable>;

  /** List the models that judge in a project and end soon, the first to end first. Models that end within 60 days or have ended, as their providers announced. */
  listModelEndings(projectId: string, query?: ListModelEndingsQuery, options?: CallOptions): List<{
    /** evalModelName. */
    modelName: string;
    /** Day on which the provider shuts it down, as YYYY-MM-DD. */
    endsOn: string;
    /** Days until then; negative when it has passed. */
    daysLeft: number;
    /** Metrics that it judges now. */
    metricIds: string[];
  }>;

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
    /** Duration in milliseconds. */
    latencyMs: number;
  }>;

  /** List the records of all runs of a project, newest first. Filters narrow the list. */
  listProjectRecords(projectId: string, query?: ListProjectRecordsQuery, options?: CallOptions): List<RecordDetail>;

  /** List the fields that records of a project have. */
  listRecordFields(projectId: string, options?: CallOptions): Promise<RecordFields>;

  /** Count the records of a project by the value of a field. The filters are those of the list. Each group has the filter that finds its records. */
  groupProjectRecords(projectId: string, query: GroupProjectRecordsQuery, options?: CallOptions): Promise<ValueGroups>;

  /** Count the records of a project over time. The filters are those of the list. */
  getRecordHistogram(projectId: string, query?: GetRecordHistogramQuery, options?: CallOptions): Promise<RecordHistogram>;

  /** Get a record with the state of each of its scores. */
  getRecord(recordId: string, options?: CallOptions): Promise<RecordDetail>;

  /** Delete a record and its scores, tags and annotations. */
  deleteRecord(recordId: string, options?: CallOptions): Promise<Success>;

  /** List the records of a run with all their scores, oldest first. */
  listRecords(runId: string, query?: ListRecordsQuery, options?: CallOptions): List<RecordWithScores>;

  /** Create a record in a run, with a pending score for each of its metrics. */
  createRecord(runId: string, body: CreateRecordBody, options?: CallOptions): Promise<Record>;

  /** Create up to 1,000 records in a run, all or none. From JSON, or from NDJSON with one record a line. */
  createRecords(runId: string, body: CreateRecordsBody, options?: CallOptions): Promise<{
    /** Ids of the records, in the order sent. */
    ids: string[];
  }>;

  /** List the records of a metric on which reviewers disagree, oldest first. */
  listReviewDisagreements(metricId: string, query?: ListReviewDisagreementsQuery, options?: CallOptions): List<ReviewDisagreement>;

  /** Assign the waiting records of the queues to people, in turn. An assigned record comes to these people first, and each has one of its reviews reserved. Records without an assigned user are for anyone. Repeat the request for more than 10,000 records. */
  assignReviews(projectId: string, body: AssignReviewsBody, query?: AssignReviewsQuery, options?: CallOptions): Promise<{
    /** Number of records. */
    numRecords: number;
    /** The people, each with the number of records that they got. */
    people: Array<{
      /** Id of a user. */
      userId: string;
      /** Number of records. */
      numRecords: number;
    }>;
  }>;

  /** Give back records that are assigned to you and wait for your score. They are then for anyone. Your reviews stay. */
  leaveReviews(projectId: string, query?: LeaveReviewsQuery, options?: CallOptions): Promise<{
    /** Number of records. */
    numRecords: number;
  }>;

  /** Claim the next record to score for ten minutes. You claim it for every metric by which it waits for your score; with `metricId` for that one. A second call returns the same record and renews the claim. */
  nextReview(projectId: string, query?: NextReviewQuery, options?: CallOptions): Promise<{
    /** The record to score, by the first of its metrics; null if nothing is left for you. */
    review: ReviewTask | null;
    /** All metrics by which this record waits for your score, in the order of their creation. You have claimed the record for each. */
    metrics: ReviewMetric[];
  }>;

  /** Get the progress of reviews by queue and by person. */
  getReviewProgress(projectId: string, query?: GetReviewProgressQuery, options?: CallOptions): Promise<{
    /** One queue for each configuration that people score. */
    queues: Array<{
      /** Id of the metric. */
      metricId: string;
      /** Name of the metric. */
      metricName: string;
      /** Configuration of the metric. */
      metricConfigId: string;
      /** Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs. */
      numReviewers: number;
      /** Number of records whose score is pending. */
      numPending: number;
      /** Number of these records that someone has reviewed. */
      numStarted: number;
      /** Number of records that people have reviewed and that have a score. */
      numReviewed: number;
      /** Number of records that wait for your score: they are assigned to you, or have a review left that is reserved for no one. */
      numForYou: number;
    }>;
    /** You and all who have reviewed, skipped or claimed a record, or to whom one is assigned. */
    members: Array<{
      /** Id of the reviewer. */
      userId: string;
      /** Name of the user. */
      name: string;
      /** Number of records that they have reviewed. */
      numReviewed: number;
      /** Number of pending records that they have skipped and not reviewed since. */
      numSkipped: number;
      /** Number of pending records that they have not reviewed. */
      numRemaining: number;
      /** Number of records that are assigned to them and wait for their score. */
      numAssigned: number;
    }>;
    /** What waits for you. A record counts once, whatever the number of its metrics. */
    forYou: {
      /** Number of records that wait for your score by any of the metrics. */
      numRecords: number;
      /** Number of these records that are assigned to you. */
      numAssigned: number;
    };
  }>;

  /** Undo your last review and claim its record again. Reviews that were submitted together are undone together; with `metricId` only the one by that metric. A second call undoes the review before. */
  undoReview(projectId: string, query?: UndoReviewQuery, options?: CallOptions): Promise<{
    /** The record to score, by the first of its metrics; null if nothing is left for you. */
    review: ReviewTask | null;
    /** All metrics by which this record waits for your score, in the order of their creation. You have claimed the record for each. */
    metrics: ReviewMetric[];
  }>;

  /** Submit your scores of a record by several metrics, all or none. The record gets each score when all its reviewers have submitted theirs. `skip` names the metrics by which the record comes back to you after all others. */
  submitReviews(recordId: string, body: SubmitReviewsBody, options?: CallOptions): Promise<{
    /** The reviews, in the order of the request. */
    data: Array<{
      review: Review;
      /** State of the record's score: pending until all its reviewers have submitted. */
      state: "pending" | "scored" | "unscored" | "failed";
      /** Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs. */
      numReviewers: number;
      /** Number of people who have reviewed the record. */
      numReviews: number;
    }>;
  }>;

  /** List the reviews of a record that you may see. */
  listReviews(recordId: string, metricConfigId: string, options?: CallOptions): Promise<{
    /** State of the record's score: pending until all its reviewers have submitted. */
    state: "pending" | "scored" | "unscored" | "failed";
    /** Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs. */
    numReviewers: number;
    /** Number of people who have reviewed the record. */
    numReviews: number;
    /** Reviews, oldest first. Reviews of others are left out while the score is pending and you have not submitted yours. */
    data: Review[];
  }>;

  /** Submit your score of a record. The record gets its score when all its reviewers have submitted. */
  submitReview(recordId: string, metricConfigId: string, body: SubmitReviewBody, options?: CallOptions): Promise<{
    review: Review;
    /** State of the record's score: pending until all its reviewers have submitted. */
    state: "pending" | "scored" | "unscored" | "failed";
    /** Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs. */
    numReviewers: number;
    /** Number of people who have reviewed the record. */
    numReviews: number;
  }>;

  /** Skip a record. It comes back to you after all others. */
  skipReview(recordId: string, metricConfigId: string, options?: CallOptions): Promise<{
    /** Always true. */
    skipped: boolean;
  }>;

  /** List the records of a review sample with their inclusion probabilities, oldest first. */
  listSampledRecords(reviewSampleId: string, query?: ListSampledRecordsQuery, options?: CallOptions): List<SampledRecord>;

  /** List the review samples of a run with their strata, oldest first. */
  listReviewSamples(runId: string, query?: ListReviewSamplesQuery, options?: CallOptions): List<ReviewSample>;

  /** Fill the queue of a human metric with a random sample of a run, or extend that sample. */
  createReviewSample(runId: string, body: CreateReviewSampleBody, options?: CallOptions): Promise<ReviewSample>;

  /** List the runs of a project with their names, tags and marks, newest first. */
  listRunDetails(projectId: string, query?: ListRunDetailsQuery, options?: CallOptions): List<ListedRun>;

  /** List the runs of a project, newest first. */
  listRuns(projectId: string, query?: ListRunsQuery, options?: CallOptions): List<Run>;

  /** Start a run. It scores with the current configurations of its metrics. */
  createRun(projectId: string, body: CreateRunBody, options?: CallOptions): Promise<Run>;

  /** Estimate the cost of the judges of a run before it starts. Nothing is written. */
  estimateRun(projectId: string, body: EstimateRunBody, options?: CallOptions): Promise<RunCostEstimate>;

  /** Count the runs of a project by the value of a field. The filters are those of the list. Each group has the filter that finds its runs. With `rateOf`, it has the pass rate over their records, of the newest 100,000 of the project. */
  groupProjectRuns(projectId: string, query: GroupProjectRunsQuery, options?: CallOptions): Promise<ValueGroups>;

  /** Get a run with its counts and its status. */
  getRun(runId: string, options?: CallOptions): Promise<Run>;

  /** Delete a run and its records, with their scores, tags and annotations. This cannot be undone. */
  deleteRun(runId: string, options?: CallOptions): Promise<Success>;

  /** Cancel the pending work of a run, or a part of it. Calls of its system, scores and proposals. Results stay; a retry queues the work again. */
  cancelRun(runId: string, body: CancelRunBody, options?: CallOptions): Promise<{
    /** Number of executions changed. */
    numExecutions: number;
    /** Number of scores changed. */
    numScores: number;
    /** Number of proposals changed. */
    numProposals: number;
  }>;

  /** Get a run with its notes, progress, calls of the system and judge budget. With `Accept: text/event-stream`, its progress comes until no work is pending. */
  getRunDetails(runId: string, options?: CallOptions): Promise<RunDetail>;

  /** Change the name, tags, marks, notes or judge budget of a run. */
  updateRunDetails(runId: string, body: UpdateRunDetailsBody, options?: CallOptions): Promise<RunDetail>;

  /** Add metrics to a run with their current configurations. They score its present and future records. */
  addRunMetrics(runId: string, body: AddRunMetricsBody, options?: CallOptions): Promise<Run>;

  /** Retry the work of a run that failed or was cancelled, or a part of it. Calls of its system, scores, and proposals of open rescorings. Work that could not be scored is retried too; existing results stay. */
  retryRun(runId: string, body: RetryRunBody, options?: CallOptions): Promise<{
    /** Number of executions changed. */
    numExecutions: number;
    /** Number of scores changed. */
    numScores: number;
    /** Number of proposals changed. */
    numProposals: number;
  }>;

  /** Store what a gate decided about a run, in place of its earlier verdict. */
  upsertRunVerdict(runId: string, gate: string, body: UpsertRunVerdictBody, options?: CallOptions): Promise<RunVerdict>;

  /** List the schedules of a project, oldest first. There are at most 50. */
  listSchedules(projectId: string, options?: CallOptions): Promise<{
    /** Schedules, oldest first. */
    data: Schedule[];
  }>;

  /** Start a run or a drift trial at the times of a cron expression. */
  createSchedule(projectId: string, body: CreateScheduleBody, options?: CallOptions): Promise<Schedule>;

  /** Change, pause or resume a schedule, or make it due at once. */
  updateSchedule(scheduleId: string, body: UpdateScheduleBody, options?: CallOptions): Promise<Schedule>;

  /** Delete a schedule. The runs that it started stay. */
  deleteSchedule(scheduleId: string, options?: CallOptions): Promise<Success>;

  /** Get a score in any state, with its evidence and the scores it replaced. */
  getScore(recordId: string, metricConfigId: string, options?: CallOptions): Promise<ScoreDetail>;

  /** Store a score. Without a score in the body, the record is queued for people. */
  upsertScore(recordId: string, metricConfigId: string, body: UpsertScoreBody, options?: CallOptions): Promise<Score>;

  /** Get the score of a span, with its evidence and the verdicts that it replaced. */
  getSpanScore(recordId: string, metricConfigId: string, spanId: string, query?: GetSpanScoreQuery, options?: CallOptions): Promise<SpanScoreDetail>;

  /** Store a score of a span. The metric must score spans, and its search must choose this one. The score of the record is computed again. */
  upsertSpanScore(recordId: string, metricConfigId: string, spanId: string, body: UpsertSpanScoreBody, options?: CallOptions): Promise<SpanScoreDetail>;

  /** List the scores of the spans of a record, and the spans that people can score. Metrics with a search of spans give them. The score of the record is the lowest of its spans. */
  listSpanScores(recordId: string, options?: CallOptions): Promise<{
    /** Scores of the spans of the record, by metric. */
    data: SpanScore[];
    /** Spans that human metrics of the project choose, with or without a score. */
    toScore: Array<{
      /** Id of the metric. */
      metricId: string;
      /** Name of the metric. */
      metricName: string;
      /** Configuration of the metric that gave the score. */
      metricConfigId: string;
      /** Kind of score. */
      outputType: "int" | "float" | "boolean";
      /** Id of the trace, 32 hexadecimal digits. */
      traceId: string;
      /** Id of the span, 16 hexadecimal digits. */
      spanId: string;
    }>;
  }>;

  /** Store many scores of a run, all or none. An item with a reason in place of a score marks its record as unscored, for example because the grader failed. The run then no longer waits for that score. */
  upsertScores(runId: string, body: UpsertScoresBody, options?: CallOptions): Promise<{
    /** What was stored, in the order sent. */
    items: Array<{
      /** Id of the record. */
      recordId: string;
      /** Configuration of the metric that gave the score. */
      metricConfigId: string;
      /** What does not fit the metric; absent if everything fits. */
      validationErrors?: Array<{
        /** JSON Pointer to the problem. */
        path: string;
        /** What the value must be. */
        message: string;
      }> | undefined;
    }>;
  }>;

  /** Change your password. It also changes in your other organizations where it is the same. Your other sessions end. */
  updatePassword(body: UpdatePasswordBody, options?: CallOptions): Promise<Success>;

  /** Create a link with which the member chooses a password. It works once. Admins only. */
  createSignInLink(userId: string, options?: CallOptions): Promise<SignInLink>;

  /** Get the member that a sign-in link is for. It is a POST, so that no log contains the token. */
  getSignInLink(body: GetSignInLinkBody, options?: CallOptions): Promise<SignInLinkTarget>;

  /** Sign in with a sign-in link. The link works once. It needs a new password, unless it asks a person who came by single sign-on. */
  redeemSignInLink(body: RedeemSignInLinkBody, options?: CallOptions): Promise<SignIn>;

  /** Get the ways to sign in. */
  getSignInOptions(options?: CallOptions): Promise<SignInOptions>;

  /** Sign in with e-mail address and password. The answer sets the session cookie. */
  signIn(body: SignInBody, options?: CallOptions): Promise<SignIn>;

  /** End the session of this request. */
  signOut(options?: CallOptions): Promise<Success>;

  /** Switch to another organization of yours. The answer sets the cookie of a new session. */
  switchOrganization(body: SwitchOrganizationBody, options?: CallOptions): Promise<SignIn>;

  /** Get how single sign-on is set. The operator sets it in the environment of the service. Admins only. */
  getSingleSignOn(options?: CallOptions): Promise<SingleSignOn>;

  /** Simulate a user of a conversation. A system version whose config is a prompt writes the next message. */
  simulateUser(systemVersionId: string, body: SimulateUserBody, options?: CallOptions): Promise<{
    /** Next message of the simulated user. */
    messages: Array<{
      /** The simulated user. */
      role: "user";
      /** The text of the message. */
      content: string;
    }>;
  }>;

  /** List the systems of a project, oldest first. */
  listSystems(projectId: string, query?: ListSystemsQuery, options?: CallOptions): List<System>;

  /** Create a system, or add a production version to the one with this name. The configuration becomes the new production version. */
  upsertSystem(projectId: string, body: UpsertSystemBody, options?: CallOptions): Promise<System>;

  /** Send one testcase, or inputs, to a system before a run starts. Nothing is written. With `Accept: text/event-stream`, the text of a prompt comes while the model writes it. With `simulation`, a simulated user talks to the system, and each message comes as it is said; `outputs` has the conversation. */
  trySystem(projectId: string, body: TrySystemBody, options?: CallOptions): Promise<{
    /** Whether the system answered. */
    state: "answered" | "failed";
    /** Outputs of the system; null when it failed. */
    outputs: JsonObject | null;
    /** Why the system failed; null when it answered. */
    error: string | null;
    /** Time of the answer in milliseconds. */
    latencyMs: number;
    /** Tokens that the system read; null if it did not report them. */
    inputTokens: number | null;
    /** Tokens that the system wrote; null if it did not report them. */
    outputTokens: number | null;
    /** Cost of the call in US dollars, with that of the simulated user; null when unknown. */
    costUsd: number | null;
  }>;

  /** Get the version that a label points to, as a prompt by its name. Labels are production, latest, or a label of the team. */
  getLabelledVersion(projectId: string, systemName: string, label: string, options?: CallOptions): Promise<SystemVersionDetails>;

  /** Get one version of a system with its configuration. */
  getSystemVersion(systemVersionId: string, options?: CallOptions): Promise<SystemVersion>;

  /** Get a system with the names of its versions. */
  getSystem(systemId: string, options?: CallOptions): Promise<System>;

  /** Change the name, the description or the production version of a system. */
  updateSystem(systemId: string, body: UpdateSystemBody, options?: CallOptions): Promise<System>;

  /** Delete a system. Its versions stay readable for the runs that used them. */
  deleteSystem(systemId: string, options?: CallOptions): Promise<Success>;

  /** Point a label to a version of the system. production is the production version. */
  upsertSystemLabel(systemId: string, label: string, body: UpsertSystemLabelBody, options?: CallOptions): Promise<SystemVersionDetails>;

  /** Remove a label of a system. Clients that ask for it then get 404. */
  deleteSystemLabel(systemId: string, label: string, options?: CallOptions): Promise<Success>;

  /** List the versions of a system with their labels and notes, newest first. */
  listSystemVersions(systemId: string, query?: ListSystemVersionsQuery, options?: CallOptions): List<SystemVersionDetails>;

  /** Add a configuration as a version, or rename the version that has it. The production version stays the same. */
  upsertSystemVersion(systemId: string, body: UpsertSystemVersionBody, options?: CallOptions): Promise<SystemVersion>;

  /** List the tags of a project, most used first. */
  listProjectTags(projectId: string, query?: ListProjectTagsQuery, options?: CallOptions): List<ProjectTag>;

  /** List the tags of a record, oldest first. */
  listRecordTags(recordId: string, options?: CallOptions): Promise<{
    /** All tags of the record. */
    data: RecordTag[];
  }>;

  /** Add a tag to a record. An existing tag is returned unchanged. */
  createRecordTag(recordId: string, body: CreateRecordTagBody, options?: CallOptions): Promise<RecordTag>;

  /** Remove a tag from a record. It is not an error if the record does not have it. */
  deleteRecordTag(recordId: string, text: string, options?: CallOptions): Promise<{
    /** Number of tags removed, 0 or 1. */
    deleted: number;
  }>;

  /** List the testsets of a project with the number of their testcases, newest first. */
  listTestsetDetails(projectId: string, query?: ListTestsetDetailsQuery, options?: CallOptions): List<ListedTestset>;

  /** List the testsets of a project, newest first. */
  listTestsets(projectId: string, query?: ListTestsetsQuery, options?: CallOptions): List<Testset>;

  /** Create a testset with the schema of its testcases and the meaning of their fields. */
  createTestset(projectId: string, body: CreateTestsetBody, options?: CallOptions): Promise<Testset>;

  /** Create a testcase from a record: its inputs, and its outputs as the expected output. */
  createTestcaseFromRecord(recordId: string, body: CreateTestcaseFromRecordBody, options?: CallOptions): Promise<Testcase>;

  /** Get a sealed split: its counts, its figures and its budget. */
  getSeal(sealId: string, options?: CallOptions): Promise<Seal>;

  /** List the looks at a sealed split, newest first. */
  listSealedLooks(sealId: string, query?: ListSealedLooksQuery, options?: CallOptions): List<SealedLook>;

  /** Look at a version: call it with the sealed testcases, and compare it with the baseline. Takes one look of the budget. The answer comes when the calls and scores are made: read the list of looks. A version that was looked at has its former answer. */
  createSealedLook(sealId: string, body: CreateSealedLookBody, options?: CallOptions): Promise<SealedLook>;

  /** Open a sealed split before its looks are spent. Without a look, its testcases return to the testset as they were. After a look, they get the split of the seal, and its runs become a project. */
  openSeal(sealId: string, options?: CallOptions): Promise<Seal>;

  /** Delete testcases by their ids, all or none. */
  deleteTestcases(body: DeleteTestcasesBody, options?: CallOptions): Promise<Success>;

  /** Get a testcase. */
  getTestcase(testcaseId: string, options?: CallOptions): Promise<Testcase>;

  /** Replace the data of a testcase. Records keep the revision that they were created from. */
  updateTestcase(testcaseId: string, body: UpdateTestcaseBody, options?: CallOptions): Promise<Testcase>;

  /** Get a testset. */
  getTestset(testsetId: string, options?: CallOptions): Promise<Testset>;

  /** Change a testset. Its testcases keep the validation errors of the schema at the time they were written. */
  updateTestset(testsetId: string, body: UpdateTestsetBody, options?: CallOptions): Promise<Testset>;

  /** Delete a testset and its testcases. Their records stay. */
  deleteTestset(testsetId: string, options?: CallOptions): Promise<Success>;

  /** Get the numbers of testcases of a testset, of its splits and of its tags. */
  getTestsetCounts(testsetId: string, options?: CallOptions): Promise<TestsetCounts>;

  /** Let a model draft testcases for review. From a description, the testcases that exist, or records. Near-duplicates are marked. Nothing is written. */
  draftTestcases(testsetId: string, body: DraftTestcasesBody, options?: CallOptions): Promise<TestcaseDrafts>;

  /** List the fresh testcases of a testset, newest first. Those that wait, and those that a run took, with the run. */
  listFreshTestcases(testsetId: string, query?: ListFreshTestcasesQuery, options?: CallOptions): List<FreshTestcase>;

  /** Add 1 to 100 fresh testcases, all or none. They wait outside of the testset, unseen by runs, until a run takes them (`fresh`). */
  createFreshTestcases(testsetId: string, body: CreateFreshTestcasesBody, options?: CallOptions): Promise<FreshTestcasesCreated>;

  /** Delete fresh testcases that wait, all or none. */
  deleteFreshTestcases(testsetId: string, body: DeleteFreshTestcasesBody, options?: CallOptions): Promise<Success>;

  /** Draw fresh testcases from the traffic of the project, or preview the draw. Each record of the traffic has the same chance, and is drawn once. A testcase has the fields of the record that the testset has too. */
  drawFreshTestcases(testsetId: string, body: DrawFreshTestcasesBody, options?: CallOptions): Promise<FreshDraw>;

  /** List the sealed splits of a testset, newest first. */
  listSeals(testsetId: string, query?: ListSealsQuery, options?: CallOptions): List<Seal>;

  /** Seal testcases of a testset: no one reads them until their looks are spent. Their texts leave the testset and its snapshots. Only counts and the answers of looks are shown, to no member, admin, agent or judge page more. Records of earlier runs stay as they are; `numSeen` counts the testcases that have some. */
  createSeal(testsetId: string, body: CreateSealBody, options?: CallOptions): Promise<Seal>;

  /** Get how the testcases of a testset are grouped and split. */
  getTestsetSettings(testsetId: string, options?: CallOptions): Promise<TestsetSettings>;

  /** Choose how the testcases of a testset are grouped and split. Intervals are then based on the groups. */
  updateTestsetSettings(testsetId: string, body: UpdateTestsetSettingsBody, options?: CallOptions): Promise<TestsetSettings>;

  /** List the snapshots of a testset, newest first. */
  listSnapshots(testsetId: string, query?: ListSnapshotsQuery, options?: CallOptions): List<Snapshot>;

  /** Make a snapshot of a testset as it is now, or name the one that exists. No testcase is copied. A run makes a snapshot of its testset when it starts, so none has to be made for it. */
  createSnapshot(testsetId: string, body: CreateSnapshotBody, options?: CallOptions): Promise<Snapshot>;

  /** Get a snapshot of a testset. */
  getSnapshot(testsetId: string, snapshotNumber: string, options?: CallOptions): Promise<Snapshot>;

  /** Change the name of a snapshot. */
  updateSnapshot(testsetId: string, snapshotNumber: string, body: UpdateSnapshotBody, options?: CallOptions): Promise<Snapshot>;

  /** List the testcases that differ between two snapshots of a testset. Without the second, between the snapshot and the testset as it is now. */
  listSnapshotDifferences(testsetId: string, snapshotNumber: string, query?: ListSnapshotDifferencesQuery, options?: CallOptions): List<TestcaseDifference>;

  /** Make the testcases of a testset what they were in a snapshot. The testset as it is gets a snapshot first, so restoring can be undone. A testcase gets back its revision too: results of then and of now compare again. */
  restoreSnapshot(testsetId: string, snapshotNumber: string, options?: CallOptions): Promise<SnapshotRestored>;

  /** List the testcases of a testset, oldest first. */
  listTestcases(testsetId: string, query?: ListTestcasesQuery, options?: CallOptions): List<Testcase>;

  /** Add 1 to 100 testcases to a testset, all or none. */
  createTestcases(testsetId: string, body: CreateTestcasesBody, options?: CallOptions): Promise<{
    /** The testcases in the order sent. */
    items: Testcase[];
  }>;

  /** Set the split and the tags of the testcases that fit. Without ids, search and share, of all testcases. A share is drawn by groups, so that no group is in two splits. */
  updateTestcaseMarks(testsetId: string, body: UpdateTestcaseMarksBody, options?: CallOptions): Promise<TestcasesMarked>;

  /** List the sessions that the traces of a project name, the one with the latest trace first. */
  listTraceSessions(projectId: string, query?: ListTraceSessionsQuery, options?: CallOptions): List<TraceSession>;

  /** Search the spans of a project, latest start first. */
  listSpans(projectId: string, query?: ListSpansQuery, options?: CallOptions): List<Span>;

  /** List the traces of a project, latest start first. A search narrows the list and sorts it. */
  listTraces(projectId: string, query?: ListTracesQuery, options?: CallOptions): List<Trace>;

  /** Count the traces of a project by the value of a field. The search is that of the list. Each group has the filter that finds its traces. */
  groupProjectTraces(projectId: string, query: GroupProjectTracesQuery, options?: CallOptions): Promise<ValueGroups>;

  /** Get a trace with its sums and the scores of its record. */
  getTrace(projectId: string, traceId: string, options?: CallOptions): Promise<Trace>;

  /** Delete a trace and its spans. A record that was created from this trace alone is deleted too, unless someone has reviewed, annotated or scored it. */
  deleteTrace(projectId: string, traceId: string, options?: CallOptions): Promise<Success>;

  /** Get the conversation of a trace, from the spans of its models, tools and agents. */
  getTraceConversation(projectId: string, traceId: string, query?: GetTraceConversationQuery, options?: CallOptions): Promise<{
    /** The messages, each once: first the main conversation, then that of each sub-agent. */
    data: ConversationEntry[];
    /** The sub-agents. */
    agents: Array<{
      /** Trace of the agent. */
      traceId: string;
      /** Span of the agent. */
      spanId: string;
      /** Name of the agent. */
      name: string;
      /** Span of the sub-agent that it works for; null for the main agent. */
      parentAgentSpanId: string | null;
      /** Error; null if it did not fail. */
      error: string | null;
    }>;
    /** With `spans=true`: all spans in the order of the tree. */
    spans?: CalledSpan[] | undefined;
    /** Whether there is more than shown here. */
    truncated: boolean;
  }>;

  /** List the spans of a trace as a tree: the first 10,000 by start. */
  listTraceSpans(projectId: string, traceId: string, query?: ListTraceSpansQuery, options?: CallOptions): Promise<{
    /** The spans in the order of the tree: each after its parent, siblings by start. */
    data: TreeSpan[];
    /** Whether there is more than shown here. */
    truncated: boolean;
  }>;

  /** Get a span with all its data. */
  getSpan(projectId: string, traceId: string, spanId: string, options?: CallOptions): Promise<SpanDetail>;

  /** List the users that the traces of a project name, the one with the latest trace first. */
  listTraceUsers(projectId: string, query?: ListTraceUsersQuery, options?: CallOptions): List<TraceUser>;

  /** Get the conversation of a record, from the spans of its models, tools and agents. */
  getRecordConversation(recordId: string, query?: GetRecordConversationQuery, options?: CallOptions): Promise<{
    /** The messages, each once: first the main conversation, then that of each sub-agent. */
    data: ConversationEntry[];
    /** The sub-agents. */
    agents: Array<{
      /** Trace of the agent. */
      traceId: string;
      /** Span of the agent. */
      spanId: string;
      /** Name of the agent. */
      name: string;
      /** Span of the sub-agent that it works for; null for the main agent. */
      parentAgentSpanId: string | null;
      /** Error; null if it did not fail. */
      error: string | null;
    }>;
    /** With `spans=true`: all spans in the order of the tree. */
    spans?: CalledSpan[] | undefined;
    /** Whether there is more than shown here. */
    truncated: boolean;
  }>;

  /** List the spans of a record as a tree: the first 10,000 by start. */
  listRecordSpans(recordId: string, query?: ListRecordSpansQuery, options?: CallOptions): Promise<{
    /** The spans in the order of the tree: each after its parent, siblings by start. */
    data: TreeSpan[];
    /** Whether there is more than shown here. */
    truncated: boolean;
  }>;

  /** Get the pinned set of a metric. */
  getPinnedSet(metricId: string, options?: CallOptions): Promise<PinnedSet>;

  /** Pin labelled records, on which judges are then tried. The judge's verdicts on them are the reference of later trials. */
  upsertPinnedSet(metricId: string, body: UpsertPinnedSetBody, options?: CallOptions): Promise<PinnedSet>;

  /** Delete the pinned set of a metric. The runs of its trials stay. */
  deletePinnedSet(metricId: string, options?: CallOptions): Promise<Success>;

  /** Start a trial: configurations of a metric decide records beside its judge. Stored scores stay. A drift trial tries the judge in use on the pinned records. A succession tries other models or prompts on them. An alignment makes prompts from labels on which the judge and people disagree, and tries them on other labels; or it tries prompts that a person wrote, on labels for tuning or on labels that are kept for the check. A battery edits the pinned records without changing the truth about them, and counts the verdicts that change. A rescoring tries a configuration on a run that the metric scores; a sample can go first. */
  createTrial(metricId: string, body: CreateTrialBody, options?: CallOptions): Promise<Trial>;

  /** Estimate the verdicts and the cost of a trial before it starts. Nothing is written. For a battery: which biases the pinned records can show. For an alignment of prompts that a person wrote: how far people agree with the prompt as it is saved. */
  estimateTrial(metricId: string, body: EstimateTrialBody, options?: CallOptions): Promise<TrialEstimate>;

  /** Get a trial with its verdicts, its progress and its cost. Each candidate has its drift or equivalence, agreement, cost and latency. A rescoring has the number of scores that change, its cost so far and an estimate of the rest. */
  getTrial(metricId: string, trialNumber: string, query?: GetTrialQuery, options?: CallOptions): Promise<Trial>;

  /** List the records of a rescoring or an alignment with both verdicts. For a rescoring: the score and the proposed one. For an alignment of written prompts on labels for tuning: the verdicts of people, of the saved and of the edited prompt. Labels that are kept for the check are not listed: 409. Other trials: 404. */
  listTrialChanges(metricId: string, trialNumber: string, query?: ListTrialChangesQuery, options?: CallOptions): List<TrialChange>;

  /** Adopt a candidate or the proposals of a trial, or discard the trial. */
  decideTrial(metricId: string, trialNumber: string, body: DecideTrialBody, options?: CallOptions): Promise<Trial>;

  /** Extend a rescoring from the sample to every record. Records that were added to the run since then are included. Other trials have no sample: 404. */
  extendTrial(metricId: string, trialNumber: string, options?: CallOptions): Promise<Trial>;

  /** List the trials of a metric or of a run with their verdicts, newest first. The query names a metric, a run or both. */
  listTrials(query?: ListTrialsQuery, options?: CallOptions): List<Trial>;

  /** List the saved views of a project by name: your own and the shared ones. */
  listViews(projectId: string, options?: CallOptions): Promise<{
    /** Views, by name. */
    data: SavedView[];
  }>;

  /** Save a search of a project's records under a name, with its display settings. */
  createView(projectId: string, body: CreateViewBody, options?: CallOptions): Promise<SavedView>;

  /** Change a saved view. Only its author may do this or, if it is shared, an admin. */
  updateView(viewId: string, body: UpdateViewBody, options?: CallOptions): Promise<SavedView>;

  /** Delete a saved view. Only its author may do this or, if it is shared, an admin. */
  deleteView(viewId: string, options?: CallOptions): Promise<Success>;
}

/** HTTP method and path of each operation. */
export const operations: { readonly [name in keyof Operations]: OperationFacts } = {
  listKeys: { method: 'GET', path: '/api/v2/keys', query: true, list: true },
  createKey: { method: 'POST', path: '/api/v2/keys', body: true, keyless: true },
  deleteKey: { method: 'DELETE', path: '/api/v2/keys/{keyId}' },
  updateAlert: { method: 'PATCH', path: '/api/v2/alerts/{alertId}', body: true },
  deleteAlert: { method: 'DELETE', path: '/api/v2/alerts/{alertId}' },
  askAddressOwner: { method: 'POST', path: '/api/v2/alerts/{alertId}/confirmations', body: true },
  listAlertDeliveries: { method: 'GET', path: '/api/v2/alerts/{alertId}/deliveries', query: true, list: true },
  retryAlertDelivery: { method: 'POST', path: '/api/v2/alerts/{alertId}/deliveries/{deliveryId}/retry' },
  testAlert: { method: 'POST', path: '/api/v2/alerts/{alertId}/test', keyless: true },
  getAddressQuestion: { method: 'POST', path: '/api/v2/mail-addresses/find', body: true, keyless: true },
  redeemAddressLink: { method: 'POST', path: '/api/v2/mail-addresses/redeem', body: true, keyless: true },
  listAlarms: { method: 'GET', path: '/api/v2/projects/{projectId}/alarms', query: true },
  listAlerts: { method: 'GET', path: '/api/v2/projects/{projectId}/alerts' },
  createAlert: { method: 'POST', path: '/api/v2/projects/{projectId}/alerts', body: true, keyless: true },
  measureAgreement: { method: 'GET', path: '/api/v2/metrics/{metricId}/agreement', query: true },
  calibrateMetric: { method: 'GET', path: '/api/v2/metrics/{metricId}/calibration', query: true },
  listJudgeDisagreements: { method: 'GET', path: '/api/v2/metrics/{metricId}/calibration/disagreements', query: true, list: true },
  getJudgePassport: { method: 'GET', path: '/api/v2/metrics/{metricId}/passport', query: true },
  getPassportKey: { method: 'GET', path: '/api/v2/passport-key' },
  getProjectNews: { method: 'GET', path: '/api/v2/projects/{projectId}/news', query: true },
  planRun: { method: 'GET', path: '/api/v2/projects/{projectId}/plan', query: true },
  listReportLinks: { method: 'GET', path: '/api/v2/projects/{projectId}/report-links' },
  createReportLink: { method: 'POST', path: '/api/v2/projects/{projectId}/report-links', body: true, keyless: true },
  getSeries: { method: 'GET', path: '/api/v2/projects/{projectId}/series', query: true },
  listTrends: { method: 'GET', path: '/api/v2/projects/{projectId}/trends', query: true },
  getSharedReport: { method: 'POST', path: '/api/v2/report-links/read', body: true, keyless: true },
  deleteReportLink: { method: 'DELETE', path: '/api/v2/report-links/{reportLinkId}' },
  compareRuns: { method: 'GET', path: '/api/v2/runs/compare', query: true },
  listChangedTestcases: { method: 'GET', path: '/api/v2/runs/compare/testcases', query: true, list: true },
  groupFailures: { method: 'POST', path: '/api/v2/runs/{runId}/failure-clusters', body: true, keyless: true },
  createLook: { method: 'POST', path: '/api/v2/runs/{runId}/looks', body: true },
  summarizeRun: { method: 'GET', path: '/api/v2/runs/{runId}/summary', query: true },
  examineTestset: { method: 'GET', path: '/api/v2/testsets/{testsetId}/examination', query: true },
  listLooks: { method: 'GET', path: '/api/v2/testsets/{testsetId}/looks', query: true, list: true },
  getWear: { method: 'GET', path: '/api/v2/testsets/{testsetId}/wear', query: true },
  listAnnotations: { method: 'GET', path: '/api/v2/records/{recordId}/annotations' },
  createAnnotation: { method: 'POST', path: '/api/v2/records/{recordId}/annotations', body: true },
  updateAnnotation: { method: 'PATCH', path: '/api/v2/records/{recordId}/annotations/{annotationId}', body: true },
  deleteAnnotation: { method: 'DELETE', path: '/api/v2/records/{recordId}/annotations/{annotationId}' },
  createReply: { method: 'POST', path: '/api/v2/records/{recordId}/annotations/{annotationId}/replies', body: true },
  updateReply: { method: 'PATCH', path: '/api/v2/records/{recordId}/annotations/{annotationId}/replies/{replyId}', body: true },
  deleteReply: { method: 'DELETE', path: '/api/v2/records/{recordId}/annotations/{annotationId}/replies/{replyId}' },
  resolveAnnotation: { method: 'PUT', path: '/api/v2/records/{recordId}/annotations/{annotationId}/resolution', body: true },
  listThreads: { method: 'GET', path: '/api/v2/records/{recordId}/threads', query: true, list: true },
  listRecordAssignees: { method: 'GET', path: '/api/v2/records/{recordId}/assignees' },
  assignRecordUser: { method: 'POST', path: '/api/v2/records/{recordId}/assignees', body: true },
  unassignRecordUser: { method: 'DELETE', path: '/api/v2/records/{recordId}/assignees/{assigneeUserId}' },
  initiateAttachment: { method: 'POST', path: '/api/v2/attachments', body: true },
  listOrphanAttachments: { method: 'GET', path: '/api/v2/attachments/orphans', query: true, list: true },
  getAttachment: { method: 'GET', path: '/api/v2/attachments/{attachmentId}' },
  deleteAttachment: { method: 'DELETE', path: '/api/v2/attachments/{attachmentId}' },
  commitAttachment: { method: 'POST', path: '/api/v2/attachments/{attachmentId}/commit' },
  listSessionAttachments: { method: 'GET', path: '/api/v2/sessions/{sessionId}/attachments', query: true, list: true },
  listAuditEvents: { method: 'GET', path: '/api/v2/audit-events', query: true, list: true },
  verifyAuditEvents: { method: 'GET', path: '/api/v2/audit-events/verify', query: true },
  listDecisions: { method: 'GET', path: '/api/v2/projects/{projectId}/decisions', query: true, list: true },
  createDecision: { method: 'POST', path: '/api/v2/projects/{projectId}/decisions', body: true },
  getDecision: { method: 'GET', path: '/api/v2/projects/{projectId}/decisions/{decisionId}' },
  exportDecision: { method: 'POST', path: '/api/v2/projects/{projectId}/decisions/{decisionId}/file', body: true, keyless: true },
  readDecision: { method: 'GET', path: '/api/v2/projects/{projectId}/decisions/{decisionId}/reading', query: true },
  waiveDecision: { method: 'POST', path: '/api/v2/projects/{projectId}/decisions/{decisionId}/waivers', body: true },
  listExecutions: { method: 'GET', path: '/api/v2/runs/{runId}/executions', query: true, list: true },
  getMe: { method: 'GET', path: '/api/v2/me' },
  listMembers: { method: 'GET', path: '/api/v2/members', query: true, list: true },
  createMember: { method: 'POST', path: '/api/v2/members', body: true },
  getMember: { method: 'GET', path: '/api/v2/members/{userId}' },
  updateMember: { method: 'PATCH', path: '/api/v2/members/{userId}', body: true },
  deleteMember: { method: 'DELETE', path: '/api/v2/members/{userId}' },
  updateMyOrganization: { method: 'PATCH', path: '/api/v2/organization', body: true },
  listScimTokens: { method: 'GET', path: '/api/v2/scim-tokens', query: true, list: true },
  createScimToken: { method: 'POST', path: '/api/v2/scim-tokens', body: true, keyless: true },
  deleteScimToken: { method: 'DELETE', path: '/api/v2/scim-tokens/{tokenId}' },
  getMetricGroup: { method: 'GET', path: '/api/v2/metric-groups/{metricGroupId}' },
  updateMetricGroup: { method: 'PATCH', path: '/api/v2/metric-groups/{metricGroupId}', body: true },
  deleteMetricGroup: { method: 'DELETE', path: '/api/v2/metric-groups/{metricGroupId}' },
  listMetricGroups: { method: 'GET', path: '/api/v2/projects/{projectId}/metric-groups', query: true, list: true },
  createMetricGroup: { method: 'POST', path: '/api/v2/projects/{projectId}/metric-groups', body: true },
  listMetricTemplates: { method: 'GET', path: '/api/v2/metric-templates' },
  getMetric: { method: 'GET', path: '/api/v2/metrics/{metricId}' },
  updateMetric: { method: 'PATCH', path: '/api/v2/metrics/{metricId}', body: true },
  deleteMetric: { method: 'DELETE', path: '/api/v2/metrics/{metricId}' },
  getMetricSettings: { method: 'GET', path: '/api/v2/metrics/{metricId}/settings' },
  updateMetricSettings: { method: 'PATCH', path: '/api/v2/metrics/{metricId}/settings', body: true },
  listMetricVersions: { method: 'GET', path: '/api/v2/metrics/{metricId}/versions', query: true, list: true },
  draftCriteria: { method: 'POST', path: '/api/v2/projects/{projectId}/criteria-drafts', body: true, keyless: true },
  listMetrics: { method: 'GET', path: '/api/v2/projects/{projectId}/metrics', query: true, list: true },
  createMetric: { method: 'POST', path: '/api/v2/projects/{projectId}/metrics', body: true },
  previewMetric: { method: 'POST', path: '/api/v2/projects/{projectId}/metrics/preview', body: true, keyless: true },
  getMonitor: { method: 'GET', path: '/api/v2/monitors/{monitorId}' },
  updateMonitor: { method: 'PATCH', path: '/api/v2/monitors/{monitorId}', body: true },
  deleteMonitor: { method: 'DELETE', path: '/api/v2/monitors/{monitorId}' },
  listMonitors: { method: 'GET', path: '/api/v2/projects/{projectId}/monitors', query: true, list: true },
  createMonitor: { method: 'POST', path: '/api/v2/projects/{projectId}/monitors', body: true },
  upsertMonitor: { method: 'PUT', path: '/api/v2/projects/{projectId}/monitors', body: true },
  listOrganizations: { method: 'GET', path: '/api/v2/organizations', query: true, list: true },
  createOrganization: { method: 'POST', path: '/api/v2/organizations', body: true, keyless: true },
  updateOrganization: { method: 'PATCH', path: '/api/v2/organizations/{organizationId}', body: true },
  createOperatorLink: { method: 'POST', path: '/api/v2/organizations/{organizationId}/sign-in-links', body: true, keyless: true },
  getPreferenceStudy: { method: 'GET', path: '/api/v2/preference-studies/{preferenceStudyId}' },
  deletePreferenceStudy: { method: 'DELETE', path: '/api/v2/preference-studies/{preferenceStudyId}' },
  listPreferenceComparisons: { method: 'GET', path: '/api/v2/preference-studies/{preferenceStudyId}/comparisons', query: true, list: true },
  updatePreferenceJudge: { method: 'PUT', path: '/api/v2/preference-studies/{preferenceStudyId}/judge', body: true },
  getNextPreference: { method: 'GET', path: '/api/v2/preference-studies/{preferenceStudyId}/next' },
  submitPreference: { method: 'POST', path: '/api/v2/preference-studies/{preferenceStudyId}/preferences', body: true },
  undoPreference: { method: 'POST', path: '/api/v2/preference-studies/{preferenceStudyId}/preferences/undo' },
  getPreferenceResult: { method: 'GET', path: '/api/v2/preference-studies/{preferenceStudyId}/result', query: true },
  listPreferenceStudies: { method: 'GET', path: '/api/v2/projects/{projectId}/preference-studies', query: true, list: true },
  createPreferenceStudy: { method: 'POST', path: '/api/v2/projects/{projectId}/preference-studies', body: true },
  estimatePreferenceStudy: { method: 'POST', path: '/api/v2/projects/{projectId}/preference-studies/estimate', body: true, keyless: true },
  listProjects: { method: 'GET', path: '/api/v2/projects', query: true, list: true },
  createProject: { method: 'POST', path: '/api/v2/projects', body: true },
  getProject: { method: 'GET', path: '/api/v2/projects/{projectId}' },
  updateProject: { method: 'PATCH', path: '/api/v2/projects/{projectId}', body: true },
  deleteProject: { method: 'DELETE', path: '/api/v2/projects/{projectId}' },
  getProjectAccess: { method: 'GET', path: '/api/v2/projects/{projectId}/access' },
  askProject: { method: 'POST', path: '/api/v2/projects/{projectId}/ask', body: true, keyless: true },
  listCreators: { method: 'GET', path: '/api/v2/projects/{projectId}/creators', query: true, list: true },
  getProjectImport: { method: 'GET', path: '/api/v2/projects/{projectId}/import' },
  previewMasking: { method: 'POST', path: '/api/v2/projects/{projectId}/masking/preview', body: true, keyless: true },
  upsertProjectMember: { method: 'PUT', path: '/api/v2/projects/{projectId}/members/{userId}', body: true },
  deleteProjectMember: { method: 'DELETE', path: '/api/v2/projects/{projectId}/members/{userId}' },
  previewRetention: { method: 'GET', path: '/api/v2/projects/{projectId}/retention/preview', query: true },
  getSearchIndex: { method: 'GET', path: '/api/v2/projects/{projectId}/search-index' },
  getProjectSettings: { method: 'GET', path: '/api/v2/projects/{projectId}/settings' },
  updateProjectSettings: { method: 'PATCH', path: '/api/v2/projects/{projectId}/settings', body: true },
  listJudgeModels: { method: 'GET', path: '/api/v2/judge-models' },
  refreshJudgeModels: { method: 'POST', path: '/api/v2/judge-models/refresh', keyless: true },
  getPrices: { method: 'GET', path: '/api/v2/prices' },
  listModelEndings: { method: 'GET', path: '/api/v2/projects/{projectId}/model-endings', query: true, list: true },
  listProviders: { method: 'GET', path: '/api/v2/providers', query: true, list: true },
  createProvider: { method: 'POST', path: '/api/v2/providers', body: true },
  updateProvider: { method: 'PATCH', path: '/api/v2/providers/{providerId}', body: true },
  deleteProvider: { method: 'DELETE', path: '/api/v2/providers/{providerId}' },
  testProvider: { method: 'POST', path: '/api/v2/providers/{providerId}/test', body: true, keyless: true },
  listProjectRecords: { method: 'GET', path: '/api/v2/projects/{projectId}/records', query: true, list: true },
  listRecordFields: { method: 'GET', path: '/api/v2/projects/{projectId}/records/fields' },
  groupProjectRecords: { method: 'GET', path: '/api/v2/projects/{projectId}/records/groups', query: true },
  getRecordHistogram: { method: 'GET', path: '/api/v2/projects/{projectId}/records/histogram', query: true },
  getRecord: { method: 'GET', path: '/api/v2/records/{recordId}' },
  deleteRecord: { method: 'DELETE', path: '/api/v2/records/{recordId}' },
  listRecords: { method: 'GET', path: '/api/v2/runs/{runId}/records', query: true, list: true },
  createRecord: { method: 'POST', path: '/api/v2/runs/{runId}/records', body: true },
  createRecords: { method: 'POST', path: '/api/v2/runs/{runId}/records/bulk-create', body: true },
  listReviewDisagreements: { method: 'GET', path: '/api/v2/metrics/{metricId}/review-disagreements', query: true, list: true },
  assignReviews: { method: 'POST', path: '/api/v2/projects/{projectId}/reviews/assign', body: true, query: true },
  leaveReviews: { method: 'POST', path: '/api/v2/projects/{projectId}/reviews/leave', query: true },
  nextReview: { method: 'POST', path: '/api/v2/projects/{projectId}/reviews/next', query: true },
  getReviewProgress: { method: 'GET', path: '/api/v2/projects/{projectId}/reviews/progress', query: true },
  undoReview: { method: 'POST', path: '/api/v2/projects/{projectId}/reviews/undo', query: true },
  submitReviews: { method: 'POST', path: '/api/v2/records/{recordId}/reviews', body: true },
  listReviews: { method: 'GET', path: '/api/v2/records/{recordId}/reviews/{metricConfigId}' },
  submitReview: { method: 'POST', path: '/api/v2/records/{recordId}/reviews/{metricConfigId}', body: true },
  skipReview: { method: 'POST', path: '/api/v2/records/{recordId}/reviews/{metricConfigId}/skip' },
  listSampledRecords: { method: 'GET', path: '/api/v2/review-samples/{reviewSampleId}/records', query: true, list: true },
  listReviewSamples: { method: 'GET', path: '/api/v2/runs/{runId}/review-samples', query: true, list: true },
  createReviewSample: { method: 'POST', path: '/api/v2/runs/{runId}/review-samples', body: true },
  listRunDetails: { method: 'GET', path: '/api/v2/projects/{projectId}/run-details', query: true, list: true },
  listRuns: { method: 'GET', path: '/api/v2/projects/{projectId}/runs', query: true, list: true },
  createRun: { method: 'POST', path: '/api/v2/projects/{projectId}/runs', body: true },
  estimateRun: { method: 'POST', path: '/api/v2/projects/{projectId}/runs/estimate', body: true, keyless: true },
  groupProjectRuns: { method: 'GET', path: '/api/v2/projects/{projectId}/runs/groups', query: true },
  getRun: { method: 'GET', path: '/api/v2/runs/{runId}' },
  deleteRun: { method: 'DELETE', path: '/api/v2/runs/{runId}' },
  cancelRun: { method: 'POST', path: '/api/v2/runs/{runId}/cancel', body: true },
  getRunDetails: { method: 'GET', path: '/api/v2/runs/{runId}/details' },
  updateRunDetails: { method: 'PATCH', path: '/api/v2/runs/{runId}/details', body: true },
  addRunMetrics: { method: 'POST', path: '/api/v2/runs/{runId}/metrics', body: true },
  retryRun: { method: 'POST', path: '/api/v2/runs/{runId}/retry', body: true },
  upsertRunVerdict: { method: 'PUT', path: '/api/v2/runs/{runId}/verdicts/{gate}', body: true },
  listSchedules: { method: 'GET', path: '/api/v2/projects/{projectId}/schedules' },
  createSchedule: { method: 'POST', path: '/api/v2/projects/{projectId}/schedules', body: true },
  updateSchedule: { method: 'PATCH', path: '/api/v2/schedules/{scheduleId}', body: true },
  deleteSchedule: { method: 'DELETE', path: '/api/v2/schedules/{scheduleId}' },
  getScore: { method: 'GET', path: '/api/v2/records/{recordId}/scores/{metricConfigId}' },
  upsertScore: { method: 'PUT', path: '/api/v2/records/{recordId}/scores/{metricConfigId}', body: true },
  getSpanScore: { method: 'GET', path: '/api/v2/records/{recordId}/scores/{metricConfigId}/spans/{spanId}', query: true },
  upsertSpanScore: { method: 'PUT', path: '/api/v2/records/{recordId}/scores/{metricConfigId}/spans/{spanId}', body: true },
  listSpanScores: { method: 'GET', path: '/api/v2/records/{recordId}/span-scores' },
  upsertScores: { method: 'POST', path: '/api/v2/runs/{runId}/scores/bulk-upsert', body: true },
  updatePassword: { method: 'PUT', path: '/api/v2/me/password', body: true },
  createSignInLink: { method: 'POST', path: '/api/v2/members/{userId}/sign-in-links', keyless: true },
  getSignInLink: { method: 'POST', path: '/api/v2/sign-in-links/find', body: true, keyless: true },
  redeemSignInLink: { method: 'POST', path: '/api/v2/sign-in-links/redeem', body: true, keyless: true },
  getSignInOptions: { method: 'GET', path: '/api/v2/sign-in-options' },
  signIn: { method: 'POST', path: '/api/v2/sign-ins', body: true, keyless: true },
  signOut: { method: 'DELETE', path: '/api/v2/sign-ins/current' },
  switchOrganization: { method: 'PUT', path: '/api/v2/sign-ins/current/organization', body: true },
  getSingleSignOn: { method: 'GET', path: '/api/v2/single-sign-on' },
  simulateUser: { method: 'POST', path: '/api/v2/agents/{systemVersionId}/simulate', body: true, keyless: true },
  listSystems: { method: 'GET', path: '/api/v2/projects/{projectId}/systems', query: true, list: true },
  upsertSystem: { method: 'POST', path: '/api/v2/projects/{projectId}/systems', body: true },
  trySystem: { method: 'POST', path: '/api/v2/projects/{projectId}/systems/try', body: true, keyless: true },
  getLabelledVersion: { method: 'GET', path: '/api/v2/projects/{projectId}/systems/{systemName}/versions/{label}' },
  getSystemVersion: { method: 'GET', path: '/api/v2/systems/versions/{systemVersionId}' },
  getSystem: { method: 'GET', path: '/api/v2/systems/{systemId}' },
  updateSystem: { method: 'PATCH', path: '/api/v2/systems/{systemId}', body: true },
  deleteSystem: { method: 'DELETE', path: '/api/v2/systems/{systemId}' },
  upsertSystemLabel: { method: 'PUT', path: '/api/v2/systems/{systemId}/labels/{label}', body: true },
  deleteSystemLabel: { method: 'DELETE', path: '/api/v2/systems/{systemId}/labels/{label}' },
  listSystemVersions: { method: 'GET', path: '/api/v2/systems/{systemId}/versions', query: true, list: true },
  upsertSystemVersion: { method: 'POST', path: '/api/v2/systems/{systemId}/versions', body: true },
  listProjectTags: { method: 'GET', path: '/api/v2/projects/{projectId}/tags', query: true, list: true },
  listRecordTags: { method: 'GET', path: '/api/v2/records/{recordId}/tags' },
  createRecordTag: { method: 'POST', path: '/api/v2/records/{recordId}/tags', body: true },
  deleteRecordTag: { method: 'DELETE', path: '/api/v2/records/{recordId}/tags/{text}' },
  listTestsetDetails: { method: 'GET', path: '/api/v2/projects/{projectId}/testset-details', query: true, list: true },
  listTestsets: { method: 'GET', path: '/api/v2/projects/{projectId}/testsets', query: true, list: true },
  createTestset: { method: 'POST', path: '/api/v2/projects/{projectId}/testsets', body: true },
  createTestcaseFromRecord: { method: 'POST', path: '/api/v2/records/{recordId}/testcase', body: true },
  getSeal: { method: 'GET', path: '/api/v2/seals/{sealId}' },
  listSealedLooks: { method: 'GET', path: '/api/v2/seals/{sealId}/looks', query: true, list: true },
  createSealedLook: { method: 'POST', path: '/api/v2/seals/{sealId}/looks', body: true },
  openSeal: { method: 'POST', path: '/api/v2/seals/{sealId}/open' },
  deleteTestcases: { method: 'POST', path: '/api/v2/testcases/bulk-delete', body: true },
  getTestcase: { method: 'GET', path: '/api/v2/testcases/{testcaseId}' },
  updateTestcase: { method: 'PUT', path: '/api/v2/testcases/{testcaseId}', body: true },
  getTestset: { method: 'GET', path: '/api/v2/testsets/{testsetId}' },
  updateTestset: { method: 'PATCH', path: '/api/v2/testsets/{testsetId}', body: true },
  deleteTestset: { method: 'DELETE', path: '/api/v2/testsets/{testsetId}' },
  getTestsetCounts: { method: 'GET', path: '/api/v2/testsets/{testsetId}/counts' },
  draftTestcases: { method: 'POST', path: '/api/v2/testsets/{testsetId}/drafts', body: true, keyless: true },
  listFreshTestcases: { method: 'GET', path: '/api/v2/testsets/{testsetId}/fresh-testcases', query: true, list: true },
  createFreshTestcases: { method: 'POST', path: '/api/v2/testsets/{testsetId}/fresh-testcases/bulk-create', body: true },
  deleteFreshTestcases: { method: 'POST', path: '/api/v2/testsets/{testsetId}/fresh-testcases/bulk-delete', body: true },
  drawFreshTestcases: { method: 'POST', path: '/api/v2/testsets/{testsetId}/fresh-testcases/draw', body: true },
  listSeals: { method: 'GET', path: '/api/v2/testsets/{testsetId}/seals', query: true, list: true },
  createSeal: { method: 'POST', path: '/api/v2/testsets/{testsetId}/seals', body: true },
  getTestsetSettings: { method: 'GET', path: '/api/v2/testsets/{testsetId}/settings' },
  updateTestsetSettings: { method: 'PATCH', path: '/api/v2/testsets/{testsetId}/settings', body: true },
  listSnapshots: { method: 'GET', path: '/api/v2/testsets/{testsetId}/snapshots', query: true, list: true },
  createSnapshot: { method: 'POST', path: '/api/v2/testsets/{testsetId}/snapshots', body: true },
  getSnapshot: { method: 'GET', path: '/api/v2/testsets/{testsetId}/snapshots/{snapshotNumber}' },
  updateSnapshot: { method: 'PATCH', path: '/api/v2/testsets/{testsetId}/snapshots/{snapshotNumber}', body: true },
  listSnapshotDifferences: { method: 'GET', path: '/api/v2/testsets/{testsetId}/snapshots/{snapshotNumber}/differences', query: true, list: true },
  restoreSnapshot: { method: 'POST', path: '/api/v2/testsets/{testsetId}/snapshots/{snapshotNumber}/restore' },
  listTestcases: { method: 'GET', path: '/api/v2/testsets/{testsetId}/testcases', query: true, list: true },
  createTestcases: { method: 'POST', path: '/api/v2/testsets/{testsetId}/testcases', body: true },
  updateTestcaseMarks: { method: 'PATCH', path: '/api/v2/testsets/{testsetId}/testcases', body: true },
  listTraceSessions: { method: 'GET', path: '/api/v2/projects/{projectId}/sessions', query: true, list: true },
  listSpans: { method: 'GET', path: '/api/v2/projects/{projectId}/spans', query: true, list: true },
  listTraces: { method: 'GET', path: '/api/v2/projects/{projectId}/traces', query: true, list: true },
  groupProjectTraces: { method: 'GET', path: '/api/v2/projects/{projectId}/traces/groups', query: true },
  getTrace: { method: 'GET', path: '/api/v2/projects/{projectId}/traces/{traceId}' },
  deleteTrace: { method: 'DELETE', path: '/api/v2/projects/{projectId}/traces/{traceId}' },
  getTraceConversation: { method: 'GET', path: '/api/v2/projects/{projectId}/traces/{traceId}/conversation', query: true },
  listTraceSpans: { method: 'GET', path: '/api/v2/projects/{projectId}/traces/{traceId}/spans', query: true },
  getSpan: { method: 'GET', path: '/api/v2/projects/{projectId}/traces/{traceId}/spans/{spanId}' },
  listTraceUsers: { method: 'GET', path: '/api/v2/projects/{projectId}/users', query: true, list: true },
  getRecordConversation: { method: 'GET', path: '/api/v2/records/{recordId}/conversation', query: true },
  listRecordSpans: { method: 'GET', path: '/api/v2/records/{recordId}/spans', query: true },
  getPinnedSet: { method: 'GET', path: '/api/v2/metrics/{metricId}/pinned-set' },
  upsertPinnedSet: { method: 'PUT', path: '/api/v2/metrics/{metricId}/pinned-set', body: true },
  deletePinnedSet: { method: 'DELETE', path: '/api/v2/metrics/{metricId}/pinned-set' },
  createTrial: { method: 'POST', path: '/api/v2/metrics/{metricId}/trials', body: true },
  estimateTrial: { method: 'POST', path: '/api/v2/metrics/{metricId}/trials/estimate', body: true, keyless: true },
  getTrial: { method: 'GET', path: '/api/v2/metrics/{metricId}/trials/{trialNumber}', query: true },
  listTrialChanges: { method: 'GET', path: '/api/v2/metrics/{metricId}/trials/{trialNumber}/changes', query: true, list: true },
  decideTrial: { method: 'POST', path: '/api/v2/metrics/{metricId}/trials/{trialNumber}/decide', body: true },
  extendTrial: { method: 'POST', path: '/api/v2/metrics/{metricId}/trials/{trialNumber}/extend' },
  listTrials: { method: 'GET', path: '/api/v2/trials', query: true, list: true },
  listViews: { method: 'GET', path: '/api/v2/projects/{projectId}/views' },
  createView: { method: 'POST', path: '/api/v2/projects/{projectId}/views', body: true },
  updateView: { method: 'PATCH', path: '/api/v2/views/{viewId}', body: true },
  deleteView: { method: 'DELETE', path: '/api/v2/views/{viewId}' },
};

/** Returns the URL of each stream of server-sent events. The arguments are the ids in its path and its query parameters. */
export interface Streams {
  /** Stream the changes in the organization, or in one of its projects, as server-sent events. An event names the kinds of resources that changed: members, providers and projects; with projectId, also the runs, the records and the resources of the project. */
  streamChanges(query?: StreamChangesQuery): string;

  /** Let a model answer a question about a project. The default model of the organization answers, with tools that only read. Each claim names the runs and records that it rests on. With `Accept: text/event-stream`, calls of tools and the words of the answer come as they are made. */
  askProject(projectId: string): string;

  /** Get a run with its notes, progress, calls of the system and judge budget. With `Accept: text/event-stream`, its progress comes until no work is pending. */
  getRunDetails(runId: string): string;

  /** Send one testcase, or inputs, to a system before a run starts. Nothing is written. With `Accept: text/event-stream`, the text of a prompt comes while the model writes it. With `simulation`, a simulated user talks to the system, and each message comes as it is said; `outputs` has the conversation. */
  trySystem(projectId: string): string;
}

/** The path of each stream. */
export const streams: { readonly [name in keyof Streams]: string } = {
  streamChanges: '/api/v2/events',
  askProject: '/api/v2/projects/{projectId}/ask',
  getRunDetails: '/api/v2/runs/{runId}/details',
  trySystem: '/api/v2/projects/{projectId}/systems/try',
};
