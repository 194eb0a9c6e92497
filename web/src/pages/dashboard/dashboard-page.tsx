import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ChartLine } from 'lucide-react';
import { type DashboardSearch, paths } from '../../paths.ts';
import { ViewsMenu } from '../../resources/records/views.tsx';
import { SeriesChanges } from '../../resources/series/changes.tsx';
import { type Chart, chartsOf, shownCharts } from '../../resources/series/charts.ts';
import { Counted } from '../../resources/series/counted.tsx';
import { isRange, type Range, seriesQuery } from '../../resources/series/queries.ts';
import { RangeAndTest } from '../../resources/series/range-and-test.tsx';
import { SeriesCharts } from '../../resources/series/series-charts.tsx';
import type { Series } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { optionsOf, Select } from '../../ui/field.tsx';
import { Menu, MenuCheck } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { toggled } from '../../ui/toggled.ts';

const route = getRouteApi('/app/projects/$projectId/dashboard');

const splits = { '': 'All together', model: 'By model', version: 'By system version', tag: 'By tag' };
const sources = { '': 'All records', traces: 'Records of traces', runs: 'Records of runs' };

export const DashboardPage = () => {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const range: Range = isRange(search.range) ? search.range : '7d';
  const { by, source, bucket } = search;
  // Groups can be tested as long as there is a split.
  const compare = search.compare === 'groups' && !by ? '' : search.compare;
  const series = useQuery(seriesQuery(projectId, { range, bucket, by, source, compare }));
  const chosen = search.charts?.split(',');
  const all = chartsOf(series.data ?? { metrics: [], groups: [] });
  const shown = shownCharts(all, chosen);
  const go = (next: DashboardSearch) =>
    void navigate({ ...paths.dashboard(projectId, { ...search, ...next }), replace: true });
  // A saved dashboard names its charts, so that a metric that comes later does not change it.
  const chosenFilters = {
    range,
    bucket: bucket ?? '',
    by: by ?? '',
    source: source ?? '',
    compare: compare ?? '',
  };
  const display = { ...chosenFilters, charts: shown.map(({ id }) => id).join(',') };
  return (
    <Page
      title="Dashboard"
      actions={
        <>
          <ChartsMenu all={all} shown={shown} onChange={(ids) => go({ charts: ids.join(',') })} />
          <ViewsMenu
            projectId={projectId}
            kind="dashboard"
            shown={{ search: '', display }}
            onShow={({ display: saved }) => go(saved as DashboardSearch)}
          />
        </>
      }
      toolbar={
        <>
          <SeriesFilters {...chosenFilters} cut={series.data?.bucket} onChange={go} />
          {series.data && <Counted series={series.data} />}
        </>
      }
    >
      <Loaded query={series} lines={8}>
        {(data) =>
          data.groups.length === 0 ? (
            <Empty title="No records in this range">
              A dashboard shows the volume, latency, tokens, cost, errors and pass rates of records. Send
              traces or start a run, or choose a longer range.
            </Empty>
          ) : (
            <>
              {data.changes && <SeriesChanges projectId={projectId} series={data} changes={data.changes} />}
              <SeriesCharts
                projectId={projectId}
                series={data}
                by={by}
                filter={source ? `source:${source}` : ''}
                charts={shown}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
};

type ChartsMenuProps = {
  all: readonly Chart[];
  shown: readonly Chart[];
  onChange: (ids: readonly string[]) => void;
};

/** Shows and hides charts. They keep their order. */
const ChartsMenu = ({ all, shown, onChange }: ChartsMenuProps) => {
  const ids = new Set(shown.map(({ id }) => id));
  const toggle = (id: string) => {
    const next = toggled(ids, id);
    onChange(all.map((chart) => chart.id).filter((each) => next.has(each)));
  };
  return (
    <Menu
      align="end"
      trigger={
        <Button>
          <ChartLine size={14} aria-hidden /> Charts
        </Button>
      }
    >
      {all.map(({ id, title }) => (
        <MenuCheck key={id} checked={ids.has(id)} onChange={() => toggle(id)}>
          <span className="max-w-72 truncate">{title}</span>
        </MenuCheck>
      ))}
    </Menu>
  );
};

type SeriesFiltersProps = Record<'by' | 'source' | 'bucket' | 'compare', string> & {
  range: Range;
  /** The bucket that the series has. */
  cut: Series['bucket'] | undefined;
  onChange: (change: DashboardSearch) => void;
};

const SeriesFilters = ({ range, by, source, bucket, compare, cut, onChange }: SeriesFiltersProps) => (
  <>
    <RangeAndTest {...{ range, bucket, compare, cut, by }} onChange={onChange} />
    <Select
      label="Split"
      hideLabel
      value={by as keyof typeof splits}
      options={optionsOf(splits)}
      onChange={(by) => onChange({ by })}
    />
    <Select
      label="Records"
      hideLabel
      value={source as keyof typeof sources}
      options={optionsOf(sources)}
      onChange={(source) => onChange({ source })}
    />
  </>
);
