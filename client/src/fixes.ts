// Generated from docs/errors.md by `npm run generate`. Do not edit.
/** What to do about each error of the service. */
export const fixes: Readonly<Record<string, string>> = {
  "VALIDATION_ERROR": "Read `details.issues`, which lists every problem. `path` is a JSON Pointer into the body or the query; `message` says what the value must be.",
  "UNAUTHORIZED": "Send `Authorization: Bearer ak_…` with a key that `GET /api/v2/keys` lists. For a link, get the attachment again.",
  "FORBIDDEN": "Use a key with full access, or ask an admin for another role.",
  "NOT_FOUND": "Look the id up in its list with the same key.",
  "CONFLICT": "`details` says what the request conflicts with. Choose another value, or remove the conflict first.",
  "PRECONDITION_FAILED": "Read the resource again, and repeat your change on what it is now.",
  "METHOD_NOT_ALLOWED": "Compare the method with the API reference at `/docs`.",
  "PAYLOAD_TOO_LARGE": "Split the request. Send files as attachments.",
  "UNSUPPORTED_MEDIA_TYPE": "Send `Content-Type: application/json`, uncompressed.",
  "RANGE_NOT_SATISFIABLE": "`details.sizeBytes` is the attachment's size. A resumed download that gets this error was already complete.",
  "LIMIT_REACHED": "Delete one that you no longer need. limits.md lists the limits.",
  "RATE_LIMITED": "Wait `Retry-After` seconds. Send batches instead of single requests.",
  "INTERNAL_ERROR": "Give the answer's `X-Request-Id` to the operator. The log has the cause under this id."
};
