import { useMutation, useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, apiList } from '../../api.ts';
import { useFields } from '../../fields.ts';
import { ManagedTable, NameCell, type RowForm } from '../../managed-table.tsx';
import type { Metric, MetricGroup } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { useMay } from '../session/me.ts';
import { MetricChoice } from './metric-choice.tsx';

type GroupsProps = { projectId: string; metrics: readonly Metric[] };

/** Offers the metric groups of the project, if it has any. `onChoose` gets the metrics of the chosen one. */
export const GroupMenu = ({
  projectId,
  onChoose,
}: {
  projectId: string;
  onChoose: (metricIds: ReadonlySet<string>) => void;
}) => {
  const { data: groups = [] } = useQuery(apiList('listMetricGroups', projectId));
  if (groups.length === 0) return null;
  return (
    <Menu
      trigger={
        <Button look="quiet">
          Group <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      {groups.map(({ id, name, metricIds }) => (
        <MenuItem key={id} onSelect={() => onChoose(new Set(metricIds))}>
          <span className="truncate">{name}</span>
          <span className="text-soft">{countOf(metricIds.length, 'metric')}</span>
        </MenuItem>
      ))}
    </Menu>
  );
};

const GroupDialog = ({
  projectId,
  metrics,
  row: group,
  dialog,
  saving,
}: GroupsProps & RowForm<MetricGroup>) => {
  const { values, fieldsOf, outdated } = useFields({
    name: group?.name ?? '',
    description: group?.description ?? '',
    metricIds: new Set(group?.metricIds) as ReadonlySet<string>,
  });
  const save = useMutation({
    mutationFn: () => {
      const body = { ...values, metricIds: [...values.metricIds] };
      return group
        ? api.updateMetricGroup(group.id, body, { ifMatch: etagOf(group) })
        : api.createMetricGroup(projectId, body);
    },
    ...saving,
  });
  const field = fieldsOf(save.error);
  return (
    <FormDialog {...dialog} write={save} outdated={outdated}>
      <Input label="Name" required maxLength={256} {...field('name')} />
      <Input label="Description" {...field('description')} />
      <MetricChoice metrics={metrics} chosen={values.metricIds} {...field('metricIds')} />
    </FormDialog>
  );
};

/** The metric groups of the project: sets of metrics that runs are started with. */
export const MetricGroups = ({ projectId, metrics }: GroupsProps) => {
  const names = new Map(metrics.map(({ id, name }) => [id, name]));
  return (
    <ManagedTable
      as="section"
      title="Groups"
      noun="group"
      list={apiList('listMetricGroups', projectId)}
      may={useMay().write}
      empty="A group is a set of metrics that you can choose together when you start a run."
      columns={[
        { head: 'Name', cell: (group) => <NameCell of={group} /> },
        {
          head: 'Metrics',
          className: 'max-w-96 wrap-anywhere',
          cell: ({ metricIds }) => metricIds.map((id) => names.get(id) ?? id).join(', ') || 'none',
        },
        {
          head: 'Description',
          className: 'max-w-72 truncate text-soft',
          cell: ({ description }) => description,
        },
      ]}
      form={(form) => <GroupDialog {...{ projectId, metrics }} {...form} />}
      remove={{ send: api.deleteMetricGroup, warning: 'Its metrics stay.' }}
    />
  );
};
