import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Document } from '../conformance.ts';
import { operationFor } from '../conformance.ts';

type Described = {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: object }> };
};

/** Returns what is wrong with the requests of a block: lines such as `POST /runs/{runId}/metrics`, each with or without a JSON body. */
export const faultsOf = (text: string, document: Document & { components: object }): string[] => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'document' } as object);
  const requests = text.split(/^(?=(?:GET|PUT|POST|PATCH|DELETE) )/m).map((one) => one.trim());
  return requests.flatMap((request) => {
    const [, method, target = '', rest = ''] = /^([A-Z]+) +(\S+)([\s\S]*)$/.exec(request) ?? [];
    if (!method) return [`no request begins with '${request.slice(0, 40)}'`];
    const [path = '', query] = target.split('?');
    const operation = operationFor(document, method, `/api/v2${path.replace(/^\/api\/v2/, '')}`) as
      | Described
      | undefined;
    if (!operation) return [`${method} ${path} is not an operation`];
    const known = new Set(operation.parameters?.filter((one) => one.in === 'query').map(({ name }) => name));
    const unknown = [...new URLSearchParams(query).keys()].filter((name) => !known.has(name));
    const body = rest.replaceAll(/^\s*#.*$| +# .*$/gm, '').trim();
    const faults = unknown.map((name) => `${target} has the unknown parameter ${name}`);
    if (!body) return faults;
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (!schema) return [...faults, `${method} ${path} has no body`];
    const resolved = JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'),
    ) as object;
    const validate = ajv.compile(resolved);
    if (!validate(JSON.parse(body))) faults.push(`${method} ${path}: ${ajv.errorsText(validate.errors)}`);
    return faults;
  });
};
