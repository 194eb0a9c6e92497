import { requireBytes } from '../../../../client/src/tables/bounds.ts';
import type { Encoding } from '../../../../client/src/tables/encoding.ts';
import { withParts } from '../../../../client/src/tables/meaning.ts';
import {
  readFile,
  readText,
  type TableFile,
  UnknownEncoding,
} from '../../../../client/src/tables/read-file.ts';
import type { Table } from '../../../../client/src/tables/table.ts';

/** What the user chose after a first look at the file. */
export type Chosen = { encoding?: Encoding; sheet?: string };

/** The rows of a file or of pasted text, with what the user may choose otherwise. */
export type Found = Table & {
  /** The encoding in which a file that is not Unicode was read. */
  guessed?: Encoding;
  sheets: string[];
  sheet?: string;
};

const found = ({ table, sheets = [], sheet }: TableFile): Found => ({
  ...withParts(table),
  sheets,
  ...(sheet !== undefined && { sheet }),
});

/** Reads a file or pasted text. A file that is not Unicode is read in the encoding of Excel on Windows, and the user is asked. */
export const readSource = async (source: File | string, { encoding, sheet }: Chosen): Promise<Found> => {
  if (typeof source === 'string') return found(await readText('', source.trim()));
  requireBytes(source.size);
  const bytes = new Uint8Array(await source.arrayBuffer());
  try {
    const read = found(await readFile(source.name, bytes, { encoding, sheet }));
    return encoding ? { ...read, guessed: encoding } : read;
  } catch (error) {
    if (!(error instanceof UnknownEncoding)) throw error;
    const guessed = 'windows-1252';
    return { ...found(await readFile(source.name, bytes, { encoding: guessed, sheet })), guessed };
  }
};
