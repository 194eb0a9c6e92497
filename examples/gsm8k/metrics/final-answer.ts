/** Returns the text after the last `A:` of a solution, without commas; undefined if there is no `A:`. */
const finalAnswer = (solution: string): string | undefined =>
  solution.includes('A:') ? solution.split('A:').at(-1)?.replaceAll(',', '').trim() : undefined;

// biome-ignore lint/correctness/noUnusedVariables: the sandbox calls it.
function score(_inputs: unknown, outputs: { solution: string }, expected: { solution: string }) {
  const [given, right] = [finalAnswer(outputs.solution), finalAnswer(expected.solution)];
  return {
    score: given !== undefined && given === right,
    reasoning: `Answered ${given ?? 'nothing'}, expected ${right}.`,
  };
}
