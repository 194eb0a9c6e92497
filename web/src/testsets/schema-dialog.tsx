import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { ApiError, api } from '../api.ts';
import type { Json, Testset } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { exactText, parseExact } from '../ui/exact-json.ts';
import { Input } from '../ui/field.tsx';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { FieldTable } from './field-table.tsx';
import { testsetQuery, testsetsQuery } from './queries.ts';

const CodeEditor = lazy(() => import('../ui/code-editor.tsx'));

const textOf = (schema: Json): string => exactText(schema, 2);

const read = (text: string): { schema?: Json; problem?: string } => {
  try {
    const value: unknown = parseExact(text);
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      return { problem: 'A schema is a JSON object.' };
    return { schema: value as Json };
  } catch (error) {
    return { problem: (error as Error).message };
  }
};

type SchemaDialogProps = { projectId: string; testset: Testset; open: boolean; onClose: () => void };

/** Name, fields and JSON Schema of a testset: the same schema as a table of fields, and as the JSON that it is. */
export const SchemaDialog = ({ projectId, testset, open, onClose }: SchemaDialogProps) => {
  const [name, setName] = useState(testset.name);
  const [description, setDescription] = useState(testset.description);
  const [mapping, setMapping] = useState(testset.fieldMapping);
  const [text, setText] = useState(() => textOf(testset.jsonSchema));
  const [isJson, setJson] = useState(false);
  const { schema, problem } = read(text);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      api.patch<Testset>(`/testsets/${testset.id}`, {
        name,
        description,
        jsonSchema: schema,
        fieldMapping: mapping,
      }),
    onSuccess: async (changed) => {
      queries.setQueryData(testsetQuery(testset.id).queryKey, changed);
      onClose();
      await Promise.all([
        queries.invalidateQueries({ queryKey: testsetsQuery(projectId).queryKey }),
        queries.invalidateQueries({ queryKey: [`/testsets/${testset.id}/testcases`] }),
      ]);
    },
  });
  const issue = save.error instanceof ApiError ? save.error.issueOf('/jsonSchema') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (schema) save.mutate();
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      wide
      title="Fields and schema"
      description="Testcases are held against the schema when they are written; those that are there keep what was said of them."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid gap-3 md:grid-cols-2">
          <Input label="Name" required value={name} onChange={(event) => setName(event.target.value)} />
          <Input
            label="Description"
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        </div>
        <fieldset className="flex gap-1" aria-label="Edit the schema as">
          {[false, true].map((asJson) => (
            <Button
              key={String(asJson)}
              look="quiet"
              aria-pressed={isJson === asJson}
              className="aria-pressed:bg-sunken aria-pressed:text-ink"
              onClick={() => setJson(asJson)}
            >
              {asJson ? 'JSON Schema' : 'Fields'}
            </Button>
          ))}
        </fieldset>
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
        {save.error && !issue && <ErrorNote error={save.error} />}
        <Button type="submit" look="primary" disabled={save.isPending || !schema} className="self-end">
          Save
        </Button>
      </form>
    </Dialog>
  );
};
