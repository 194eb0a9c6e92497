import chromium from '@sparticuz/chromium';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';

/** Chromium as the tests of the pages run it. */
export const launch = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--headless=shell'],
  });

/**
 * Opens an address and returns the seconds until an element that `selector` finds is laid out. The page itself looks, at
 * each frame: a locator looks 0.27, 0.77 and 1.27 s after its first look, which would make 0.3 s out of nothing or half a second.
 */
export const secondsToOpen = async (page: Page, address: string, selector: string): Promise<number> => {
  const start = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  // In text: it runs in the page, whose types are not those of this program.
  await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      if (document.querySelector(${JSON.stringify(selector)})?.getClientRects().length > 0) resolve();
      else requestAnimationFrame(look);
    };
    look();
  })`);
  return (performance.now() - start) / 1_000;
};
