import { useQuery } from '@tanstack/react-query';
import type { AuditSearch } from '../../paths.ts';
import { membersQuery } from '../../resources/session/me.ts';
import type { ListAuditEventsQuery } from '../../types.ts';
import { Input, Select } from '../../ui/field.tsx';

/** Groups of operations that write, as the API's document names them. */
const groups = [
  'Annotations',
  'API keys',
  'Assignees',
  'Attachments',
  'Executions',
  'Members',
  'Metric groups',
  'Metrics',
  'Monitors',
  'Projects',
  'Providers',
  'Records',
  'Reviews',
  'Runs',
  'Scores',
  'Sign-in',
  'Systems',
  'Tags',
  'Testsets',
  'Traces',
  'Trials',
  'Views',
];

const time = (text: string | undefined): string | undefined => {
  const at = text ? new Date(text) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
};

/** The query of the list that a search in the URL asks for. */
export const toQuery = (search: AuditSearch): ListAuditEventsQuery => {
  const after = time(search.after);
  const before = time(search.before);
  return {
    ...(search.member && { userId: search.member }),
    ...(search.project && { projectId: search.project }),
    ...(search.group && { resource: search.group }),
    ...(search.operation && { operation: search.operation }),
    ...(after && { createdAfter: after }),
    ...(before && { createdBefore: before }),
    ...(search.failed && { failed: search.failed === 'yes' }),
  };
};

const every = { value: '', label: 'All' };

export const AuditFilter = ({
  search,
  onChange,
}: {
  search: AuditSearch;
  onChange: (next: AuditSearch) => void;
}) => {
  const members = useQuery(membersQuery);
  const set = (name: keyof AuditSearch) => (value: string) => {
    const { [name]: _, ...rest } = search;
    onChange(value ? { ...rest, [name]: value } : rest);
  };
  return (
    <div className="mb-3 grid gap-2 sm:grid-cols-3 lg:grid-cols-7">
      <Select
        label="Member"
        value={search.member ?? ''}
        options={[every, ...(members.data ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={set('member')}
      />
      <Select
        label="Group"
        value={search.group ?? ''}
        options={[every, ...groups.map((value) => ({ value, label: value }))]}
        onChange={set('group')}
      />
      <Input label="Operation" value={search.operation ?? ''} onChange={set('operation')} />
      <Input label="Project" value={search.project ?? ''} onChange={set('project')} />
      <Input label="From" type="datetime-local" value={search.after ?? ''} onChange={set('after')} />
      <Input label="To" type="datetime-local" value={search.before ?? ''} onChange={set('before')} />
      <Select
        label="Result"
        value={search.failed ?? ''}
        options={[every, { value: 'yes', label: 'Failed' }, { value: 'no', label: 'Done' }]}
        onChange={set('failed')}
      />
    </div>
  );
};
