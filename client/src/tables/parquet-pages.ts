/**
 * Checks the headers of the pages of a Parquet file before they are read: a reader counts on the numbers in them, and does not end if one
 * is missing. They are structs in Thrift's compact protocol; the numbers of fields are those of parquet.thrift.
 */
import type { FileMetaData, SchemaTree } from 'hyparquet';
import { maxBytes, maxCells } from './bounds.ts';

type Struct = Map<number, unknown>;
type Place = { view: DataView; at: number };

const varint = (place: Place): number => {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = place.view.getUint8(place.at++);
    value += (byte & 127) * scale;
    if (byte < 128) return value;
  }
};

const zigzag = (place: Place): number => {
  const value = varint(place);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
};

const readList = (place: Place): undefined => {
  const byte = place.view.getUint8(place.at++);
  const size = byte >> 4 === 15 ? varint(place) : byte >> 4;
  if (size > place.view.byteLength) throw new RangeError('a list in its pages is longer than the file');
  for (let i = 0; i < size; i++) readValue(place, byte & 15, true);
};

const readValue = (place: Place, type: number, isElement = false): unknown => {
  if (type === 1 || type === 2) return isElement ? place.view.getUint8(place.at++) : type;
  if (type === 3) return place.view.getInt8(place.at++);
  if (type >= 4 && type <= 6) return zigzag(place);
  if (type === 7 || type === 8) {
    const length = type === 7 ? 8 : varint(place);
    place.at += length;
    return undefined;
  }
  if (type === 9 || type === 10) return readList(place);
  if (type === 12) return readStruct(place);
  throw new RangeError('a header of its pages has a field of an unknown type');
};

const readStruct = (place: Place): Struct => {
  const fields: Struct = new Map();
  for (let name = 0; ; ) {
    const byte = place.view.getUint8(place.at++);
    if ((byte & 15) === 0) return fields;
    name = byte >> 4 === 0 ? zigzag(place) : name + (byte >> 4);
    fields.set(name, readValue(place, byte & 15));
  }
};

const requireNumber = (struct: Struct, field: number, most: number): number => {
  const value = struct.get(field);
  if (typeof value === 'number' && value >= 0 && value <= most) return value;
  throw new RangeError('a number in the headers of its pages is missing or too large');
};

const dataPage = 0;
const dataPageV2 = 3;

/** Checks the header of a page. Returns the place of the next one. */
const checkPage = (view: DataView, at: number, end: number): number => {
  const place = { view, at };
  const header = readStruct(place);
  const type = requireNumber(header, 1, 3);
  requireNumber(header, 2, maxBytes);
  const bytes = requireNumber(header, 3, end - place.at);
  const partOf = (field: number): Struct => {
    const part = header.get(field);
    if (part instanceof Map) return part;
    throw new RangeError('a header of its pages is not complete');
  };
  if (type === dataPage) requireNumber(partOf(5), 1, maxCells);
  else if (type === dataPageV2) {
    const part = partOf(8);
    for (const field of [1, 2, 3]) requireNumber(part, field, maxCells);
    const levels = requireNumber(part, 5, bytes) + requireNumber(part, 6, bytes);
    if (levels > bytes) throw new RangeError('a page is shorter than its levels');
  }
  return place.at + bytes;
};

/** Throws a RangeError for columns that the schema lacks. A reader meets them when it reads others already, whose errors no one awaits. */
export const checkColumns = ({ row_groups: groups }: FileMetaData, schema: SchemaTree): void => {
  for (const { columns } of groups) {
    for (const { meta_data: column } of columns) {
      let place: SchemaTree | undefined = schema;
      for (const name of column?.path_in_schema ?? [])
        place = place?.children.find(({ element }) => element.name === name);
      if (!column || !place) throw new RangeError('a column is not in its schema');
    }
  }
};

/** Throws a RangeError for pages that reach outside of their column or lack what a reader needs. */
export const checkPages = (bytes: Uint8Array, { row_groups: groups }: FileMetaData): void => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { columns } of groups) {
    for (const { meta_data: column } of columns) {
      if (!column) continue;
      const first = Number(column.dictionary_page_offset ?? 0);
      const at = first > 0 ? first : Number(column.data_page_offset);
      const end = at + Number(column.total_compressed_size);
      if (!(at >= 0 && end >= at && end <= bytes.length))
        throw new RangeError('a column lies outside of the file');
      for (let page = at; page < end - 1; ) page = checkPage(view, page, end);
    }
  }
};
