/** `3 records`, `one record`. */
export const countInWords = (n: number, noun: string): string => (n === 1 ? `one ${noun}` : `${n} ${noun}s`);
