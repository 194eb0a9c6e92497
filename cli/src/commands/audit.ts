import type { AuditVerification } from '../../../client/src/main.ts';
import { type Command, nothingIsLeft, takeArguments } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';

const meaning: Record<AuditVerification['breaks'][number]['kind'], string> = {
  changed: 'the entry is not what was logged',
  missing: 'entries before it were removed',
  cut: 'entries after it were removed',
  replaced: 'the chain was written again: the entry has another hash',
};

const textOf = ({ intact, chained, unchained, place, hash, breaks }: AuditVerification): string => {
  const open =
    unchained > 0 ? ` ${countOf(unchained, 'entry', 'entries')} of the last seconds are not in it yet.` : '';
  if (intact)
    return [
      `The chain is intact: ${countOf(chained, 'entry', 'entries')}.${open}`,
      ...(place > 0 ? [`Note its end, for a later check: --noted ${place}:${hash}`] : []),
    ].join('\n');
  const lines = breaks.map(({ place, id, createdAt, kind }) => {
    const entry = [id, createdAt].filter((part) => part !== null).join(', ');
    return `place ${place}${entry && ` (${entry})`}: ${kind}, ${meaning[kind]}`;
  });
  return [`The chain is broken. It has ${countOf(chained, 'entry', 'entries')}.${open}`, ...lines].join('\n');
};

const readNoted = (text: string | undefined) => {
  if (text === undefined) return {};
  const [, place, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (place === undefined || hash === undefined)
    throw new CliError('--noted must be PLACE:HASH, as an earlier dokima audit verify printed it.');
  return { place: Number(place), hash };
};

export const auditVerify: Command = {
  name: 'audit verify',
  waits: nothingIsLeft,
  summary: 'Check that no entry of the audit log was changed or removed, and say where the chain breaks.',
  about: `Only for admins. Exit code: 0 the chain is intact; 1 it is broken. A person who can write to the database can write a whole
new chain: note the end that this command prints in another place, and give it to the next check.`,
  options: {
    noted: {
      type: 'string',
      value: 'PLACE:HASH',
      about: 'The end of the chain that an earlier check printed.',
    },
  },
  examples: ['dokima audit verify'],
  run: async ({ out, client: open }, args, values) => {
    takeArguments('audit verify', args);
    const client = await open();
    const found = await client.verifyAuditEvents(readNoted(values.text('noted')));
    out.result(textOf(found), found);
    return found.intact ? exit.pass : exit.worse;
  },
};
