import { useMutation, useQuery } from '@tanstack/react-query';
import { ChevronDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { api, apiList, issuesOf, keyOf } from '../../api.ts';
import type { Metric, MetricGroup } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
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

type EditProps = GroupsProps & { group: MetricGroup | undefined; onClose: () => void };

/** Creates a group, or changes `group`. */
const EditGroup = ({ projectId, metrics, group, onClose }: EditProps) => {
  const [name, setName] = useState(group?.name ?? '');
  const [description, setDescription] = useState(group?.description ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(group?.metricIds));
  const save = useMutation({
    mutationFn: () => {
      const body = { name, description, metricIds: [...chosen] };
      return group ? api.updateMetricGroup(group.id, body) : api.createMetricGroup(projectId, body);
    },
    meta: { refreshes: [keyOf('listMetricGroups', projectId)] },
    onSuccess: onClose,
  });
  const issue = issuesOf(save.error);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={group ? 'Edit metric group' : 'New metric group'}
      write={save}
      action={group ? 'Save group' : 'Create group'}
    >
      <Input label="Name" required maxLength={256} error={issue('/name')} value={name} onChange={setName} />
      <Input label="Description" value={description} onChange={setDescription} />
      <MetricChoice metrics={metrics} chosen={chosen} onChange={setChosen} error={issue('/metricIds')} />
    </FormDialog>
  );
};

/** The metric groups of the project: sets of metrics that runs are started with. */
export const MetricGroups = ({ projectId, metrics }: GroupsProps) => {
  const { data: groups = [] } = useQuery(apiList('listMetricGroups', projectId));
  const may = useMay();
  const [edited, setEdited] = useState<MetricGroup | 'new'>();
  const [leaving, setLeaving] = useState<MetricGroup>();
  const names = new Map(metrics.map(({ id, name }) => [id, name]));
  const action = may.write && (
    <Button onClick={() => setEdited('new')}>
      <Plus size={14} aria-hidden /> New group
    </Button>
  );
  return (
    <Section title="Groups" actions={action}>
      {groups.length === 0 && (
        <p className="text-soft">
          A group is a set of metrics that you can choose together when you start a run.
        </p>
      )}
      {groups.length > 0 && (
        <Table label="Metric groups" head={['Name', 'Metrics', 'Description', '']}>
          {groups.map((group) => (
            <Row key={group.id}>
              <Cell className="font-medium">{group.name}</Cell>
              <Cell className="max-w-96 wrap-anywhere">
                {group.metricIds.map((id) => names.get(id) ?? id).join(', ') || 'none'}
              </Cell>
              <Cell className="max-w-72 truncate text-soft">{group.description}</Cell>
              <Cell className="text-right whitespace-nowrap">
                {may.write && (
                  <>
                    <Button look="quiet" aria-label={`Edit ${group.name}`} onClick={() => setEdited(group)}>
                      Edit
                    </Button>
                    <Button
                      look="danger"
                      aria-label={`Delete ${group.name}`}
                      onClick={() => setLeaving(group)}
                    >
                      Delete
                    </Button>
                  </>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {edited && (
        <EditGroup
          projectId={projectId}
          metrics={metrics}
          group={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {leaving && (
        <Confirm
          title="Delete metric group"
          action="Delete group"
          onClose={() => setLeaving(undefined)}
          send={() => api.deleteMetricGroup(leaving.id)}
          meta={{ refreshes: [keyOf('listMetricGroups', projectId)] }}
        >
          The metrics of “{leaving.name}” stay.
        </Confirm>
      )}
    </Section>
  );
};
