import { dokima } from './dokima.ts';
import { exit } from './errors.ts';

const interrupted = new AbortController();
// The first Ctrl-C ends the work cleanly, the second one ends the process at once.
process.once('SIGINT', () => {
  process.once('SIGINT', () => process.exit(130));
  interrupted.abort(new Error('Interrupted.'));
});
// A reader that stops early, as `head` does, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

// A library that reads several parts at once reports the first that is damaged. The others are rejections that no one awaits.
process.on('unhandledRejection', (error) => {
  process.stderr.write(`dokima: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode ??= exit.broken;
});

const code = await dokima(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  directory: process.cwd(),
  signal: interrupted.signal,
});
// A verdict beside such an error stays, but it is no pass.
process.exitCode = code === exit.pass ? (process.exitCode ?? code) : code;
