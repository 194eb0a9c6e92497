import { useMutation } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, keyOf } from '../../api.ts';
import type { Provider } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { useOutdated } from '../../ui/outdated.tsx';

type Line = {
  key: number;
  model: string;
  input: string;
  cachedInput: string;
  output: string;
  /** Prices that the form keeps and does not show. */
  cacheWrite?: number | undefined;
  audioInput?: number | undefined;
  cachedAudioInput?: number | undefined;
  audioOutput?: number | undefined;
};
const emptyLine = (key: number): Line => ({ key, model: '', input: '', cachedInput: '', output: '' });
const ways = [
  { way: 'input', label: 'Input' },
  { way: 'cachedInput', label: 'Cached input', optional: true },
  { way: 'output', label: 'Output' },
] as const;

const linesOf = ({ prices }: Provider): Line[] => {
  const known = Object.entries(prices).map(([model, { input, output, cachedInput, ...more }], key) => ({
    key,
    model,
    ...more,
    input: String(input),
    cachedInput: String(cachedInput ?? ''),
    output: String(output),
  }));
  return known.length > 0 ? known : [emptyLine(0)];
};

type PriceLineProps = {
  line: Line;
  number: number;
  placeholder: string;
  isTwice: boolean;
  onChange: (change: Partial<Line>) => void;
  onRemove: () => void;
};

const PriceLine = ({ line, number, placeholder, isTwice, onChange, onRemove }: PriceLineProps) => {
  const name = line.model.trim();
  const of = name || `line ${number}`;
  return (
    <li className="flex flex-wrap items-end gap-2">
      <div className="min-w-48 flex-1">
        <Input
          label={`Model ${number}`}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          error={isTwice ? 'is listed twice' : undefined}
          value={line.model}
          onChange={(model) => onChange({ model })}
        />
      </div>
      {ways.map(({ way, label, ...rest }) => (
        <div key={way} className="w-32">
          <Input
            label={`${label}, USD`}
            aria-label={`${label} of ${of}, USD`}
            type="number"
            min={0}
            step="any"
            required={name !== '' && !('optional' in rest)}
            value={line[way]}
            onChange={(value) => onChange({ [way]: value })}
          />
        </div>
      ))}
      <IconButton icon={X} label={`Remove ${of}`} onClick={onRemove} />
    </li>
  );
};

/** Enters what the models of a provider cost. A line without a model is left out. */
export const PricesDialog = ({ provider, onClose }: { provider: Provider; onClose: () => void }) => {
  const [lines, setLines] = useState(() => linesOf(provider));
  const outdated = useOutdated(linesOf(provider), lines, setLines);
  const names = lines.map(({ model }) => model.trim());
  const isTwice = (i: number) => names[i] !== '' && names.indexOf(names[i]!) < i;
  const save = useMutation({
    mutationFn: () => {
      const prices = lines
        .filter(({ model }) => model.trim() !== '')
        .map(({ key: _, model, input, output, cachedInput, ...more }) => [
          model.trim(),
          {
            input: Number(input),
            output: Number(output),
            ...(cachedInput !== '' && { cachedInput: Number(cachedInput) }),
            ...more,
          },
        ]);
      return api.updateProvider(
        provider.id,
        { prices: Object.fromEntries(prices) },
        { ifMatch: etagOf(provider) },
      );
    },
    meta: { refreshes: [keyOf('listProviders')] },
    onSuccess: onClose,
  });
  const nextKey = Math.max(-1, ...lines.map(({ key }) => key)) + 1;
  return (
    <FormDialog
      open
      onClose={onClose}
      wide
      title={`Prices of ${provider.name}`}
      description="In US dollars per million tokens. They override the price table of the server, for calls from now on."
      write={save}
      outdated={outdated}
      action="Save prices"
      disabled={names.some((_, i) => isTwice(i))}
    >
      <ul className="flex flex-col gap-2">
        {lines.map((line, i) => (
          <PriceLine
            key={line.key}
            line={line}
            number={i + 1}
            placeholder={provider.kind === 'azure' ? 'Name of the deployment' : 'Name of the model'}
            isTwice={isTwice(i)}
            onChange={(change) =>
              setLines(lines.map((each) => (each === line ? { ...each, ...change } : each)))
            }
            onRemove={() => setLines(lines.filter((each) => each !== line))}
          />
        ))}
      </ul>
      <Button className="self-start" onClick={() => setLines([...lines, emptyLine(nextKey)])}>
        <Plus size={14} aria-hidden /> Add model
      </Button>
    </FormDialog>
  );
};
