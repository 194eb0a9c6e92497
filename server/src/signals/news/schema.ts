import { type Static, Type } from 'typebox';
import { verdicts } from '../../engine/statistics/comparison-schema.ts';
import {
  count,
  Interval,
  nullable,
  nullableNumber,
  nullableText,
  number,
  text,
} from '../../engine/statistics/estimate-schema.ts';
import { named, ref } from '../../platform/named-schema.ts';

export const NewsQuery = Type.Object({
  hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 168,
      default: 24,
      description: 'Length of the time that the news are about, in hours before now.',
    }),
  ),
});

const metric = { metricId: text('Id of the metric.'), metricName: text('Name of the metric.') };

const judge = nullableText('How far its judge can be trusted, in a few words; null unless a model judges.');

const ComparedMetric = Type.Object({
  ...metric,
  judge,
  verdict: Type.Enum([...verdicts], { description: 'Verdict of `compareRuns`, as it concludes.' }),
  difference: nullableNumber('Difference from the earlier run.'),
  interval: nullable(ref(Interval), 'Interval of the difference.'),
});

const NewRun = Type.Object({
  runId: text('Id of the run.'),
  title: text('Title of the run.'),
  status: text('Status of the run.'),
  numRecords: count('Number of records.'),
  baselineRunId: nullableText('Id of the run before it on the same testset; null without one.'),
  compared: nullable(
    Type.Array(ComparedMetric),
    'The metrics that both runs have. Null: not compared, because there is no earlier run, both have more than 2,000 records together, or three newer runs are compared.',
  ),
});

const Change = Type.Object({
  of: Type.Enum(['passRate', 'errors', 'cost'], {
    description:
      'What changed in the traffic. passRate: the pass rate of a metric. errors: the share of records with an error. cost: the mean cost of a record in US dollars.',
  }),
  metricId: nullableText('passRate: id of the metric.'),
  metricName: nullableText('passRate: name of the metric.'),
  judge,
  numBefore: count('Number of records before.'),
  numAfter: count('Number of records since.'),
  before: number('Value before.'),
  after: number('Value since.'),
  difference: number('Difference of the values.'),
  interval: ref(Interval),
  level: number('Confidence level of the interval: all changes of an answer hold together at 95 %.'),
});

const SentAlert = Type.Object({
  alertId: text('Id of the alert.'),
  alertName: text('Name of the alert.'),
  event: text('The event.'),
  title: text('What happened.'),
  path: nullableText('Page of what it is about.'),
  at: text('When it was noted.'),
});

const MonitorFailures = Type.Object({
  monitorId: text('Id of the monitor.'),
  monitorName: text('Name of the monitor.'),
  ...metric,
  judge,
  unit: Type.Enum(['record', 'span'], { description: 'What the numbers count.' }),
  numScored: count('Number of scored records, or of their spans.'),
  numFailed: count('Number of those that did not pass.'),
});

const MemberLabels = Type.Object({
  userId: text('Id of the member.'),
  userName: text('Name of the member.'),
  ...metric,
  numRecords: count('Number of records that the member scored.'),
});

export const News = named(
  'News',
  Type.Object(
    {
      since: text('Beginning of the time, a whole hour.'),
      runs: Type.Array(NewRun, { description: 'Evaluations that were started, newest first; at most 5.' }),
      changes: Type.Array(Change, {
        description:
          'Changes of the traffic against the 6 days before. Only those that are shown: their interval leaves out 0.',
      }),
      alerts: Type.Array(SentAlert, {
        description: 'What alerts told, newest first, without completed runs; at most 10.',
      }),
      monitors: Type.Array(MonitorFailures, {
        description: 'Failures in the records of monitors, most first; at most 10.',
      }),
      labels: Type.Array(MemberLabels, {
        description: 'Records that other members scored, most first; at most 10.',
      }),
    },
    { description: 'What happened in a project lately.' },
  ),
);
export type News = Static<typeof News.schema>;
