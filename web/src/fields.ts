import { useState } from 'react';
import { issuesOf } from './api.ts';
import { useOutdated } from './ui/outdated.tsx';

/**
 * Gives the fields of a form by the names that the request's body has. For each name it returns what an `Input` or a `Select` needs:
 * the value, how to change it, and what the service says about it.
 */
export const fieldsIn =
  <Values extends object>(
    values: Values,
    update: (change: (values: Values) => Values) => void,
    error: Error | null,
  ) =>
  <Name extends keyof Values & string>(name: Name) => ({
    value: values[name],
    onChange: (value: Values[Name]) => update((now) => ({ ...now, [name]: value })),
    // The service may complain about an item of a list, such as an address.
    error: issuesOf(error)(`/${name}`) ?? issuesOf(error)(`/${name}/0`),
  });

/** Returns what a field of a form needs, by its name. */
export type FieldOf<Values extends object> = ReturnType<typeof fieldsIn<Values>>;

/**
 * The state of a form that changes what is `stored`, or begins with it. `fieldsOf(error)` gives its fields by name; `outdated` is
 * for the form, if it changes something.
 */
export const useFields = <Values extends object>(stored: Values) => {
  const [values, setValues] = useState(stored);
  const fieldsOf = (error: Error | null) => fieldsIn(values, setValues, error);
  const outdated = useOutdated(stored, values, setValues);
  return { values, setValues, fieldsOf, outdated };
};
