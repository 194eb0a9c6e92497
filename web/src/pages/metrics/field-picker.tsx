import { fieldsRead, withField } from '../../../../client/src/read-fields.ts';
import { Select } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';

type FieldPickerProps = {
  /** The template or the code of the metric. */
  logic: string;
  /** How many of the latest records have each field, by its path. */
  counts: ReadonlyMap<string, number>;
  /** Number of the latest records. */
  records: number;
  readOnly: boolean;
  onChange: (logic: string) => void;
};

/** The fields that a metric reads, each with a choice of the fields that records of the project have. */
export const FieldPicker = ({ logic, counts, records, readOnly, onChange }: FieldPickerProps) => {
  const fields = fieldsRead(logic);
  if (fields.length === 0 || records === 0) return null;
  const lacking = fields.filter((field) => !counts.has(field));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Fields it reads</legend>
      <ul className="grid gap-2 sm:grid-cols-2">
        {fields.map((field) => {
          const n = counts.get(field) ?? 0;
          const options = [...new Set([field, ...[...counts.keys()].toSorted()])];
          return (
            <li key={field}>
              <Select
                label={field}
                disabled={readOnly}
                value={field}
                options={options.map((path) => ({ value: path, label: path }))}
                onChange={(path) => onChange(withField(logic, field, path))}
                hint={
                  <span className={n === 0 ? 'text-warn' : undefined}>
                    {n === 0
                      ? 'No record has this field.'
                      : `${n} of ${countOf(records, 'record')} have this field.`}
                  </span>
                }
              />
            </li>
          );
        })}
      </ul>
      {lacking.length > 0 && (
        <p role="alert" className="text-sm break-words text-warn">
          None of the latest {countOf(records, 'record')} has {lacking.join(' or ')}. A record that lacks a
          field is unscored if the metric needs the field: choose a field that your records have.
        </p>
      )}
    </fieldset>
  );
};
