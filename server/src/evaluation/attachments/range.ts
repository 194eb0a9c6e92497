import { ApiError } from '../../platform/errors.ts';

/** The first and the last byte that are asked for, counted from 0. */
export type ByteRange = { start: number; end: number };

/**
 * The one range that a Range header asks for (RFC 9110, section 14), within a file of that size. Undefined where the whole is to be
 * sent: without a header, for several ranges, for another unit or form. RANGE_NOT_SATISFIABLE where nothing of it is there.
 */
export const byteRangeOf = (header: string | undefined, sizeBytes: number): ByteRange | undefined => {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (start < sizeBytes) return { start, end };
  const message = `The file has ${sizeBytes} bytes; none of them was asked for.`;
  throw new ApiError('RANGE_NOT_SATISFIABLE', message, { details: { sizeBytes } });
};
