import type { App } from '../src/platform/http/http.ts';
import type { Client } from './harness.ts';

type Parameter = { name: string; in: string; required?: boolean };
type Methods = Record<
  string,
  { operationId: string; parameters?: (Parameter | { $ref: string })[]; requestBody?: unknown }
>;

/** An operation of the API's document. `template` is its path below /api/v2, with `{…}` for ids. */
export type Operation = {
  operationId: string;
  method: Parameters<Client>[0];
  template: string;
  parameters: Parameter[];
  hasBody: boolean;
};

/** All operations of the document of a service, their references resolved. */
export const operationsOf = (app: App): Operation[] => {
  const { paths, components } = app.swagger() as unknown as {
    paths: Record<string, Methods>;
    components: { parameters: Record<string, Parameter> };
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody }]) => ({
      operationId,
      method: method.toUpperCase() as Operation['method'],
      template: path.replace('/api/v2', ''),
      parameters: parameters.map((parameter) =>
        '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
      ),
      hasBody: requestBody !== undefined,
    })),
  );
};
