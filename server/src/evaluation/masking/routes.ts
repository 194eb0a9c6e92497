import { maskJson } from '../../engine/masking/mask-json.ts';
import { compilePattern } from '../../engine/masking/masker.ts';
import { type Issue, invalidAll } from '../../platform/errors.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { ApiErrorBody } from '../../platform/http/openapi.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { freeForm } from '../../platform/json/json.ts';
import { ref } from '../../platform/named-schema.ts';
import { project } from '../resources.ts';
import type { Masking } from './masking.ts';
import { findMasking } from './queries.ts';
import { MaskingPreview, MaskingPreviewAsk, type MaskingSettings } from './schema.ts';

/** Throws 400 for each custom pattern that is not an expression of RE2, and for each path with an empty part. */
export const requireSound = ({ custom, fields }: MaskingSettings, path = ''): void => {
  const issues: Issue[] = [];
  custom.forEach(({ pattern }, i) => {
    try {
      compilePattern(pattern);
    } catch (error) {
      issues.push({
        path: `${path}/custom/${i}/pattern`,
        message: `must be RE2: ${(error as Error).message}`,
      });
    }
  });
  fields.forEach((field, i) => {
    const parts = field.split('.');
    if (parts.includes('') || parts.length < 2)
      issues.push({
        path: `${path}/fields/${i}`,
        message: 'must be two or more keys with dots between them',
      });
  });
  if (issues.length > 0) throw invalidAll(issues);
};

/** Counts the tokens that masking has inserted. */
const countTokens = (text: string): number => text.match(/\[[A-Z][A-Z\d_]*(?::[\da-f]{12})?\]/g)?.length ?? 0;

export const maskingRoutes = (app: App, { db, masking }: RouteDeps & { masking: Masking }): void => {
  answerRoute(app, 'POST', '/projects/:projectId/masking/preview', {
    config: { keyless: true },
    operationId: 'previewMasking',
    summary: 'Show what masking does to an object.',
    description: 'Nothing is stored.',
    tags: ['Projects'],
    of: project,
    body: MaskingPreviewAsk,
    response: ref(MaskingPreview),
    others: { 404: ref(ApiErrorBody) },
    answer: async ({ scope, key, request }, body) => {
      const found = await db.lookUp(scope, (sql) => findMasking(sql, scope, key));
      const stored = bodyOf(found, 'project', String(key));
      if (body.settings) requireSound(body.settings, '/settings');
      const masker = masking.by(scope, body.settings ?? (JSON.parse(stored) as MaskingSettings));
      const data = freeForm(request.rawBody, ['data']).data!;
      const masked = maskJson(data, masker);
      const replaced = Math.max(0, countTokens(masked) - countTokens(data));
      return `{"data":${masked},"numReplaced":${replaced}}`;
    },
  });
};
