import { readConfig } from '../config.ts';
import { setTenant, system } from '../platform/db/database.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';
import { openSource } from './open.ts';
import { runProgram } from './program.ts';

const lineOf = ({ name, ok, said, next }: Finding): string =>
  `${ok ? 'ok ' : 'NO '} ${name}: ${said}${next ? `\n     ${next}` : ''}\n`;

/** Reports the answer of the running service at its address. */
const service = async (port: number): Promise<Finding> => {
  const url = `http://127.0.0.1:${port}/readyz`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  if (!answer)
    return {
      name: 'service',
      ok: true,
      said: `nothing answers at ${url}: it is stopped, or listens elsewhere`,
    };
  const body = await answer.text();
  if (answer.ok) return { name: 'service', ok: true, said: `${url} answers ${body}` };
  return {
    name: 'service',
    ok: false,
    said: `${url} answers ${answer.status}`,
    next: `Its log says why. ${body}`,
  };
};

runProgram(async () => {
  const config = readConfig(process.env);
  process.stdout.write(lineOf(await service(config.PORT)));
  const database = await openSource(config);
  try {
    // This program has one connection, so the setting holds for all that follows.
    await database.sql.unsafe(setTenant(system).replace('set local', 'set'));
    const findings = await examine(config, database);
    for (const finding of findings) process.stdout.write(lineOf(finding));
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
  } finally {
    await database.close();
  }
});
