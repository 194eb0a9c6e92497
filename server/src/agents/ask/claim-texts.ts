/**
 * Reads the JSON of a model's turn while it is written, and passes on the words of its claims: what stands in its fields `text`. A line
 * break comes before each claim but the first. Text inside another string, such as in `arguments`, is no field.
 */
export const claimTexts = (onText: (delta: string) => void): ((delta: string) => void) => {
  let isInString = false;
  let isValue = false;
  let isClaim = false;
  let numClaims = 0;
  let begun = '';
  let last = '';
  let passed = '';

  const take = (char: string): void => {
    // In one claim, a line break would look like the next one.
    if (isClaim) passed += char === '\n' ? ' ' : char;
    else if (!isValue) last += char;
  };
  const goOn = (char: string): void => {
    begun += char;
    if (begun.startsWith('\\u') && begun.length < 6) return;
    try {
      take(JSON.parse(`"${begun}"`));
    } catch {
      // The whole reply is read strictly at its end.
    }
    begun = '';
  };
  const open = (): void => {
    isInString = true;
    isClaim = isValue && last === 'text';
    if (isClaim && numClaims++ > 0) passed += '\n';
    if (!isValue) last = '';
  };
  const close = (): void => {
    isInString = false;
    isClaim = false;
    isValue = false;
  };
  const read = (char: string): void => {
    if (begun !== '') goOn(char);
    else if (!isInString && char === '"') open();
    else if (!isInString) isValue = char === ':' || (isValue && /\s/.test(char));
    else if (char === '\\') begun = char;
    else if (char === '"') close();
    else take(char);
  };
  return (delta) => {
    for (const char of delta) read(char);
    if (passed !== '') onText(passed);
    passed = '';
  };
};
