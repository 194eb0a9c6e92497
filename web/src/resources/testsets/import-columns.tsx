import type { JsonObject } from '../../types.ts';
import { cellText } from '../../ui/csv.ts';
import { Input, optionsOf, Select } from '../../ui/field.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { outputTypes } from '../metrics/kinds.ts';
import { type ColumnMapping, roles, type Scale, types } from './mapping.ts';

const previewed = 3;
/** Shown until the user says what the scores are. */
const unknownScale = [{ value: '', label: 'Choose' }] as const;

type ColumnsProps = {
  rows: readonly JsonObject[];
  mapping: readonly ColumnMapping[];
  onChange: (i: number, changes: Partial<ColumnMapping>) => void;
};

/** Asks for the use of each column, beside its first values. */
export const ImportColumns = ({ rows, mapping, onChange }: ColumnsProps) => (
  <Table label="Columns" head={['Column', 'Use', 'Field', 'Type', 'First rows']}>
    {mapping.map(({ column, field, role, type, scale }, i) => {
      const isOut = role === 'none' || role === 'id';
      return (
        <Row key={column} className="border-b align-top">
          <Cell className="font-mono text-sm">{column}</Cell>
          <Cell className="w-48 min-w-36">
            <Select
              label={`Use of ${column}`}
              hideLabel
              options={optionsOf(roles)}
              value={role}
              onChange={(next) => onChange(i, { role: next })}
            />
          </Cell>
          <Cell className="w-40 min-w-32">
            <Input
              label={`Field of ${column}`}
              hideLabel
              disabled={isOut}
              value={field}
              onChange={(value) => onChange(i, { field: value })}
            />
          </Cell>
          <Cell className="w-32 min-w-28">
            {role === 'scores' ? (
              <Select<Scale | ''>
                label={`Type of ${column}`}
                hideLabel
                options={[...(scale ? [] : unknownScale), ...optionsOf(outputTypes)]}
                value={scale ?? ''}
                onChange={(next) => next && onChange(i, { scale: next })}
              />
            ) : (
              <Select
                label={`Type of ${column}`}
                hideLabel
                disabled={isOut}
                options={optionsOf(types)}
                value={type}
                onChange={(next) => onChange(i, { type: next })}
              />
            )}
          </Cell>
          <Cell className="max-w-64 text-soft">
            {rows.slice(0, previewed).map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity
              <div key={line} className="truncate">
                {cellText(row[column]).slice(0, 200)}
              </div>
            ))}
          </Cell>
        </Row>
      );
    })}
  </Table>
);
