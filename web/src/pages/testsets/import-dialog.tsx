import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf } from '../../api.ts';
import { HowItWasRead } from '../../resources/testsets/how-it-was-read.tsx';
import { ImportColumns } from '../../resources/testsets/import-columns.tsx';
import {
  type Imported,
  importRows,
  type RowsToImport,
  type ScoreMaker,
} from '../../resources/testsets/import-rows.ts';
import { ImportSource } from '../../resources/testsets/import-source.tsx';
import { holdsAnswers } from '../../resources/testsets/mapping.ts';
import { Problems } from '../../resources/testsets/problems.tsx';
import { testsetLists } from '../../resources/testsets/queries.ts';
import type { Found } from '../../resources/testsets/read-source.ts';
import { useSource } from '../../resources/testsets/use-source.ts';
import type { Testset } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Input, optionsOf, Select } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';

type ImportProps = Omit<RowsToImport, 'found'> & {
  found: Found | undefined;
  onWritten: (imported: Imported) => void;
};

/** Writes the rows. `onWritten` is called when none of them had a problem. */
const useImport = ({ found, onWritten, ...rows }: ImportProps) => {
  const { projectId } = rows;
  const [progress, setProgress] = useState(0);
  const write = useMutation({
    mutationFn: () => importRows({ ...rows, found: found! }, setProgress),
    meta: {
      refreshes: [
        ...testsetLists(projectId),
        keyOf('getTestset'),
        keyOf('listTestcases'),
        keyOf('listMetrics', projectId),
        keyOf('listRunDetails', projectId),
      ],
    },
    onSuccess: (imported) => {
      if (imported.problems.length === 0) onWritten(imported);
    },
  });
  const reset = () => {
    setProgress(0);
    write.reset();
  };
  return { write, progress, reset };
};

type ImportDialogProps = {
  projectId: string;
  /** The testset that gets the rows; a new one when left out. */
  testset?: Testset;
  open: boolean;
  onClose: () => void;
  onDone: (imported: Imported) => void;
};

/** Reads a dropped or pasted table, lets the user map its columns, and writes testcases. */
export const ImportDialog = ({ open, onClose, projectId, testset, onDone }: ImportDialogProps) => {
  const { read, source, found, clear, name, setName, mapping, mapColumn } = useSource(testset);
  const [madeBy, setMadeBy] = useState<ScoreMaker>('client');
  const close = (done?: Imported) => {
    clear();
    setMadeBy('client');
    read.reset();
    reset();
    onClose();
    if (done) onDone(done);
  };
  const { write, progress, reset } = useImport({
    projectId,
    testset,
    name,
    found,
    mapping,
    madeBy,
    onWritten: close,
  });
  const outcome = write.data;
  return (
    <Dialog
      open={open}
      onClose={() => close(outcome)}
      wide
      title={testset ? `Import into ${testset.name}` : 'Import a testset'}
      description="CSV, TSV, JSON, JSONL, XLSX, Parquet or Arrow, also compressed with gzip. Your browser reads the file; only the testcases are sent."
    >
      {!found && <ImportSource onSource={(chosen) => read.mutate({ source: chosen })} />}
      {read.error && <ErrorNote error={read.error} />}
      {found && !outcome && (
        <div className="flex flex-col gap-4">
          {!testset && <Input label="Name of the testset" required value={name} onChange={setName} />}
          <HowItWasRead found={found} onChange={(chosen) => read.mutate({ source, ...chosen })} />
          <ImportColumns rows={found.rows} mapping={mapping} onChange={mapColumn} />
          {holdsAnswers(mapping) && (
            <p className="text-soft">
              The table holds answers or scores: they become a run of this testset, beside the testcases.
            </p>
          )}
          {mapping.some(({ role }) => role === 'scores') && (
            <ChooseMaker value={madeBy} onChange={setMadeBy} />
          )}
          <Problems title="Lines that could not be read" problems={found.problems} />
          {write.error && <ErrorNote error={write.error} />}
          <div className="flex items-center justify-end gap-3">
            {write.isPending && (
              <span role="status" className="text-soft">
                {progress} of {found.rows.length}
              </span>
            )}
            <Button onClick={clear} disabled={write.isPending}>
              Choose another source
            </Button>
            <Button
              look="primary"
              disabled={write.isPending || (!testset && !name)}
              onClick={() => write.mutate()}
            >
              Import {countOf(found.rows.length, 'testcase')}
            </Button>
          </div>
        </div>
      )}
      {outcome && <Outcome outcome={outcome} onOpen={() => close(outcome)} />}
    </Dialog>
  );
};

const makers = {
  client: 'A program, or it is not known',
  person: 'People',
  model: 'A model',
} as const satisfies Record<ScoreMaker, string>;

/** Who made the scores of the table, which its file does not say. */
const ChooseMaker = ({ value, onChange }: { value: ScoreMaker; onChange: (maker: ScoreMaker) => void }) => (
  <Select
    label="Who made the scores"
    hint="Scores by a model never calibrate a judge."
    value={value}
    options={optionsOf(makers)}
    onChange={onChange}
  />
);

/** What an import with problems has written. */
const Outcome = ({ outcome, onOpen }: { outcome: Imported; onOpen: () => void }) => (
  <div className="flex flex-col gap-4">
    <p role="status">{countOf(outcome.written, 'testcase')} written.</p>
    <Problems title="Problems" problems={outcome.problems} />
    {/* Takes the focus, because the pressed button has disappeared. */}
    <Button look="primary" autoFocus className="self-end" onClick={onOpen}>
      {outcome.runId ? 'Open the run' : 'Open the testset'}
    </Button>
  </div>
);
