import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Coefficient } from '../../resources/judges/agreement.tsx';
import { GradeBadge } from '../../resources/judges/grade.tsx';
import type { Calibration, Labels } from '../../resources/judges/queries.ts';
import type { MetricVersion } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { countText } from '../../ui/format.ts';
import { Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Term } from '../../ui/term.tsx';
import { Time } from '../../ui/time.tsx';

type Props = {
  projectId: string;
  metricId: string;
  labels: Labels;
  configurations: NonNullable<Calibration['configurations']>;
};

const Configuration = ({
  projectId,
  metricId,
  labels,
  version,
  configurations,
  open,
}: Props & { version: MetricVersion; open: boolean }) => {
  const data = configurations.find(({ judge }) => judge.metricConfigId === version.id);
  const model = 'evalModelName' in version ? version.evalModelName : undefined;
  return (
    <Row aria-current={open || undefined} className={`border-b ${open ? 'bg-selected' : 'hover:bg-hover'}`}>
      <Cell>
        <QuietLink
          {...paths.judge(projectId, metricId, { config: version.id, labels })}
          className="font-mono text-sm text-accent"
        >
          {version.id.slice(-8)}
        </QuietLink>{' '}
        {version.current && <Badge tone="accent">current</Badge>}
      </Cell>
      <Cell>
        <Time at={version.createdAt} />
      </Cell>
      <Cell className="max-w-48 truncate">{model}</Cell>
      <Cell>{data ? countText(data.judge.numLabels) : ''}</Cell>
      <Cell>{data && <Interval of={data.judge.sensitivity} short />}</Cell>
      <Cell>{data && <Interval of={data.judge.specificity} short />}</Cell>
      <Cell>{data && <Coefficient of={data.kappa} />}</Cell>
      <Cell>{data && <GradeBadge judge={data.judge} />}</Cell>
    </Row>
  );
};

/** The configurations of the judge side by side. Each is a separate judge. */
export const Configurations = ({
  versions,
  configId,
  ...props
}: Props & { versions: readonly MetricVersion[]; configId: string }) => (
  <Section title={<Term of="configuration">Configurations</Term>}>
    <p className="mb-1 text-soft">
      Each configuration is a separate judge. Only labels of records that it scored count for it, so two
      configurations are compared fairly on the same run: re-score the run with the new one.
    </p>
    <Table
      label="Configurations of the judge"
      head={['Configuration', 'Since', 'Model', 'Labels', 'Sensitivity', 'Specificity', 'κ', 'Grade']}
    >
      {versions.map((version) => (
        <Configuration key={version.id} {...props} version={version} open={version.id === configId} />
      ))}
    </Table>
  </Section>
);
