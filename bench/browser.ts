import chromium from '@sparticuz/chromium';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';

/** Starts Chromium as the page tests do. */
export const launch = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--headless=shell'],
  });

/**
 * Opens an address and returns the seconds until an element that matches `selector` is laid out. The page itself checks at each
 * frame. A locator checks 0.27, 0.77 and 1.27 s after its first check, so its result would be too coarse.
 */
export const secondsToOpen = async (page: Page, address: string, selector: string): Promise<number> => {
  const start = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  // Text, because it runs in the page, whose types differ from those of this program.
  await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      if (document.querySelector(${JSON.stringify(selector)})?.getClientRects().length > 0) resolve();
      else requestAnimationFrame(look);
    };
    look();
  })`);
  return (performance.now() - start) / 1_000;
};
