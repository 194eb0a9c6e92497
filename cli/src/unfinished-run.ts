import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateDirectory } from './config.ts';

/**
 * Remembers the run that a command line has started, until it is finished, so that `--continue` finds it after a crash. There is
 * one small file for each command line. Without the file, `--resume` still works with the run's id.
 */
export const unfinishedRun = (environment: NodeJS.ProcessEnv, commandLine: unknown) => {
  const name = createHash('sha256').update(JSON.stringify(commandLine)).digest('hex').slice(0, 16);
  const directory = join(stateDirectory(environment), 'runs');
  const path = join(directory, name);
  return {
    find: (): string | undefined => {
      try {
        return readFileSync(path, 'utf8').trim() || undefined;
      } catch {
        return undefined;
      }
    },
    // Synchronous, because the next call of the system may crash the process.
    remember: (runId: string): void => {
      try {
        mkdirSync(directory, { recursive: true });
        writeFileSync(path, runId);
      } catch {
        // Without a state directory, --resume still works with the run's id.
      }
    },
    forget: (): void => rmSync(path, { force: true }),
  };
};
