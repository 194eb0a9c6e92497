import type { BrowserContext, Page } from 'playwright-core';

type Size = { rows: number; rowHeight: number; drawn: number; width: number; height: number };

/** Text, because it runs in the page. Each scroll moves the rows to the visible part and gives each one line of text. */
const script = ({ rowHeight, drawn }: Size): string => `
  const grid = document.querySelector('[role=grid]');
  const body = grid.firstElementChild;
  const rows = Array.from({ length: ${drawn} }, () => body.appendChild(document.createElement('div')));
  const draw = () => {
    const first = Math.floor(grid.scrollTop / ${rowHeight});
    rows.forEach((row, i) => {
      row.style.top = (first + i) * ${rowHeight} + 'px';
      row.textContent = 'Record ' + (first + i) + ' of a table that sends no request and draws one line a row';
    });
  };
  grid.addEventListener('scroll', draw, { passive: true });
  draw();`;

/**
 * Opens a page with a table of the same size and number of rows as the measured one, but with plain rows: no library, no request,
 * one cell. If its frames take longer than 17 ms, the machine is the cause.
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
