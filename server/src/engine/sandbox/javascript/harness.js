// Runs inside QuickJS before the metric's code, which may change every global afterwards; so it copies everything needed later now. Its
// value holds the function that scores one record and returns a line of JSON.
(() => {
  const { parse, stringify } = JSON;
  const { MissingField, lastMissing, watch } = globalThis.fields;
  delete globalThis.fields;
  const { isFinite: isFiniteNumber } = Number;
  const asString = String;
  const OutOfMemory = InternalError;
  const { call } = Function.prototype;
  const slice = call.bind(String.prototype.slice);
  const exec = call.bind(RegExp.prototype.exec);
  const ofUndefined = /\bundefined\b/;
  const lineOfMetric = /\(?metric:(\d+)/;
  const longestReasoning = 100_000;
  /** As of the labels of a category. */
  const longestLabel = 200;
  const longestError = 2_000;

  const failed = (error) => stringify({ __proto__: null, ok: false, error: slice(error, 0, longestError) });

  /** The missing fields that caused this error, as text. */
  const missingBy = (thrown) => {
    if (thrown instanceof MissingField) return thrown.message;
    if (!(thrown instanceof TypeError) || !exec(ofUndefined, asString(thrown.message))) return '';
    return lastMissing(1)[0] ?? '';
  };

  /** The answer for a value that the code threw. */
  const thrownAnswer = (thrown) => {
    let missing = '';
    try {
      missing = missingBy(thrown);
    } catch {
      // Its getters throw. It is described below.
    }
    if (missing === '') return failed(describe(thrown));
    const error = slice(`missing_field: ${missing}`, 0, longestError);
    return stringify({ __proto__: null, ok: false, error, isMissing: true });
  };

  /** Kind, message and line of the thrown value, which may be any value, even one whose getters throw. */
  const describe = (thrown) => {
    try {
      if (thrown instanceof OutOfMemory && thrown.message === 'out of memory') return 'out of memory';
      if (!(thrown instanceof Error)) return `threw ${show(thrown)}`;
      const line = exec(lineOfMetric, asString(thrown.stack));
      return `${slice(asString(thrown), 0, longestError - 50)}${line ? ` (line ${line[1]})` : ''}`;
    } catch {
      return 'threw something that throws when it is read';
    }
  };

  const show = (value) => {
    if (typeof value === 'string') return stringify(slice(value, 0, 200));
    if (typeof value === 'object' && value !== null) return 'an object';
    if (typeof value === 'function') return 'a function';
    return asString(value) + (typeof value === 'bigint' ? 'n' : '');
  };

  const answer = (returned) => {
    if (returned === undefined || returned === null) return failed('returned nothing');
    if (returned instanceof Promise) return failed('returned a Promise: score must not be async');
    const isObject = typeof returned === 'object' || typeof returned === 'function';
    const score = isObject ? returned.score : returned;
    const reasoning = isObject ? returned.reasoning : undefined;
    const isLabel = typeof score === 'string' && score.length <= longestLabel;
    if (typeof score !== 'boolean' && !isLabel && !(typeof score === 'number' && isFiniteNumber(score))) {
      return failed(`score must be a boolean, a finite number or a label, not ${show(score)}`);
    }
    if (reasoning === undefined || reasoning === null) return stringify({ __proto__: null, ok: true, score });
    if (typeof reasoning !== 'string') return failed(`reasoning must be a string, not ${show(reasoning)}`);
    if (reasoning.length > longestReasoning) return failed('reasoning is longer than 100,000 characters');
    return stringify({ __proto__: null, ok: true, score, reasoning });
  };

  const silent = () => {};
  globalThis.console = { log: silent, info: silent, warn: silent, error: silent, debug: silent };

  return {
    describe,
    scoreRecord: (score, inputs, outputs, expected, record) => {
      try {
        const given = [parse(inputs), parse(outputs), parse(expected)];
        watch(given[0], given[1], given[2]);
        if (record === undefined) return answer(score(given[0], given[1], given[2]));
        return answer(score(given[0], given[1], given[2], parse(record)));
      } catch (thrown) {
        return thrownAnswer(thrown);
      }
    },
  };
})();
