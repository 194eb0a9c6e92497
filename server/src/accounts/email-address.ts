/**
 * Whether a lower-case character is that of another one too: the Kelvin sign becomes k, and İ becomes i. Addresses are compared in lower
 * case, so that such a character would make one person's address another's (Unicode Technical Standard 39).
 */
const isAmbiguous = (character: string): boolean => {
  const lower = character.toLowerCase();
  return lower !== character && lower.toUpperCase() !== character;
};

/** Whether the text is an e-mail address that no folding makes another person's: of letters that stay the same under NFKC. */
export const isEmailAddress = (text: string): boolean =>
  /^[^@\s\0]+@[^@\s\0]+$/.test(text) &&
  text.isWellFormed() &&
  text.normalize('NFKC') === text.normalize('NFC') &&
  ![...text].some(isAmbiguous);
