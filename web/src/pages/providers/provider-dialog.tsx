import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, issuesOf, keyOf } from '../../api.ts';
import type { Provider } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, optionsOf, Select } from '../../ui/field.tsx';

/** The kinds of providers by the names that people know. */
export const kinds: Record<Provider['kind'], string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  azure: 'Azure OpenAI',
  bedrock: 'Amazon Bedrock',
  'openai-compatible': 'OpenAI-compatible (Ollama, vLLM and others)',
};
const optionLabels: Record<string, string> = {
  resourceName: 'Resource name',
  apiVersion: 'API version',
  region: 'Region',
  accessKeyId: 'Access key ID',
  secretAccessKey: 'Secret access key',
  sessionToken: 'Session token',
  organization: 'Organization ID',
  project: 'Project ID',
};
/** The options of a kind beside its key, as the API describes them. */
const settingsOf: Record<string, readonly string[]> = {
  azure: ['resourceName', 'apiVersion'],
  bedrock: ['region', 'accessKeyId', 'secretAccessKey', 'sessionToken'],
  openai: ['organization', 'project'],
};

type ProviderDialogProps = { provider: Provider | undefined; onClose: () => void };

/** Adds or changes a provider. The service never returns a secret: an empty field keeps the stored one. */
export const ProviderDialog = ({ provider, onClose }: ProviderDialogProps) => {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [kind, setKind] = useState(provider?.kind ?? 'openai');
  const [baseUrl, setBaseUrl] = useState(provider?.baseUrl ?? '');
  const [apiKey, setApiKey] = useState('');
  const [options, setOptions] = useState<Record<string, string>>(provider?.options ?? {});
  const [maxConcurrency, setMaxConcurrency] = useState(String(provider?.maxConcurrency ?? 8));
  const [requestsPerMinute, setRequests] = useState(String(provider?.requestsPerMinute ?? ''));
  const [maxOutputTokens, setMaxOutputTokens] = useState(String(provider?.maxOutputTokens ?? 8192));
  const [timeoutSeconds, setTimeoutSeconds] = useState(String((provider?.timeoutMs ?? 120_000) / 1000));
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ''));
  const isOptionsChanged = JSON.stringify(given) !== JSON.stringify(provider?.options ?? {});
  const save = useMutation({
    mutationFn: () => {
      const common = {
        ...(apiKey && { apiKey }),
        ...(isOptionsChanged && { options: given }),
        maxConcurrency: Number(maxConcurrency),
        requestsPerMinute: requestsPerMinute ? Number(requestsPerMinute) : null,
        maxOutputTokens: Number(maxOutputTokens),
        timeoutMs: Math.round(Number(timeoutSeconds) * 1000),
      };
      return provider
        ? api.updateProvider(provider.id, {
            ...common,
            ...(baseUrl !== (provider.baseUrl ?? '') && { baseUrl: baseUrl || null }),
          })
        : api.createProvider({ name, kind, ...(baseUrl && { baseUrl }), ...common });
    },
    meta: { refreshes: [keyOf('listProviders')] },
    onSuccess: () => {
      // Not awaited: an address that does not answer takes 20 seconds. Without the list, names of models are typed.
      void api.refreshJudgeModels().then(
        () => queries.invalidateQueries({ queryKey: keyOf('listJudgeModels') }),
        () => {},
      );
      onClose();
    },
  });
  const issue = issuesOf(save.error);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={provider ? `Change ${provider.name}` : 'New provider'}
      write={save}
      action={provider ? 'Save' : 'Add provider'}
    >
      {!provider && (
        <>
          <Input
            label="Name"
            required
            hint="The part of a model’s name before the slash: “ollama” in “ollama/gemma3”."
            error={issue('/name')}
            value={name}
            onChange={setName}
          />
          <Select label="API" options={optionsOf(kinds)} value={kind} onChange={setKind} />
        </>
      )}
      <Input
        label="Address"
        placeholder={kind === 'openai-compatible' ? 'http://localhost:11434/v1' : 'Default'}
        required={kind === 'openai-compatible'}
        hint={provider?.hasSecret ? 'If you change the address, enter the key again.' : undefined}
        error={issue('/baseUrl')}
        value={baseUrl}
        onChange={setBaseUrl}
      />
      <Input
        label="Key"
        type="password"
        autoComplete="off"
        placeholder={provider?.hasSecret ? 'Unchanged' : ''}
        hint="Stored encrypted and never shown."
        error={issue('/apiKey')}
        value={apiKey}
        onChange={setApiKey}
      />
      {(settingsOf[kind] ?? []).map((option) => (
        <Input
          key={option}
          label={optionLabels[option] ?? option}
          type={/secret|token/i.test(option) ? 'password' : 'text'}
          autoComplete="off"
          error={issue(`/options/${option}`)}
          value={options[option] ?? ''}
          onChange={(value) => setOptions({ ...options, [option]: value })}
        />
      ))}
      <div className="grid grid-cols-2 gap-3">
        <Input
          label="Concurrent requests"
          type="number"
          min={1}
          max={1000}
          required
          value={maxConcurrency}
          onChange={setMaxConcurrency}
        />
        <Input
          label="Requests per minute"
          type="number"
          min={1}
          placeholder="No limit"
          value={requestsPerMinute}
          onChange={setRequests}
        />
        <Input
          label="Longest reply in tokens"
          type="number"
          min={16}
          max={1_000_000}
          required
          value={maxOutputTokens}
          onChange={setMaxOutputTokens}
        />
        <Input
          label="Time for a verdict in seconds"
          type="number"
          min={1}
          max={3600}
          required
          value={timeoutSeconds}
          onChange={setTimeoutSeconds}
        />
      </div>
    </FormDialog>
  );
};
