import { isDeepStrictEqual } from 'node:util';
import { conflict, invalid } from '../../platform/errors.ts';
import { parseJson } from '../../platform/json/parse-json.ts';

/** A record of a request, and the JSON of the record under its link. */
type Linked = {
  otelLinkId: string | null;
  inputs: string;
  expected: string;
  outputs: string;
  made: { id: string; body: string };
};

const fields = ['inputs', 'expected', 'outputs'] as const;
/** Numbers by their digits, so that no two are taken for one. */
const exact = (text: string) => parseJson(text, (_number, digits) => ({ digits }));

/**
 * Throws 409 for the first item whose link belongs to a record with other content: the answer of the item would be lost, and its scores
 * would count for another answer. A retry with the same content passes; the order of keys and space do not matter, each digit does.
 */
export const requireSameAnswers = (items: Linked[]): void => {
  const first = new Map<string, number>();
  items.forEach(({ otelLinkId, made, ...item }, i) => {
    if (otelLinkId === null) return;
    const earlier = first.get(otelLinkId);
    if (earlier === undefined) first.set(otelLinkId, i);
    const stored = exact(made.body) as Record<string, unknown>;
    const field = fields.find((name) => !isDeepStrictEqual(stored[name], exact(item[name])));
    if (!field) return;
    const path = `/items/${i}/otelLinkId`;
    // A record of an earlier item is not stored either, so it has no id to name.
    const owner = earlier === undefined ? { recordId: made.id } : { itemPath: `/items/${earlier}` };
    const whose = earlier === undefined ? `the record ${made.id}` : `/items/${earlier}`;
    throw conflict(
      `${path} belongs to ${whose}, which has other ${field}. Nothing was stored; give each answer its own link.`,
      { path, ...owner, field },
    );
  });
};

/** A record of a request with its scores, by configuration and as text. */
type Scored = { otelLinkId: string | null; scores?: { configId: string; raw: string }[] };

/**
 * Throws 400 for the first score that differs from an earlier one of the same record and configuration: one of them would be lost. Items
 * with one link are one record.
 */
export const requireOneScore = (items: Scored[]): void => {
  const first = new Map<string, string>();
  items.forEach(({ otelLinkId, scores = [] }, i) => {
    scores.forEach(({ configId, raw }, j) => {
      const score = `${otelLinkId === null ? i : JSON.stringify(otelLinkId)} ${configId}`;
      const earlier = first.get(score);
      if (earlier !== undefined && !isDeepStrictEqual(exact(earlier), exact(raw)))
        throw invalid(
          `/items/${i}/scores/${j}`,
          'must not differ from an earlier score of the same record and configuration',
        );
      first.set(score, earlier ?? raw);
    });
  });
};
