import type { Locator, Page } from 'playwright-core';

/** Returns the text of a page below one heading. */
export const sectionOf = (markdown: string, heading: string): string => {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`The page has no heading '${heading}'.`);
  return section;
};

/** Returns what a text has in bold: the words that a reader presses, in order. */
const boldIn = (text: string): string[] => [...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, words]) => words!);

const roles = ['link', 'button', 'menuitem', 'radio', 'heading'] as const;

/**
 * What a reader takes for these words: a control, or a heading, with this name. A description, a number or a key may follow it,
 * as in "Exact match Whether the output is …". In an open dialog only what is in it.
 */
export const named = (page: Page, words: string): Locator => {
  const name = new RegExp(`^${words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}( [A-Z0-9].*| [a-z])?$`);
  const [one, ...others] = roles.map((role) => page.getByRole(role, { name }));
  const any = others.reduce((all, other) => all.or(other), one!);
  const dialog = page.getByRole('dialog');
  return page.locator('body').filter({ hasNot: dialog }).or(dialog).locator(any).first();
};

/**
 * Does what a section says, literally: it presses the words in bold one after the other. `instead` has what a sentence asks for
 * in other words, such as what to fill in, by the words in bold that it belongs to.
 */
export const follow = async (
  page: Page,
  section: string,
  instead: Record<string, (press: () => Promise<void>) => Promise<unknown>> = {},
): Promise<void> => {
  const words = boldIn(section);
  const unknown = Object.keys(instead).filter((each) => !words.includes(each));
  if (unknown.length > 0) throw new Error(`The section does not say ${unknown.join(', ')}.`);
  for (const each of words) {
    const press = () => named(page, each).click();
    await (instead[each] ?? ((usual) => usual()))(press);
  }
};
