import { maskJson } from '../../engine/masking/mask-json.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Owner } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import type { Masking, ProjectMasker } from './masking.ts';

type MaskedRecord = {
  inputs: RawJson;
  expected: RawJson;
  outputs: RawJson;
  otelLinkId: string | null;
  sessionId: string | null;
};
type MaskedScore = { score: Record<string, unknown>; raw: RawJson };

/** Masks one of the parts that paths of fields begin with, such as `inputs`. */
export const maskPart = (masker: ProjectMasker, part: string, text: RawJson): RawJson =>
  maskJson(text, masker, masker.below(masker.root, part));

export const maskScore = <Score extends MaskedScore>(
  masker: ProjectMasker | undefined,
  score: Score,
): Score => {
  if (!masker) return score;
  const raw = maskPart(masker, 'score', score.raw);
  return raw === score.raw ? score : { ...score, raw, score: JSON.parse(raw) };
};

/** Masks a record with its scores. Ids still distinguish people. */
export const maskRecord = <Given extends MaskedRecord & { scores?: MaskedScore[] }>(
  masker: ProjectMasker | undefined,
  record: Given,
): Given => {
  if (!masker) return record;
  const { inputs, expected, outputs, otelLinkId, sessionId, scores } = record;
  return {
    ...record,
    inputs: maskPart(masker, 'inputs', inputs),
    expected: maskPart(masker, 'expected', expected),
    outputs: maskPart(masker, 'outputs', outputs),
    otelLinkId: otelLinkId && masker.id(otelLinkId),
    sessionId: sessionId && masker.id(sessionId),
    ...(scores && { scores: scores.map((score) => maskScore(masker, score)) }),
  };
};

/** Masks a comment on a record, if its project masks comments. */
export const maskComment = async (
  masking: Masking,
  tx: Sql,
  owner: Owner,
  { runId }: RecordKey,
  comment: string,
): Promise<string> => {
  const masker = await masking.of(owner, { runId }, tx);
  return masker?.comments ? masker.text(comment) : comment;
};
