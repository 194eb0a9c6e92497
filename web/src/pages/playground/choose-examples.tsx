import { useQuery } from '@tanstack/react-query';
import { parseAsWritten } from '../../../../client/src/written-number.ts';
import { allOf, apiAsWritten, keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { JsonObject, Testset } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { InputField } from './input-field.tsx';
import type { Example } from './variant.ts';

/** More would take the memory of a page. Runs have no such limit. */
export const mostExamples = 500;

/** The most testcases that the service returns at once. */
const mostOfPage = 100;

export type Asked = { testsetId: string; n: string; typed: Record<string, string> };

/** A typed value: JSON if it is an object, a list or quoted text, else the text itself. */
const typedValue = (text: string): unknown => {
  if (!/^\s*[[{"]/.test(text)) return text;
  try {
    return parseAsWritten(text);
  } catch {
    return text;
  }
};

/** Returns the examples to ask: the first testcases of a testset, or the inputs that are typed. */
export const useExamples = ({ testsetId, n, typed }: Asked, variables: readonly string[]) => {
  const limit = Math.min(mostExamples, Math.max(1, Math.floor(Number(n)) || 1));
  const testcases = useQuery({
    queryKey: [...keyOf('listTestcases', testsetId), 'examples', limit],
    queryFn: async () =>
      (
        await allOf(apiAsWritten.listTestcases(testsetId, { limit: Math.min(limit, mostOfPage) }), limit)
      ).slice(0, limit),
    enabled: testsetId !== '',
  });
  const inputs = Object.fromEntries(
    variables.map((name) => [name, typedValue(typed[name] ?? '')]),
  ) as JsonObject;
  const examples: Example[] =
    testsetId === ''
      ? [{ id: 'typed', inputs, expected: {} }]
      : (testcases.data ?? []).map((testcase) => ({
          id: testcase.id,
          testcaseId: testcase.id,
          inputs: testcase.inputs,
          expected: testcase.expected,
        }));
  return { examples, error: testcases.error };
};

type ChooseExamplesProps = {
  projectId: string;
  asked: Asked;
  testsets: readonly Testset[];
  variables: readonly string[];
  error: Error | null;
  onChange: (asked: Asked) => void;
};

/** Chooses what the variants are asked. */
export const ChooseExamples = ({
  projectId,
  asked,
  testsets,
  variables,
  error,
  onChange,
}: ChooseExamplesProps) => (
  <div className="flex min-w-0 flex-col gap-3">
    <div className="grid grid-cols-[minmax(0,1fr)_90px_auto] items-end gap-2">
      <Select
        label="Examples"
        value={asked.testsetId}
        options={[
          { value: '', label: 'Typed inputs' },
          ...testsets.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(testsetId) => onChange({ ...asked, testsetId })}
      />
      {asked.testsetId !== '' && (
        <Input
          label="First"
          type="number"
          min={1}
          max={mostExamples}
          value={asked.n}
          onChange={(n) => onChange({ ...asked, n })}
        />
      )}
      {asked.testsetId !== '' && (
        <Button
          title={`Ask about the whole testset, at most ${mostExamples} testcases. Nothing is stored.`}
          onClick={() => onChange({ ...asked, n: String(mostExamples) })}
        >
          All
        </Button>
      )}
    </div>
    {testsets.length === 0 && (
      <p className="text-sm text-soft">
        <TextLink {...paths.testsets(projectId)}>Create a testset</TextLink> to ask about many examples.
      </p>
    )}
    {error && <ErrorNote error={error} />}
    {asked.testsetId === '' &&
      variables.map((name) => (
        <InputField
          key={name}
          name={name}
          value={asked.typed[name] ?? ''}
          onChange={(text) => onChange({ ...asked, typed: { ...asked.typed, [name]: text } })}
        />
      ))}
    {asked.testsetId === '' && variables.length === 0 && (
      <p className="text-sm text-soft">The prompts name no input: they are sent as they are.</p>
    )}
  </div>
);
