import { setTimeout as delay } from 'node:timers/promises';
import { api, projectId } from './api.mjs';

// Run this after the agents. It prints each conversation and its scores, and adds a comment to the failed tool call.
const scoredRecords = async () => {
  for (let tries = 0; tries < 60; tries++) {
    const { data } = await api('GET', `/projects/${projectId}/records?limit=100`);
    const isScored = ({ scoreStates }) =>
      scoreStates.length > 0 && scoreStates.every(({ state }) => state !== 'pending');
    if (data.length > 0 && data.every(isScored)) return data;
    await delay(1_000);
  }
  throw new Error('The records were not scored within a minute. Did monitor.mjs run before the agents?');
};

for (const { id, scoreStates } of await scoredRecords()) {
  console.log(`\nRecord ${id}`);
  const { data: conversation } = await api('GET', `/records/${id}/conversation`);
  for (const { role, content, error, toolCalls = [] } of conversation) {
    const asked = toolCalls.map((call) => `${call.name}(${JSON.stringify(call.arguments)})`);
    console.log(`  ${role}: ${[content, ...asked, error && `[${error}]`].filter(Boolean).join(' ')}`);
  }
  for (const { metricName, state, score } of scoreStates)
    console.log(`  ${metricName}: ${state} ${JSON.stringify(score)}`);

  const { data: spans } = await api('GET', `/records/${id}/spans`);
  const failed = spans.find((span) => span.operation === 'tool' && span.failed);
  if (!failed) continue;
  const comment = 'The answer should have said that the first try failed.';
  await api('POST', `/records/${id}/annotations`, { rating: false, comment, spanId: failed.spanId });
  console.log(`  annotated: ${failed.name} (span ${failed.spanId})`);
}
