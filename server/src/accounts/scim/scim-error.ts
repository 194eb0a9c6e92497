import { statusOf } from '../../platform/errors.ts';

/** Errors of RFC 7644, 3.12 that this service reports. */
type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'uniqueness'
  | 'mutability';

/** An error of SCIM, in the form of RFC 7644. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;
  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const notThere = (resource: string, id: string) =>
  new ScimError(statusOf.NOT_FOUND, `There is no ${resource} with the id '${id}'.`);

export const invalidValue = (detail: string) => new ScimError(400, detail, 'invalidValue');

/** The body of an error. */
export const errorBody = (status: number, detail: string, scimType?: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType && { scimType }),
  detail,
});
