import type {} from 'vitest/config';
import type { Reporter, TestModule, Vite, Vitest } from 'vitest/node';
import { type Result, type Session, startSession, writeResults } from '../results/results.ts';
import { targetOf } from '../results/target.ts';
import { markRun, type Uploaded, upload } from '../results/upload.ts';

export type Options = {
  /** Project of the runs. Default: DOKIMA_PROJECT. */
  project?: string;
  /** Write the results to this file and upload nothing. Default: DOKIMA_FILE. */
  file?: string;
  /** Mark the runs if all tests pass, so that later ones compare with them. Default: DOKIMA_MARK. */
  mark?: string;
  /** Effect of an inconclusive verdict. Default: fail. */
  inconclusive?: 'fail' | 'skip';
};

/** What the processes with the tests know. */
export type Provided = { session: Session } & Pick<Options, 'project' | 'file' | 'inconclusive'>;

declare module 'vitest' {
  interface ProvidedContext {
    dokima: Provided;
  }
  interface TaskMeta {
    dokima?: { results?: Result[]; uploaded?: Uploaded; verdict?: string };
  }
}

/** Vitest's 5 s are too short for a model that answers, and for a comparison that is asked for. */
const testTimeout = 60_000;

const lostFile = 'dokima-results.jsonl';

class DokimaReporter implements Reporter {
  readonly #vitest: Vitest;
  readonly #provided: Provided;
  readonly #mark: string | undefined;

  constructor(vitest: Vitest, provided: Provided, mark: string | undefined) {
    this.#vitest = vitest;
    this.#provided = provided;
    this.#mark = mark;
  }

  /** Uploads what no test has uploaded yet, or writes the file. If the upload fails, there is a file too. */
  async onTestRunEnd(modules: readonly TestModule[], _: unknown, reason: string): Promise<void> {
    const { session, project, file } = this.#provided;
    const noted = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => test.meta().dokima ?? []),
    );
    const results = noted.flatMap((each) => each.results ?? []);
    if (results.length === 0) return;
    const write = (path: string, why = ''): void => {
      writeResults(path, session, results);
      this.#say(
        `${why}${results.length} results are in ${path}. Upload them with: npx dokima-upload ${path}`,
      );
    };
    const target = file === undefined ? targetOf(process.env, project) : undefined;
    if (!target) {
      const { DOKIMA_API_KEY, DOKIMA_PROJECT = project } = process.env;
      const unset = Object.entries({ DOKIMA_API_KEY, DOKIMA_PROJECT }).filter(([, value]) => !value);
      const names = unset.map(([name]) => name).join(' and ');
      return write(file ?? lostFile, file ? '' : `${names} not set, so nothing is uploaded.\n`);
    }
    const count = (group: string) => results.filter((result) => result.group === group).length;
    const done = noted.flatMap(({ uploaded }) =>
      uploaded && uploaded.numRecords === count(uploaded.group) ? [uploaded] : [],
    );
    const rest = results.filter(({ group }) => !done.some((each) => each.group === group));
    try {
      done.push(...(await upload(target, session, rest)));
      if (this.#mark && reason === 'passed')
        for (const { runId } of done) await markRun(target.client, runId, this.#mark);
    } catch (error) {
      return write(lostFile, `The results could not be uploaded: ${(error as Error).message}\n`);
    }
    for (const { group, numRecords, url } of done) this.#say(`${group}: ${numRecords} records, ${url}`);
    for (const { verdict } of noted) if (verdict) this.#say(verdict);
  }

  #say(text: string): void {
    this.#vitest.logger.log(`dokima  ${text}`);
  }
}

/** The plugin for `vitest.config.ts`: it gathers what tests record, and uploads it at the end. */
export const dokima = (options: Options = {}): Vite.Plugin => {
  let provided: Provided | undefined;
  return {
    name: 'dokima',
    config: ({ test }) => (test?.testTimeout === undefined ? { test: { testTimeout } } : undefined),
    configureVitest: ({ vitest, project }) => {
      const { DOKIMA_FILE, DOKIMA_MARK } = process.env;
      const file = options.file ?? (DOKIMA_FILE || undefined);
      const isFirst = provided === undefined;
      provided ??= {
        session: startSession(process.env, 'vitest'),
        ...(options.project !== undefined && { project: options.project }),
        ...(file !== undefined && { file }),
        ...(options.inconclusive && { inconclusive: options.inconclusive }),
      };
      project.provide('dokima', provided);
      // The hook is called for each project of a configuration.
      if (isFirst)
        vitest.config.reporters.push(
          new DokimaReporter(vitest, provided, options.mark ?? (DOKIMA_MARK || undefined)),
        );
    },
  };
};
