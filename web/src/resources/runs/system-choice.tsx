import { useQuery } from '@tanstack/react-query';
import type { JsonObject, SystemVersion } from '../../types.ts';
import { Input, Select, TextArea } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { ModelInput } from '../providers/model-input.tsx';
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
  promptTemplate: string;
  modelName: string;
  trials: number;
};

export const noSystem: SystemChoice = {
  by: 'client',
  versionId: '',
  kind: 'prompt',
  name: 'Default system',
  endpoint: '',
  authorization: '',
  promptTemplate: '',
  modelName: '',
  trials: 1,
};

/** The configuration of the new version. */
export const configOf = ({
  kind,
  endpoint,
  authorization,
  promptTemplate,
  modelName,
}: SystemChoice): JsonObject =>
  kind === 'endpoint'
    ? { endpoint, ...(authorization && { headers: { authorization } }) }
    : { promptTemplate, modelName };

/** Describes a version in one line. */
const describe = ({ config }: SystemVersion): string => {
  const { endpoint, modelName, promptTemplate } = config as JsonObject;
  if (typeof endpoint === 'string') return `Calls ${endpoint}`;
  if (typeof promptTemplate === 'string') return `Asks ${String(modelName)}: ${promptTemplate.slice(0, 120)}`;
  return 'Its configuration does not say how to call it (endpoint, or promptTemplate and modelName).';
};

/** The first lines of a prompt that asks for the inputs of the testset. */
export const examplePrompt = (inputs: readonly string[]): string =>
  `Answer in one sentence.\n\n{{ inputs.${inputs[0] ?? 'question'} }}`;

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

/** The prompt with its model, or the endpoint. */
export const SystemFields = ({ choice, onChange, inputs }: FieldsProps) => (
  <div className="flex flex-col gap-3">
    {choice.kind === 'prompt' ? (
      <>
        <ModelInput
          label="Model"
          required
          value={choice.modelName}
          onChange={(value) => onChange({ modelName: value })}
        />
        <TextArea
          label="Prompt"
          required
          rows={5}
          className="font-mono text-sm"
          placeholder={examplePrompt(inputs)}
          value={choice.promptTemplate}
          onChange={(value) => onChange({ promptTemplate: value })}
          hint={
            inputs.length > 0 &&
            `Jinja. Available: ${inputs.map((name) => `{{ inputs.${name} }}`).join(', ')}.`
          }
        />
      </>
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
          placeholder="Bearer …"
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

/** Chooses the version of the system that the service calls. */
export const ChooseSystem = (props: ChoiceProps) => {
  const { projectId, choice, onChange, hasTrials = false } = props;
  const { data: systems = [], error } = useQuery(systemsQuery(projectId));
  const version = useQuery({ ...versionQuery(choice.versionId), enabled: choice.versionId !== '' });
  return (
    <div className="flex flex-col gap-3">
      {error && <ErrorNote error={error} />}
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label="System version"
          value={choice.versionId}
          onChange={(value) => onChange({ versionId: value })}
          options={[
            { value: '', label: 'New version' },
            ...systems.flatMap(({ name, versions }) =>
              versions.toReversed().map((each) => ({
                value: each.id,
                label: `${name}: ${each.name || each.id.slice(-8)}`,
              })),
            ),
          ]}
          hint={version.data && <bdi className="break-words">{describe(version.data)}</bdi>}
        />
        {!hasTrials && (
          <Input
            label="Trials per testcase"
            type="number"
            min={1}
            max={100}
            required
            value={choice.trials}
            onChange={(value) => onChange({ trials: Number(value) })}
            hint="More than one shows flaky testcases."
          />
        )}
      </div>
      {choice.versionId === '' && <NewVersion {...props} />}
    </div>
  );
};
