import { useMutation, useQueryClient } from '@tanstack/react-query';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, issuesOf, keyOf } from '../../api.ts';
import { type FieldOf, useFields } from '../../fields.ts';
import type { RowForm } from '../../managed-table.tsx';
import type { Provider } from '../../types.ts';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { Input, optionsOf, Select } from '../../ui/field.tsx';
import { ChooseModel } from './choose-model.tsx';

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

/** The name that a provider of a kind gets unless the user writes another. */
const usualName = (kind: Provider['kind']): string => (kind === 'openai-compatible' ? 'local' : kind);

const valuesOf = (provider: Provider | undefined) => ({
  name: usualName(provider?.kind ?? 'openai'),
  kind: provider?.kind ?? ('openai' as const),
  baseUrl: provider?.baseUrl ?? '',
  apiKey: '',
  options: provider?.options ?? {},
  maxConcurrency: String(provider?.maxConcurrency ?? 8),
  requestsPerMinute: String(provider?.requestsPerMinute ?? ''),
  maxOutputTokens: String(provider?.maxOutputTokens ?? 8192),
  timeoutSeconds: String((provider?.timeoutMs ?? 120_000) / 1000),
});
type Values = ReturnType<typeof valuesOf>;

const bodyOf = (values: Values, provider: Provider | undefined) => {
  const options = Object.fromEntries(Object.entries(values.options).filter(([, value]) => value !== ''));
  return {
    ...(values.apiKey && { apiKey: values.apiKey }),
    ...(JSON.stringify(options) !== JSON.stringify(provider?.options ?? {}) && { options }),
    ...(values.baseUrl !== (provider?.baseUrl ?? '') && { baseUrl: values.baseUrl || null }),
    maxConcurrency: Number(values.maxConcurrency),
    requestsPerMinute: values.requestsPerMinute ? Number(values.requestsPerMinute) : null,
    maxOutputTokens: Number(values.maxOutputTokens),
    timeoutMs: Math.round(Number(values.timeoutSeconds) * 1000),
  };
};

/** Limits of the calls, folded: they have good values. */
const Limits = ({ field }: { field: FieldOf<Values> }) => (
  <details>
    <summary className="text-sm font-medium select-none">Limits</summary>
    <div className="mt-2 grid grid-cols-2 gap-3">
      <Input
        label="Concurrent requests"
        type="number"
        min={1}
        max={1000}
        required
        {...field('maxConcurrency')}
      />
      <Input
        label="Requests per minute"
        type="number"
        min={1}
        placeholder="No limit"
        {...field('requestsPerMinute')}
      />
      <Input
        label="Longest reply in tokens"
        type="number"
        min={16}
        max={1_000_000}
        required
        {...field('maxOutputTokens')}
      />
      <Input label="Timeout, s" type="number" min={1} max={3600} required {...field('timeoutSeconds')} />
    </div>
  </details>
);

/** Stores the provider, and reads the lists of models again. */
const useSave = (values: Values, provider: Provider | undefined, saving: RowForm<Provider>['saving']) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const { name, kind } = values;
      const { baseUrl, ...body } = bodyOf(values, provider);
      if (provider) {
        const changes = { ...body, ...(baseUrl !== undefined && { baseUrl }) };
        return api.updateProvider(provider.id, changes, { ifMatch: etagOf(provider) });
      }
      return api.createProvider({ name, kind, ...body, ...(baseUrl && { baseUrl }) });
    },
    meta: saving.meta,
    onSuccess: () => {
      // The choice of a model reads the lists for a new provider.
      if (!provider) return;
      // Not awaited: an address that does not answer takes 20 seconds. Without the list, names of models are typed.
      void api.refreshJudgeModels().then(
        () => queries.invalidateQueries({ queryKey: keyOf('listJudgeModels') }),
        () => {},
      );
      saving.onSuccess();
    },
  });
};

type KindFieldsProps = { values: Values; field: FieldOf<Values>; onChange: (values: Values) => void };

/** The kind and the name of a new provider. The name follows the kind until the user writes another. */
const KindFields = ({ values, field, onChange }: KindFieldsProps) => (
  <>
    <Select
      label="API"
      options={optionsOf(kinds)}
      {...field('kind')}
      onChange={(kind) => {
        const isUsual = values.name === usualName(values.kind);
        onChange({ ...values, kind, ...(isUsual && { name: usualName(kind) }) });
      }}
    />
    <Input
      label="Name"
      required
      hint="The part of a model’s name before the slash: “ollama” in “ollama/gemma3”."
      {...field('name')}
    />
  </>
);

/** Adds or changes a provider. A new one goes on to the choice of the default model. The service never returns a secret: an empty field keeps the stored one. */
export const ProviderDialog = ({ row: provider, dialog, saving }: RowForm<Provider>) => {
  const { values, setValues, fieldsOf, outdated } = useFields(valuesOf(provider));
  const save = useSave(values, provider, saving);
  const field = fieldsOf(save.error);
  const { kind, options } = values;
  if (!provider && save.data)
    return (
      <Dialog {...dialog} title="Choose a model">
        <ChooseModel provider={save.data} onDone={saving.onSuccess} />
      </Dialog>
    );
  return (
    <FormDialog {...dialog} write={save} outdated={outdated}>
      {!provider && <KindFields values={values} field={field} onChange={setValues} />}
      <Input
        label="Address"
        placeholder={kind === 'openai-compatible' ? 'http://localhost:11434/v1' : 'Default'}
        required={kind === 'openai-compatible'}
        hint={provider?.hasSecret ? 'If you change the address, enter the key again.' : undefined}
        {...field('baseUrl')}
      />
      <Input
        label="Key"
        type="password"
        autoComplete="off"
        placeholder={provider?.hasSecret ? 'Unchanged' : ''}
        hint="Stored encrypted and never shown."
        {...field('apiKey')}
      />
      {(settingsOf[kind] ?? []).map((option) => (
        <Input
          key={option}
          label={optionLabels[option] ?? option}
          type={/secret|token/i.test(option) ? 'password' : 'text'}
          autoComplete="off"
          error={issuesOf(save.error)(`/options/${option}`)}
          value={options[option] ?? ''}
          onChange={(value) => field('options').onChange({ ...options, [option]: value })}
        />
      ))}
      <Limits field={field} />
    </FormDialog>
  );
};
