import { useMutation } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { batches } from '../../../../client/src/bulk.ts';
import { type Encoding, encodings } from '../../../../client/src/tables/encoding.ts';
import type { Table as FoundTable } from '../../../../client/src/tables/table.ts';
import { api, keyOf } from '../../api.ts';
import {
  type ColumnMapping,
  fieldMappingOf,
  guessMapping,
  type Mapped,
  mapRow,
  roles,
  schemaOf,
  types,
} from '../../resources/testsets/mapping.ts';
import type { JsonObject, Testset } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { cellText } from '../../ui/csv.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Input, optionsOf, Select } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { type Chosen, type Found, readSource } from './read-source.ts';

const batch = 100;
const previewed = 3;
type Problem = { line: number; message: string };
type Outcome = { testset: Testset; written: number; problems: Problem[] };

/** Turns rows into testcases. A row that cannot become one is reported with its line. */
const mapRows = ({ rows, lines, isText }: FoundTable, mapping: readonly ColumnMapping[]) => {
  const mapped: Mapped[] = [];
  const problems: Problem[] = [];
  rows.forEach((row, i) => {
    const line = lines[i]!;
    try {
      mapped.push(mapRow(row, line, mapping, isText));
    } catch (error) {
      problems.push({ line, message: (error as Error).message });
    }
  });
  return { mapped, problems };
};

const replace = async ({ id, line, jsonData }: Mapped, problems: Problem[]): Promise<number> =>
  api.updateTestcase(id!, { jsonData }).then(
    () => 1,
    (error: Error) => {
      problems.push({ line, message: error.message });
      return 0;
    },
  );

/** Writes the rows into the testset: a row with an id replaces that testcase, the others are added. */
const write = async (testset: Testset, mapped: readonly Mapped[], onProgress: (n: number) => void) => {
  const problems: Problem[] = [];
  let written = 0;
  for (const row of mapped.filter(({ id }) => id)) {
    written += await replace(row, problems);
    onProgress(written);
  }
  const added = mapped.filter(({ id }) => !id);
  for (const part of batches(added, batch)) {
    const { items } = await api.createTestcases(testset.id, {
      items: part.map(({ jsonData }) => ({ jsonData })),
    });
    items.forEach(({ validationErrors }, j) => {
      for (const { path, message } of validationErrors ?? [])
        problems.push({ line: part[j]!.line, message: `${path} ${message} (stored anyway)` });
    });
    written += part.length;
    onProgress(written);
  }
  return { written, problems };
};

type ImportDialogProps = {
  open: boolean;
  onClose: () => void;
  projectId: string;
  /** The testset that gets the rows; a new one when left out. */
  testset?: Testset;
  onDone: (testset: Testset) => void;
};

/** Reads a dropped or pasted table, lets the user map its columns, and writes testcases. */
export const ImportDialog = ({ open, onClose, projectId, testset, onDone }: ImportDialogProps) => {
  const [name, setName] = useState('');
  const [found, setFound] = useState<Found>();
  const [source, setSource] = useState<File | string>('');
  const [mapping, setMapping] = useState<ColumnMapping[]>([]);
  const [progress, setProgress] = useState(0);

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
  const run = useMutation({
    mutationFn: async (): Promise<Outcome> => {
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
      const outcome = await write(target, mapped, setProgress);
      const all = [...problems, ...outcome.problems].toSorted((a, b) => a.line - b.line);
      return { testset: target, written: outcome.written, problems: all };
    },
    meta: {
      refreshes: [keyOf('listTestsets', projectId), keyOf('getTestset'), keyOf('listTestcases')],
    },
    onSuccess: (outcome) => {
      if (outcome.problems.length === 0) close(outcome.testset);
    },
  });
  const close = (done?: Testset) => {
    setFound(undefined);
    setProgress(0);
    read.reset();
    run.reset();
    onClose();
    if (done) onDone(done);
  };
  const set = (i: number, changes: Partial<ColumnMapping>) =>
    setMapping(mapping.map((each, j) => (i === j ? { ...each, ...changes } : each)));
  return (
    <Dialog
      open={open}
      onClose={() => close(run.data?.testset)}
      wide
      title={testset ? `Import into ${testset.name}` : 'Import a testset'}
      description="CSV, TSV, JSON, JSONL, XLSX or Parquet, also compressed with gzip. Your browser reads the file; only the testcases are sent."
    >
      {!found && <Source onSource={(chosen) => read.mutate({ source: chosen })} />}
      {read.error && <ErrorNote error={read.error} />}
      {found && !run.data && (
        <div className="flex flex-col gap-4">
          {!testset && <Input label="Name of the testset" required value={name} onChange={setName} />}
          <HowItWasRead found={found} onChange={(chosen) => read.mutate({ source, ...chosen })} />
          <Columns rows={found.rows} mapping={mapping} onChange={set} />
          <Problems title="Lines that could not be read" problems={found.problems} />
          {run.error && <ErrorNote error={run.error} />}
          <div className="flex items-center justify-end gap-3">
            {run.isPending && (
              <span role="status" className="text-soft">
                {progress} of {found.rows.length}
              </span>
            )}
            <Button onClick={() => setFound(undefined)} disabled={run.isPending}>
              Choose another source
            </Button>
            <Button
              look="primary"
              disabled={run.isPending || (!testset && !name)}
              onClick={() => run.mutate()}
            >
              Import {countOf(found.rows.length, 'testcase')}
            </Button>
          </div>
        </div>
      )}
      {run.data && (
        <div className="flex flex-col gap-4">
          <p role="status">{countOf(run.data.written, 'testcase')} written.</p>
          <Problems title="Problems" problems={run.data.problems} />
          {/* Takes the focus, because the pressed button has disappeared. */}
          <Button look="primary" autoFocus className="self-end" onClick={() => close(run.data.testset)}>
            Open the testset
          </Button>
        </div>
      )}
    </Dialog>
  );
};

/** Says how a file was read, and asks for what it does not say itself. */
const HowItWasRead = ({ found, onChange }: { found: Found; onChange: (chosen: Chosen) => void }) => (
  <>
    {found.guessed && (
      <EncodingChoice
        rows={found.rows}
        encoding={found.guessed}
        onChange={(encoding) => onChange({ encoding })}
      />
    )}
    {found.sheets.length > 1 && (
      <Select
        label="Sheet"
        options={found.sheets.map((name) => ({ value: name, label: name }))}
        value={found.sheet ?? ''}
        onChange={(sheet) => onChange({ sheet })}
      />
    )}
    {found.notes.map((note) => (
      <p key={note} role="status" className="text-soft">
        {note}
      </p>
    ))}
  </>
);

const notAscii = /[^\p{ASCII}]/u;

/** Asks how to read a file that is not UTF-8, with texts by which a reader sees whether the choice is right. */
const EncodingChoice = ({
  rows,
  encoding,
  onChange,
}: {
  rows: readonly JsonObject[];
  encoding: Encoding;
  onChange: (encoding: Encoding) => void;
}) => {
  const texts = rows.flatMap((row) => Object.values(row).map(cellText)).filter((text) => notAscii.test(text));
  return (
    <div className="flex flex-col gap-2 rounded-md border bg-warn-wash p-3">
      <p role="status">
        This file is not UTF-8. Are the letters below right? If not, choose another encoding.
      </p>
      <div className="max-w-md">
        <Select
          label="Encoding of the file"
          options={optionsOf(encodings)}
          value={encoding}
          onChange={onChange}
        />
      </div>
      <ul aria-label="Texts with special letters">
        {texts.slice(0, previewed).map((text) => {
          const at = text.search(notAscii);
          return (
            <li key={text} className="truncate" dir="auto">
              {text.slice(Math.max(0, at - 30), at + 60)}
            </li>
          );
        })}
      </ul>
    </div>
  );
};

const Source = ({ onSource }: { onSource: (source: File | string) => void }) => {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onSource(file);
  };
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    const [file] = event.clipboardData.files;
    onSource(file ?? event.clipboardData.getData('text/plain'));
  };
  return (
    <div className="flex flex-col gap-3">
      <label
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        data-over={isOver || undefined}
        className="flex h-32 cursor-pointer flex-col items-center justify-center gap-2 rounded-md border border-dashed border-edge text-soft focus-within:outline-2 focus-within:outline-accent hover:bg-hover data-over:bg-selected"
      >
        <Upload size={16} aria-hidden />
        Drop a file here, or choose one
        <input
          type="file"
          className="sr-only"
          accept=".csv,.tsv,.json,.jsonl,.ndjson,.xlsx,.parquet,.txt,.gz"
          onChange={(event) => event.target.files?.[0] && onSource(event.target.files[0])}
        />
      </label>
      <textarea
        aria-label="Paste here"
        rows={3}
        placeholder="…or paste cells of a spreadsheet, CSV or JSON here"
        onPaste={paste}
        value=""
        onChange={(event) => onSource(event.target.value)}
        className="rounded-md border border-edge bg-surface px-2 py-1.5"
      />
    </div>
  );
};

type ColumnsProps = {
  rows: readonly JsonObject[];
  mapping: readonly ColumnMapping[];
  onChange: (i: number, changes: Partial<ColumnMapping>) => void;
};

const Columns = ({ rows, mapping, onChange }: ColumnsProps) => (
  <Table label="Columns" head={['Column', 'Use', 'Field', 'Type', 'First rows']}>
    {mapping.map(({ column, field, role, type }, i) => {
      const isOut = role === 'none' || role === 'id';
      return (
        <Row key={column} className="border-b align-top">
          <Cell className="font-mono text-sm">{column}</Cell>
          <Cell className="w-48">
            <Select
              label={`Use of ${column}`}
              hideLabel
              options={optionsOf(roles)}
              value={role}
              onChange={(next) => onChange(i, { role: next })}
            />
          </Cell>
          <Cell className="w-40">
            <Input
              label={`Field of ${column}`}
              hideLabel
              disabled={isOut}
              value={field}
              onChange={(value) => onChange(i, { field: value })}
            />
          </Cell>
          <Cell className="w-32">
            <Select
              label={`Type of ${column}`}
              hideLabel
              disabled={isOut}
              options={optionsOf(types)}
              value={type}
              onChange={(next) => onChange(i, { type: next })}
            />
          </Cell>
          <Cell className="max-w-64 text-soft">
            {rows.slice(0, previewed).map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity
              <div key={line} className="truncate">
                {cellText(row[column]).slice(0, 200)}
              </div>
            ))}
          </Cell>
        </Row>
      );
    })}
  </Table>
);

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
