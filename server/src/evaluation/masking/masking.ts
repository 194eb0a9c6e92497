import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type Masker, makeMasker } from '../../engine/masking/masker.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { findRules, type Into } from './queries.ts';
import type { MaskingSettings } from './schema.ts';

export type ProjectMasker = Masker & Pick<MaskingSettings, 'testcases' | 'comments'>;

/** Finds the masker of a project. */
export type Masking = {
  /** Returns the masker of a project, or undefined if it masks nothing. `sql`: a transaction to read in. */
  of: (owner: Owner, into: Into, sql?: Sql) => Promise<ProjectMasker | undefined>;
  /** The same for settings that are given. Throws for a custom pattern that cannot be compiled. */
  by: (owner: Owner, settings: MaskingSettings) => ProjectMasker;
  /** Applies a change of settings in this process at once. */
  forget: () => void;
};

/** How long found rules are kept without another look-up. Other processes mask by new rules after this time. */
const trustedMs = 1_000;
const maxKnown = 10_000;

const steadyNow = () => performance.timeOrigin + performance.now();

/** Opens the masking of all projects. `key` is the key of the hashes of values, which differ for each organization. */
export const openMasking = (db: Database, key: KeyObject, clock = steadyNow): Masking => {
  const known = new Map<string, { masker: ProjectMasker | undefined; until: number }>();
  /** Custom patterns take long to compile. */
  const compiled = new Map<string, ProjectMasker>();

  const by: Masking['by'] = ({ organizationId }, settings) => {
    const secret = createHmac('sha256', key).update(String(organizationId)).digest();
    const { testcases, comments } = settings;
    return { ...makeMasker(settings, createSecretKey(secret)), testcases, comments };
  };
  const compile = (owner: Owner, rules: string): ProjectMasker => {
    const name = `${owner.organizationId} ${rules}`;
    const masker = compiled.get(name) ?? by(owner, JSON.parse(rules) as MaskingSettings);
    if (compiled.size >= maxKnown) compiled.clear();
    compiled.set(name, masker);
    return masker;
  };

  return {
    by,
    of: async (owner, into, sql) => {
      const [kind, id] =
        'projectId' in into
          ? ['project', into.projectId]
          : 'runId' in into
            ? ['run', into.runId]
            : ['testset', into.testsetId];
      const name = `${owner.organizationId} ${kind} ${id}`;
      const before = known.get(name);
      if (before && clock() < before.until) return before.masker;
      const [found] = sql
        ? await findRules(sql, owner, into)
        : await db.lookUp(owner, (read) => findRules(read, owner, into));
      const masker = found && compile(owner, found.rules);
      if (known.size >= maxKnown) known.clear();
      known.set(name, { masker, until: clock() + trustedMs });
      return masker;
    },
    forget: () => known.clear(),
  };
};
