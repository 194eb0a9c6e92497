import type { RunDetail } from '../../types.ts';
import { CodeBlock } from '../../ui/copy.tsx';

const program = (runId: string, testsetId: string) => `from dokima import Dokima

dokima = Dokima()  # reads DOKIMA_URL and DOKIMA_API_KEY
for case in dokima.list_testcases("${testsetId}"):
    inputs, expected = case["inputs"], case["expected"]
    outputs = {"answer": my_system(inputs)}  # your code
    dokima.create_record("${runId}", testcase_id=case["id"], inputs=inputs, expected=expected, outputs=outputs)`;

/** Says how the records of a run come that the user's code sends, until the first one is there. */
export const WaitingForCode = ({ run }: { run: RunDetail }) => {
  const { id, testset, kind, numRecords, executions } = run;
  if (!testset || kind !== 'evaluation' || numRecords > 0 || executions.numExecutions > 0) return null;
  return (
    <section aria-label="Waiting for records" className="mb-6 flex max-w-4xl flex-col gap-2">
      <p>
        <span className="font-medium">Waiting for your code.</span>{' '}
        <span className="text-soft">
          It sends a record for each testcase; metrics that are code or a model score them at once.
        </span>
      </p>
      <CodeBlock text={program(id, testset.id)} label="Copy the program" />
    </section>
  );
};
