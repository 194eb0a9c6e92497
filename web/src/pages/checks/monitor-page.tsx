import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { apiQuery } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { JudgeShield } from '../../resources/judges/corrected-rate.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { useOwnProject } from '../../resources/projects/own-project.ts';
import { SeriesChanges } from '../../resources/series/changes.tsx';
import { chartsOf, shownCharts } from '../../resources/series/charts.ts';
import { Counted } from '../../resources/series/counted.tsx';
import { isRange, type Range, seriesQuery } from '../../resources/series/queries.ts';
import { RangeAndTest } from '../../resources/series/range-and-test.tsx';
import { SeriesCharts } from '../../resources/series/series-charts.tsx';
import type { Monitor } from '../../types.ts';
import { Focal } from '../../ui/focal.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { percentText, spreadText } from '../../ui/interval.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { filterText, rateText } from './filter-text.ts';

const route = getRouteApi('/app/projects/$projectId/monitors/$monitorId');

/** Rates that the head of the page has place for. */
const mostLarge = 3;

/** What the monitor has found since it was defined, the lowest rate first. */
const Rates = ({ of: { projectId, results } }: { of: Monitor }) => {
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const isJudged = (id: string) => metrics.some((metric) => metric.id === id && metric.evalType === 'ai');
  const known = results.metrics
    .filter(({ passRate }) => passRate.estimate !== null)
    .toSorted((a, b) => a.passRate.estimate! - b.passRate.estimate!);
  if (known.length === 0) return null;
  return (
    <Focal
      label="Result"
      answers={known
        .slice(0, mostLarge)
        .map(({ metricId, metricConfigId, metricName, passRate, numSpans }) => ({
          key: metricId,
          value: percentText(passRate.estimate),
          says: (
            <>
              {numSpans !== undefined && `of ${countOf(numSpans, 'span')} `}
              pass <bdi>{metricName}</bdi>: {spreadText(passRate)}{' '}
              {isJudged(metricId) && (
                <JudgeShield projectId={projectId} metricId={metricId} configId={metricConfigId} />
              )}
            </>
          ),
        }))}
    />
  );
};

export const MonitorPage = () => {
  const { projectId, monitorId } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const range: Range = isRange(search.range) ? search.range : '7d';
  const monitor = useQuery(apiQuery('getMonitor', monitorId));
  const { bucket = '', compare = '' } = search;
  const series = useQuery(seriesQuery(projectId, { range, bucket, monitorId, compare }));
  useOwnProject(projectId, monitor.data?.projectId);
  const { name, filter, samplingRate, results } = monitor.data ?? {};
  return (
    <Page
      crumbs={<QuietLink {...paths.checks(projectId)}>Checks</QuietLink>}
      title={name ?? 'Monitor'}
      toolbar={
        <>
          <RangeAndTest
            {...{ range, bucket, compare, cut: series.data?.bucket }}
            onChange={(change) =>
              void navigate({
                ...paths.monitor(projectId, monitorId, { ...search, ...change }),
                replace: true,
              })
            }
          />
          {filter && samplingRate !== undefined && (
            <span className="text-sm text-soft">
              {rateText(samplingRate)} of {filterText(filter)}: {countText(results?.numDrawn)} drawn of{' '}
              {countText(results?.numRecords)}
            </span>
          )}
          {series.data && <Counted series={series.data} />}
        </>
      }
    >
      <Loaded query={monitor} lines={1}>
        {(watched) => (
          <>
            <Rates of={watched} />
            <Loaded query={series} lines={8}>
              {(data) =>
                data.groups.length === 0 ? (
                  <Empty title="No records drawn in this range">
                    The charts show the records that the monitor draws.
                  </Empty>
                ) : (
                  <>
                    {data.changes && (
                      <SeriesChanges projectId={projectId} series={data} changes={data.changes} />
                    )}
                    <SeriesCharts
                      projectId={projectId}
                      series={data}
                      by="monitor"
                      filter={`monitor:${monitorId}`}
                      charts={shownCharts(chartsOf(data), undefined)}
                    />
                  </>
                )
              }
            </Loaded>
          </>
        )}
      </Loaded>
    </Page>
  );
};
