import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { apiPages } from '../../api.ts';
import type { MetricVersion } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Select } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Time, timeText } from '../../ui/time.tsx';

const TextDiff = lazy(() => import('../../ui/text-diff.tsx'));

/** The fields of a configuration that affect scores, as text to compare. */
const asText = ({ id: _, current: __, createdAt: ___, ...config }: MetricVersion): string =>
  Object.entries(config)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const shortId = ({ id }: MetricVersion): string => id.slice(-8);

const Difference = ({ before, after }: { before: MetricVersion; after: MetricVersion }) => (
  <div className="rounded-md border bg-sunken p-3 font-mono text-sm">
    <Suspense fallback={<Skeleton lines={3} />}>
      <TextDiff before={asText(before)} after={asText(after)} />
    </Suspense>
  </div>
);

/** Compares any two configurations. */
const Comparison = ({ versions }: { versions: readonly MetricVersion[] }) => {
  const [fromId, setFrom] = useState<string>();
  const [toId, setTo] = useState<string>();
  const from = versions.find(({ id }) => id === fromId);
  const to = versions.find(({ id }) => id === toId) ?? versions[0]!;
  const options = versions.map((version) => ({
    value: version.id,
    label: `${shortId(version)} · ${timeText(version.createdAt)}${version.current ? ' · current' : ''}`,
  }));
  return (
    <div className="mb-2 flex flex-col gap-2">
      <div className="grid gap-2 md:grid-cols-2">
        <Select
          label="Compare"
          value={fromId ?? ''}
          options={[{ value: '', label: 'Choose a configuration' }, ...options]}
          onChange={setFrom}
        />
        <Select label="with" value={to.id} options={options} onChange={setTo} />
      </div>
      {from && from.id === to.id && <p className="text-soft">Both configurations are the same.</p>}
      {from && from.id !== to.id && <Difference before={from} after={to} />}
    </div>
  );
};

const Version = ({ version, before }: { version: MetricVersion; before: MetricVersion | undefined }) => {
  const [open, setOpen] = useState(false);
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-2">
        <Time at={version.createdAt} />
        <span className="inline-flex items-center font-mono text-sm text-soft">
          {shortId(version)}
          <CopyButton text={version.id} label="Copy the metricConfigId" />
        </span>
        {version.current && <Badge tone="accent">current</Badge>}
        <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {before ? 'Show changes' : 'Show configuration'}
        </Button>
      </div>
      {open && before && <Difference before={before} after={version} />}
      {open && !before && (
        <div className="mt-2 rounded-md border bg-sunken p-3 font-mono text-sm break-words whitespace-pre-wrap">
          {asText(version)}
        </div>
      )}
    </li>
  );
};

/** Every configuration that the metric has had; scores name the one that gave them. */
export const MetricHistory = ({ metricId }: { metricId: string }) => {
  const list = useInfiniteQuery(apiPages('listMetricVersions', metricId, { limit: 20 }));
  const versions = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section title={`Configurations${list.hasNextPage ? '' : ` (${versions.length})`}`}>
      {list.error && <ErrorNote error={list.error} />}
      {list.isPending && <Skeleton lines={2} />}
      {versions.length > 1 && <Comparison versions={versions} />}
      <ul className="divide-y divide-line">
        {versions.map((version, i) => (
          <Version key={version.id} version={version} before={versions[i + 1]} />
        ))}
      </ul>
      {list.hasNextPage && <Button onClick={() => void list.fetchNextPage()}>Older</Button>}
    </Section>
  );
};
