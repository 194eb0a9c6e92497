import { renderTemplate } from './render-template.ts';
import { serveRequests } from './sandbox/serve.ts';
import type { TemplateData } from './template.ts';

/** What one rendering needs. */
export type Job = { template: string; data: TemplateData; nonce: string; maxLength: number };

/** Renders users' templates in a process that can be killed: a loop of theirs may never end, or take all memory. */
await serveRequests(([job]) => JSON.stringify(renderTemplate(JSON.parse(job!) as Job)));
