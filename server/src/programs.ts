/** What this service is run as. All of it in one bundle (bundle.js), of which only what is asked for is evaluated. */
export const serve = () => import('./start.ts');
export const work = () => import('./work.ts');
