import { hasUnusualNumber, numberOf } from '../../../../client/src/written-number.ts';
import type { RawJson } from './json.ts';
import { parseJson } from './parse-json.ts';

/** As `parseJson`, but each number that JavaScript would print differently is a `WrittenNumber`, which JSON.stringify writes as it was. */
export const parseAsWritten = (text: RawJson): unknown =>
  hasUnusualNumber(text) ? parseJson(text, (_number, source) => numberOf(source)) : parseJson(text);
