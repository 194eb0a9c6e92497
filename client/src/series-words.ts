/** Changes of pass rates over time or between groups, in the words that the command line, agents and pages share. */
import { type CaveatLine, caveatLines } from './caveats.ts';
import type { Series, SeriesChange } from './generated.ts';

type Compared = Pick<Series, 'metrics' | 'bucket' | 'groups'>;

/** A start of a bucket as readers write it: an hour in UTC, or a day. */
export const startText = (start: string, bucket: Series['bucket']): string =>
  bucket === 'hour' ? `${start.slice(0, 10)} ${start.slice(11, 16)} UTC` : start.slice(0, 10);

/** Names the two parts that a change is between, such as `2026-11-24` and `2026-11-25`, or two versions. */
export const partsOf = ({ group, from, to }: SeriesChange, bucket: Series['bucket']): [string, string] =>
  group === null ? [from, to] : [startText(from, bucket), startText(to, bucket)];

/** The metric of a change, with the group if the series has several. */
export const changeName = (
  { metricConfigId, group }: SeriesChange,
  { metrics, groups }: Pick<Compared, 'metrics' | 'groups'>,
): string => {
  const metric = metrics.find((each) => each.metricConfigId === metricConfigId);
  const name = `${metric?.metricName ?? metricConfigId}${metric?.current === false ? ', earlier version' : ''}`;
  return group !== null && groups.length > 1 ? `${name}, ${group}` : name;
};

/** Returns the caveats of all changes: each sentence once, with the metrics and parts that it is about. */
export const changeLimits = (changes: readonly SeriesChange[], series: Compared): CaveatLine[] =>
  caveatLines(
    changes.map((change) => ({
      of: `${changeName(change, series)}, ${partsOf(change, series.bucket).join(' to ')}`,
      caveats: change.caveats,
    })),
  );

type Figure = { estimate: number | null; caveats?: readonly { code: string; sentence: string }[] };

/**
 * Returns what limits the figures of single buckets and not that of the whole range: each kind once, with the number of buckets and the
 * newest one's sentence.
 */
export const bucketLimits = (
  points: readonly (Figure | undefined)[],
  total: Figure | undefined,
  bucket: Series['bucket'],
): string[] => {
  const known = points.filter((point) => point !== undefined && point.estimate !== null);
  const said = new Set(total?.caveats?.map(({ code }) => code));
  const newest = new Map<string, { sentence: string; count: number }>();
  for (const { code, sentence } of known.flatMap((point) => point!.caveats ?? []))
    if (!said.has(code)) newest.set(code, { sentence, count: (newest.get(code)?.count ?? 0) + 1 });
  return [...newest.values()].map(
    ({ sentence, count }) =>
      `on ${count} of ${known.length} ${known.length === 1 ? bucket : `${bucket}s`}: ${sentence}`,
  );
};

/** Says how the changes were tested. */
export const testedText = (changes: readonly SeriesChange[], level: number): string => {
  const [first] = changes;
  if (!first) return 'Nothing is compared: no metric has scores in two of the parts.';
  return first.tests > 1
    ? `${first.tests} changes were tested together (Holm): at no change at all, one of them or more is reported in at most ${Number((100 * (1 - level)).toPrecision(3))} % of such answers.`
    : 'One change was tested.';
};
