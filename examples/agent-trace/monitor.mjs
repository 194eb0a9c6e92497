import { readFile } from 'node:fs/promises';
import { api, projectId } from './api.mjs';

// Run this before the agents. It creates a code metric, and a monitor that scores every new trace with it.
const metric = await api('POST', `/projects/${projectId}/metrics`, {
  name: 'Failed tools are tried again',
  evalType: 'heuristic',
  outputType: 'boolean',
  guidelines: await readFile(new URL('tool-calls.js', import.meta.url), 'utf8'),
});
const monitor = await api('POST', `/projects/${projectId}/monitors`, {
  name: 'All agents',
  metricIds: [metric.id],
  samplingRate: 1,
  settleSeconds: 2,
});
console.log(`Monitor ${monitor.id} scores every trace, two seconds after its last span.`);
