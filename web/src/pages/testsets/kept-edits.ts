import { useRef } from 'react';
import { useDraft } from '../../ui/local-storage.ts';

/** An edit of a cell that the service has not stored: this browser keeps it until it is sent or discarded. */
export type KeptEdit = {
  id: string;
  field: string;
  text: string;
  /** The text that the cell had when it was edited. */
  before: string;
  /** Why the user must decide before it is sent again; undefined while it waits for the connection. */
  problem?: string;
};

const none: KeptEdit[] = [];
const isSame = (a: KeptEdit, b: Pick<KeptEdit, 'id' | 'field'>) => a.id === b.id && a.field === b.field;

/** The edits of a testset's cells that are kept in this browser. */
export const useKeptEdits = (testsetId: string) => {
  const [kept = none, setKept] = useDraft<KeptEdit[]>(`cells ${testsetId}`);
  const latest = useRef(kept);
  const set = (next: KeptEdit[]): void => {
    latest.current = next;
    setKept(next.length > 0 ? next : undefined);
  };
  return {
    kept,
    /** Those of this moment, for a function that runs longer than a render. */
    now: () => latest.current,
    keep: (edit: KeptEdit) => set([...latest.current.filter((each) => !isSame(each, edit)), edit]),
    drop: (edit: Pick<KeptEdit, 'id' | 'field'>) => set(latest.current.filter((each) => !isSame(each, edit))),
  };
};
