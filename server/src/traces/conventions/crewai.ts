import { isObject, member, toJson } from './attribute.ts';

/** Returns the descriptions of the tasks of a crew, `[{ description, … }]`. Returns any other value as it is. */
export const questionOfCrew = (value: unknown): unknown => {
  const tasks = toJson(value);
  if (!Array.isArray(tasks)) return value;
  const texts = tasks.map((task) => (isObject(task) ? member(task, 'description') : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n\n') : value;
};

/**
 * Returns the answer of a crew, `{ raw, pydantic, json_dict, tasks_output }`, or of a task, `{ raw, expected_output, … }`: its object, else its
 * text. Returns any other value as it is.
 */
export const answerOfCrew = (value: unknown): unknown => {
  const read = toJson(value);
  if (!isObject(read) || typeof member(read, 'raw') !== 'string' || !Object.hasOwn(read, 'json_dict'))
    return value;
  return member(read, 'json_dict') ?? member(read, 'raw');
};
