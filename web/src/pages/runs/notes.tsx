import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { api } from '../../api.ts';
import { runQuery } from '../../resources/runs/queries.ts';
import { requireAsRead } from '../../resources/runs/require-as-read.ts';
import { useMay } from '../../resources/session/me.ts';
import type { RunDetail } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { OutdatedNote, useDraftOf } from '../../ui/outdated.tsx';
import { ErrorNote } from '../../ui/states.tsx';

/** The notes of people on the run. A draft stays in the browser until it is saved. */
export const Notes = ({ run: { id: runId, notes } }: { run: RunDetail }) => {
  const may = useMay();
  const queries = useQueryClient();
  const [draft, setDraft, outdated] = useDraftOf<string>(`notes of run ${runId}`, notes);
  const save = useMutation({
    mutationFn: async (written: string) => {
      const show = (now: RunDetail) => queries.setQueryData(runQuery(runId).queryKey, now);
      await requireAsRead({ id: runId, notes }, ['notes'], show);
      return api.updateRunDetails(runId, { notes: written });
    },
    onSuccess: (stored) => {
      queries.setQueryData(runQuery(runId).queryKey, stored);
      setDraft(undefined);
    },
  });
  if (!may.write) return <p className="break-words whitespace-pre-wrap">{notes || 'None.'}</p>;
  const isChanged = draft !== undefined && draft !== notes;
  const onKeyDown = (event: KeyboardEvent) => {
    if (isChanged && !outdated && event.key === 'Enter' && (event.metaKey || event.ctrlKey))
      save.mutate(draft);
  };
  return (
    <div className="flex max-w-2xl flex-col gap-2">
      <TextArea
        label="Notes"
        hideLabel
        rows={4}
        placeholder="Notes: goal, change, outcome"
        value={draft ?? notes}
        onChange={setDraft}
        onKeyDown={onKeyDown}
      />
      {save.error && <ErrorNote error={save.error} />}
      <OutdatedNote outdated={isChanged ? outdated : undefined} now={notes} />
      {isChanged && (
        <div className="flex justify-end gap-2">
          <Button onClick={() => setDraft(undefined)}>Discard</Button>
          <Button
            look="primary"
            disabled={save.isPending || outdated !== undefined}
            onClick={() => save.mutate(draft)}
          >
            Save
          </Button>
        </div>
      )}
    </div>
  );
};
