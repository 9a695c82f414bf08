// A PID namespace for a command, by bubblewrap: when its first process ends, the kernel ends all the others.
import { spawnSync } from 'node:child_process';
import { findProgram } from '../program.ts';

const OPTIONS = [
  '--bind',
  '/',
  '/',
  '--dev-bind',
  '/dev',
  '/dev',
  '--proc',
  '/proc',
  '--unshare-pid',
  '--die-with-parent',
];

/** What puts an argv into a namespace of its own; undefined where bubblewrap is missing or may not do that. */
export function pidNamespace(): ((argv: readonly string[]) => readonly string[]) | undefined {
  const bwrap = findProgram('bwrap');
  if (bwrap === undefined) return undefined;
  if (spawnSync(bwrap, [...OPTIONS, '--', '/bin/sh', '-c', ':'], { stdio: 'ignore' }).status !== 0) return undefined;
  return (argv) => [bwrap, ...OPTIONS, '--', ...argv];
}
