/** One problem of a request, by the JSON Pointer of what is wrong. */
type Issue = { path: string; message: string };

const issuesIn = (error: Error): readonly Issue[] => {
  const { details } = error as Error & { details?: { issues?: unknown } };
  return Array.isArray(details?.issues) ? details.issues : [];
};

/** What readers call fields whose names in the API are no words. */
const names: Readonly<Record<string, string>> = { q: 'The search', cron: 'Times', '': 'The request' };

/** `/task/metricIds/0` as readers see it: `Metric ids`. */
const nameAt = (path: string): string => {
  const field = path.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? '';
  const words = field.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return names[field] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** An error for people who see a form and no JSON: each problem of a refused request, its fields called by their names. */
export const errorText = (error: Error): string =>
  issuesIn(error)
    .map(({ path, message }) => `${nameAt(path)} ${message}.`)
    .join(' ') || error.message;
