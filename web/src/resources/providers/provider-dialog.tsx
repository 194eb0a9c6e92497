import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, issuesOf, keyOf } from '../../api.ts';
import { type FieldOf, useFields } from '../../fields.ts';
import type { RowForm } from '../../managed-table.tsx';
import type { Provider } from '../../types.ts';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { Input, optionsOf } from '../../ui/field.tsx';
import { ChooseModel } from './choose-model.tsx';

/** The kinds of providers by the names that people know. */
export const kinds: Record<Provider['kind'], string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  azure: 'Azure OpenAI',
  bedrock: 'Amazon Bedrock',
  'openai-compatible': 'OpenAI-compatible: Ollama, vLLM, others',
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
};
/** Those that few organizations need. */
const raresOf: Record<string, readonly string[]> = { openai: ['organization', 'project'] };

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
const Limits = ({ field, children }: { field: FieldOf<Values>; children: ReactNode }) => (
  <details>
    <summary className="text-sm font-medium select-none">Limits and more</summary>
    <div className="mt-2 grid grid-cols-2 gap-3">
      {children}
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

type KindFieldsProps = {
  values: Values;
  field: FieldOf<Values>;
  onChange: (values: Values) => void;
  onPicked: (kind: Provider['kind']) => void;
};

/** The kind and the name of a new provider. The name follows the kind until the user writes another. */
const KindFields = ({ values, field, onChange, onPicked }: KindFieldsProps) => (
  <>
    <fieldset className="grid grid-cols-2 gap-2">
      <legend className="mb-1 text-sm font-medium">Provider</legend>
      {optionsOf(kinds).map(({ value, label }) => (
        <label
          key={value}
          data-chosen={value === values.kind || undefined}
          className="flex cursor-pointer items-baseline gap-2 rounded-md border px-2 py-1.5 hover:bg-hover data-chosen:border-accent data-chosen:bg-selected"
        >
          <input
            type="radio"
            name="kind"
            checked={value === values.kind}
            onChange={() => {
              const isUsual = values.name === usualName(values.kind);
              onChange({ ...values, kind: value, ...(isUsual && { name: usualName(value) }) });
            }}
            // The arrow keys, whose clicks have no detail, go on through the kinds.
            onClick={({ detail }) => detail > 0 && onPicked(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
    <Input
      label="Name"
      required
      hint="The part of a model’s name before the slash: “ollama” in “ollama/name-of-the-model”."
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
  const optionField = (option: string) => (
    <Input
      key={option}
      label={optionLabels[option] ?? option}
      type={/secret|token/i.test(option) ? 'password' : 'text'}
      autoComplete="off"
      error={issuesOf(save.error)(`/options/${option}`)}
      value={options[option] ?? ''}
      onChange={(value) => field('options').onChange({ ...options, [option]: value })}
    />
  );
  const address = useRef<HTMLInputElement>(null);
  const key = useRef<HTMLInputElement>(null);
  if (!provider && save.data)
    return (
      <Dialog {...dialog} title="Choose a model">
        <ChooseModel provider={save.data} onDone={saving.onSuccess} />
      </Dialog>
    );
  return (
    <FormDialog {...dialog} write={save} outdated={outdated}>
      {!provider && (
        <KindFields
          values={values}
          field={field}
          onChange={setValues}
          onPicked={(picked) => (picked === 'openai-compatible' ? address : key).current?.focus()}
        />
      )}
      <Input
        ref={address}
        label="Address"
        placeholder={kind === 'openai-compatible' ? 'http://localhost:11434/v1' : 'Default'}
        required={kind === 'openai-compatible'}
        hint={provider?.hasSecret ? 'If you change the address, enter the key again.' : undefined}
        {...field('baseUrl')}
      />
      <Input
        ref={key}
        label="Key"
        // A new provider has good values for all else.
        autoFocus={!provider}
        type="password"
        autoComplete="off"
        placeholder={provider?.hasSecret ? 'Unchanged' : ''}
        hint="Stored encrypted and never shown."
        {...field('apiKey')}
      />
      {(settingsOf[kind] ?? []).map(optionField)}
      <Limits field={field}>{(raresOf[kind] ?? []).map(optionField)}</Limits>
    </FormDialog>
  );
};
