import { Plus, Trash2 } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { Persona, Scenario } from '../../../../client/src/simulation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Input, TextArea } from '../../ui/field.tsx';

type Row = Persona | Scenario;

type FieldProps = Pick<ComponentProps<typeof Input>, 'label' | 'placeholder' | 'required'> & {
  value: string;
  onChange: (value: string) => void;
};

/** A text of several lines, such as what a user wrote in a session, stands in several lines. */
const Field = ({ placeholder, required, ...rest }: FieldProps) => {
  const given = { ...rest, ...(placeholder && { placeholder }), ...(required && { required }) };
  return rest.value.includes('\n') ? <TextArea rows={5} {...given} /> : <Input {...given} />;
};

type Column = { field: string; label: string; placeholder: string; required?: true };

type ListProps<Item extends Row> = {
  items: readonly Item[];
  onChange: (items: Item[]) => void;
  /** What one is called: the button adds it, and each field names its number. */
  thing: string;
  columns: readonly Column[];
};

/** Rows of short texts: each names one persona or one scenario. */
const TextRows = <Item extends Row>({ items, onChange, thing, columns }: ListProps<Item>) => (
  <div className="flex flex-col gap-3">
    {items.map((item, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
      <div key={i} className="flex items-end gap-2 border-l-2 pl-3">
        <div className="grid flex-1 gap-x-3 gap-y-1 sm:grid-cols-2">
          {columns.map(({ field, label, ...rest }) => (
            <Field
              key={field}
              label={`${label} ${i + 1}`}
              value={String(item[field as keyof Item] ?? '')}
              onChange={(value) =>
                onChange(items.map((each, at) => (at === i ? { ...each, [field]: value } : each)))
              }
              {...rest}
            />
          ))}
        </div>
        <IconButton
          icon={Trash2}
          label={`Remove ${thing} ${i + 1}`}
          disabled={items.length === 1}
          onClick={() => onChange(items.filter((_, at) => at !== i))}
        />
      </div>
    ))}
    <div>
      <Button onClick={() => onChange([...items, { name: '' } as Item])}>
        <Plus size={14} aria-hidden /> Add {thing}
      </Button>
    </div>
  </div>
);

/** Kinds of users that show different faults of an assistant. */
const library: readonly Persona[] = [
  { name: 'Impatient', traits: 'In a hurry, writes in fragments, gives up after the second question.' },
  { name: 'Confused', traits: 'Mixes up names and numbers, answers a question that was not asked.' },
  { name: 'Angry', traits: 'Was let down before, complains, wants to speak to a person.' },
  { name: 'Talkative', traits: 'Tells long stories in which the one important fact is hidden.' },
  { name: 'Learner of English', traits: 'Writes simple English with mistakes, asks what words mean.' },
  { name: 'Expert', traits: 'Knows the subject, uses its terms, corrects the assistant.' },
  { name: 'Tester of limits', traits: 'Asks for what the assistant must not do, and insists.' },
];

type PersonaRowsProps = Pick<ListProps<Persona>, 'items' | 'onChange'>;

/** Adds a persona of the library. It takes the place of an empty row. */
const PersonaLibrary = ({ items, onChange }: PersonaRowsProps) => {
  const left = library.filter(({ name }) => !items.some((item) => item.name === name));
  if (left.length === 0) return null;
  const filled = items.filter(({ name }) => name.trim() !== '');
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <span className="text-sm text-soft">From the library:</span>
      {left.map((persona) => (
        <Button key={persona.name} onClick={() => onChange([...filled, persona])}>
          {persona.name}
        </Button>
      ))}
    </div>
  );
};

export const PersonaRows = (props: PersonaRowsProps) => (
  <>
    <PersonaLibrary {...props} />
    <TextRows
      {...props}
      thing="persona"
      columns={[
        { field: 'name', label: 'Persona', placeholder: 'Impatient', required: true },
        { field: 'traits', label: 'Traits', placeholder: 'In a hurry, writes in fragments, gives up soon.' },
      ]}
    />
  </>
);

export const ScenarioRows = (props: Pick<ListProps<Scenario>, 'items' | 'onChange'>) => (
  <TextRows
    {...props}
    thing="scenario"
    columns={[
      { field: 'name', label: 'Scenario', placeholder: 'Late parcel', required: true },
      { field: 'goal', label: 'Goal', placeholder: 'Know the new delivery date.' },
      { field: 'situation', label: 'Situation', placeholder: 'Order 1043 should have come on Monday.' },
      {
        field: 'opening',
        label: 'First message',
        placeholder: 'Optional. If it is empty, the user writes it.',
      },
    ]}
  />
);
