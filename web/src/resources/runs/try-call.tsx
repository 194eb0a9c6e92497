import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { type Answer, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { durationText } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { Value } from '../../ui/value.tsx';
import { configOf, type SystemChoice } from './system-choice.tsx';

type Tried = Answer<'trySystem'> & { testcaseId: string };

const tryCall = async (projectId: string, testsetId: string, choice: SystemChoice): Promise<Tried> => {
  const { data } = await api.listTestcases(testsetId, { limit: 1 });
  const testcaseId = data[0]?.id;
  if (testcaseId === undefined) throw new Error('The testset has no testcase to try.');
  const { versionId } = choice;
  const system = versionId ? { systemVersionId: versionId } : { config: configOf(choice) };
  return { ...(await api.trySystem(projectId, { ...system, testcaseId })), testcaseId };
};

type TryCallProps = { projectId: string; testsetId: string; choice: SystemChoice };

/** Calls the chosen system with the first testcase, and shows its answer or its error. Nothing is stored. */
export const TryCall = ({ projectId, testsetId, choice }: TryCallProps) => {
  const asked = JSON.stringify([testsetId, choice]);
  const { data, error, isPending, variables, mutate } = useMutation({
    mutationFn: (_asked: string) => tryCall(projectId, testsetId, choice),
  });
  const isReady =
    choice.versionId !== '' ||
    (choice.kind === 'endpoint'
      ? choice.endpoint !== ''
      : choice.promptTemplate !== '' && choice.modelName !== '');
  // An answer to fields that are no longer shown is meaningless.
  const isCurrent = variables === asked;
  return (
    <div className="mt-3 flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={!isReady || isPending} onClick={() => mutate(asked)}>
          <Play size={14} aria-hidden /> Try one call
        </Button>
        <span className="text-sm text-soft">
          {isPending ? 'Calling the system…' : 'Sends the first testcase. Nothing is stored.'}
        </span>
      </div>
      {isCurrent && error && <ErrorNote error={error} />}
      {isCurrent && data && (
        <div role="status" aria-label="Result of the call" className="flex flex-col gap-2 border-l-2 pl-3">
          {data.state === 'failed' ? (
            <p className="break-words text-fail">The call failed: {data.error}</p>
          ) : (
            <>
              <p className="text-pass">
                The system answered testcase {data.testcaseId} in {durationText(data.latencyMs)}.
              </p>
              {Object.entries(data.outputs ?? {}).map(([name, value]) => (
                <Value key={name} name={`outputs.${name}`} value={value} />
              ))}
            </>
          )}
        </div>
      )}
    </div>
  );
};
