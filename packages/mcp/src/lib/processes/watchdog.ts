// A small shell that outlives the server by a moment: when the server is gone without a word, it ends what the server's
// commands left running. It sleeps in a read of a pipe that only the server holds, so it costs nothing and cannot stay behind.
import { spawn } from 'node:child_process';
import { MARK_VARIABLE } from './scan.ts';

/** $1 folder to remove, $2 limit prefix; the environment mark comes by the pipe, so that it is in no argument ps would show. */
const SCRIPT = `
trap '' HUP INT QUIT TERM
read -r mark || exit 0
read -r word && exit 0
found() {
  if [ -d /proc/self ]; then
    {
      [ -n "$2" ] && grep -lsE "^Max file locks +[a-z0-9]+ +$2[0-9]{6} " /proc/[0-9]*/limits
      printf '%s' "^$mark" | grep -lszf - /proc/[0-9]*/environ
    } | cut -d / -f 3 | sort -u
  else
    ps -axEww -o pid=,command= | while read -r pid line; do
      case $line in *"$mark"*) echo "$pid" ;; esac
    done
  fi
}
round=0
while [ $round -lt 120 ]; do
  pids=$(found "$@")
  [ -z "$pids" ] && break
  kill -9 $pids 2>/dev/null
  round=$((round + 1))
  [ $round -gt 20 ] && sleep 0.05
done
rm -rf -- "$1"
`;

/** A running watchdog. */
export interface Watchdog {
  readonly pid: number | undefined;
  /** lets it go: everything is tidy */
  dismiss(): void;
}

/** Starts one. `folder` is removed when it has to act. Without a shell there is none, and nothing fails. */
export function startWatchdog(folder: string, envPrefix: string, limitPrefix: string): Watchdog {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'hanzo-mcp-watchdog', folder, limitPrefix], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    // Its own environment must not carry the mark; the one this server may run under belongs to it.
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/bin:/bin`, [MARK_VARIABLE]: process.env[MARK_VARIABLE] },
  });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.stdin.write(`${envPrefix}\n`);
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return {
    pid: child.pid,
    dismiss: () => {
      child.stdin.end('done\n');
    },
  };
}
