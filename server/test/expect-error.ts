import { expect } from 'vitest';
import { type ErrorCode, statusOf } from '../src/platform/errors.ts';
import type { Answer } from './harness.ts';

/** Holds an answer against the form that every error has, and returns its details. */
export const expectError = (answer: Answer, code: ErrorCode): Record<string, unknown> => {
  expect(answer.body).toEqual({
    code,
    message: expect.stringMatching(/\S.*\.$/),
    details: expect.any(Object),
  });
  expect(answer.status).toBe(statusOf[code]);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  return answer.body.details;
};
