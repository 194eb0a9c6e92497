import { Select } from '../../ui/field.tsx';

type GroupByProps = {
  groupings: readonly string[];
  group: string | undefined;
  /** The user is about to choose: what can be chosen is read. */
  onWant?: () => void;
  onChange: (group: string | undefined) => void;
};

/** Chooses what the rows of a search are grouped by. It is searched from the start: a list that grows must not become another control. */
export const GroupBy = ({ groupings, group = '', onWant, onChange }: GroupByProps) => {
  const known = group === '' || groupings.includes(group) ? groupings : [...groupings, group];
  return (
    <div className="w-36">
      <Select
        label="Group by"
        hideLabel
        searched
        value={group}
        onFocus={onWant}
        onPointerEnter={onWant}
        onChange={(by) => onChange(by || undefined)}
        options={[{ value: '', label: 'Group by…' }, ...known.map((by) => ({ value: by, label: by }))]}
      />
    </div>
  );
};
