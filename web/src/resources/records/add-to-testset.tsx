import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { Input, optionsOf, Select } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { sayError, sayUndo } from '../../ui/toast.tsx';
import { testsetLists, testsetsQuery } from '../testsets/queries.ts';
import {
  type Added,
  addToTestset,
  type Case,
  type FieldMapping,
  fieldProblem,
  guessFields,
  removeAdded,
} from './to-testcases.ts';

type AddToTestsetProps = {
  projectId: string;
  records: readonly Case[];
  /** What is added; default record. */
  what?: string;
  onClose: () => void;
};

const roleOptions = optionsOf({ inputs: 'Inputs', expected: 'Expected', none: 'Leave out' });

/** Creates testcases from the selected records. */
export const AddToTestset = ({ projectId, records, what = 'record', onClose }: AddToTestsetProps) => {
  const queries = useQueryClient();
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const [testsetId, setTestsetId] = useState('');
  const [name, setName] = useState(`From ${what}s`);
  const [mapping, setMapping] = useState(() => guessFields(records));
  const testset = testsets.find(({ id }) => id === testsetId);
  const problem = fieldProblem(mapping);
  const add = useMutation({
    mutationFn: () => addToTestset(projectId, testset ?? name.trim(), records, mapping),
    meta: { refreshes: [...testsetLists(projectId), keyOf('listTestcases')] },
    onSuccess: (added) => {
      const { testset, testcases, misfits } = added;
      if (misfits.length > 0) return;
      const refresh = () =>
        Promise.all([
          ...testsetLists(projectId).map((queryKey) => queries.invalidateQueries({ queryKey })),
          queries.invalidateQueries({ queryKey: keyOf('listTestcases') }),
        ]);
      sayUndo(
        `Added ${countOf(testcases.length, 'testcase')} to ${testset.name}.`,
        () => void removeAdded(added).then(refresh).catch(sayError),
      );
      onClose();
    },
  });
  const set = (i: number, changes: Partial<FieldMapping>) =>
    setMapping(mapping.map((each, j) => (i === j ? { ...each, ...changes } : each)));
  if (add.data && add.data.misfits.length > 0)
    return <Misfits projectId={projectId} added={add.data} onClose={onClose} />;
  return (
    <FormDialog
      open
      onClose={onClose}
      wide
      title={`Add ${countOf(records.length, what)} to a testset`}
      write={add}
      action={`Add ${countOf(records.length, 'testcase')}`}
      disabled={problem !== undefined || !(testset || name.trim())}
    >
      <div className="flex gap-3 *:flex-1">
        <Select
          label="Testset"
          value={testsetId}
          onChange={(value) => {
            setTestsetId(value);
            setMapping(
              guessFields(
                records,
                testsets.find(({ id }) => id === value),
              ),
            );
          }}
          options={[
            { value: '', label: 'New testset' },
            ...testsets.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        {!testset && (
          <Input label="Name of the testset" required maxLength={256} value={name} onChange={setName} />
        )}
      </div>
      <FieldMappings what={what} mapping={mapping} onChange={set} />
      {problem && <p className="text-fail">{problem}</p>}
    </FormDialog>
  );
};

/** Lists the new testcases that break the schema of the testset. They are stored and can be changed there. */
const Misfits = ({ projectId, added, onClose }: { projectId: string; added: Added; onClose: () => void }) => (
  <Dialog open onClose={onClose} wide title={`Added ${countOf(added.testcases.length, 'testcase')}`}>
    <p className="mb-2">
      {countOf(added.misfits.length, 'testcase')} of them {added.misfits.length === 1 ? 'does' : 'do'} not
      match the schema of{' '}
      <TextLink {...paths.testset(projectId, added.testset.id)}>{added.testset.name}</TextLink>, where you can
      change them:
    </p>
    <ul className="flex flex-col gap-1">
      {added.misfits.slice(0, 100).map(({ recordId, problems }) => (
        <li key={recordId}>
          <span className="font-mono text-sm">{recordId}</span> {problems.join('; ')}
        </li>
      ))}
    </ul>
    <div className="mt-4 flex justify-end">
      <Button onClick={onClose}>Close</Button>
    </div>
  </Dialog>
);

type FieldMappingsProps = {
  what: string;
  mapping: readonly FieldMapping[];
  onChange: (i: number, changes: Partial<FieldMapping>) => void;
};

/** The name and the use of each field in the new testcases. */
const FieldMappings = ({ what, mapping, onChange }: FieldMappingsProps) => (
  <Table label="Fields" head={[`Field of the ${what}`, 'In the testcase', 'Use']}>
    {mapping.map(({ group, source, field, role }, i) => (
      <Row key={`${group}.${source}`}>
        <Cell className="max-w-0 truncate" title={source}>
          <span className="text-soft">{group}</span> {source}
        </Cell>
        <Cell>
          <Input
            label={`Name of ${group} ${source}`}
            hideLabel
            disabled={role === 'none'}
            value={field}
            onChange={(value) => onChange(i, { field: value })}
          />
        </Cell>
        <Cell className="w-32">
          <Select
            label={`Use of ${group} ${source}`}
            hideLabel
            value={role}
            onChange={(next) => onChange(i, { role: next })}
            options={roleOptions}
          />
        </Cell>
      </Row>
    ))}
  </Table>
);
