// A code metric. It passes if each failed tool call was repeated with the same arguments and then succeeded.
export function score(_inputs, _outputs, _expected, { toolCalls }) {
  if (toolCalls === null) return { score: false, reasoning: 'There is no trace.' };
  const failed = toolCalls.filter(({ error }) => error !== null);
  const unrepaired = failed.filter((call) => {
    const later = toolCalls.slice(toolCalls.indexOf(call) + 1);
    return !later.some(
      (again) => again.error === null && again.name === call.name && exact(again.arguments, call.arguments),
    );
  });
  return {
    score: unrepaired.length === 0,
    reasoning: `${toolCalls.length} calls, ${failed.length} failed, ${unrepaired.length} of them for good.`,
  };
}
