/** The ETags of answers, which are not a part of their JSON. */
const etags = new WeakMap<object, string>();

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Notes the ETag of an answer. Returns the answer. */
export const withEtag = <Answer>(answer: Answer, etag: string | undefined): Answer => {
  if (isObject(answer) && etag !== undefined) etags.set(answer, etag);
  return answer;
};

/**
 * Returns the ETag of an object that a client has read, for `ifMatch`; for an item of a list, the time of its last change, which the
 * service accepts too. Undefined if it has neither.
 */
export const etagOf = (resource: object): string | undefined => {
  const { updatedAt } = resource as { updatedAt?: unknown };
  return etags.get(resource) ?? (typeof updatedAt === 'string' ? `"${updatedAt}"` : undefined);
};
