import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import type { Testset } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { ImportDialog } from './import-dialog.tsx';

const route = getRouteApi('/app/projects/$projectId/testsets');

type NewTestsetProps = {
  projectId: string;
  open: boolean;
  onClose: () => void;
  onDone: (testset: Testset) => void;
};

/** Names that are written with commas between them. */
const namesIn = (text: string): string[] =>
  [...new Set(text.split(',').map((name) => name.trim()))].filter(Boolean);

const NewTestset = ({ projectId, open, onClose, onDone }: NewTestsetProps) => {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [inputs, setInputs] = useState('question');
  const [expected, setExpected] = useState('answer');
  const create = useMutation({
    mutationFn: () => {
      const fieldMapping = { inputs: namesIn(inputs), expected: namesIn(expected), metadata: [] };
      const names = [...fieldMapping.inputs, ...fieldMapping.expected];
      const properties = Object.fromEntries(names.map((field) => [field, {}]));
      return api.createTestset(projectId, {
        ...{ name, description, fieldMapping },
        jsonSchema: { type: 'object', properties },
      });
    },
    meta: { refreshes: [keyOf('listTestsets', projectId)] },
    onSuccess: onDone,
  });
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="New testset"
      description="It starts without testcases. Its fields can be changed on its page."
      write={create}
      action="Create testset"
    >
      <Input label="Name" required value={name} onChange={setName} />
      <Input label="Description" value={description} onChange={setDescription} />
      <Input
        label="What the system gets"
        hint="Names of fields, with commas between them."
        value={inputs}
        onChange={setInputs}
      />
      <Input label="What it should answer" value={expected} onChange={setExpected} />
    </FormDialog>
  );
};

export const TestsetsPage = () => {
  const { projectId } = route.useParams();
  const testsets = useQuery(testsetsQuery(projectId));
  const may = useMay();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'new' | 'import'>();
  const close = () => setOpen(undefined);
  const go = (testset: Testset) => void navigate(paths.testset(projectId, testset.id));
  const actions = may.write && (
    <>
      <Button onClick={() => setOpen('new')}>
        <Plus size={14} aria-hidden /> New testset
      </Button>
      <Button look="primary" onClick={() => setOpen('import')}>
        <Upload size={14} aria-hidden /> Import
      </Button>
    </>
  );
  return (
    <Page title="Testsets" actions={testsets.data && testsets.data.length > 0 && actions}>
      <Loaded
        query={testsets}
        lines={5}
        empty={
          <Empty title="No testsets yet" action={actions}>
            A testset is a table of cases for your system, with the expected results. Import a file, paste
            cells from a spreadsheet, or create one and let a model write drafts.
          </Empty>
        }
      >
        {(list) => (
          <Table label="Testsets" head={['Testset', 'Inputs', 'Expected', 'Metadata', 'Description']}>
            {list.map(({ id, name, description, fieldMapping }) => (
              <Row key={id} onOpen={() => void navigate(paths.testset(projectId, id))}>
                <Cell>
                  <QuietLink {...paths.testset(projectId, id)} className="font-medium">
                    {name}
                  </QuietLink>
                </Cell>
                {[fieldMapping.inputs, fieldMapping.expected, fieldMapping.metadata].map((fields, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the three kinds have a fixed order
                  <Cell key={i} className="max-w-56 truncate font-mono text-sm text-soft">
                    {fields.join(', ')}
                  </Cell>
                ))}
                <Cell className="max-w-80 truncate text-soft">{description}</Cell>
              </Row>
            ))}
          </Table>
        )}
      </Loaded>
      <NewTestset projectId={projectId} open={open === 'new'} onClose={close} onDone={go} />
      <ImportDialog projectId={projectId} open={open === 'import'} onClose={close} onDone={go} />
    </Page>
  );
};
