/**
 * Checks the headers of Arrow before they are read. They are flatbuffers: one changed byte in the length of a list makes a reader build
 * billions of elements. The numbers of slots are those of Arrow's Message.fbs, Schema.fbs and File.fbs.
 */
import { maxCells } from './bounds.ts';

/** Returns the place of a field by its slot, undefined if the table lacks it. */
type Table = (slot: number) => number | undefined;

/** Reads a table of a flatbuffer. A place outside of the bytes is a RangeError of the view. */
const tableAt = (view: DataView, at: number): Table => {
  const start = at + view.getInt32(at, true);
  const slots = start - view.getInt32(start, true);
  const size = view.getInt16(slots, true);
  return (slot) => {
    const offset = slot < size ? view.getInt16(slots + slot, true) : 0;
    return offset === 0 ? undefined : start + offset;
  };
};

/** Returns the places of a vector's elements. Throws if they do not fit into the bytes. */
const elementsAt = (view: DataView, at: number | undefined, bytes: number): number[] => {
  if (at === undefined) return [];
  const start = at + view.getInt32(at, true);
  const length = view.getInt32(start, true);
  if (length < 0 || start + 4 + length * bytes > view.byteLength)
    throw new RangeError('a list in its header is longer than the file');
  return Array.from({ length }, (_, i) => start + 4 + i * bytes);
};

const union = 14;

const checkFields = (view: DataView, at: number | undefined): void => {
  for (const place of elementsAt(view, at, 4)) {
    const field = tableAt(view, place);
    const kind = field(8);
    const type = field(10);
    if (kind !== undefined && type !== undefined && view.getUint8(kind) === union)
      elementsAt(view, tableAt(view, type)(6), 4);
    elementsAt(view, field(16), 4);
    checkFields(view, field(14));
  }
};

const checkSchema = (view: DataView, at: number): void => {
  const schema = tableAt(view, at);
  checkFields(view, schema(6));
  elementsAt(view, schema(8), 4);
};

const checkBatch = (view: DataView, at: number): void => {
  const batch = tableAt(view, at);
  for (const node of elementsAt(view, batch(6), 16))
    if (view.getBigInt64(node, true) > maxCells) throw new RangeError('it names more than 10 million values');
  elementsAt(view, batch(8), 16);
  elementsAt(view, batch(12), 8);
};

/** The kinds of headers, by their number in a message. */
const headers: Record<number, (view: DataView, at: number) => void> = {
  1: checkSchema,
  2: (view, at) => {
    const data = tableAt(view, at)(6);
    if (data !== undefined) checkBatch(view, data);
  },
  3: checkBatch,
};

/** Checks the message at a place. Returns the place after it, undefined at the end. */
const checkMessage = (bytes: Uint8Array, start: number): number | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (start + 8 > bytes.length) return undefined;
  // Newer messages begin with a mark.
  const isMarked = view.getInt32(start, true) === -1;
  const head = start + (isMarked ? 8 : 4);
  const length = view.getInt32(head - 4, true);
  if (length <= 0) return undefined;
  const part = new DataView(bytes.buffer, bytes.byteOffset + head, length);
  const message = tableAt(part, 0);
  const [kind, at, body] = [message(6), message(8), message(10)];
  if (kind !== undefined && at !== undefined) headers[part.getUint8(kind)]?.(part, at);
  const bodyLength = body === undefined ? 0 : Number(part.getBigInt64(body, true));
  if (bodyLength < 0) throw new RangeError('a part of it has a negative length');
  return head + length + bodyLength;
};

const magic = 'ARROW1';

/** Throws a RangeError for headers of Arrow, as a file or as a stream, that name more than the file holds. */
export const checkHeaders = (bytes: Uint8Array): void => {
  const isFile = String.fromCharCode(...bytes.subarray(0, magic.length)) === magic;
  if (!isFile) {
    for (let at: number | undefined = 0; at !== undefined; ) at = checkMessage(bytes, at);
    return;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - magic.length - 4;
  const footerAt = end - view.getInt32(end, true);
  const footer = tableAt(view, footerAt);
  const schema = footer(6);
  if (schema !== undefined) checkSchema(view, schema);
  for (const slot of [8, 10])
    for (const block of elementsAt(view, footer(slot), 24))
      checkMessage(bytes, Number(view.getBigInt64(block, true)));
};
