import { createSecretKey } from 'node:crypto';
import type { NewOrganization } from '../src/accounts/organizations/organizations.ts';
import { createDemo } from '../src/archive/demo/create-demo.ts';
import { openMasking } from '../src/evaluation/masking/masking.ts';
import type { Database } from '../src/platform/db/database.ts';

/** Creates the demo project in an organization that a test made. Its testcases are not checked by their schema. */
export const seedDemo = (db: Database, organization: NewOrganization): Promise<void> => {
  const key = createSecretKey(Buffer.alloc(32));
  const schemas = { schemaErrors: async (_schema: string, values: string[]) => values.map(() => []) };
  const deps = { db, schemas, masking: openMasking(db, key), providerKey: key };
  return createDemo({ ...deps, judgeModel: undefined, now: new Date() }, organization);
};
