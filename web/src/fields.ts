import { useState } from 'react';
import { issuesOf } from './api.ts';

/**
 * The state of a form, by the names that the request's body has. `fieldsOf(error)(name)` returns what an `Input` or a `Select` needs:
 * its value, how to change it, and what the service says about it.
 */
export const useFields = <Values extends object>(initial: Values) => {
  const [values, setValues] = useState(initial);
  const fieldsOf =
    (error: Error | null) =>
    <Name extends keyof Values & string>(name: Name) => ({
      value: values[name],
      onChange: (value: Values[Name]) => setValues((now) => ({ ...now, [name]: value })),
      // The service may complain about an item of a list, such as an address.
      error: issuesOf(error)(`/${name}`) ?? issuesOf(error)(`/${name}/0`),
    });
  return { values, setValues, fieldsOf };
};

/** Returns what a field of a form needs, by its name. */
export type FieldOf<Values extends object> = ReturnType<ReturnType<typeof useFields<Values>>['fieldsOf']>;
