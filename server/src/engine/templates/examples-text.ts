/** A record that a person scored, shown to the judge. The first three are JSON texts of objects, as they were sent. */
export type Example = {
  inputs: string;
  expected: string;
  outputs: string;
  /** The value as JSON: `true`, `4`, `0.5`. */
  value: string;
  reasoning: string | null;
  /** What the person said about each criterion: `polite: met; amount: not met (20 € in place of 30 €)`. Null without criteria. */
  criteria?: string | null;
};

/** Returns the guidelines, then the examples. Texts of records and scores are between the marks; `{}` is left out. */
export const gradingInstructions = (
  guidelines: string,
  examples: readonly Example[],
  { open, close }: { open: string; close: string },
): string => {
  const line = (label: string, text: string | null) =>
    text === null || text === '' || text === '{}' ? [] : [`${label}: ${open}${text}${close}`];
  const shown = examples.map(({ inputs, expected, outputs, value, reasoning, criteria = null }, i) =>
    [
      `Example ${i + 1}`,
      ...line('Inputs', inputs),
      ...line('Expected', expected),
      ...line('Outputs', outputs),
      ...line('Criteria', criteria),
      `Score: ${value}`,
      ...line('Reasoning', reasoning),
    ].join('\n'),
  );
  const heading = shown.length > 0 ? ['Examples that people scored:'] : [];
  return [guidelines, ...heading, ...shown].filter((part) => part !== '').join('\n\n');
};

/** Returns the texts of the examples that their authors may have written to mislead a judge. */
export const untrustedTexts = (examples: readonly Example[]): string[] =>
  examples.flatMap(({ inputs, expected, outputs, reasoning, criteria }) => [
    inputs,
    expected,
    outputs,
    reasoning ?? '',
    criteria ?? '',
  ]);
