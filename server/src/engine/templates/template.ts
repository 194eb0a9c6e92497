import { fileURLToPath } from 'node:url';
import { parseTemplate } from '../../../../jinja/src/parse-template.ts';
import { TemplateSyntaxError } from '../../../../jinja/src/template-error.ts';
import type { Asker } from '../../platform/turns.ts';
import { answerOf, type Killed, ProcessPool } from '../sandbox/process-pool.ts';
import { jsonParser } from '../sandbox/programs.ts';
import type { Program } from '../sandbox/sandbox-process.ts';
import type { Job, Rendered, TemplateData } from './render-template.ts';

/** Longest prompt, in characters. */
const maxLength = 4_000_000;

export type RendererOptions = {
  /** Rendering takes about a millisecond; a template that takes this long never ends. Default 1 s. */
  timeoutMs?: number;
  /** Milliseconds since any fixed moment. Default Date.now. */
  clock?: () => number;
};
export type Renderer = {
  /**
   * Renders a template over a record, its values between the marks of `nonce`. Never throws for an error of the template; rejects with the
   * signal's reason when aborted.
   */
  render(template: string, data: TemplateData, nonce: string, asker: Asker): Promise<Rendered>;
  close(): Promise<void>;
};

/** Why a template does not parse, with the line and the tag, or null. */
export const checkTemplate = (template: string): string | null => {
  try {
    parseTemplate(template);
    return null;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return error.message;
    throw error;
  }
};

/** A template whose process was killed this often is refused for a while: 10,000 records of it would block all others for hours. */
const maxKills = 3;
const refusedForMs = 60_000;
/** One that is busy with an endless template leaves another for the rest. */
const processes = 2;
/** Maximum number of templates whose kills are remembered. */
const maxRemembered = 1000;

const program: Program = {
  script: new URL('./template-process.ts', import.meta.url),
  readable: [
    ...['.', '../sandbox/', '../../../../jinja/src/'].map((folder) =>
      fileURLToPath(new URL(folder, import.meta.url)),
    ),
    ...jsonParser,
  ],
  memoryBytes: 0,
  heapMb: 128,
  neverWaits: true,
  // The nesting of a template is limited, and that limit must be reached before the stack overflows.
  stackKb: 4_000,
  // Six bytes a character in the worst case, and the words around them.
  longestAnswer: 6 * maxLength + 10_000,
};

/** Renders templates in processes. One is killed when a template takes too long or too much memory. */
export const openRenderer = ({ timeoutMs = 1000, clock = Date.now }: RendererOptions = {}): Renderer => {
  const kills = new Map<string, { count: number; last: number; reason: string }>();
  const pool = new ProcessPool(program, processes);
  const reasons: Record<Killed, string> = {
    'took too long': `the template took longer than ${timeoutMs} ms`,
    ended: 'the template took too much memory',
  };

  const rememberKill = (template: string, reason: string) => {
    const count = (kills.get(template)?.count ?? 0) + 1;
    kills.delete(template);
    kills.set(template, { count, last: clock(), reason });
    if (kills.size > maxRemembered) kills.delete(kills.keys().next().value!);
  };

  /** Why the template is not tried; the reason becomes that of the score. */
  const refusal = (template: string): string | undefined => {
    const killed = kills.get(template);
    if (!killed || killed.count < maxKills || clock() - killed.last > refusedForMs) return undefined;
    return `template_error: not tried, because the last ${killed.count} records failed: ${killed.reason}`;
  };

  return {
    render: async (template, data, nonce, asker) => {
      const job: Job = { template, data, nonce, maxLength };
      const answered = await pool.use(asker, async (process) => {
        // Asked when its turn has come: other records of the template may have failed since.
        const refused = refusal(template);
        return refused ? { refused } : answerOf(process, [JSON.stringify(job)], timeoutMs);
      });
      asker.signal?.throwIfAborted();
      if ('refused' in answered) return { ok: false, reason: answered.refused };
      if ('answer' in answered) {
        kills.delete(template);
        return JSON.parse(answered.answer) as Rendered;
      }
      const reason = reasons[answered.killed];
      rememberKill(template, reason);
      return { ok: false, reason: `template_error: ${reason}` };
    },
    close: () => pool.close(),
  };
};
