import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../session/me.ts';
import { Button } from '../ui/button.tsx';
import { AddToTestset } from './add-to-testset.tsx';
import type { Case } from './to-testcases.ts';

/** Adds one record to a testset. */
export const AddRecordButton = ({ projectId, record }: { projectId: string; record: Case }) => {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  if (!may.write) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FlaskConical size={14} aria-hidden /> Add to testset
      </Button>
      {isOpen && <AddToTestset projectId={projectId} records={[record]} onClose={() => setOpen(false)} />}
    </>
  );
};
