type Maker = 'person' | 'client' | 'model' | 'code' | null | undefined;

/** Returns who gave a score: the member's name and, if no person made it, how it came. */
export const makerWords = (name: string, madeBy: Maker): string =>
  madeBy === 'model'
    ? `a model, by the key of ${name}`
    : madeBy === 'client'
      ? `${name}, by a key`
      : madeBy === 'code'
        ? `code, by the key of ${name}`
        : name;
