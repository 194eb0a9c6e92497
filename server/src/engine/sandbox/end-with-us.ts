import { type ChildProcess, spawn } from 'node:child_process';

/** Reads the ids of processes that start (+) and end (-), and kills those that are left when nobody is there to write more. */
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
  // Without a shell there is no guard, and all works but this.
  started.once('error', isGone);
  started.once('exit', isGone);
  started.stdin!.on('error', () => {});
  started.unref();
  (started.stdin as unknown as { unref(): void }).unref();
  return started;
};

/**
 * Has a child killed when this process ends in whatever way. One that is killed itself cannot do that, and a child that runs a
 * loop without end does not hear its pipe close: it would keep a core busy for ever.
 */
export const endWithUs = (child: ChildProcess): void => {
  guard ??= startGuard();
  const { stdin } = guard;
  stdin!.write(`+ ${child.pid}\n`);
  child.once('exit', () => stdin!.write(`- ${child.pid}\n`));
};
