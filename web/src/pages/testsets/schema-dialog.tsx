import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { etagOf } from '../../../../client/src/etags.ts';
import { parseAsWritten } from '../../../../client/src/written-number.ts';
import { api, apiQuery, issuesOf, keyOf } from '../../api.ts';
import { testsetLists } from '../../resources/testsets/queries.ts';
import type { JsonObject, Testset } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { useOutdated } from '../../ui/outdated.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { FieldTable } from './field-table.tsx';

const CodeEditor = lazy(() => import('../../ui/code-editor.tsx'));

const textOf = (schema: JsonObject): string => JSON.stringify(schema, null, 2);

const read = (text: string): { schema?: JsonObject; problem?: string } => {
  try {
    const value: unknown = parseAsWritten(text);
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      return { problem: 'A schema is a JSON object.' };
    return { schema: value as JsonObject };
  } catch (error) {
    return { problem: (error as Error).message };
  }
};

type SchemaDialogProps = { projectId: string; testset: Testset; onClose: () => void };

/** What the dialog says, and whether something else is stored by now. */
const useSchemaForm = (testset: Testset) => {
  const [name, setName] = useState(testset.name);
  const [description, setDescription] = useState(testset.description);
  const [mapping, setMapping] = useState(testset.fieldMapping);
  const [text, setText] = useState(() => textOf(testset.jsonSchema));
  const stored = {
    name: testset.name,
    description: testset.description,
    mapping: testset.fieldMapping,
    text: textOf(testset.jsonSchema),
  };
  const outdated = useOutdated(stored, { name, description, mapping, text }, (now) => {
    setName(now.name);
    setDescription(now.description);
    setMapping(now.mapping);
    setText(now.text);
  });
  return { name, setName, description, setDescription, mapping, setMapping, text, setText, outdated };
};

/** Chooses between the table of fields and the JSON. */
const EditAs = ({ isJson, onChange }: { isJson: boolean; onChange: (isJson: boolean) => void }) => (
  <fieldset className="flex gap-1" aria-label="Edit the schema as">
    {[false, true].map((asJson) => (
      <Button
        key={String(asJson)}
        look="quiet"
        aria-pressed={isJson === asJson}
        className="aria-pressed:bg-sunken aria-pressed:text-ink"
        onClick={() => onChange(asJson)}
      >
        {asJson ? 'JSON Schema' : 'Fields'}
      </Button>
    ))}
  </fieldset>
);

/** Edits the name, the fields and the JSON Schema of a testset. The schema is shown as a table of fields or as JSON. */
export const SchemaDialog = ({ projectId, testset, onClose }: SchemaDialogProps) => {
  const { name, setName, description, setDescription, mapping, setMapping, text, setText, outdated } =
    useSchemaForm(testset);
  const [isJson, setJson] = useState(false);
  const { schema, problem } = read(text);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      api.updateTestset(
        testset.id,
        { name, description, jsonSchema: schema, fieldMapping: mapping },
        { ifMatch: etagOf(testset) },
      ),
    meta: { refreshes: [...testsetLists(projectId), keyOf('listTestcases', testset.id)] },
    onSuccess: (changed) => {
      queries.setQueryData(apiQuery('getTestset', testset.id).queryKey, changed);
      onClose();
    },
  });
  const issue = issuesOf(save.error)('/jsonSchema');
  return (
    <FormDialog
      open
      onClose={onClose}
      wide
      title="Fields and schema"
      description="Testcases are checked against the schema when they are saved. Changing it does not recheck the testcases you have."
      write={issue === undefined ? save : { ...save, error: null }}
      outdated={outdated}
      action="Save"
      disabled={!schema}
    >
      <div className="grid gap-3 md:grid-cols-2">
        <Input label="Name" required value={name} onChange={setName} />
        <Input label="Description" value={description} onChange={setDescription} />
      </div>
      <EditAs isJson={isJson} onChange={setJson} />
      {isJson && (
        <Suspense fallback={<Skeleton lines={6} />}>
          <CodeEditor label="JSON Schema" language="typescript" value={text} onChange={setText} />
        </Suspense>
      )}
      {!isJson && schema && (
        <FieldTable
          schema={schema}
          mapping={mapping}
          onChange={(changed, roles) => {
            setText(textOf(changed));
            setMapping(roles);
          }}
        />
      )}
      {(problem ?? issue) && (
        <p role="alert" className="text-fail">
          {problem ?? issue}
        </p>
      )}
    </FormDialog>
  );
};
