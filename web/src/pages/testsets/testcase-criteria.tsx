import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { criterionId } from '../../../../client/src/criteria.ts';
import { etagOf } from '../../../../client/src/etags.ts';
import { parseAsWritten } from '../../../../client/src/written-number.ts';
import { api, apiQuery } from '../../api.ts';
import {
  criteriaProblem,
  emptyCriterion,
  type TestcaseCriterion,
  testcaseCriteriaOf,
  testcaseCriteriaValue,
} from '../../resources/metrics/criteria-form.ts';
import { CriterionFields } from '../../resources/metrics/criterion-fields.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { testsetLists } from '../../resources/testsets/queries.ts';
import type { Testset } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { withRole } from './fields.ts';

type TestcaseCriteriaProps = {
  /** The field as JSON. */
  text: string;
  readOnly: boolean;
  error: string | undefined;
  onChange: (text: string) => void;
};

const listIn = (text: string): unknown => {
  try {
    return parseAsWritten(text === '' ? '[]' : text);
  } catch {
    return null;
  }
};

/** The criteria that a testcase brings, as a form. What a form cannot show is edited as JSON. */
export const TestcaseCriteria = ({ text, readOnly, error, onChange }: TestcaseCriteriaProps) => {
  const [isText, setText] = useState(false);
  const read = testcaseCriteriaOf(listIn(text));
  if (isText || !read)
    return (
      <div className="flex flex-col gap-1">
        <TextArea
          label="criteria"
          rows={8}
          readOnly={readOnly}
          dir="auto"
          error={error ?? (read ? undefined : 'is no list of criteria: texts, or objects with a text')}
          value={text}
          onChange={onChange}
        />
        {read && (
          <div>
            <Button onClick={() => setText(false)}>As a form</Button>
          </div>
        )}
      </div>
    );
  const items = read;
  const set = (next: readonly TestcaseCriterion[]) =>
    onChange(JSON.stringify(testcaseCriteriaValue(next), null, 2));
  const problem = error ?? criteriaProblem(testcaseCriteriaValue(items));
  return (
    <fieldset aria-label="criteria" className="flex flex-col gap-2">
      <div className="text-sm font-medium">criteria</div>
      <p className="text-sm text-soft">
        What this testcase adds to the criteria of a metric that takes them from testcases. The same id is the
        same criterion in each testcase.
      </p>
      {items.map((item, i) => (
        <CriterionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a criterion has no id before it is saved
          key={i}
          at={i}
          value={item}
          madeId={criterionId(item.text)}
          readOnly={readOnly}
          onChange={(changes) => set(items.map((each, at) => (at === i ? { ...each, ...changes } : each)))}
          onRemove={() => set(items.filter((_, at) => at !== i))}
        />
      ))}
      {!readOnly && (
        <div className="flex gap-2">
          <Button onClick={() => set([...items, { ...emptyCriterion, more: {} }])}>
            <Plus size={14} aria-hidden /> Add criterion
          </Button>
          <Button onClick={() => setText(true)}>As JSON</Button>
        </div>
      )}
      {problem && (
        <p role="alert" className="text-sm text-fail">
          {problem}
        </p>
      )}
    </fieldset>
  );
};

/** Offers the field of criteria for a testset whose testcases lack it though a metric of the project reads it. */
export const OfferCriteria = ({ projectId, testset }: { projectId: string; testset: Testset }) => {
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const queries = useQueryClient();
  const { name, description, jsonSchema, fieldMapping } = testset;
  const add = useMutation({
    mutationFn: () =>
      api.updateTestset(
        testset.id,
        { name, description, jsonSchema, fieldMapping: withRole(fieldMapping, 'criteria', 'expected') },
        { ifMatch: etagOf(testset) },
      ),
    meta: { refreshes: testsetLists(projectId) },
    onSuccess: (changed) => queries.setQueryData(apiQuery('getTestset', testset.id).queryKey, changed),
  });
  const reader = metrics.find(({ criteria }) => criteria?.fromExpected);
  if (!reader || fieldMapping.expected.includes('criteria')) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm text-soft">
      <span>{reader.name} reads criteria of testcases, and this testset has none.</span>
      <Button disabled={add.isPending} onClick={() => add.mutate()}>
        Add criteria to the testset
      </Button>
      {add.error && <ErrorNote error={add.error} />}
    </div>
  );
};
