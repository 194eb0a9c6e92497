import type { Alert } from '../../types.ts';

export type AlertEvent = Alert['events'][number];

/** What each event is called. */
export const eventWords: Record<AlertEvent, { label: string; hint: string }> = {
  'run.completed': { label: 'Run complete', hint: 'All records of a run have their scores.' },
  'gate.failed': {
    label: 'Gate did not pass',
    hint: 'The command dokima gate --store decided that a run is worse or incomplete, or that the data is not enough.',
  },
  'budget.reached': { label: 'Judge budget spent', hint: 'Scores of a run wait for a higher budget.' },
  'drift.found': { label: 'Judge drift', hint: 'A drift trial found that a judge has changed.' },
  'monitor.worse': {
    label: 'Monitor got worse',
    hint: 'The pass rate of a monitored metric has fallen below the lowest that you accept, or a label has become too frequent.',
  },
  'traffic.worse': {
    label: 'Traffic slow, failing or costly',
    hint: 'Errors, latency or cost of the traces of an hour or a day have gone above your limit.',
  },
  'record.scored': { label: 'Scores', hint: 'Each new score, as an evaluation event of OpenTelemetry.' },
};

export const kindWords: Record<Alert['kind'], string> = {
  webhook: 'Webhook',
  slack: 'Slack',
  email: 'E-mail',
  otlp: 'OpenTelemetry',
};

/** An event in words; those that are not in the list, such as a test, as they are. */
export const eventText = (event: string): string =>
  event === 'address.confirmation'
    ? 'Question to an owner'
    : (eventWords[event as AlertEvent]?.label ?? event);
