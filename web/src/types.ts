/** The shapes of the API, as the client has them that is generated from openapi.json. Types only, nothing of it is bundled. */
import type { Metric as AnyMetric, ProjectTag } from '../../client/src/generated.ts';

export type {
  Annotation,
  ApiKey,
  ApiKeyCreated,
  Attachment,
  ChangedTestcase,
  ConversationEntry,
  Execution,
  ExecutionSummary,
  JudgeBudget,
  Me,
  Member,
  MetricTemplate,
  MetricVersion,
  Monitor,
  Passage,
  Plan,
  Project,
  Provider,
  RecordAssignment,
  RecordDetail,
  RecordHistogram,
  RecordTag,
  Reply,
  Rescoring,
  RescoringChange,
  Review,
  ReviewDisagreement,
  ReviewSettings,
  ReviewTask,
  Run,
  RunComparison,
  RunCostEstimate,
  RunEstimate,
  RunNotes,
  RunSummary,
  SavedView,
  ScoreDetail,
  ScoreState,
  SignInLink,
  SignInLinkTarget,
  Span,
  SpanDetail,
  System,
  SystemVersion,
  Testcase,
  Testset,
  Thread,
  TreeSpan,
} from '../../client/src/generated.ts';
export type Tag = ProjectTag;
export type Role = 'admin' | 'member' | 'viewer';

/** A metric of any variant, with the fields that only some of them have. */
export type Metric = Pick<
  AnyMetric,
  'id' | 'name' | 'description' | 'guidelines' | 'evalType' | 'outputType'
> & {
  promptTemplate?: string;
  evalModelName?: string;
  temperature?: number;
  passingThreshold?: number;
};
/** Free-form JSON: inputs, expected, outputs. */
export type Json = { [field: string]: unknown };
/** What went into a judge's verdict and came out of it; docs/judges.md. */
export type Evidence = {
  modelAsked?: string;
  modelAnswered?: string | null;
  prompt?: string;
  rawReply?: string;
  temperatureSent?: number | null;
  inputTokens?: number | null;
  outputTokens?: number | null;
  costUsd?: number | null;
  latencyMs?: number;
  attempts?: number;
  votes?: { value: boolean | number; reasoning: string }[];
  disagreement?: number;
  reused?: true;
};
/** What a provider answered when it was tried. */
export type ProviderTested = {
  ok: boolean;
  message: string;
  modelAnswered: string | null;
  latencyMs: number;
};
/** How far the queues of people are. */
export type ReviewProgress = {
  queues: {
    metricId: string;
    metricName: string;
    metricConfigId: string;
    reviewers: number;
    numPending: number;
    numStarted: number;
    numReviewed: number;
  }[];
  members: { userId: string; name: string; numReviewed: number; numRemaining: number }[];
};
/** How far the scores of a run are, as its events say it too. */
export type RunProgress = {
  runId: string;
  numRecords: number;
  numExpectedRecords: number | null;
  /** Whether machines still have something to do. */
  working: boolean;
  stoppedBy: 'judgeBudget' | null;
  metrics: {
    metricId: string;
    metricConfigId: string;
    pending: number;
    scored: number;
    unscored: number;
    failed: number;
    problem: string | null;
  }[];
};
