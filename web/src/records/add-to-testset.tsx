import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { paths } from '../paths.ts';
import { testsetsQuery } from '../testsets/queries.ts';
import type { RecordDetail } from '../types.ts';
import { countOf } from '../ui/bits.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input, Select } from '../ui/field.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import { type Added, addToTestset, type FieldMapping, fieldProblem, guessFields } from './to-testcases.ts';

type AddToTestsetProps = {
  projectId: string;
  records: readonly RecordDetail[];
  onClose: () => void;
};

const roleOptions = [
  { value: 'inputs', label: 'Inputs' },
  { value: 'expected', label: 'Expected' },
  { value: 'none', label: 'Leave out' },
];

/** Makes testcases of the selected records. */
export const AddToTestset = ({ projectId, records, onClose }: AddToTestsetProps) => {
  const queries = useQueryClient();
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const [testsetId, setTestsetId] = useState('');
  const [name, setName] = useState('');
  const [mapping, setMapping] = useState(() => guessFields(records));
  const testset = testsets.find(({ id }) => id === testsetId);
  const problem = fieldProblem(mapping);
  const add = useMutation({
    mutationFn: () => addToTestset(projectId, testset ?? name.trim(), records, mapping),
    onSuccess: async ({ testset: { name }, testcases, misfits }) => {
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => /^\/(projects\/\d+\/testsets|testsets\/)/.test(String(queryKey[0])),
      });
      if (misfits.length > 0) return;
      say(`Added ${countOf(testcases.length, 'testcase')} to ${name}.`);
      onClose();
    },
  });
  const set = (i: number, changes: Partial<FieldMapping>) =>
    setMapping(mapping.map((each, j) => (i === j ? { ...each, ...changes } : each)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!problem && (testset || name.trim())) add.mutate();
  };
  if (add.data && add.data.misfits.length > 0)
    return <Misfits projectId={projectId} added={add.data} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} wide title={`Add ${countOf(records.length, 'record')} to a testset`}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div className="flex gap-3 *:flex-1">
          <Select
            label="Testset"
            value={testsetId}
            onChange={({ target }) => {
              setTestsetId(target.value);
              setMapping(
                guessFields(
                  records,
                  testsets.find(({ id }) => id === target.value),
                ),
              );
            }}
            options={[
              { value: '', label: 'A new one' },
              ...testsets.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          {!testset && (
            <Input
              label="Its name"
              required
              maxLength={256}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </div>
        <table className="w-full text-left">
          <thead className="text-sm text-soft">
            <tr>
              <th className="py-1 font-medium">Field of the records</th>
              <th className="py-1 font-medium">In the testcase</th>
              <th className="py-1 font-medium">Becomes</th>
            </tr>
          </thead>
          <tbody>
            {mapping.map(({ group, source, field, role }, i) => (
              <tr key={`${group}.${source}`} className="border-t">
                <td className="max-w-0 truncate py-1 pr-2" title={source}>
                  <span className="text-soft">{group}</span> {source}
                </td>
                <td className="py-1 pr-2">
                  <Input
                    label={`Name of ${group} ${source}`}
                    hideLabel
                    disabled={role === 'none'}
                    value={field}
                    onChange={({ target }) => set(i, { field: target.value })}
                  />
                </td>
                <td className="w-32 py-1">
                  <Select
                    label={`${group} ${source} becomes`}
                    hideLabel
                    value={role}
                    onChange={({ target }) => set(i, { role: target.value as FieldMapping['role'] })}
                    options={roleOptions}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {problem && <p className="text-fail">{problem}</p>}
        {add.error && <ErrorNote error={add.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={add.isPending || problem !== undefined}>
            Add {countOf(records.length, 'testcase')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

/** What was added and breaks the testset's schema: it is kept, and can be mended there. */
const Misfits = ({ projectId, added, onClose }: { projectId: string; added: Added; onClose: () => void }) => (
  <Dialog open onClose={onClose} wide title={`Added ${countOf(added.testcases.length, 'testcase')}`}>
    <p className="mb-2">
      {countOf(added.misfits.length, 'testcase')} of them {added.misfits.length === 1 ? 'does' : 'do'} not fit
      the schema of{' '}
      <Link {...paths.testset(projectId, added.testset.id)} className="text-accent underline">
        {added.testset.name}
      </Link>
      , where they can be mended:
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
