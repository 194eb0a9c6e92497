import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, api } from '../api.ts';
import type { Provider } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { exactText } from '../ui/exact-json.ts';
import { Input, Select } from '../ui/field.tsx';
import { ErrorNote } from '../ui/states.tsx';

const kinds = ['openai', 'anthropic', 'google', 'azure', 'bedrock', 'openai-compatible'];
/** What a kind takes beside a key; the API says the same where it describes `options`. */
const optionsOf: Record<string, readonly string[]> = {
  azure: ['resourceName', 'apiVersion'],
  bedrock: ['region', 'accessKeyId', 'secretAccessKey', 'sessionToken'],
  openai: ['organization', 'project'],
};

type ProviderDialogProps = {
  provider: Provider | undefined;
  onClose: () => void;
  onDone: () => Promise<unknown>;
};

/** Adds or changes a provider. Secrets go in and never come out: left empty, the stored one stays. */
export const ProviderDialog = ({ provider, onClose, onDone }: ProviderDialogProps) => {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<string>(provider?.kind ?? 'openai');
  const [baseUrl, setBaseUrl] = useState(provider?.baseUrl ?? '');
  const [apiKey, setApiKey] = useState('');
  const [options, setOptions] = useState<Record<string, string>>(provider?.options ?? {});
  const [maxConcurrency, setMaxConcurrency] = useState(String(provider?.maxConcurrency ?? 8));
  const [requestsPerMinute, setRequests] = useState(String(provider?.requestsPerMinute ?? ''));
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ''));
  const isOptionsChanged = exactText(given) !== exactText(provider?.options ?? {});
  const save = useMutation({
    mutationFn: () => {
      const common = {
        ...(apiKey && { apiKey }),
        ...(isOptionsChanged && { options: given }),
        maxConcurrency: Number(maxConcurrency),
        requestsPerMinute: requestsPerMinute ? Number(requestsPerMinute) : null,
      };
      return provider
        ? api.patch(`/providers/${provider.id}`, {
            ...common,
            ...(baseUrl !== (provider.baseUrl ?? '') && { baseUrl: baseUrl || null }),
          })
        : api.post('/providers', { name, kind, ...(baseUrl && { baseUrl }), ...common });
    },
    onSuccess: async () => {
      onClose();
      await onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const issue = (path: string) => (save.error instanceof ApiError ? save.error.issueOf(path) : undefined);
  return (
    <Dialog open onClose={onClose} title={provider ? `Change ${provider.name}` : 'New provider'}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        {!provider && (
          <>
            <Input
              label="Name"
              required
              hint="Stands before the slash in a metric’s model: ollama in ollama/gemma3."
              error={issue('/name')}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <Select
              label="API"
              options={kinds.map((value) => ({ value, label: value }))}
              value={kind}
              onChange={(event) => setKind(event.target.value)}
            />
          </>
        )}
        <Input
          label="Address"
          placeholder={kind === 'openai-compatible' ? 'http://localhost:11434/v1' : 'The usual one'}
          required={kind === 'openai-compatible'}
          hint={provider?.hasSecret ? 'Another address asks for the key again.' : undefined}
          error={issue('/baseUrl')}
          value={baseUrl}
          onChange={(event) => setBaseUrl(event.target.value)}
        />
        <Input
          label="Key"
          type="password"
          autoComplete="off"
          placeholder={provider?.hasSecret ? 'Stays as it is' : ''}
          hint="Stored encrypted and never shown."
          error={issue('/apiKey')}
          value={apiKey}
          onChange={(event) => setApiKey(event.target.value)}
        />
        {(optionsOf[kind] ?? []).map((option) => (
          <Input
            key={option}
            label={option}
            type={/secret|token/i.test(option) ? 'password' : 'text'}
            autoComplete="off"
            error={issue(`/options/${option}`)}
            value={options[option] ?? ''}
            onChange={(event) => setOptions({ ...options, [option]: event.target.value })}
          />
        ))}
        <div className="grid grid-cols-2 gap-3">
          <Input
            label="Requests at once"
            type="number"
            min={1}
            max={1000}
            required
            value={maxConcurrency}
            onChange={(event) => setMaxConcurrency(event.target.value)}
          />
          <Input
            label="Requests a minute"
            type="number"
            min={1}
            placeholder="No limit"
            value={requestsPerMinute}
            onChange={(event) => setRequests(event.target.value)}
          />
        </div>
        {save.error && <ErrorNote error={save.error} />}
        <Button type="submit" look="primary" disabled={save.isPending} className="self-end">
          {provider ? 'Save' : 'Add the provider'}
        </Button>
      </form>
    </Dialog>
  );
};
