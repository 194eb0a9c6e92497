import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { apiQuery } from '../../api.ts';
import { Chip } from '../../ui/chips.tsx';
import { TextArea } from '../../ui/field.tsx';
import { useMay } from '../session/me.ts';
import { lastingModels } from './model-input.tsx';

/** Models that are offered at once; typing finds the others. */
const mostOffered = 12;

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

type ModelLinesProps = Omit<ComponentProps<typeof TextArea>, 'value' | 'onChange'> & {
  value: string;
  onChange: (text: string) => void;
};

/** Names of models, one on each line, typed or chosen from the lists of the organization's providers. */
export const ModelLines = ({ value, onChange, disabled, ...field }: ModelLinesProps) => {
  const may = useMay();
  const { data } = useQuery({ ...apiQuery('listJudgeModels'), enabled: may.write });
  const known = lastingModels(data?.providers, 'text');
  const lines = linesOf(value);
  // The line that is being typed narrows the offer.
  const last = value.endsWith('\n') ? '' : (lines.at(-1) ?? '');
  const typed = known.includes(last) ? '' : last.toLowerCase();
  const offered = known.filter((name) => lines.includes(name) || name.toLowerCase().includes(typed));
  const toggle = (name: string) => {
    const kept = typed ? lines.slice(0, -1) : lines;
    onChange((kept.includes(name) ? kept.filter((line) => line !== name) : [...kept, name]).join('\n'));
  };
  return (
    <div className="flex w-full flex-col gap-2">
      <TextArea {...field} disabled={disabled} value={value} onChange={onChange} />
      {!disabled && offered.length > 0 && (
        <fieldset aria-label="Models of your providers" className="flex flex-wrap gap-2">
          {offered.slice(0, mostOffered).map((name) => (
            <Chip key={name} pressed={lines.includes(name)} onClick={() => toggle(name)}>
              {name}
            </Chip>
          ))}
          {offered.length > mostOffered && (
            <span className="text-sm text-soft">Type to find {offered.length - mostOffered} more.</span>
          )}
        </fieldset>
      )}
    </div>
  );
};
