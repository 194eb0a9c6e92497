import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DokimaError } from '../../../../client/src/errors.ts';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, keyOf } from '../../api.ts';
import { withStratum } from '../../resources/testsets/stratum.ts';
import type { JsonObject, Testset } from '../../types.ts';
import { countOf } from '../../ui/format.ts';
import { freshKey, useDraft } from '../../ui/local-storage.ts';
import { say, sayError } from '../../ui/toast.tsx';

/** What a model wrote as a testcase. */
export type Written = { jsonData: JsonObject; similarTo: string | null; similarity: number };

/** A draft that waits for a decision. */
export type Kept = Written & {
  key: string;
  /** The request that adds it, once that was sent. Until its answer is known, the draft must not change. */
  sent?: string | undefined;
};

type Acceptance = { drafts: readonly Kept[]; isFirst: boolean };

/** Whether the service has understood a request and carried out nothing of it. 409 may come while an earlier attempt still runs. */
const isRefusal = (error: Error): boolean =>
  error instanceof DokimaError && [400, 401, 403, 404, 413, 422].includes(error.status ?? 0);

/** The drafts of a testset that this browser keeps, and the requests that add the accepted ones. */
export const useDrafts = (projectId: string, testset: Testset) => {
  const [kept = [], keep] = useDraft<Kept[]>(`drafts ${projectId} ${testset.id}`);
  const [numAdded, setNumAdded] = useState(0);
  const send = useMutation({
    mutationFn: async ({ drafts }: Acceptance) => {
      // Repeating this changes nothing, and without the testcases it does no harm: only the second request can double anything.
      const now = await api.getTestset(testset.id);
      const changes = withStratum(now);
      if (changes) await api.updateTestset(testset.id, changes, { ifMatch: etagOf(now) });
      const items = drafts.map(({ jsonData }) => ({ jsonData }));
      await api.createTestcases(testset.id, { items }, { idempotencyKey: `drafts-${drafts[0]!.sent}` });
    },
    meta: { refreshes: [keyOf('getTestset', testset.id), keyOf('listTestcases', testset.id)] },
    onSuccess: (_, { drafts }) => {
      discard(drafts);
      setNumAdded((before) => before + drafts.length);
      say(`Added ${countOf(drafts.length, 'testcase')} to ${testset.name}.`);
    },
    onError: (error, { drafts, isFirst }) => {
      // A refused request has added nothing. Any other may have, and so may an earlier one with the same key.
      if (isFirst && isRefusal(error)) mark(drafts, undefined);
      sayError(error);
    },
  });
  const includes = (some: readonly Kept[], { key }: Kept) => some.some((each) => each.key === key);
  const discard = (gone: readonly Kept[]) => keep(kept.filter((each) => !includes(gone, each)));
  const mark = (drafts: readonly Kept[], sent: string | undefined) =>
    keep(kept.map((each) => (includes(drafts, each) ? { ...each, sent } : each)));
  const accept = (drafts: readonly Kept[]) => {
    const sent = drafts[0]!.sent ?? freshKey();
    mark(drafts, sent);
    send.mutate({ drafts: drafts.map((each) => ({ ...each, sent })), isFirst: !drafts[0]!.sent });
  };
  const unsure = send.isPending ? undefined : kept.find(({ sent }) => sent !== undefined)?.sent;
  return {
    kept,
    numAdded,
    isSending: send.isPending,
    /** Drafts of one request whose answer is not known. */
    unsure: kept.filter(({ sent }) => sent !== undefined && sent === unsure),
    accept,
    discard,
    discardAll: () => keep(undefined),
    append: (written: readonly Written[]) =>
      keep([...kept, ...written.map((each) => ({ ...each, key: freshKey() }))]),
    change: (draft: Kept, jsonData: JsonObject) =>
      keep(kept.map((each) => (each.key === draft.key ? { ...draft, jsonData } : each))),
  };
};
