import { namesText } from '../caveats.ts';
import type { Series, SeriesChange } from '../generated.ts';
import { judgeLines } from '../judge-lines.ts';
import { changeLimits, partsOf, testedText } from '../series-words.ts';
import { named, optionalText, percent, range, type Tool, ToolError, text } from './tool.ts';

/** Reads one of a few words. */
const word = <Word extends string>(
  args: Record<string, unknown>,
  name: string,
  words: readonly Word[],
): Word | undefined => {
  const given = optionalText(args, name);
  const found = words.find((each) => each === given);
  if (given !== undefined && found === undefined)
    throw new ToolError(`${name} must be one of ${words.join(', ')}.`);
  return found;
};

const changeLine = (change: SeriesChange, { metrics, bucket }: Series): string => {
  const { metricConfigId, group, before, after, numBefore, numAfter, simultaneousInterval, tests } = change;
  const metric = metrics.find((each) => each.metricConfigId === metricConfigId);
  const [from, to] = partsOf(change, bucket).map((part) => (group === null ? named(part) : part));
  const about = `${named(metric?.metricName ?? null)}${group === null ? '' : ` of ${named(group)}`}`;
  const said = change.verdict === 'cannot tell' ? '' : `${change.verdict.toUpperCase()}: `;
  const together = tests > 1 ? ` Among all tests: ${range(simultaneousInterval)}.` : '';
  return `- ${about}, ${from} to ${to}: ${said}${change.sentence} (${percent(before)} of ${numBefore}, then ${percent(after)} of ${numAfter}).${together}`;
};

const compareTraffic: Tool = {
  name: 'compare_traffic',
  title: 'Did the traffic get worse?',
  description:
    'Says whether pass rates of the records of a project changed from one hour, day or week to the next, or differ between models, system versions or tags: better, worse or cannot tell, with the interval of the difference. Users are the units. This is a test for one look: ask about a range that is over, and do not ask again and again until something differs. "cannot tell" is an answer: do not report a change then.',
  properties: {
    projectId: { type: 'string', description: 'Id of the project, from list_projects.' },
    compare: {
      type: 'string',
      enum: ['buckets', 'groups'],
      description:
        'buckets: each hour, day or week with the one before it. groups: each model, version or tag with the one that has most records; needs by.',
    },
    bucket: {
      type: 'string',
      enum: ['hour', 'day', 'week'],
      description: 'Length of a bucket. Default by the range.',
    },
    by: { type: 'string', enum: ['model', 'version', 'tag'], description: 'What the groups are.' },
    source: {
      type: 'string',
      enum: ['traces', 'runs'],
      description: 'Only records of traces, or only of runs.',
    },
    monitorId: { type: 'string', description: 'Only records that this monitor drew. Not with by.' },
    after: {
      type: 'string',
      description: 'Start, such as 2026-11-01T00:00:00Z. Default a week before the end.',
    },
    before: { type: 'string', description: 'End. Default now.' },
  },
  required: ['projectId', 'compare'],
  reads: true,
  answer: async ({ client }, args) => {
    const found = await client.getSeries(text(args, 'projectId'), {
      compare: word(args, 'compare', ['buckets', 'groups']),
      bucket: word(args, 'bucket', ['hour', 'day', 'week']),
      by: word(args, 'by', ['model', 'version', 'tag']),
      source: word(args, 'source', ['traces', 'runs']),
      monitorId: optionalText(args, 'monitorId'),
      createdAfter: optionalText(args, 'after'),
      createdBefore: optionalText(args, 'before'),
    });
    const changes = found.changes ?? [];
    const quoted = {
      ...found,
      metrics: found.metrics.map((metric) => ({ ...metric, metricName: named(metric.metricName) })),
    };
    return [
      `Records of ${found.start} to ${found.end}, by ${found.bucket}. ${testedText(changes, found.level)}`,
      ...changes.map((change) => changeLine(change, found)),
      ...changeLimits(changes, quoted).map(({ of, sentence }) => `Note: ${namesText(of)}: ${sentence}`),
      ...(await judgeLines(client, found.metrics, named)),
      ...(found.numOtherGroups > 0 ? [`${found.numOtherGroups} smaller groups are left out.`] : []),
      ...(found.numUncountedHours > 0 ? [`${found.numUncountedHours} hours are not counted yet.`] : []),
    ].join('\n');
  },
};

export const seriesTools: readonly Tool[] = [compareTraffic];
