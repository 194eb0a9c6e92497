import type { BrowserContext, Page } from 'playwright-core';

type Size = { rows: number; rowHeight: number; drawn: number; width: number; height: number };

/** In text: it runs in the page. On each scroll the rows are moved to where they are seen, and each gets one line of text. */
const script = ({ rowHeight, drawn }: Size): string => `
  const grid = document.querySelector('[role=grid]');
  const body = grid.firstElementChild;
  const rows = Array.from({ length: ${drawn} }, () => body.appendChild(document.createElement('div')));
  const draw = () => {
    const first = Math.floor(grid.scrollTop / ${rowHeight});
    rows.forEach((row, i) => {
      row.style.top = (first + i) * ${rowHeight} + 'px';
      row.textContent = 'Record ' + (first + i) + ' of a table that asks nobody and draws one line a row';
    });
  };
  grid.addEventListener('scroll', draw, { passive: true });
  draw();`;

/**
 * A page with a table as large as another one, of as many plain rows: no library, no request, one cell. What its frames take
 * longer than 17 ms is the machine's, whatever table is scrolled.
 */
export const openBareTable = async (context: BrowserContext, size: Size): Promise<Page> => {
  const page = await context.newPage();
  await page.setContent(`<!doctype html>
    <style>
      [role=grid] { width: ${size.width}px; height: ${size.height}px; overflow: auto; background: white; }
      [role=grid] > div { position: relative; height: ${size.rows * size.rowHeight}px; }
      [role=grid] > div > div { position: absolute; left: 0; right: 0; height: ${size.rowHeight}px; contain: strict; }
    </style>
    <div role="grid"><div></div></div>`);
  await page.evaluate(script(size));
  return page;
};
