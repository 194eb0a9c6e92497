import { serveRequests } from '../sandbox/serve.ts';
import { type Job, renderTemplate } from './render-template.ts';

/** Renders users' templates in a process that can be killed: a loop of theirs may never end, or take all memory. */
await serveRequests(([job]) => JSON.stringify(renderTemplate(JSON.parse(job!) as Job)));
