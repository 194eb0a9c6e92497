import type { JsonSchema, Reply } from '../../engine/models/question.ts';
import { marks } from '../../engine/templates/render-template.ts';
import type { Scale } from '../../evaluation/metrics/scale.ts';
import { fieldOf } from '../../evaluation/scores/validate-score.ts';
import type { Quote, TraceWalk } from '../../traces/read/walk.ts';
import { withMarksNamed } from './judge-prompt.ts';
import { objectOfReply, readVerdict, verdictFormat, verdictSchema } from './verdict.ts';
import type { Form } from './vote.ts';

/** A judge that reads a long trace with tools, one JSON object a turn, as Ask does: every provider can answer with one. */

/** Most calls of tools for one verdict. Their answers have together no more characters than one list of a trace that is not cut. */
export const maxCalls = 24;
/** Most quotes that are checked for a verdict. */
const maxQuotes = 20;

/** A call of a tool, as the evidence keeps it. */
export type WalkCall = { tool: string; argument: string; from: number };
/** What a judge read of a long trace, with the number of its quotes that are not in the trace. */
export type WalkEvidence = { numSpans: number; calls: WalkCall[]; numNotFound: number };

const tools = {
  list_spans: (walk: TraceWalk, argument: string, from: number) => walk.list(argument, from),
  read_span: (walk: TraceWalk, argument: string, from: number) => walk.read(argument, from),
  search_spans: (walk: TraceWalk, argument: string, from: number) => walk.search(argument, from),
};
const isTool = (name: string): name is keyof typeof tools => Object.hasOwn(tools, name);

/** Schema of a turn: calls and no value, or a value with evidence. */
export const turnSchema = (scale: Scale): JsonSchema => {
  const field = fieldOf(scale);
  const { properties } = verdictSchema(scale) as { properties: Record<string, JsonSchema> };
  const call: JsonSchema = {
    type: 'object',
    properties: {
      tool: { type: 'string', enum: Object.keys(tools) },
      argument: { type: 'string' },
      from: { type: 'integer' },
    },
    required: ['tool', 'argument', 'from'],
    additionalProperties: false,
  };
  const quote: JsonSchema = {
    type: 'object',
    properties: { spanId: { type: 'string' }, quote: { type: 'string' } },
    required: ['spanId', 'quote'],
    additionalProperties: false,
  };
  return {
    type: 'object',
    properties: {
      reasoning: properties.reasoning!,
      calls: { type: 'array', items: call },
      evidence: { type: 'array', items: quote },
      [field]: { anyOf: [properties[field]!, { type: 'null' }] },
    },
    required: ['reasoning', 'calls', 'evidence', field],
    additionalProperties: false,
  };
};

const formatOf = (scale: Scale): string =>
  `${verdictFormat(scale).slice(0, -1)}, "calls": [], "evidence": [{"spanId": <id of a span>, "quote": <text copied from it>}]}`;

/** Follows the system message of other judges. The same for all records of a metric. */
export const walkMessage = (scale: Scale): string =>
  [
    'The trace of this record is too long for one message: lists of it in the user message show only its beginning and its end. Read what ' +
      'you need with these tools before you judge. They only read this trace:',
    '- list_spans: one line a span, in the order of the tree: its place, its id, and whether it failed. The argument is a search, or empty ' +
      'for all: kind:tool, kind:chat, name:refund, error:yes, latency:>2s, or words of a name. from is the first place, from 1.\n' +
      '- read_span: the span with its inputs, outputs and attributes as JSON. The argument is its id. from is the first character, from 0.\n' +
      '- search_spans: the spans that contain a text, with the passage. The argument is the text. from is the first place, from 1.',
    `To call tools, reply with {"reasoning": <why>, "calls": [{"tool": …, "argument": …, "from": …}], "evidence": [], ` +
      `"${fieldOf(scale)}": null}; several calls in one reply are answered together. At most ${maxCalls} calls are answered.`,
    `To judge, reply with ${formatOf(scale)}. Evidence is required: each quote is copied exactly from the span that it names, has at ` +
      'least 8 characters, and shows what your verdict rests on. A program looks it up, and a verdict whose evidence is not in the trace does not count.',
  ].join('\n\n');

/** Ends the first user message: the number differs between records. */
export const walkNote = ({ numSpans }: TraceWalk): string =>
  `\n\nThe trace has ${numSpans} spans. Read it with the tools.`;

type Turn = { calls?: unknown; evidence?: unknown };

const callsIn = (turn: Turn): WalkCall[] =>
  (Array.isArray(turn.calls) ? turn.calls : []).map(
    (call: Partial<Record<keyof WalkCall, unknown>> | null) => ({
      tool: String(call?.tool ?? '').slice(0, 100),
      argument: String(call?.argument ?? '').slice(0, 1_000),
      from: Number.isInteger(call?.from) ? (call!.from as number) : 0,
    }),
  );

/** Names of things that other judges call `quotes`: a span and a text each. */
const quotesIn = ({ evidence }: Turn): { spanId: string; quote: string }[] =>
  (Array.isArray(evidence) ? evidence : [])
    .slice(0, maxQuotes)
    .map((one: { spanId?: unknown; quote?: unknown } | null) => ({
      spanId: String(one?.spanId ?? ''),
      quote: String(one?.quote ?? ''),
    }));

const checked = async (walk: TraceWalk, turn: Turn): Promise<{ found: Quote[]; missing: string[] }> => {
  const found: Quote[] = [];
  const missing: string[] = [];
  for (const { spanId, quote } of quotesIn(turn)) {
    const known = await walk.check(spanId, quote);
    if (known) found.push(known);
    else missing.push(`${JSON.stringify(quote.slice(0, 100))} in span ${spanId.slice(0, 40)}`);
  }
  return { found, missing };
};

/** Answers calls as far as the budget goes. Material stands between the marks of the question. */
const answerCalls = async (
  walk: TraceWalk,
  calls: WalkCall[],
  left: number,
  nonce: string,
): Promise<string> => {
  const { open, close } = marks(nonce);
  const answers: string[] = [];
  for (const { tool, argument, from } of calls.slice(0, left)) {
    const text = isTool(tool)
      ? await tools[tool](walk, argument, from)
      : `There is no such tool. Tools: ${Object.keys(tools).join(', ')}`;
    // Only a text that knew the marks before could contain them.
    answers.push(`${open}${text.replaceAll(nonce, '[…]')}${close}`);
  }
  const unanswered = calls.length - answers.length;
  const rest = left - answers.length;
  const told = [
    ...(unanswered > 0 ? [`The last ${unanswered} of these calls were not answered.`] : []),
    rest > 0 ? `${rest} calls are left.` : 'No calls are left: give the verdict now.',
  ];
  return withMarksNamed([...answers, told.join(' ')].join('\n\n'), nonce);
};

/** How one verdict is asked for by a walk. It notes the calls in `noted`. */
export const walkForm = (walk: TraceWalk, scale: Scale, nonce: string, noted: WalkEvidence): Form => {
  let used = 0;
  let isWarned = false;
  return {
    read: async (reply: Reply) => {
      const turn: Turn = objectOfReply(reply) ?? {};
      const calls = callsIn(turn);
      if (calls.length > 0) {
        if (used >= maxCalls) return { problem: 'no calls are left', reason: 'walk_unfinished' };
        const left = maxCalls - used;
        noted.calls.push(...calls.slice(0, left));
        used += calls.length;
        return { answer: await answerCalls(walk, calls, left, nonce) };
      }
      const read = readVerdict(reply, scale);
      if ('problem' in read) return read;
      const { found, missing } = await checked(walk, turn);
      const isMended = isWarned || missing.length === 0;
      if (found.length > 0 && isMended) {
        noted.numNotFound += missing.length;
        return { verdict: { ...read.verdict, evidence: found } };
      }
      isWarned = true;
      noted.numNotFound += missing.length;
      const what =
        missing.length > 0
          ? `these quotes are not in the trace: ${missing.join('; ')}`
          : 'it has no evidence';
      return { problem: what, reason: 'evidence_not_found' };
    },
    format: formatOf(scale),
  };
};
