import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useMay } from '../session/me.ts';
import { AddToTestset } from './add-to-testset.tsx';
import type { Case } from './to-testcases.ts';

type AddRecordButtonProps = {
  projectId: string;
  record: Case;
  /** What the page calls it; default record. */
  what?: string;
};

/** Adds one record to a testset. */
export const AddRecordButton = ({ projectId, record, what }: AddRecordButtonProps) => {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  if (!may.write) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FlaskConical size={14} aria-hidden /> Add to testset
      </Button>
      {isOpen && (
        <AddToTestset
          projectId={projectId}
          records={[record]}
          {...(what && { what })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
};
