import type { JsonObject } from '../../types.ts';
import { Part } from '../../ui/part.tsx';
import { Value } from '../../ui/value.tsx';
import { pointerPart } from './target.ts';

type FieldsProps = {
  title: 'Inputs' | 'Outputs' | 'Expected';
  fields: JsonObject;
  /** Fields to compare with. */
  against?: JsonObject;
};

/** The fields of one part of a record. */
export const Fields = ({ title, fields, against }: FieldsProps) => (
  <Part title={title}>
    {Object.keys(fields).length === 0 && <p className="text-soft">Empty.</p>}
    {Object.entries(fields).map(([name, value]) => (
      <Value
        key={name}
        name={name}
        value={value}
        against={against?.[name]}
        path={`/${title.toLowerCase()}/${pointerPart(name)}`}
      />
    ))}
  </Part>
);
