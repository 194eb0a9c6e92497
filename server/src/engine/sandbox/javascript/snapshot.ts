export const pageSize = 65_536;

/** Unit of the kept memory. It is small, because a copy is restored for every record, and half a page too much would be a third of it. */
const grain = 4_096;
/** Size of the static data that is still zero, after the initialized part: QuickJS has 3 KB of it. */
const emptyStatics = 4 * grain;
const zeros = Buffer.alloc(pageSize);

/**
 * Copies a WebAssembly memory, to be restored later. Only memory in use is kept: QuickJS has its static data at the bottom, then 5 MB of
 * stack, which is empty between calls, then the heap. malloc has a header behind the last live block of the heap, so zeros that are in use
 * do not end the memory.
 */
export const snapshotOf = (memory: WebAssembly.Memory) => {
  const bytes = Buffer.from(memory.buffer);
  const isZero = (from: number, to: number) => bytes.subarray(from, to).equals(zeros.subarray(0, to - from));
  const isZeroAt = (at: number) => isZero(at, at + grain);

  let statics = 0;
  while (!isZeroAt(statics)) statics += grain;
  statics += emptyStatics;
  let heap = statics;
  while (isZeroAt(heap)) heap += grain;
  let top = bytes.length;
  while (isZeroAt(top - grain)) top -= grain;
  const kept = [
    { at: 0, content: Buffer.from(bytes.subarray(0, statics)) },
    { at: heap, content: Buffer.from(bytes.subarray(heap, top)) },
  ];
  const zero = (from: number, to: number) => {
    for (let at = from; at < to; at += pageSize) {
      const end = Math.min(at + pageSize, to);
      if (!isZero(at, end)) bytes.fill(0, at, end);
    }
  };
  const restore = () => {
    for (const { at, content } of kept) bytes.set(content, at);
  };

  return {
    bytesKept: statics + top - heap,
    /** All memory in use is as it was. */
    restore,
    /** Every byte is as it was: unused bytes of the stack and above the heap are wiped as well. */
    wipe: () => {
      zero(statics, heap);
      zero(top, bytes.length);
      restore();
    },
  };
};
