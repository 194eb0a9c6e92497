import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import {
  type ColumnMapping,
  fieldMappingOf,
  guessMapping,
  schemaOf,
} from '../../resources/testsets/mapping.ts';
import type { Testset } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { HowItWasRead } from './how-it-was-read.tsx';
import { ImportColumns } from './import-columns.tsx';
import { mapRows, type Problem, writeRows } from './import-rows.ts';
import { ImportSource } from './import-source.tsx';
import { type Chosen, type Found, readSource } from './read-source.ts';

/** The rows of a file or of pasted text, and what each of their columns becomes. */
const useSource = (testset: Testset | undefined) => {
  const [name, setName] = useState('');
  const [found, setFound] = useState<Found>();
  const [source, setSource] = useState<File | string>('');
  const [mapping, setMapping] = useState<ColumnMapping[]>([]);
  const read = useMutation({
    mutationFn: ({ source, ...chosen }: { source: File | string } & Chosen) => readSource(source, chosen),
    onSuccess: (rows, { source }) => {
      if (rows.rows.length === 0)
        throw new Error(
          'No rows found. A table has its column names in the first line and a testcase in each other line.',
        );
      setFound(rows);
      setSource(source);
      setMapping(guessMapping(rows, testset));
      setName(
        typeof source === 'string'
          ? 'Pasted testcases'
          : source.name.replace(/\.gz$/i, '').replace(/\.\w+$/, ''),
      );
    },
  });
  const mapColumn = (i: number, changes: Partial<ColumnMapping>) =>
    setMapping(mapping.map((each, j) => (i === j ? { ...each, ...changes } : each)));
  return { read, source, found, clear: () => setFound(undefined), name, setName, mapping, mapColumn };
};

type RowsToImport = {
  projectId: string;
  testset: Testset | undefined;
  name: string;
  found: Found | undefined;
  mapping: readonly ColumnMapping[];
  onWritten: (testset: Testset) => void;
};

/** Writes the rows as testcases. `onWritten` is called when none of them had a problem. */
const useImport = ({ projectId, testset, name, found, mapping, onWritten }: RowsToImport) => {
  const [progress, setProgress] = useState(0);
  const write = useMutation({
    mutationFn: async () => {
      const { mapped, problems } = mapRows(found!, mapping);
      const fieldMapping = fieldMappingOf(mapping, testset?.fieldMapping);
      const target = testset
        ? await api.updateTestset(testset.id, { fieldMapping })
        : await api.createTestset(projectId, {
            name,
            description: '',
            jsonSchema: schemaOf(mapping),
            fieldMapping,
          });
      const outcome = await writeRows(target, mapped, setProgress);
      const all = [...problems, ...outcome.problems].toSorted((a, b) => a.line - b.line);
      return { testset: target, written: outcome.written, problems: all };
    },
    meta: {
      refreshes: [keyOf('listTestsets', projectId), keyOf('getTestset'), keyOf('listTestcases')],
    },
    onSuccess: (outcome) => {
      if (outcome.problems.length === 0) onWritten(outcome.testset);
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
  onDone: (testset: Testset) => void;
};

/** Reads a dropped or pasted table, lets the user map its columns, and writes testcases. */
export const ImportDialog = ({ open, onClose, projectId, testset, onDone }: ImportDialogProps) => {
  const { read, source, found, clear, name, setName, mapping, mapColumn } = useSource(testset);
  const close = (done?: Testset) => {
    clear();
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
    onWritten: close,
  });
  const outcome = write.data;
  return (
    <Dialog
      open={open}
      onClose={() => close(outcome?.testset)}
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
      {outcome && (
        <div className="flex flex-col gap-4">
          <p role="status">{countOf(outcome.written, 'testcase')} written.</p>
          <Problems title="Problems" problems={outcome.problems} />
          {/* Takes the focus, because the pressed button has disappeared. */}
          <Button look="primary" autoFocus className="self-end" onClick={() => close(outcome.testset)}>
            Open the testset
          </Button>
        </div>
      )}
    </Dialog>
  );
};

const shown = 50;
const Problems = ({ title, problems }: { title: string; problems: readonly Problem[] }) =>
  problems.length > 0 && (
    <div role="alert" className="rounded-md border border-warn/40 bg-warn-wash p-3 text-warn">
      <p className="font-medium">
        {title} ({problems.length})
      </p>
      <ul className="max-h-40 overflow-auto">
        {problems.slice(0, shown).map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            Line {line}: {message}
          </li>
        ))}
        {problems.length > shown && <li>…and {problems.length - shown} more</li>}
      </ul>
    </div>
  );
