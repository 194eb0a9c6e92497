import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { MoreHorizontal, Play, Plus, Sparkles, Stethoscope, Upload } from 'lucide-react';
import { useState } from 'react';
import { bulkCalls } from '../../../../client/src/bulk.ts';
import { exactCell, exactRows } from '../../../../client/src/tables/exact-cells.ts';
import { allOf, api, apiAsWritten } from '../../api.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import { testsetLists } from '../../resources/testsets/queries.ts';
import type { Testcase, Testset } from '../../types.ts';
import { Button, buttonClass, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { type ExportFormat, exportItems } from '../../ui/export.ts';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { countOf } from '../../ui/format.ts';
import { deleteDraftsOf } from '../../ui/local-storage.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { sayError } from '../../ui/toast.tsx';
import { GroupingDialog } from './grouping-dialog.tsx';
import { MarkDialog } from './mark-dialog.tsx';
import { SchemaDialog } from './schema-dialog.tsx';

const mostTestcases = 100_000;

const allTestcases = (testsetId: string) => allOf(apiAsWritten.listTestcases(testsetId), mostTestcases);

const exportTestset = async ({ id, name, fieldMapping }: Testset, format: ExportFormat): Promise<void> => {
  const rows = exactRows(await allTestcases(id), fieldMapping);
  await exportItems(name, format, rows, (row) => row, exactCell);
};

/** Creates a second testset with the same fields and testcases. */
const duplicate = async (projectId: string, { id, name, description, jsonSchema, fieldMapping }: Testset) => {
  const body = { name: `Copy of ${name}`, description, jsonSchema, fieldMapping };
  const copy = await api.createTestset(projectId, body);
  const items = (await allTestcases(id)).map(({ jsonData }) => ({ jsonData }));
  await bulkCalls(api).createAllTestcases(copy.id, items);
  return copy;
};

type TestsetActionsProps = {
  projectId: string;
  testset: Testset;
  hasTestcases: boolean;
  onImport: () => void;
  onNew: () => void;
};

/** What can be done with a testset. */
export const TestsetActions = ({
  projectId,
  testset,
  hasTestcases,
  onImport,
  onNew,
}: TestsetActionsProps) => {
  const may = useMay();
  return (
    <>
      <ExportMenu onExport={(format) => void exportTestset(testset, format).catch(sayError)} />
      {hasTestcases && (
        <Link {...paths.examination(projectId, testset.id)} className={buttonClass()}>
          <Stethoscope size={14} aria-hidden /> Examine
        </Link>
      )}
      {may.write && (
        <>
          <Link {...paths.newRun(projectId, testset.id)} className={buttonClass()}>
            <Play size={14} aria-hidden /> Run
          </Link>
          <Button onClick={onImport}>
            <Upload size={14} aria-hidden /> Import
          </Button>
          {hasTestcases && <DraftsLink projectId={projectId} testset={testset} />}
          <Button look="primary" onClick={onNew}>
            <Plus size={14} aria-hidden /> New testcase
          </Button>
          <MoreActions projectId={projectId} testset={testset} />
        </>
      )}
    </>
  );
};

type OfTestset = { projectId: string; testset: Testset };

export const DraftsLink = ({ projectId, testset }: OfTestset) => (
  <Link {...paths.drafts(projectId, testset.id)} className={buttonClass()}>
    <Sparkles size={14} aria-hidden /> Write with a model
  </Link>
);

const MoreActions = ({ projectId, testset }: OfTestset) => {
  const [open, setOpen] = useState<'schema' | 'grouping' | 'delete'>();
  const close = () => setOpen(undefined);
  const navigate = useNavigate();
  const refreshes = testsetLists(projectId);
  const copy = useMutation({
    mutationFn: () => duplicate(projectId, testset),
    meta: { refreshes },
    onSuccess: ({ id }) => navigate(paths.testset(projectId, id)),
    onError: sayError,
  });
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={MoreHorizontal} label="More" />}>
        <MenuItem onSelect={() => void navigate(paths.testsetHistory(projectId, testset.id))}>
          History
        </MenuItem>
        <MenuItem onSelect={() => void navigate(paths.wear(projectId, testset.id))}>Wear</MenuItem>
        <MenuItem onSelect={() => void navigate(paths.sealed(projectId, testset.id))}>Sealed splits</MenuItem>
        <MenuItem onSelect={() => setOpen('schema')}>Fields and schema</MenuItem>
        <MenuItem onSelect={() => setOpen('grouping')}>Grouping of testcases</MenuItem>
        <MenuItem disabled={copy.isPending} onSelect={() => copy.mutate()}>
          Duplicate
        </MenuItem>
        <MenuItem danger onSelect={() => setOpen('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {open === 'schema' && <SchemaDialog projectId={projectId} testset={testset} onClose={close} />}
      {open === 'grouping' && <GroupingDialog testset={testset} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          onClose={close}
          title={`Delete ${testset.name}?`}
          action="Delete testset"
          send={() => api.deleteTestset(testset.id)}
          meta={{ refreshes }}
          onDone={() => {
            deleteDraftsOf(projectId, testset.id);
            return navigate(paths.testsets(projectId));
          }}
        >
          Its testcases are deleted too. Runs of the testset stay. This can’t be undone.
        </Confirm>
      )}
    </>
  );
};

type SelectedTestcasesProps = {
  testcases: readonly Testcase[];
  onClear: () => void;
  onDeleted: () => unknown;
};

/** The actions on the selected testcases. */
export const SelectedTestcases = ({ testcases, onClear, onDeleted }: SelectedTestcasesProps) => {
  const may = useMay();
  const ids = testcases.map(({ id }) => id);
  const [isDeleting, setDeleting] = useState(false);
  const [isMarking, setMarking] = useState(false);
  return (
    <div role="toolbar" aria-label="Selected testcases" className="flex items-center gap-2">
      <span className="font-medium">{countOf(ids.length, 'testcase')} selected</span>
      {may.write && (
        <>
          <Button onClick={() => setMarking(true)}>Split and tags</Button>
          <Button look="danger" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </>
      )}
      <Button onClick={onClear}>Clear the selection</Button>
      {isMarking && <MarkDialog testcases={testcases} onClose={() => setMarking(false)} />}
      {isDeleting && (
        <Confirm
          onClose={() => setDeleting(false)}
          title={`Delete ${countOf(ids.length, 'testcase')}?`}
          action="Delete"
          send={() => api.deleteTestcases({ ids: [...ids] })}
          onDone={() => {
            onClear();
            return onDeleted();
          }}
        >
          Records of these testcases and snapshots of the testset keep them.
        </Confirm>
      )}
    </div>
  );
};
