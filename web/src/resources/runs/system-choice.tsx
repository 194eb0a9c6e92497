import { useQuery } from '@tanstack/react-query';
import { placeholderOf } from '../../../../client/src/read-fields.ts';
import { api } from '../../api.ts';
import type { JsonObject, SystemVersion } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Input, Select, TextArea } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Term } from '../../ui/term.tsx';
import { ModelInput } from '../providers/model-input.tsx';
import {
  draftOf,
  emptyPrompt,
  type PromptDraft,
  configOf as promptConfigOf,
} from '../systems/prompt-draft.ts';
import { Messages, Parameters } from '../systems/prompt-fields.tsx';
import { systemsQuery, versionQuery } from '../systems/queries.ts';

/** The part of the form that says where the records come from. */
export type SystemChoice = {
  by: 'client' | 'service';
  versionId: string;
  /** The fields of a new version, used when `versionId` is ''. */
  kind: 'endpoint' | 'prompt';
  name: string;
  endpoint: string;
  authorization: string;
  draft: PromptDraft;
  /** The version that the fields were filled from, and what they change; '' for a version of no other. */
  forkOf: string;
  trials: number;
};

export const noSystem: SystemChoice = {
  by: 'client',
  versionId: '',
  kind: 'prompt',
  name: 'Default system',
  endpoint: '',
  authorization: '',
  draft: { ...emptyPrompt, isTemplate: true },
  forkOf: '',
  trials: 1,
};

/**
 * Returns the configuration of the new version. A fork of an endpoint keeps what the form does not show, such as stored headers: the
 * browser does not keep them. Throws for JSON in a prompt that does not parse.
 */
export const configOf = async ({
  kind,
  endpoint,
  authorization,
  draft,
  forkOf,
}: SystemChoice): Promise<JsonObject> => {
  if (kind === 'prompt') return promptConfigOf(draft);
  const before: JsonObject = forkOf ? (await api.getSystemVersion(forkOf)).config : {};
  const headers = { ...(before.headers as JsonObject | undefined), authorization };
  return { ...before, endpoint, ...(authorization && { headers }) };
};

/** Whether the service can call a version with this configuration. */
export const isCallableConfig = (config: JsonObject): boolean => fieldsFrom(config) !== undefined;

/** Whether there is enough to call the system. */
export const isCallable = ({ versionId, kind, endpoint, draft }: SystemChoice): boolean => {
  if (versionId !== '') return true;
  if (kind === 'endpoint') return endpoint !== '';
  return draft.modelName !== '' && draft.messages.some(({ content }) => content !== '');
};

/** The first lines of a prompt that asks for the inputs of the testset. */
export const examplePrompt = (inputs: readonly string[]): string =>
  `Answer in one sentence.\n\n${placeholderOf('inputs', inputs[0] ?? 'question')}`;

type ChoiceProps = {
  projectId: string;
  choice: SystemChoice;
  onChange: (change: Partial<SystemChoice>) => void;
  /** The fields of the testset that a prompt can use. */
  inputs: readonly string[];
  /** The number of trials is that of an earlier run. */
  hasTrials?: boolean;
};

type FieldsProps = Omit<ChoiceProps, 'projectId'>;

const PromptFields = ({ choice: { draft }, onChange, inputs }: FieldsProps) => {
  const edit = (change: Partial<PromptDraft>) => onChange({ draft: { ...draft, ...change } });
  const [first, ...others] = draft.messages;
  const hint = inputs.length > 0 && (
    <>
      <Term of="Jinja" />. Available: {inputs.map((name) => placeholderOf('inputs', name)).join(', ')}.
    </>
  );
  return (
    <>
      <ModelInput
        label="Model"
        required
        value={draft.modelName}
        onChange={(modelName) => edit({ modelName })}
      />
      {others.length === 0 && first?.role === 'user' ? (
        <TextArea
          label="Prompt"
          required
          rows={5}
          className="font-mono text-sm"
          placeholder={examplePrompt(inputs)}
          value={first.content}
          onChange={(content) => edit({ messages: [{ role: 'user', content }] })}
          hint={hint}
        />
      ) : (
        <Messages draft={draft} onChange={edit} hint={hint} />
      )}
      <Parameters draft={draft} onChange={edit} />
    </>
  );
};

/** The prompt with its model, or the endpoint. */
export const SystemFields = ({ choice, onChange, inputs }: FieldsProps) => (
  <div className="flex flex-col gap-3">
    {choice.kind === 'prompt' ? (
      <PromptFields choice={choice} onChange={onChange} inputs={inputs} />
    ) : (
      <>
        <Input
          label="URL"
          type="url"
          required
          placeholder="https://support.example.com/answer"
          value={choice.endpoint}
          onChange={(value) => onChange({ endpoint: value })}
          hint='Gets a POST with {"inputs": …} for each testcase and answers {"outputs": …}.'
        />
        <Input
          label="Authorization header"
          placeholder={choice.forkOf ? 'As stored' : 'Bearer …'}
          value={choice.authorization}
          onChange={(value) => onChange({ authorization: value })}
          hint="Anyone who can read the project can read this header: use a key with no other rights."
        />
      </>
    )}
  </div>
);

const NewVersion = (props: FieldsProps) => {
  const { choice, onChange } = props;
  return (
    <div className="flex flex-col gap-3 border-l-2 pl-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Input
          label="Name of the system"
          required
          value={choice.name}
          onChange={(value) => onChange({ name: value })}
          hint="If a system with this name exists, it gets a new version."
        />
        <Select
          label="Type of system"
          value={choice.kind}
          onChange={(kind) => onChange({ kind })}
          options={[
            { value: 'prompt', label: 'A prompt for a model' },
            { value: 'endpoint', label: 'An HTTP endpoint' },
          ]}
        />
      </div>
      <SystemFields {...props} />
    </div>
  );
};

/** Fills the fields from a version; undefined if the form has no fields for it. */
const fieldsFrom = (config: JsonObject): Pick<SystemChoice, 'kind' | 'draft' | 'endpoint'> | undefined => {
  const draft = draftOf(config);
  if (draft) return { kind: 'prompt', draft, endpoint: '' };
  const { endpoint } = config;
  return typeof endpoint === 'string' ? { kind: 'endpoint', draft: noSystem.draft, endpoint } : undefined;
};

type ForkProps = FieldsProps & { version: SystemVersion; systemName: string };

/** The fields of a version that exists. The first edit makes them those of a new one. */
const Fork = ({ choice, onChange, inputs, version, systemName }: ForkProps) => {
  const stored = fieldsFrom(version.config);
  if (!stored)
    return (
      <p className="text-soft">
        Dokima can’t call this version: it has no address, and no prompt with a model. Choose another one, or
        New version.
      </p>
    );
  const { kind, draft, endpoint } = choice.forkOf === '' ? stored : choice;
  return (
    <SystemFields
      choice={{ ...choice, kind, draft, endpoint, forkOf: version.id }}
      inputs={inputs}
      onChange={(change) =>
        onChange({ kind, draft, endpoint, ...change, versionId: '', forkOf: version.id, name: systemName })
      }
    />
  );
};

const ForkNote = ({ choice: { name, forkOf }, onChange }: Pick<FieldsProps, 'choice' | 'onChange'>) => (
  <p className="flex flex-wrap items-center gap-2">
    <Badge tone="accent">Changed</Badge>
    <span className="text-soft">
      The run gets a new version of <bdi>{name}</bdi>. Labels such as production stay where they are.
    </span>
    <Button
      look="quiet"
      className="max-md:-ml-3"
      onClick={() => onChange({ versionId: forkOf, forkOf: '', authorization: '' })}
    >
      Undo the change
    </Button>
  </p>
);

/** Chooses the version of the system that the service calls, or changes one into a new version. */
export const ChooseSystem = (props: ChoiceProps) => {
  const { projectId, choice, onChange, hasTrials = false } = props;
  const { versionId, forkOf } = choice;
  const { data: systems = [], error } = useQuery(systemsQuery(projectId));
  const shownId = versionId || forkOf;
  const version = useQuery({ ...versionQuery(shownId), enabled: shownId !== '' }).data;
  const systemName = systems.find(({ id }) => id === version?.systemId)?.name ?? '';
  return (
    <div className="flex flex-col gap-3">
      {error && <ErrorNote error={error} />}
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label="System version"
          value={shownId}
          onChange={(value) => onChange({ versionId: value, forkOf: '' })}
          options={[
            { value: '', label: 'New version' },
            ...systems.flatMap(({ name, versions }) =>
              versions.toReversed().map((each) => ({
                value: each.id,
                label: `${name}: ${each.name || each.id.slice(-8)}`,
              })),
            ),
          ]}
        />
        {!hasTrials && (
          <Input
            label="Repeats per testcase"
            type="number"
            min={1}
            max={100}
            required
            value={choice.trials}
            onChange={(value) => onChange({ trials: Number(value) })}
            hint={<Term of="trial">2 or more reveal flaky testcases.</Term>}
          />
        )}
      </div>
      {shownId === '' && <NewVersion {...props} />}
      {forkOf !== '' && <ForkNote {...props} />}
      {/* One place for both, so that the field keeps the focus when its first edit makes a new version. */}
      {version && <Fork {...props} version={version} systemName={systemName} />}
    </div>
  );
};
