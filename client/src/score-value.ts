/** The value of a score, read in one place: a copy that forgot a field lost the labels of categories in silence. It imports nothing. */

/** The field of a score that holds its value, for each kind of metric. */
export const valueFields = {
  boolean: 'binaryScore',
  int: 'intScore',
  float: 'floatScore',
  category: 'categoryScore',
} as const;

/** A verdict, a number, or a label. */
export type ValueOfScore = boolean | number | string;

const names = Object.values(valueFields);

/** Returns the value of a score, for a category its label; undefined if it has none. */
export const valueOfScore = (score: object | null | undefined): ValueOfScore | undefined => {
  for (const name of names) {
    const value = (score as Record<string, unknown> | null | undefined)?.[name];
    if (value !== undefined && value !== null) return value as ValueOfScore;
  }
  return undefined;
};

/** Whether scores of this kind are numbers with a mean. A boolean and a category have a pass rate alone. */
export const hasMean = (outputType: string): boolean => outputType === 'int' || outputType === 'float';
