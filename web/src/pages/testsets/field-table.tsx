import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { JsonObject, Testset } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Input, optionsOf, Select } from '../../ui/field.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { type Field, fieldRoles, fieldsOf, fieldTypes, withFieldIn, withRole } from './fields.ts';

type FieldTableProps = {
  schema: JsonObject;
  mapping: Testset['fieldMapping'];
  onChange: (schema: JsonObject, mapping: Testset['fieldMapping']) => void;
};

/** The fields of a testset: the use and the type of each, and whether it is required. */
export const FieldTable = ({ schema, mapping, onChange }: FieldTableProps) => {
  const fields = fieldsOf(schema, mapping);
  const set = (field: Field) =>
    onChange(withFieldIn(schema, field.name, field), withRole(mapping, field.name, field.role));
  const remove = (field: Field) =>
    onChange(withFieldIn(schema, field.name, undefined), withRole(mapping, field.name, ''));
  return (
    <>
      <Table label="Fields" head={['Field', 'Use', 'Type', 'Required', '']}>
        {fields.map((field) => (
          <Row key={field.name}>
            <Cell className="max-w-60 truncate font-mono text-sm" title={field.name}>
              {field.name}
            </Cell>
            <Cell className="w-40">
              <Select
                label={`Use of ${field.name}`}
                hideLabel
                value={field.role}
                options={[{ value: '' as const, label: 'Not used' }, ...optionsOf(fieldRoles)]}
                onChange={(role) => set({ ...field, role })}
              />
            </Cell>
            <Cell className="w-40">
              <Select
                label={`Type of ${field.name}`}
                hideLabel
                value={field.type}
                options={optionsOf(fieldTypes)}
                onChange={(type) => set({ ...field, type })}
              />
            </Cell>
            <Cell className="w-28">
              <input
                type="checkbox"
                aria-label={`${field.name} is required`}
                checked={field.required}
                onChange={(event) => set({ ...field, required: event.target.checked })}
              />
            </Cell>
            <Cell className="w-8">
              <IconButton icon={X} label={`Remove ${field.name}`} onClick={() => remove(field)} />
            </Cell>
          </Row>
        ))}
      </Table>
      <NewField
        names={fields.map(({ name }) => name)}
        onAdd={(name) => set({ name, role: 'inputs', type: 'string', required: false })}
      />
    </>
  );
};

type NewFieldProps = { names: readonly string[]; onAdd: (name: string) => void };

/** Asks for the name of another field. */
const NewField = ({ names, onAdd }: NewFieldProps) => {
  const [name, setName] = useState('');
  const isKnown = names.includes(name.trim());
  const add = () => {
    onAdd(name.trim());
    setName('');
  };
  return (
    <div className="mt-2 flex items-end gap-2">
      <div className="w-60">
        <Input
          label="New field"
          hideLabel
          placeholder="Name of a new field"
          value={name}
          onChange={setName}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            if (name.trim() && !isKnown) add();
          }}
        />
      </div>
      <Button disabled={!name.trim() || isKnown} onClick={add}>
        <Plus size={14} aria-hidden /> Add field
      </Button>
    </div>
  );
};
