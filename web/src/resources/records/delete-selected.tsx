import { useQueryClient } from '@tanstack/react-query';
import { mapConcurrently } from '../../../../client/src/concurrency.ts';
import { api, keyOf } from '../../api.ts';
import type { RecordDetail, Trace } from '../../types.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { errorText } from '../../ui/error-text.ts';
import { countOf } from '../../ui/format.ts';
import { say } from '../../ui/toast.tsx';

const concurrency = 4;

type DeleteSelectedProps = {
  projectId: string;
  records: readonly RecordDetail[];
  /** The traces that are selected, if these and not records are. */
  traces: readonly Trace[] | undefined;
  onClose: () => void;
  onDone: () => void;
};

/** Asks before the selected records, or the selected traces, are deleted. */
export const DeleteSelected = ({ projectId, records, traces, onClose, onDone }: DeleteSelectedProps) => {
  const queries = useQueryClient();
  const what = traces ? countOf(traces.length, 'trace') : countOf(records.length, 'record');
  const deletions = traces
    ? traces.map(
        ({ traceId }) =>
          () =>
            api.deleteTrace(projectId, traceId),
      )
    : records.map(
        ({ id }) =>
          () =>
            api.deleteRecord(id),
      );
  const send = async () => {
    const errors: Error[] = [];
    await mapConcurrently(deletions, concurrency, async (remove) => {
      try {
        await remove();
      } catch (error) {
        errors.push(error as Error);
      }
    });
    for (const list of ['listTraces', 'listProjectRecords', 'listSpans', 'listTraceSessions'] as const)
      void queries.invalidateQueries({ queryKey: keyOf(list) });
    if (errors.length > 0)
      throw new Error(`${errors.length} of ${what} could not be deleted: ${errorText(errors[0]!)}`);
    say(`Deleted ${what}.`);
  };
  return (
    <Confirm
      title={`Delete ${what}?`}
      action={`Delete ${what}`}
      send={send}
      onClose={onClose}
      onDone={onDone}
    >
      {traces
        ? 'Their spans are deleted, and records that were created from one of these traces alone, unless someone has reviewed, annotated or scored them. This cannot be undone.'
        : 'Their scores, tags and annotations are deleted, and the traces that the records were created from. This cannot be undone.'}
    </Confirm>
  );
};
