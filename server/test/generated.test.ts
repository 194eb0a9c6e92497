import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { generate } from '../generate.ts';
import { statusOf } from '../src/platform/errors.ts';
import type { Document } from './conformance.ts';

const files = await generate();

describe('generated files', () => {
  it.each(Object.keys(files))('%s is what npm run generate makes of the code', async (path) => {
    expect(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(files[path]);
  });

  it('the OpenAPI document describes every operation, parameter and field', () => {
    const document = JSON.parse(files['openapi.json']!) as Document;
    const bare: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (value === null || typeof value !== 'object') return;
      for (const [key, part] of Object.entries(value)) {
        if (key === 'properties') {
          for (const [name, field] of Object.entries(
            part as Record<string, { description?: string; $ref?: string }>,
          )) {
            if (!field.description && !field.$ref) bare.push(`${path}/${name}`);
          }
        }
        if (key === 'parameters') {
          for (const parameter of Object.values(
            part as Record<string, { name: string; description?: string; $ref?: string }>,
          )) {
            if (!parameter.description && !parameter.$ref) bare.push(`${path}?${parameter.name}`);
          }
        }
        visit(part, `${path}/${key}`);
      }
    };
    visit(document, '');
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        if (!('summary' in operation) || !operation.operationId) bare.push(`${method} ${path}`);
      }
    }
    expect(bare).toEqual([]);
  });

  it('the OpenAPI document has each error once, and a reference to it in each operation that may answer it', () => {
    const { paths, components } = JSON.parse(files['openapi.json']!) as Document;
    const references = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.entries(responses))
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { $ref }]) => [$ref, Number(status)]);
    const expected = Object.entries(statusOf).map(([code, status]) => [
      `#/components/responses/${code}`,
      status,
    ]);
    for (const reference of references) expect(expected).toContainEqual(reference);
    // The only answer that is neither an error nor an operation's own.
    expect(Object.keys(components.responses!)).toEqual(['NotModified', ...Object.keys(statusOf)]);
  });

  it('says in words, not by a pattern alone, what is taken', () => {
    const { paths } = JSON.parse(files['openapi.json']!) as Document;
    const wordless: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (value === null || typeof value !== 'object') return;
      if ('pattern' in value && typeof value.pattern === 'string' && !('x-expects' in value))
        wordless.push(path);
      for (const [key, part] of Object.entries(value)) visit(part, `${path}/${key}`);
    };
    for (const [path, operations] of Object.entries(paths))
      for (const [method, operation] of Object.entries(operations)) {
        const { requestBody, parameters } = operation as { requestBody?: unknown; parameters?: unknown };
        visit([requestBody, parameters], `${method} ${path}`);
      }
    expect(wordless).toEqual([]);
  });
});
