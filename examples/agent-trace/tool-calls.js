// A code metric: each tool that failed was tried again with the same arguments, and worked in the end.
export function score(_inputs, _outputs, _expected, { toolCalls }) {
  if (toolCalls === null) return { score: false, reasoning: 'There is no trace.' };
  const failed = toolCalls.filter(({ error }) => error !== null);
  const left = failed.filter((call) => {
    const later = toolCalls.slice(toolCalls.indexOf(call) + 1);
    return !later.some(
      (again) => again.error === null && again.name === call.name && exact(again.arguments, call.arguments),
    );
  });
  return {
    score: left.length === 0,
    reasoning: `${toolCalls.length} calls, ${failed.length} failed, ${left.length} of them for good.`,
  };
}
