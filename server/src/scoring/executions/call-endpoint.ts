import { AddressRefused } from '../../engine/models/allowed-addresses.ts';
import { retryAfter, retryableStatuses } from '../../engine/models/failure.ts';
import { ResponseTooLarge } from '../../engine/models/guarded-fetch.ts';
import { Unreachable } from '../../engine/models/unreachable.ts';
import { freeForm, members, type RawJson } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { Answer, Question } from './question.ts';
import type { EndpointSystem } from './system-config.ts';

/** The usage that a system reports; null if it reports none. */
const usageOf = (text: RawJson | undefined) => {
  const usage = text === undefined ? undefined : (parseJson(text) as Record<string, unknown> | null);
  const count = (value: unknown, isWhole: boolean): number | null =>
    typeof value === 'number' && value >= 0 && value < 2 ** 31 && (!isWhole || Number.isInteger(value))
      ? value
      : null;
  return {
    inputTokens: count(usage?.inputTokens, true),
    outputTokens: count(usage?.outputTokens, true),
    costUsd: count(usage?.costUsd, false),
  };
};

const failed = (error: string, retryable = false): Answer => ({ state: 'failed', error, retryable });

/** Removes the values of the headers that were sent from a text that the endpoint returned. */
const withoutValues = (text: string, headers: Record<string, string>): string =>
  Object.values(headers)
    .filter((value) => value.length >= 8)
    .reduce((clean, value) => clean.replaceAll(value, '[header]'), text);

const isObject = (text: RawJson): boolean => text.startsWith('{');

/** Reads `{ "outputs": {…} }`, or any other object as the outputs. The text is kept as it came. */
const readAnswer = (body: string): Answer => {
  try {
    JSON.parse(body);
  } catch (error) {
    return failed(`the endpoint's answer is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  const text = body.trim();
  if (!isObject(text)) return failed("the endpoint's answer must be a JSON object");
  const answer = members(text);
  const outputs = answer.get('outputs');
  if (outputs !== undefined && !isObject(outputs))
    return failed("the endpoint's outputs must be a JSON object");
  try {
    const kept = freeForm(`{"outputs":${outputs ?? text}}`, ['outputs']).outputs!;
    const usage = usageOf(outputs === undefined ? undefined : answer.get('usage'));
    return { state: 'answered', outputs: kept, ...usage, evidence: null };
  } catch (error) {
    return failed(`the endpoint's answer can't be kept: ${(error as Error).message}`);
  }
};

/** The key of a call, and its body. A repeated conversation has other messages, so it has its own id. */
const requestOf = ({ inputs, trial, conversation, ...asked }: Question) => {
  const { testcaseId, runId } = { testcaseId: asked.testcaseId ?? '', runId: asked.runId ?? '0' };
  const body = `"inputs":${inputs},"testcaseId":"${testcaseId}","runId":"${runId}","trial":${trial}`;
  if (!conversation) return { key: `${runId}-${testcaseId}-${trial}`, body: `{${body}}` };
  const { id, messages } = conversation;
  const said = `"messages":${JSON.stringify(messages)},"conversationId":"${id}"`;
  return { key: `${id}-${messages.length}`, body: `{${said},${body}}` };
};

/** Sends one testcase to a system over HTTP. Never throws for an error of the endpoint. */
export const callEndpoint = async (
  fetch: typeof globalThis.fetch,
  { endpoint, headers = {} }: EndpointSystem,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> => {
  try {
    const { key, body } = requestOf(question);
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        // The same for each attempt, so that a system with side effects recognizes a repetition.
        'idempotency-key': key,
      },
      body,
      signal,
    });
    if (response.ok) return readAnswer(await response.text());
    const { status } = response;
    if (status >= 300 && status < 400) {
      return failed(
        `the endpoint answers with a redirect (${status}), which is not followed: set endpoint to its target`,
      );
    }
    const said = withoutValues(await response.text(), headers).slice(0, 500);
    const wait = retryAfter(Object.fromEntries(response.headers), Date.now());
    return {
      ...failed(`the endpoint answers ${status}: ${said}`, retryableStatuses.has(status) || status >= 500),
      ...(wait !== undefined && { retryAfterMs: wait }),
    };
  } catch (error) {
    signal.throwIfAborted();
    for (let at = error; at instanceof Error; at = at.cause) {
      if (at instanceof AddressRefused) {
        return failed(`the endpoint is not allowed: ${at.message}`);
      }
      if (at instanceof Unreachable)
        return failed(`the endpoint can't be reached: ${at.message}`, at.isPassing);
      if (at instanceof ResponseTooLarge) return failed(`the endpoint gives no usable answer: ${at.message}`);
    }
    const { code, message } = error as NodeJS.ErrnoException;
    return failed(`the endpoint can't be reached (${code ?? message})`, true);
  }
};
