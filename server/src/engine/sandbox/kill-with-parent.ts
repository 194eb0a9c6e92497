import { type ChildProcess, spawn } from 'node:child_process';

/** Reads the ids of processes that start (+) and end (-), and kills those that are left when its input ends. */
const script = `trap '' INT TERM HUP
pids=' '
while read -r sign pid; do
  case $sign in
    +) pids="$pids$pid ";;
    -) pids="\${pids%% $pid *} \${pids#* $pid }";;
  esac
done
for pid in $pids; do kill -9 "$pid"; done 2>/dev/null`;

let guard: ChildProcess | undefined;

const startGuard = (): ChildProcess => {
  const started = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], env: {} });
  const isGone = () => {
    if (guard === started) guard = undefined;
  };
  // Without a shell there is no guard, and everything else works.
  started.once('error', isGone);
  started.once('exit', isGone);
  started.stdin!.on('error', () => {});
  started.unref();
  (started.stdin as unknown as { unref(): void }).unref();
  return started;
};

/**
 * Has a child killed when this process ends, however it ends. The killed process cannot do that itself, and a child in an endless loop does
 * not notice that its pipe closes: it would keep a core busy.
 */
export const killWithParent = (child: ChildProcess): void => {
  guard ??= startGuard();
  const { stdin } = guard;
  stdin!.write(`+ ${child.pid}\n`);
  child.once('exit', () => stdin!.write(`- ${child.pid}\n`));
};
