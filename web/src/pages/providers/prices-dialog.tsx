import { useMutation } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import type { Provider } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';

type Line = { key: number; model: string; input: string; output: string };

const linesOf = ({ prices }: Provider): Line[] => {
  const known = Object.entries(prices).map(([model, { input, output }], key) => ({
    key,
    model,
    input: String(input),
    output: String(output),
  }));
  return known.length > 0 ? known : [{ key: 0, model: '', input: '', output: '' }];
};

/** Enters what the models of a provider cost. A line without a model is left out. */
export const PricesDialog = ({ provider, onClose }: { provider: Provider; onClose: () => void }) => {
  const [lines, setLines] = useState(() => linesOf(provider));
  const named = lines.filter(({ model }) => model.trim() !== '');
  const names = named.map(({ model }) => model.trim());
  const twice = names.find((name, i) => names.indexOf(name) < i);
  const save = useMutation({
    mutationFn: () =>
      api.updateProvider(provider.id, {
        prices: Object.fromEntries(
          named.map(({ model, input, output }) => [
            model.trim(),
            { input: Number(input), output: Number(output) },
          ]),
        ),
      }),
    meta: { refreshes: [keyOf('listProviders')] },
    onSuccess: onClose,
  });
  const set = (key: number, change: Partial<Line>) =>
    setLines(lines.map((line) => (line.key === key ? { ...line, ...change } : line)));
  return (
    <FormDialog
      open
      onClose={onClose}
      wide
      title={`Prices of ${provider.name}`}
      description="In US dollars per million tokens. They come before the price table of the server, and count for calls from now on."
      write={save}
      action="Save prices"
      disabled={twice !== undefined}
    >
      <ul className="flex flex-col gap-2">
        {lines.map(({ key, model, input, output }, i) => {
          const isNamed = model.trim() !== '';
          const of = model.trim() || `line ${i + 1}`;
          return (
            <li key={key} className="flex flex-wrap items-end gap-2">
              <div className="min-w-48 flex-1">
                <Input
                  label={`Model ${i + 1}`}
                  placeholder={provider.kind === 'azure' ? 'Name of the deployment' : 'gemma3'}
                  autoComplete="off"
                  spellCheck={false}
                  error={
                    isNamed && model.trim() === twice && names.indexOf(model.trim()) < i
                      ? 'is listed twice'
                      : undefined
                  }
                  value={model}
                  onChange={(value) => set(key, { model: value })}
                />
              </div>
              <div className="w-32">
                <Input
                  label="Input, USD"
                  aria-label={`Input of ${of}, USD`}
                  type="number"
                  min={0}
                  step="any"
                  required={isNamed}
                  value={input}
                  onChange={(value) => set(key, { input: value })}
                />
              </div>
              <div className="w-32">
                <Input
                  label="Output, USD"
                  aria-label={`Output of ${of}, USD`}
                  type="number"
                  min={0}
                  step="any"
                  required={isNamed}
                  value={output}
                  onChange={(value) => set(key, { output: value })}
                />
              </div>
              <IconButton
                icon={X}
                label={`Remove ${of}`}
                onClick={() => setLines(lines.filter((line) => line.key !== key))}
              />
            </li>
          );
        })}
      </ul>
      <Button
        className="self-start"
        onClick={() =>
          setLines([
            ...lines,
            { key: Math.max(-1, ...lines.map(({ key }) => key)) + 1, model: '', input: '', output: '' },
          ])
        }
      >
        <Plus size={14} aria-hidden /> Add model
      </Button>
    </FormDialog>
  );
};
