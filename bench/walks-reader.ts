import type { Behaviour, Received } from '../server/test/model-server.ts';

/**
 * A stand-in for a model. It finds the four faults in what it is shown and nothing else, so that a comparison tells what a prompt makes
 * visible. In a walk it calls the tools by a fixed plan.
 */

type Call = { tool: string; argument: string; from: number };
type Found = { fault: string; spanId: string; quote: string };

/** What was shown of one call of a tool. */
type Shown = { spanId: string; text: string; failed: boolean; place: number };

const plain = (text: string): string =>
  text
    .replaceAll(/\\+"/g, '"')
    .replaceAll(/": "/g, '":"')
    .replaceAll(/": (\d)/g, '":$1');
const marked = (text: string): string[] =>
  [...text.matchAll(/<untrusted-(\w{16})>([\s\S]*?)<\/untrusted-\1>/g)].map(([, , inner]) => inner!);

/** The calls in a list of the prompt, every second span. What was cut is a gap. */
const listed = (prompt: string): Shown[] =>
  marked(prompt)
    .filter((text) => text.startsWith('[{'))
    .flatMap((text) => {
      const items = JSON.parse(text) as { spanId?: string; error?: unknown }[];
      const gap = items.findIndex(({ spanId }) => spanId === undefined);
      return items.flatMap((call, i) =>
        call.spanId === undefined
          ? []
          : [
              {
                spanId: call.spanId,
                text: plain(JSON.stringify(call)),
                failed: !!call.error,
                place: 2 * i + (gap >= 0 && i > gap ? 10_000 : 0),
              },
            ],
      );
    });

/** The calls in answers of tools: spans that were read, and passages that a search found. */
const walked = (answers: string[]): Shown[] =>
  answers.flatMap((answer): Shown[] => {
    const [, read] = /^Span ([0-9a-f]{16}),/.exec(answer) ?? [];
    if (read) return [{ spanId: read, text: plain(answer), failed: /"failed":true/.test(answer), place: 0 }];
    return [...answer.matchAll(/^(\d+) ([0-9a-f]{16}) (.*)\n {2}(.*)$/gm)].map(
      ([, place, spanId, line, text]) => ({
        place: Number(place),
        spanId: spanId!,
        text: plain(text!),
        failed: line!.includes('FAILED'),
      }),
    );
  });

/** Each call once, with all that was shown of it. */
const merged = (shown: Shown[]): Shown[] => {
  const calls = new Map<string, Shown>();
  for (const one of shown) {
    const before = calls.get(one.spanId);
    calls.set(
      one.spanId,
      before
        ? {
            ...one,
            text: `${before.text}\n${one.text}`,
            failed: one.failed || before.failed,
            place: Math.max(one.place, before.place),
          }
        : one,
    );
  }
  return [...calls.values()];
};

const inText = (calls: Shown[], pattern: RegExp) =>
  calls.flatMap(({ spanId, text, failed }) => {
    const match = pattern.exec(text);
    return match ? [{ spanId, failed, match }] : [];
  });

/** Returns the first fault in what was shown. */
const faultIn = (calls: Shown[], output: string): Found | undefined => {
  const totals = new Map(
    inText(calls, /"order":"(o-\d+)","total":(\d+)/).map(({ match }) => [match[1], match[2]]),
  );
  for (const { spanId, match } of inText(calls, /"refund_order":"(o-\d+)","amount":(\d+)/)) {
    const total = totals.get(match[1]);
    if (total !== undefined && total !== match[2])
      return { fault: 'wrong argument', spanId, quote: match[0] };
  }
  const notified = inText(calls, /"notify":"(o-\d+)"/);
  for (const { spanId, failed, match } of notified)
    if (failed && !notified.some((other) => !other.failed && other.match[1] === match[1]))
      return { fault: 'ignored failure', spanId, quote: match[0] };
  const [, order, said] = /Order (o-\d+) is (\w+)/.exec(output) ?? [];
  for (const { spanId, match } of inText(
    calls,
    new RegExp(`"order":"${order}","total":\\d+,"status":"(\\w+)"`),
  ))
    if (match[1] !== said) return { fault: 'contradicted fact', spanId, quote: match[0] };
  return loopIn(calls);
};

/** The same call with nothing but calls of the model in between, this often. */
const mostRepeats = 5;
const loopIn = (calls: Shown[]): Found | undefined => {
  const inOrder = [...calls].sort((a, b) => a.place - b.place);
  const lookups = inText(inOrder, /"lookup":"(o-\d+)"/);
  const placeOf = new Map(calls.map(({ spanId, place }) => [spanId, place]));
  for (const { spanId, match } of lookups) {
    const own = lookups
      .filter((other) => other.match[1] === match[1])
      .map((other) => placeOf.get(other.spanId)!);
    const first = placeOf.get(spanId)!;
    if (Array.from({ length: mostRepeats }, (_, k) => own.includes(first + 2 * k)).every(Boolean))
      return { fault: 'loop', spanId, quote: match[0] };
  }
  return undefined;
};

type Line = { place: number; spanId: string; tool: string; failed: boolean };
const linesOf = (answers: string[]): Line[] =>
  answers.flatMap((answer) =>
    [...answer.matchAll(/^(\d+) ([0-9a-f]{16}) depth \d+ tool "execute_tool (\w+)"(.*)$/gm)].map(
      ([, place, spanId, tool, rest]) => ({
        place: Number(place),
        spanId: spanId!,
        tool: tool!,
        failed: rest!.includes('FAILED'),
      }),
    ),
  );

const list = (argument: string, from: number): Call => ({ tool: 'list_spans', argument, from });
const search = (argument: string): Call => ({ tool: 'search_spans', argument, from: 1 });
const read = (argument: string): Call => ({ tool: 'read_span', argument, from: 0 });

/** The third of four of one tool in a row or more: its arguments tell whether it is a loop. */
const rowsOfOneTool = (lines: Line[]): Line[] => {
  const tools = [...new Map(lines.map((line) => [line.place, line])).values()].sort(
    (a, b) => a.place - b.place,
  );
  const isRow = (i: number) => [1, 2, 3].every((k) => tools[i + k]?.tool === tools[i]!.tool);
  return tools.flatMap(({ tool }, i) => (tools[i - 1]?.tool !== tool && isRow(i) ? [tools[i + 2]!] : []));
};

/** The plan: the lists first, then what they and the answer of the agent call for. */
const nextCalls = (turn: number, answers: string[], output: string): Call[] => {
  if (turn === 0)
    return [
      list('kind:tool error:yes', 1),
      list('kind:tool', 1),
      list('kind:tool', 201),
      list('kind:tool', 401),
      search('refund_order'),
    ];
  if (turn > 1) return [];
  const [, order] = /Order (o-\d+) is/.exec(output) ?? [];
  const shown = merged(walked(answers));
  const refunded = inText(shown, /"refund_order":"(o-\d+)"/).map(
    ({ match }) => `"order":"${match[1]}","total"`,
  );
  const lines = linesOf(answers);
  const failed = [...new Set(lines.filter((line) => line.failed).map(({ spanId }) => spanId))].slice(0, 3);
  const rows = rowsOfOneTool(lines).slice(0, 3);
  return [
    search(`"order":"${order}","total"`),
    ...[...new Set(refunded)].slice(0, 8).map(search),
    ...failed.map(read),
    ...rows.map(({ spanId }) => read(spanId)),
  ];
};
/** What reading showed: whether a failed call was made again, and whether the calls of a row are the same. */
const furtherCalls = (answers: string[]): Call[] => {
  const spans = walked(answers.filter((answer) => answer.startsWith('Span ')));
  const failed = inText(
    spans.filter((span) => span.failed),
    /"notify":"(o-\d+)"/,
  ).map(({ match }) => match[0]);
  const rows = inText(
    spans.filter((span) => !span.failed),
    /"lookup":"(o-\d+)"/,
  ).map(({ match }) => match[0]);
  return [...new Set([...failed, ...rows])].slice(0, 5).map(search);
};

const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/** Answers as the stand-in does, with the tokens of what it was sent at four characters a token. */
export const answerAsReader = ({ system, messages }: Received): Behaviour => {
  const isWalk = system.includes('list_spans');
  const [prompt = ''] = messages;
  const output = /All orders are done\.[^"<]*/.exec(prompt)?.[0] ?? '';
  const answers = messages.filter((_, i) => i > 0 && i % 2 === 0).flatMap(marked);
  const turn = (messages.length - 1) / 2;
  const calls = !isWalk ? [] : turn === 2 ? furtherCalls(answers) : nextCalls(turn, answers, output);
  const usage = (reply: object) => ({
    input: tokensOf(system + messages.join('')),
    output: tokensOf(JSON.stringify(reply)),
  });
  if (calls.length > 0) {
    const reply = { reasoning: 'I read on.', calls, evidence: [], binaryScore: null };
    return { reply, usage: usage(reply) };
  }
  const shown = merged([...listed(prompt), ...walked(answers)]);
  const fault = faultIn(shown, output);
  const evidence = fault
    ? [{ spanId: fault.spanId, quote: fault.quote }]
    : shown.slice(0, 1).map(({ spanId, text }) => ({ spanId, quote: /"\w+":"o-\d+"/.exec(text)?.[0] ?? '' }));
  const verdict = { reasoning: fault?.fault ?? 'none', binaryScore: fault === undefined };
  const reply = isWalk
    ? { reasoning: verdict.reasoning, calls: [], evidence, binaryScore: verdict.binaryScore }
    : verdict;
  return { reply, usage: usage(reply) };
};
