// Longer than 400 lines: the site map, with an entry for each page.
import { MutationCache, QueryCache, QueryClient, replaceEqualDeep } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import { DokimaError } from '../../client/src/errors.ts';
import { etagOf, withEtag } from '../../client/src/etags.ts';
import { apiQuery } from './api.ts';
import { base } from './base.ts';
import { firstPageQuery } from './pages/records/queries.ts';
import { SignInPage } from './pages/session/sign-in-page.tsx';
import {
  auditSearch,
  type CheckPart,
  dashboardSearch,
  paths,
  type RecordsSearch,
  runsSearch,
  type TracesSearch,
  type TraceTab,
  tracesSearch,
  traceTabs,
} from './paths.ts';
import { metricsQuery } from './resources/metrics/queries.ts';
import { lastProject } from './resources/projects/last-project.ts';
import { formatFilter } from './resources/search/search.ts';
import { meQuery } from './resources/session/me.ts';
import { conversationQuery, treeQuery } from './resources/traces/source.ts';
import { NotFoundPage, Shell, WrongPage } from './shell/shell.tsx';
import { keepDraftsOf } from './ui/local-storage.ts';

// The router reads `q=123` as a number, `q=true` as a boolean, and `runs=1&runs=2`, as the API has it, as a list.
const text = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.flatMap((each) => text(each) ?? []).join(',') || undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value ? value : undefined;
};
const texts = <Name extends string>(...names: Name[]) => {
  return (search: Record<string, unknown>): { [name in Name]?: string } =>
    Object.fromEntries(names.flatMap((name) => (text(search[name]) ? [[name, text(search[name])]] : []))) as {
      [name in Name]?: string;
    };
};

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: texts('next', 'problem'),
  component: SignInPage,
});
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./pages/session/welcome-page.tsx'), 'WelcomePage'),
});

const mailAddress = createRoute({
  getParentRoute: () => root,
  path: '/mail-address',
  component: lazyRouteComponent(() => import('./pages/session/mail-address-page.tsx'), 'MailAddressPage'),
});

const sharedReport = createRoute({
  getParentRoute: () => root,
  path: '/shared-report',
  component: lazyRouteComponent(() => import('./pages/runs/shared-report-page.tsx'), 'SharedReportPage'),
});

const guide = createRoute({
  getParentRoute: () => root,
  path: '/guide/$',
  validateSearch: (search): { q?: string } => texts('q')(search),
  beforeLoad: ({ params: { _splat }, search: { q } }) => {
    if (!_splat) throw redirect(paths.guide('start', q));
  },
  component: lazyRouteComponent(() => import('./pages/guide/guide-page.tsx'), 'GuidePage'),
});

/** Every page that needs a signed-in member. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const { user } = await context.queries.ensureQueryData(meQuery).catch((error) => {
      if (!(error instanceof DokimaError && error.status === 401)) throw error;
      throw redirect(paths.signIn(location.href));
    });
    keepDraftsOf(user.email);
  },
});

const start = createRoute({
  getParentRoute: () => app,
  path: '/',
  // The project that was open last, else the only one: a new account lands in the demo. A reviewer lands where records wait.
  beforeLoad: async ({ context: { queries } }) => {
    const last = lastProject.get();
    if (last) throw redirect(paths.home(last));
    const { user } = await queries.ensureQueryData(meQuery);
    const { data } = await queries.fetchQuery(apiQuery('listProjects', { limit: 10 }));
    if (data.length === 1) throw redirect(paths.home(data[0]!.id));
    if (user.role !== 'annotator') throw redirect(paths.projects());
    const found = await Promise.all(
      data.map(({ id }) => queries.fetchQuery(apiQuery('getProjectAccess', id)).catch(() => undefined)),
    );
    const busy = data.filter((_, i) => found[i] && found[i].numToReview > 0);
    throw redirect(busy.length === 1 ? paths.review(busy[0]!.id) : paths.projects());
  },
});
const projects = createRoute({
  getParentRoute: () => app,
  path: '/projects',
  component: lazyRouteComponent(() => import('./pages/projects/projects-page.tsx'), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => app,
  path: '/projects/$projectId',
  beforeLoad: ({ params }) => lastProject.set(params.projectId),
  component: Outlet,
});
const home = createRoute({
  getParentRoute: () => project,
  path: '/',
  validateSearch: (search): { weights?: string } => texts('weights')(search),
  // People who only review have one page.
  beforeLoad: async ({ context: { queries }, params: { projectId } }) => {
    const { user } = await queries.ensureQueryData(meQuery);
    if (user.role === 'admin') return;
    const access = await queries
      .ensureQueryData(apiQuery('getProjectAccess', projectId))
      .catch(() => undefined);
    if (access && !access.rights.includes('read')) throw redirect(paths.review(projectId));
  },
  component: lazyRouteComponent(() => import('./pages/projects/home-page.tsx'), 'HomePage'),
});
const records = createRoute({
  getParentRoute: () => project,
  path: '/records',
  validateSearch: (search): RecordsSearch => texts('q', 'record', 'group', 'rate')(search),
  loaderDeps: ({ search: { q } }) => ({ q }),
  // Read while the code of the page loads. Only the page knows what a search means.
  loader: ({ context: { queries }, params: { projectId }, deps: { q } }) => {
    const first = firstPageQuery(projectId, {});
    // People who only review may not list them, and the page tells them so.
    const mayList = queries.getQueryData(meQuery.queryKey)?.user.role !== 'annotator';
    if (mayList && !q && !queries.getQueryData(first.queryKey)) void queries.prefetchQuery(first);
  },
  component: lazyRouteComponent(() => import('./pages/records/records-page.tsx'), 'RecordsPage'),
});
const traceTab = () => import('./resources/traces/trace-tab.tsx');
const record = createRoute({
  getParentRoute: () => project,
  path: '/records/$recordId',
  validateSearch: (search): { q?: string; tab?: TraceTab; span?: string } => {
    const { tab, ...rest } = texts('q', 'tab', 'span')(search);
    const known = traceTabs.find((each) => each === tab);
    return known ? { ...rest, tab: known } : rest;
  },
  loaderDeps: ({ search: { tab } }) => ({ tab }),
  // Read while the code of the page loads; the loader does not wait for it.
  loader: ({ context: { queries }, params: { projectId, recordId }, deps: { tab } }) => {
    void queries.prefetchQuery(apiQuery('getRecord', recordId));
    // An annotator may not read metrics. A role of the project may say otherwise; then the page reads them.
    if (queries.getQueryData(meQuery.queryKey)?.rights.includes('read'))
      void queries.prefetchQuery(metricsQuery(projectId));
    if (tab === 'conversation') void queries.prefetchQuery(apiQuery('getRecordConversation', recordId));
    else if (tab) void queries.prefetchQuery(apiQuery('listRecordSpans', recordId));
    if (tab) void traceTab();
  },
  component: lazyRouteComponent(() => import('./pages/records/record-page.tsx'), 'RecordPage'),
});
const runs = createRoute({
  getParentRoute: () => project,
  path: '/runs',
  validateSearch: (search) => texts(...runsSearch, 'tag', 'testset', 'status')(search),
  // Older links have filters of their own in place of words of the search.
  beforeLoad: ({ params: { projectId }, search: { tag, testset, status, ...search } }) => {
    const filters = Object.entries({ tag, testset, status }).filter(([, value]) => value);
    if (filters.length === 0) return;
    const words = filters.map(([name, value]) => formatFilter(name, value!));
    throw redirect({
      ...paths.runs(projectId, { ...search, q: [search.q, ...words].filter(Boolean).join(' ') }),
      replace: true,
    });
  },
  component: lazyRouteComponent(() => import('./pages/runs/runs-page.tsx'), 'RunsPage'),
});
const newRun = createRoute({
  getParentRoute: () => project,
  path: '/runs/new',
  validateSearch: texts('testset', 'like'),
  component: lazyRouteComponent(() => import('./pages/runs/new-run-page.tsx'), 'NewRunPage'),
});
const first = createRoute({
  getParentRoute: () => project,
  path: '/first',
  validateSearch: texts('run'),
  component: lazyRouteComponent(() => import('./pages/first/first-page.tsx'), 'FirstPage'),
});
const newSimulation = createRoute({
  getParentRoute: () => project,
  path: '/runs/simulate',
  validateSearch: texts('like', 'replay', 'session'),
  component: lazyRouteComponent(
    () => import('./pages/simulations/new-simulation-page.tsx'),
    'NewSimulationPage',
  ),
});
const compare = createRoute({
  getParentRoute: () => project,
  path: '/compare',
  validateSearch: texts('runs', 'metric', 'by', 'value', 'weights', 'looks', 'pooled'),
  component: lazyRouteComponent(() => import('./pages/runs/compare-page.tsx'), 'ComparePage'),
});
const report = createRoute({
  getParentRoute: () => project,
  path: '/report',
  validateSearch: texts('runs', 'measure', 'weights', 'looks', 'pooled'),
  component: lazyRouteComponent(() => import('./pages/runs/report-page.tsx'), 'ReportPage'),
});
const run = createRoute({
  getParentRoute: () => project,
  path: '/runs/$runId',
  validateSearch: texts('by', 'weights'),
  component: lazyRouteComponent(() => import('./pages/runs/run-page.tsx'), 'RunPage'),
});
const review = createRoute({
  getParentRoute: () => project,
  path: '/review',
  validateSearch: texts('metric', 'judge', 'run'),
  component: lazyRouteComponent(() => import('./pages/reviews/review-page.tsx'), 'ReviewPage'),
});
const disagreements = createRoute({
  getParentRoute: () => project,
  path: '/disagreements',
  validateSearch: texts('metric'),
  component: lazyRouteComponent(() => import('./pages/reviews/disagreements-page.tsx'), 'DisagreementsPage'),
});
const testsets = createRoute({
  getParentRoute: () => project,
  path: '/testsets',
  component: lazyRouteComponent(() => import('./pages/testsets/testsets-page.tsx'), 'TestsetsPage'),
});
const testsetHistory = createRoute({
  getParentRoute: () => project,
  path: '/testsets/$testsetId/history',
  validateSearch: (search): { from?: string; testcase?: string } => texts('from', 'testcase')(search),
  component: lazyRouteComponent(() => import('./pages/testsets/history-page.tsx'), 'HistoryPage'),
});
const testset = createRoute({
  getParentRoute: () => project,
  path: '/testsets/$testsetId',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('./pages/testsets/testset-page.tsx'), 'TestsetPage'),
});
const examination = createRoute({
  getParentRoute: () => project,
  path: '/testsets/$testsetId/examination',
  component: lazyRouteComponent(() => import('./pages/testsets/examination-page.tsx'), 'ExaminationPage'),
});
const wear = createRoute({
  getParentRoute: () => project,
  path: '/testsets/$testsetId/wear',
  component: lazyRouteComponent(() => import('./pages/testsets/wear-page.tsx'), 'WearPage'),
});
const sealed = createRoute({
  getParentRoute: () => project,
  path: '/testsets/$testsetId/sealed',
  component: lazyRouteComponent(() => import('./pages/testsets/sealed-page.tsx'), 'SealedPage'),
});
const drafts = createRoute({
  getParentRoute: () => project,
  path: '/testsets/$testsetId/drafts',
  validateSearch: texts('records'),
  component: lazyRouteComponent(() => import('./pages/testsets/drafts-page.tsx'), 'DraftsPage'),
});
const metrics = createRoute({
  getParentRoute: () => project,
  path: '/metrics',
  component: lazyRouteComponent(() => import('./pages/metrics/metrics-page.tsx'), 'MetricsPage'),
});
const newMetric = createRoute({
  getParentRoute: () => project,
  path: '/metrics/new',
  component: lazyRouteComponent(() => import('./pages/metrics/metric-page.tsx'), 'NewMetricPage'),
});
const readyMetrics = createRoute({
  getParentRoute: () => project,
  path: '/metrics/ready',
  component: lazyRouteComponent(() => import('./pages/metrics/ready-page.tsx'), 'ReadyMetricsPage'),
});
const metric = createRoute({
  getParentRoute: () => project,
  path: '/metrics/$metricId',
  component: lazyRouteComponent(() => import('./pages/metrics/metric-page.tsx'), 'MetricPage'),
});
const judge = createRoute({
  getParentRoute: () => project,
  path: '/metrics/$metricId/judge',
  validateSearch: texts('config', 'labels', 'run'),
  component: lazyRouteComponent(() => import('./pages/judges/judge-page.tsx'), 'JudgePage'),
});
const trial = createRoute({
  getParentRoute: () => project,
  path: '/metrics/$metricId/trials/$trialNumber',
  component: lazyRouteComponent(() => import('./pages/trials/trial-page.tsx'), 'TrialPage'),
});
const plan = createRoute({
  getParentRoute: () => project,
  path: '/plan',
  validateSearch: texts('metric'),
  component: lazyRouteComponent(() => import('./pages/judges/plan-page.tsx'), 'PlanPage'),
});
const gate = createRoute({
  getParentRoute: () => project,
  path: '/gate',
  validateSearch: texts('runs'),
  component: lazyRouteComponent(() => import('./pages/gate/gate-page.tsx'), 'GatePage'),
});
const decisions = createRoute({
  getParentRoute: () => project,
  path: '/decisions',
  component: lazyRouteComponent(() => import('./pages/gate/decisions-page.tsx'), 'DecisionsPage'),
});
const decision = createRoute({
  getParentRoute: () => project,
  path: '/decisions/$decisionId',
  validateSearch: texts('run'),
  component: lazyRouteComponent(() => import('./pages/gate/decision-page.tsx'), 'DecisionPage'),
});
const systems = createRoute({
  getParentRoute: () => project,
  path: '/systems',
  component: lazyRouteComponent(() => import('./pages/systems/systems-page.tsx'), 'SystemsPage'),
});
const system = createRoute({
  getParentRoute: () => project,
  path: '/systems/$systemId',
  component: lazyRouteComponent(() => import('./pages/systems/system-page.tsx'), 'SystemPage'),
});
const playground = createRoute({
  getParentRoute: () => project,
  path: '/playground',
  validateSearch: texts('versions'),
  component: lazyRouteComponent(() => import('./pages/playground/playground-page.tsx'), 'PlaygroundPage'),
});
const traces = createRoute({
  getParentRoute: () => project,
  path: '/traces',
  validateSearch: (search): TracesSearch => texts(...tracesSearch)(search),
  // Older links open a trace beside the list.
  beforeLoad: ({ params: { projectId }, search: { open, q } }) => {
    if (open && /^[0-9a-f]{32}$/i.test(open))
      throw redirect(paths.trace(projectId, open, { ...(q && { q }) }));
  },
  component: lazyRouteComponent(() => import('./pages/traces/traces-page.tsx'), 'TracesPage'),
});
const trace = createRoute({
  getParentRoute: () => project,
  path: '/traces/$traceId',
  validateSearch: texts('q', 'span'),
  // Read while the code of the page loads; the loader does not wait for it.
  loader: ({ context: { queries }, params: { projectId, traceId } }) => {
    const source = { projectId, traceId, recordId: null };
    void queries.prefetchQuery(apiQuery('getTrace', projectId, traceId));
    void queries.prefetchQuery(treeQuery(source));
    void queries.prefetchQuery(conversationQuery(source));
    void queries.prefetchQuery(metricsQuery(projectId));
  },
  component: lazyRouteComponent(() => import('./pages/traces/trace-page.tsx'), 'TracePage'),
});
const sessions = createRoute({
  getParentRoute: () => project,
  path: '/sessions',
  validateSearch: texts('user'),
  component: lazyRouteComponent(() => import('./pages/sessions/sessions-page.tsx'), 'SessionsPage'),
});
const session = createRoute({
  getParentRoute: () => project,
  path: '/sessions/$sessionId',
  component: lazyRouteComponent(() => import('./pages/sessions/session-page.tsx'), 'SessionPage'),
});
const users = createRoute({
  getParentRoute: () => project,
  path: '/users',
  component: lazyRouteComponent(() => import('./pages/sessions/users-page.tsx'), 'UsersPage'),
});
const checks = createRoute({
  getParentRoute: () => project,
  path: '/checks',
  component: lazyRouteComponent(() => import('./pages/checks/checks-page.tsx'), 'ChecksPage'),
});
// Each was a page once: bookmarks and links of messages still lead there.
const toChecks =
  (part: CheckPart) =>
  ({ params: { projectId } }: { params: { projectId: string } }): void => {
    throw redirect({ ...paths.checks(projectId, part), replace: true });
  };
const monitors = createRoute({
  getParentRoute: () => project,
  path: '/monitors',
  beforeLoad: toChecks('monitors'),
});
const alerts = createRoute({
  getParentRoute: () => project,
  path: '/alerts',
  beforeLoad: toChecks('alerts'),
});
const schedules = createRoute({
  getParentRoute: () => project,
  path: '/schedules',
  beforeLoad: toChecks('schedules'),
});
const monitor = createRoute({
  getParentRoute: () => project,
  path: '/monitors/$monitorId',
  validateSearch: texts('range', 'bucket', 'compare'),
  component: lazyRouteComponent(() => import('./pages/checks/monitor-page.tsx'), 'MonitorPage'),
});
const dashboard = createRoute({
  getParentRoute: () => project,
  path: '/dashboard',
  validateSearch: texts(...dashboardSearch),
  component: lazyRouteComponent(() => import('./pages/dashboard/dashboard-page.tsx'), 'DashboardPage'),
});
const preferences = createRoute({
  getParentRoute: () => project,
  path: '/preferences',
  component: lazyRouteComponent(() => import('./pages/preferences/preferences-page.tsx'), 'PreferencesPage'),
});
const preference = createRoute({
  getParentRoute: () => project,
  path: '/preferences/$preferenceStudyId',
  component: lazyRouteComponent(() => import('./pages/preferences/study-page.tsx'), 'StudyPage'),
});
const prefer = createRoute({
  getParentRoute: () => project,
  path: '/preferences/$preferenceStudyId/compare',
  component: lazyRouteComponent(() => import('./pages/preferences/prefer-page.tsx'), 'PreferPage'),
});
const projectSettings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
});
const access = createRoute({
  getParentRoute: () => project,
  path: '/access',
  component: lazyRouteComponent(() => import('./pages/projects/access-page.tsx'), 'AccessPage'),
});

const keys = createRoute({
  getParentRoute: () => app,
  path: '/settings/keys',
  component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
});
const members = createRoute({
  getParentRoute: () => app,
  path: '/settings/members',
  component: lazyRouteComponent(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
});
const providers = createRoute({
  getParentRoute: () => app,
  path: '/settings/providers',
  component: lazyRouteComponent(() => import('./pages/providers/providers-page.tsx'), 'ProvidersPage'),
});
const audit = createRoute({
  getParentRoute: () => app,
  path: '/settings/audit',
  validateSearch: texts(...auditSearch),
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
});
const orphans = createRoute({
  getParentRoute: () => app,
  path: '/settings/files',
  component: lazyRouteComponent(() => import('./pages/audit/orphans-page.tsx'), 'OrphansPage'),
});
const account = createRoute({
  getParentRoute: () => app,
  path: '/settings/account',
  component: lazyRouteComponent(() => import('./pages/session/account-page.tsx'), 'AccountPage'),
});

const tree = root.addChildren([
  signIn,
  welcome,
  mailAddress,
  sharedReport,
  guide,
  app.addChildren([
    start,
    projects,
    project.addChildren([
      home,
      records,
      record,
      runs,
      newRun,
      first,
      newSimulation,
      compare,
      report,
      run,
      review,
      disagreements,
      testsets,
      testset,
      examination,
      wear,
      sealed,
      testsetHistory,
      drafts,
      metrics,
      newMetric,
      readyMetrics,
      metric,
      judge,
      trial,
      plan,
      gate,
      decisions,
      decision,
      systems,
      system,
      playground,
      checks,
      monitors,
      monitor,
      dashboard,
      alerts,
      schedules,
      preferences,
      preference,
      prefer,
      traces,
      trace,
      projectSettings,
      sessions,
      session,
      users,
      access,
    ]),
    keys,
    members,
    providers,
    audit,
    orphans,
    account,
  ]),
]);

const tagOf = (answer: unknown) =>
  typeof answer === 'object' && answer !== null ? etagOf(answer) : undefined;

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // A session that ended leaves nothing on the screen: the load forgets what was read.
    onError: (error, { queryKey, state }) => {
      if (queryKey[0] !== 'getMe' || state.data === undefined) return;
      if (error instanceof DokimaError && error.status === 401) window.location.reload();
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      if (!(error instanceof DokimaError)) return;
      // Someone else was faster: the form gets what is stored now, and says so.
      if (error.code === 'PRECONDITION_FAILED') void queries.invalidateQueries();
      // The session has ended: the page asks who is signed in, which leads to the sign-in. Drafts are kept.
      if (error.status === 401) void queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
    onSuccess: (_data, _variables, _result, { meta }) => {
      for (const queryKey of meta?.refreshes ?? []) void queries.invalidateQueries({ queryKey });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // As by default: what is equal keeps its identity. It has the ETag of the newest answer.
      structuralSharing: (before, now) => withEtag(replaceEqualDeep(before, now), tagOf(now)),
      // The service would refuse again what it has refused: a read is retried only when no answer came.
      retry: (failures, error) => failures < 2 && error instanceof DokimaError && error.status === undefined,
    },
  },
});

export const router = createRouter({
  routeTree: tree,
  basepath: base || '/',
  context: { queries },
  // Every part of a search is text: written as it is, `runs=8` and not `runs=%228%22`.
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(JSON.stringify),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: WrongPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
