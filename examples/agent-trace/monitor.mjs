import { readFile } from 'node:fs/promises';
import { api, projectId } from './api.mjs';

// Before the agents run: a metric of code, and a monitor that has every trace scored by it as it arrives.
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
