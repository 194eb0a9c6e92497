import { linkOptions } from '@tanstack/react-router';

/** The parts of a record's page beside the record itself. */
export const traceTabs = ['conversation', 'timeline', 'spans'] as const;
export type TraceTab = (typeof traceTabs)[number];
/** The filters of the traces and of the spans, the open span, and the trace that has the focus, as in the URL. */
export const tracesSearch = [
  'q',
  'service',
  'name',
  'model',
  'failed',
  'min',
  'max',
  'after',
  'before',
  'trace',
  'every',
  'open',
  'at',
  'group',
  'rate',
] as const;
export type TracesSearch = { [name in (typeof tracesSearch)[number]]?: string };

/** The search of records, the one beside the list, and how they are grouped, as in the URL. */
export type RecordsSearch = { [name in 'q' | 'record' | 'group' | 'rate']?: string };

/** The filters of the audit log, as in the URL. */
export const auditSearch = ['member', 'project', 'group', 'operation', 'after', 'before', 'failed'] as const;
export type AuditSearch = { [name in (typeof auditSearch)[number]]?: string };
/** The search, the kind, the order and the groups of the runs, as in the URL. */
export const runsSearch = ['q', 'kind', 'sort', 'group', 'rate'] as const;
export type RunsSearch = { [name in (typeof runsSearch)[number]]?: string };

/** The range, the bucket, the split, the source, the charts and the test of a dashboard, as in the URL. */
export const dashboardSearch = ['range', 'bucket', 'by', 'source', 'charts', 'compare'] as const;
export type DashboardSearch = { [name in (typeof dashboardSearch)[number]]?: string };

/** The sections of the checks. */
export type CheckPart = 'monitors' | 'schedules' | 'alerts' | 'new-alert';

/** Leaves out what is not chosen. */
const withValues = <Search extends object>(search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as Search;

/** Where everything is. Links are made here and nowhere else: a route that moves breaks the build, not a page. */
export const paths = {
  /** Leads to the project that was open last, or to the only one. */
  start: () => linkOptions({ to: '/' }),
  projects: () => linkOptions({ to: '/projects' }),
  /** `weights`: what the testcases of the pass rates stand for. */
  home: (projectId: string, weights?: string) =>
    linkOptions({
      to: '/projects/$projectId',
      params: { projectId },
      search: weights ? { weights } : {},
    }),
  records: (projectId: string, search: RecordsSearch = {}) =>
    linkOptions({ to: '/projects/$projectId/records', params: { projectId }, search }),
  /** `q`: the search that the record was found by, whose order previous and next follow. */
  record: (projectId: string, recordId: string, q?: string, at: { tab?: TraceTab; span?: string } = {}) =>
    linkOptions({
      to: '/projects/$projectId/records/$recordId',
      params: { projectId, recordId },
      search: { ...(q && { q }), ...at },
    }),
  traces: (projectId: string, search: TracesSearch = {}) =>
    linkOptions({ to: '/projects/$projectId/traces', params: { projectId }, search }),
  /** `q`: the search that the trace was found by, whose order previous and next follow. `span`: the chosen span. */
  trace: (projectId: string, traceId: string, search: { q?: string; span?: string } = {}) =>
    linkOptions({
      to: '/projects/$projectId/traces/$traceId',
      params: { projectId, traceId },
      search: withValues(search),
    }),
  projectSettings: (projectId: string) =>
    linkOptions({ to: '/projects/$projectId/settings', params: { projectId } }),
  /** `user`: only the sessions of this user. */
  sessions: (projectId: string, user?: string) =>
    linkOptions({
      to: '/projects/$projectId/sessions',
      params: { projectId },
      search: user ? { user } : {},
    }),
  session: (projectId: string, sessionId: string) =>
    linkOptions({ to: '/projects/$projectId/sessions/$sessionId', params: { projectId, sessionId } }),
  users: (projectId: string) => linkOptions({ to: '/projects/$projectId/users', params: { projectId } }),
  runs: (projectId: string, search: RunsSearch = {}) =>
    linkOptions({ to: '/projects/$projectId/runs', params: { projectId }, search }),
  /** The way to a first result. `run`: the run that it has started. */
  first: (projectId: string, run?: string) =>
    linkOptions({
      to: '/projects/$projectId/first',
      params: { projectId },
      search: run ? { run } : {},
    }),
  /** `like`: the run whose testset, system and metrics fill the form. */
  newRun: (projectId: string, testset?: string, like?: string) =>
    linkOptions({
      to: '/projects/$projectId/runs/new',
      params: { projectId },
      search: { ...(testset && { testset }), ...(like && { like }) },
    }),
  /** `like`: the simulation that fills the form. `replay`: the one whose user messages are sent again. `session`: whose user is played. */
  newSimulation: (projectId: string, search: { like?: string; replay?: string; session?: string } = {}) =>
    linkOptions({ to: '/projects/$projectId/runs/simulate', params: { projectId }, search }),
  /** `runs`: their ids, the baseline first; `metric`: the one whose changes are listed; `part`: the slice that is compared, the planned looks, or further runs of the baseline. */
  compare: (
    projectId: string,
    runs: readonly string[],
    metric?: string,
    part: {
      by?: string | undefined;
      value?: string | undefined;
      weights?: string | undefined;
      looks?: string | undefined;
      pooled?: string | undefined;
    } = {},
  ) =>
    linkOptions({
      to: '/projects/$projectId/compare',
      params: { projectId },
      search: {
        ...(runs.length > 0 && { runs: runs.join(',') }),
        ...(metric && { metric }),
        ...(part.by && { by: part.by }),
        ...(part.value !== undefined && { value: part.value }),
        ...(part.weights && { weights: part.weights }),
        ...(part.looks && { looks: part.looks }),
        ...(part.pooled && { pooled: part.pooled }),
      },
    }),
  /** A page about a comparison to print and to send. */
  report: (
    projectId: string,
    runs: readonly string[],
    {
      measure,
      weights,
      looks,
      pooled,
    }: {
      measure?: 'pass' | 'score' | undefined;
      weights?: string | undefined;
      looks?: string | undefined;
      pooled?: string | undefined;
    } = {},
  ) =>
    linkOptions({
      to: '/projects/$projectId/report',
      params: { projectId },
      search: {
        runs: runs.join(','),
        ...(measure === 'score' && { measure }),
        ...(weights && { weights }),
        ...(looks && { looks }),
        ...(pooled && { pooled }),
      },
    }),
  /** `by`: what the run is sliced by. */
  run: (projectId: string, runId: string, by?: string, weights?: string) =>
    linkOptions({
      to: '/projects/$projectId/runs/$runId',
      params: { projectId, runId },
      search: { ...(by && { by }), ...(weights && { weights }) },
    }),
  trial: (projectId: string, metricId: string, trialNumber: string | number) =>
    linkOptions({
      to: '/projects/$projectId/metrics/$metricId/trials/$trialNumber',
      params: { projectId, metricId, trialNumber: String(trialNumber) },
    }),
  /** `judge`: the metric whose judge the labels are for. `run`: only records of this run. */
  review: (projectId: string, metric?: string, judge?: string, run?: string) =>
    linkOptions({
      to: '/projects/$projectId/review',
      params: { projectId },
      search: { ...(metric && { metric }), ...(judge && { judge }), ...(run && { run }) },
    }),
  /** How far the reviewers are, and on what they disagree. */
  disagreements: (projectId: string, metric?: string) =>
    linkOptions({
      to: '/projects/$projectId/disagreements',
      params: { projectId },
      search: metric ? { metric } : {},
    }),
  testsets: (projectId: string) =>
    linkOptions({ to: '/projects/$projectId/testsets', params: { projectId } }),
  testset: (projectId: string, testsetId: string) =>
    linkOptions({ to: '/projects/$projectId/testsets/$testsetId', params: { projectId, testsetId } }),
  examination: (projectId: string, testsetId: string) =>
    linkOptions({
      to: '/projects/$projectId/testsets/$testsetId/examination',
      params: { projectId, testsetId },
    }),
  /** How often the testset was looked at. */
  wear: (projectId: string, testsetId: string) =>
    linkOptions({ to: '/projects/$projectId/testsets/$testsetId/wear', params: { projectId, testsetId } }),
  sealed: (projectId: string, testsetId: string) =>
    linkOptions({ to: '/projects/$projectId/testsets/$testsetId/sealed', params: { projectId, testsetId } }),
  /** `from`: the snapshot that is compared with now; `testcase`: in it alone. */
  testsetHistory: (projectId: string, testsetId: string, from?: number, testcase?: string) =>
    linkOptions({
      to: '/projects/$projectId/testsets/$testsetId/history',
      params: { projectId, testsetId },
      search: {
        ...(from !== undefined && { from: String(from) }),
        ...(testcase !== undefined && { testcase }),
      },
    }),
  /** `records`: what the drafts should be like, such as failures. */
  drafts: (projectId: string, testsetId: string, records: readonly string[] = []) =>
    linkOptions({
      to: '/projects/$projectId/testsets/$testsetId/drafts',
      params: { projectId, testsetId },
      search: records.length > 0 ? { records: records.join(',') } : {},
    }),
  metrics: (projectId: string) => linkOptions({ to: '/projects/$projectId/metrics', params: { projectId } }),
  newMetric: (projectId: string) =>
    linkOptions({ to: '/projects/$projectId/metrics/new', params: { projectId } }),
  readyMetrics: (projectId: string) =>
    linkOptions({ to: '/projects/$projectId/metrics/ready', params: { projectId } }),
  metric: (projectId: string, metricId: string) =>
    linkOptions({ to: '/projects/$projectId/metrics/$metricId', params: { projectId, metricId } }),
  /** Where other models are tried in the place of a judge. */
  successors: (projectId: string, metricId: string) =>
    linkOptions({
      to: '/projects/$projectId/metrics/$metricId/judge',
      params: { projectId, metricId },
      search: {},
      hash: 'successors',
    }),
  /** `config`: a configuration, `labels`: the source of people's labels, `run`: whose rate is corrected. */
  judge: (
    projectId: string,
    metricId: string,
    search: { config?: string | undefined; labels?: string | undefined; run?: string | undefined } = {},
  ) =>
    linkOptions({
      to: '/projects/$projectId/metrics/$metricId/judge',
      params: { projectId, metricId },
      search: {
        ...(search.config && { config: search.config }),
        ...(search.labels && { labels: search.labels }),
        ...(search.run && { run: search.run }),
      },
    }),
  plan: (projectId: string, metric?: string) =>
    linkOptions({ to: '/projects/$projectId/plan', params: { projectId }, search: metric ? { metric } : {} }),
  gate: (projectId: string, runs: readonly string[] = []) =>
    linkOptions({
      to: '/projects/$projectId/gate',
      params: { projectId },
      search: runs.length > 0 ? { runs: runs.join(',') } : {},
    }),
  decisions: (projectId: string) =>
    linkOptions({ to: '/projects/$projectId/decisions', params: { projectId } }),
  /** `run`: the run that is held against it. */
  decision: (projectId: string, decisionId: string, run?: string) =>
    linkOptions({
      to: '/projects/$projectId/decisions/$decisionId',
      params: { projectId, decisionId },
      search: run ? { run } : {},
    }),
  systems: (projectId: string) => linkOptions({ to: '/projects/$projectId/systems', params: { projectId } }),
  system: (projectId: string, systemId: string) =>
    linkOptions({ to: '/projects/$projectId/systems/$systemId', params: { projectId, systemId } }),
  /** `versions`: the system versions that stand side by side at first. */
  playground: (projectId: string, versions: readonly string[] = []) =>
    linkOptions({
      to: '/projects/$projectId/playground',
      params: { projectId },
      search: versions.length > 0 ? { versions: versions.join(',') } : {},
    }),
  /** What watches the project; `part`: the section that is scrolled to. */
  checks: (projectId: string, part?: CheckPart) =>
    linkOptions({ to: '/projects/$projectId/checks', params: { projectId }, ...(part && { hash: part }) }),
  monitor: (
    projectId: string,
    monitorId: string,
    search: Pick<DashboardSearch, 'range' | 'bucket' | 'compare'> = {},
  ) =>
    linkOptions({
      to: '/projects/$projectId/monitors/$monitorId',
      params: { projectId, monitorId },
      search: withValues(search),
    }),
  dashboard: (projectId: string, search: DashboardSearch = {}) =>
    linkOptions({
      to: '/projects/$projectId/dashboard',
      params: { projectId },
      search: withValues(search),
    }),
  preferences: (projectId: string) =>
    linkOptions({ to: '/projects/$projectId/preferences', params: { projectId } }),
  preference: (projectId: string, preferenceStudyId: string) =>
    linkOptions({
      to: '/projects/$projectId/preferences/$preferenceStudyId',
      params: { projectId, preferenceStudyId },
    }),
  /** Where pairs are compared one after the other. */
  prefer: (projectId: string, preferenceStudyId: string) =>
    linkOptions({
      to: '/projects/$projectId/preferences/$preferenceStudyId/compare',
      params: { projectId, preferenceStudyId },
    }),
  access: (projectId: string) => linkOptions({ to: '/projects/$projectId/access', params: { projectId } }),
  keys: () => linkOptions({ to: '/settings/keys' }),
  members: () => linkOptions({ to: '/settings/members' }),
  providers: () => linkOptions({ to: '/settings/providers' }),
  orphans: () => linkOptions({ to: '/settings/files' }),
  audit: (search: AuditSearch = {}) => linkOptions({ to: '/settings/audit', search }),
  account: () => linkOptions({ to: '/settings/account' }),
  /** `page`: a file of docs/ without `.md`, with an anchor if it has one. `q`: what is searched for beside it. */
  guide: (page: string, q?: string) => {
    const [path = '', hash] = page.split('#');
    return linkOptions({
      to: '/guide/$',
      params: { _splat: path },
      search: q ? { q } : {},
      ...(hash && { hash }),
    });
  },
  signIn: (next?: string) => linkOptions({ to: '/sign-in', search: next ? { next } : {} }),
};
