/** The page of the guide that explains each page, by the beginning of its route. The longest beginning counts. */
const places: Readonly<Record<string, string>> = {
  '/': 'start',
  '/projects/$projectId': 'tutorial-pages',
  '/projects/$projectId/dashboard': 'dashboards',
  '/projects/$projectId/records': 'searching',
  '/projects/$projectId/records/$recordId': 'tutorial-pages#a-record',
  '/projects/$projectId/traces': 'tracing',
  '/projects/$projectId/sessions': 'tracing',
  '/projects/$projectId/users': 'tracing',
  '/projects/$projectId/first': 'tutorial-first-result',
  '/projects/$projectId/runs': 'deciding',
  '/projects/$projectId/runs/$runId': 'reading-a-result#one-run',
  '/projects/$projectId/runs/new': 'executing-runs',
  '/projects/$projectId/runs/simulate': 'simulating',
  '/projects/$projectId/compare': 'reading-a-result#two-runs',
  '/projects/$projectId/report': 'deciding',
  '/projects/$projectId/plan': 'statistics#planning-plants',
  '/projects/$projectId/gate': 'cli#gate',
  '/projects/$projectId/decisions': 'deciding#register-a-decision-before-its-run',
  '/projects/$projectId/review': 'reviewing',
  '/projects/$projectId/disagreements': 'reviews',
  '/projects/$projectId/preferences': 'deciding#start-a-side-by-side-study',
  '/projects/$projectId/metrics': 'writing-metrics',
  '/projects/$projectId/metrics/new': 'metrics',
  '/projects/$projectId/metrics/ready': 'metrics',
  '/projects/$projectId/metrics/$metricId/trials': 'rescoring',
  '/projects/$projectId/metrics/$metricId/judge': 'writing-metrics#test-the-judge-on-40-labels',
  '/projects/$projectId/systems': 'prompts',
  '/projects/$projectId/testsets': 'concepts#testset-and-testcase',
  '/projects/$projectId/testsets/$testsetId/drafts': 'improving#testcases-from-a-model',
  '/projects/$projectId/playground': 'prompts',
  '/projects/$projectId/checks': 'monitors',
  '/projects/$projectId/monitors': 'monitors',
  '/projects/$projectId/alerts': 'alerts',
  '/projects/$projectId/schedules': 'schedules',
  '/projects/$projectId/access': 'accounts',
  '/projects/$projectId/settings': 'governance',
  '/settings': 'accounts',
  '/settings/keys': 'accounts#api-keys',
  '/settings/providers': 'judges',
  '/settings/audit': 'governance',
};

/** Returns the page of the guide for a route. */
export const placeOf = (route: string): string =>
  places[
    Object.keys(places)
      .filter((start) => route.startsWith(start))
      .sort((a, b) => b.length - a.length)[0] ?? '/'
  ]!;
