import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { type Answer, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { durationText } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { Value } from '../../ui/value.tsx';
import { configOf, isCallable, type SystemChoice } from './system-choice.tsx';

type Tried = Answer<'trySystem'> & { testcaseId: string };

/** Calls made at once by one press. */
const mostCalls = 3;

const tryCalls = async (projectId: string, testsetId: string, choice: SystemChoice): Promise<Tried[]> => {
  const { data } = await api.listTestcases(testsetId, { limit: mostCalls });
  if (data.length === 0) throw new Error('The testset has no testcase to try.');
  const { versionId } = choice;
  const system = versionId ? { systemVersionId: versionId } : { config: await configOf(choice) };
  return Promise.all(
    data.map(async ({ id: testcaseId }) => ({
      ...(await api.trySystem(projectId, { ...system, testcaseId })),
      testcaseId,
    })),
  );
};

const TriedCall = ({ tried: { testcaseId, state, error, latencyMs, outputs } }: { tried: Tried }) => (
  <li className="flex flex-col gap-2 border-l-2 pl-3">
    {state === 'failed' ? (
      <p className="break-words text-fail">
        Testcase {testcaseId}: the call failed: {error}
      </p>
    ) : (
      <>
        <p className="text-pass">
          The system answered testcase {testcaseId} in {durationText(latencyMs)}.
        </p>
        {Object.entries(outputs ?? {}).map(([name, value]) => (
          <Value key={name} name={`outputs.${name}`} value={value} />
        ))}
      </>
    )}
  </li>
);

type TryCallsProps = { projectId: string; testsetId: string; choice: SystemChoice };

/** Calls the chosen system with the first testcases, and shows its answers or errors. Nothing is stored. */
export const TryCalls = ({ projectId, testsetId, choice }: TryCallsProps) => {
  const asked = JSON.stringify([testsetId, choice]);
  const { data, error, isPending, variables, mutate } = useMutation({
    mutationFn: (_asked: string) => tryCalls(projectId, testsetId, choice),
  });
  // An answer to fields that are no longer shown is meaningless.
  const isCurrent = variables === asked;
  return (
    <div className="mt-3 flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={!isCallable(choice) || isPending} onClick={() => mutate(asked)}>
          <Play size={14} aria-hidden /> Try {mostCalls}
        </Button>
        <span className="text-sm text-soft">
          {isPending ? 'Calling the system…' : `Tests the first ${mostCalls} testcases (not saved).`}
        </span>
      </div>
      {isCurrent && error && <ErrorNote error={error} />}
      {isCurrent && data && (
        <div role="status" aria-label="Results of the calls">
          <ul className="flex flex-col gap-3">
            {data.map((tried) => (
              <TriedCall key={tried.testcaseId} tried={tried} />
            ))}
          </ul>
        </div>
      )}
    </div>
  );
};
