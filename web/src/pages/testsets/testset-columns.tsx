import { CircleAlert } from 'lucide-react';
import type { Testcase, Testset } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/grid-props.ts';
import { EditableCell } from './editable-cell.tsx';

/** The split and the tags of a testcase. */
const marks: Column<Testcase> = {
  id: ' marks',
  header: 'Split, tags',
  width: 160,
  render: ({ split, tags = [] }) => (
    <span className="flex items-center gap-1 overflow-hidden">
      {split !== undefined && <Badge tone="accent">{split}</Badge>}
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  ),
};

/** Returns the columns of a testset: the id, the mapped fields by their group, then the fields that some testcases have beside them. */
export const columnsOf = ({ fieldMapping }: Testset, testcases: readonly Testcase[]): Column<Testcase>[] => {
  const { inputs, expected, metadata } = fieldMapping;
  const named = new Set([...inputs, ...expected, ...metadata]);
  const others = new Set(testcases.slice(0, 200).flatMap(({ jsonData }) => Object.keys(jsonData)));
  const fields = (group: string, names: readonly string[]): Column<Testcase>[] =>
    names.map((field) => ({
      id: field,
      header: field,
      group,
      width: 260,
      render: (testcase) => <EditableCell testcase={testcase} field={field} />,
    }));
  return [
    {
      id: 'id',
      header: 'Testcase',
      width: 96,
      render: ({ id, validationErrors }) => (
        <span className="flex h-5 items-center gap-1 font-mono text-sm">
          {id}
          {validationErrors && (
            <CircleAlert
              size={12}
              className="text-fail"
              aria-label={`Does not match the schema: ${validationErrors.map(({ path, message }) => `${path} ${message}`).join('; ')}`}
            />
          )}
        </span>
      ),
    },
    ...(testcases.some(({ split, tags }) => split !== undefined || tags !== undefined) ? [marks] : []),
    ...fields('inputs', inputs),
    ...fields('expected', expected),
    ...fields('metadata', metadata),
    ...fields(
      '',
      [...others].filter((name) => !named.has(name)),
    ),
  ];
};
