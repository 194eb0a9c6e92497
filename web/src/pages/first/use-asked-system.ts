import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { Case } from '../../resources/proposals/propose.ts';
import { configOf, examplePrompt, noSystem, type SystemChoice } from '../../resources/runs/system-choice.tsx';
import type { PromptDraft } from '../../resources/systems/prompt-draft.ts';
import { useDraft } from '../../ui/local-storage.ts';

/** The fields of the draft that differ from those before. */
const editsOf = (before: PromptDraft, after: PromptDraft): Partial<PromptDraft> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== before[name as keyof PromptDraft]),
  );

/** What the reader wrote over the proposed prompt or endpoint. */
type Edited = { changes?: Partial<SystemChoice>; edits?: Partial<PromptDraft> };

/** The prompt or the endpoint that is asked. This browser keeps it. A prompt begins with an example that has the fields of the testcases. */
export const useAskedSystem = (
  projectId: string,
  kind: SystemChoice['kind'],
  inputs: readonly string[],
  defaultModel: string | undefined,
) => {
  const [{ changes = {}, edits = {} } = {}, keep] = useDraft<Edited>(`first ${projectId} system`);
  // A secret: this browser does not keep it.
  const [authorization, setAuthorization] = useState('');
  const system: SystemChoice = {
    ...noSystem,
    ...changes,
    authorization,
    by: 'service',
    kind,
    name: 'My assistant',
    draft: {
      ...noSystem.draft,
      messages: [{ role: 'user', content: examplePrompt(inputs) }],
      modelName: defaultModel ?? '',
      ...edits,
    },
  };
  const change = ({ draft, authorization: secret, ...others }: Partial<SystemChoice>) => {
    if (secret !== undefined) setAuthorization(secret);
    keep({
      changes: { ...changes, ...others },
      edits: draft ? { ...edits, ...editsOf(system.draft, draft) } : edits,
    });
  };
  return { system, change };
};

/** Asks the system about the first testcase, and gives the case its answer. Nothing is stored. */
export const useFirstAnswer = (projectId: string, system: SystemChoice, given: Case | undefined) => {
  const asked = JSON.stringify([system, given?.first.inputs]);
  const ask = useMutation({
    mutationFn: async (_asked: string) => {
      const config = await configOf(system);
      const tried = await api.trySystem(projectId, { config, inputs: given!.first.inputs });
      if (tried.state === 'failed') throw new Error(`The call failed: ${tried.error}`);
      return tried.outputs ?? {};
    },
  });
  // An answer to a prompt that is no longer shown is meaningless.
  const isCurrent = ask.variables === asked;
  const outputs = isCurrent ? ask.data : undefined;
  const answered: Case | undefined = given &&
    outputs && {
      fields: { ...given.fields, outputs: Object.keys(outputs) },
      first: { ...given.first, outputs },
    };
  return {
    given: answered ?? given,
    outputs,
    error: isCurrent ? ask.error : null,
    isAsking: ask.isPending,
    start: () => ask.mutate(asked),
  };
};
