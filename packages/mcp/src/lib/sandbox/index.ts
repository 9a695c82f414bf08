// Confines commands to what the server may touch: by bubblewrap, or by sandbox-runtime where a list of domains is wanted.
import { spawnSync } from 'node:child_process';
import { ToolError } from '@hanzo/tool';
import type { SandboxMode } from '../../config.ts';
import type { Access } from '../access.ts';
import { findProgram } from '../program.ts';
import { options } from './bubblewrap.ts';

/** From the argv of a command to the one that runs it confined. */
export type Wrap = (argv: readonly string[]) => readonly string[] | Promise<readonly string[]>;

/** How one command runs. */
export interface Confined {
  /** what confines it; `none` where the machine has nothing that works */
  readonly name: 'bubblewrap' | 'sandbox-runtime' | 'none';
  /** why there is none; said once */
  readonly note?: string;
  /** puts the command's argv into the sandbox */
  readonly wrap?: Wrap;
}

export interface Sandbox {
  /** The way to run a command in `cwd` right now. PERMISSION_DENIED where `strict` cannot be had. */
  confine(cwd: string): Promise<Confined>;
}

/** The way of sandbox-runtime; see `runtime.ts`. */
export type Runtime = (view: { readonly cwd: string; readonly access: Access }) => Wrap;

export interface SandboxOptions {
  readonly mode: Exclude<SandboxMode, 'off'>;
  readonly access: Access;
  /** confines to a list of domains, in place of bubblewrap alone */
  readonly runtime?: Runtime;
  /** test seam: where bubblewrap is looked for; default the PATH */
  readonly search?: string;
}

/** Makes a sandbox. Whether the machine can do it is found out with the first command. */
export function createSandbox({ mode, access, runtime, search }: SandboxOptions): Sandbox {
  let bubblewrap: { readonly program: string } | { readonly why: string } | undefined;
  let told = false;
  return {
    async confine(cwd) {
      if (runtime) return { name: 'sandbox-runtime', wrap: runtime({ cwd, access }) };
      const view = { cwd, access, network: mode === 'on' };
      bubblewrap ??= tryBubblewrap(options(view), search);
      if ('program' in bubblewrap) {
        const head = [bubblewrap.program, ...options(view), '--'];
        return { name: 'bubblewrap', wrap: (argv) => [...head, ...argv] };
      }
      const { why } = bubblewrap;
      if (mode === 'strict') {
        const message = `nothing was run: --sandbox=strict, and ${why}; --sandbox=on would run commands unconfined`;
        throw new ToolError('PERMISSION_DENIED', message, { sandbox: 'none' });
      }
      const note = told ? undefined : `commands run unconfined: ${why}`;
      told = true;
      return { name: 'none', ...(note === undefined ? {} : { note }) };
    },
  };
}

/** Runs bubblewrap once with the options of a command: missing programs and forbidden namespaces show at once. */
function tryBubblewrap(
  args: readonly string[],
  search: string | undefined,
): { readonly program: string } | { readonly why: string } {
  if (process.platform !== 'linux') return { why: `bubblewrap exists on Linux only, and this is ${process.platform}` };
  const program = findProgram('bwrap', search);
  if (program === undefined) return { why: 'bubblewrap is not installed (apt-get install bubblewrap)' };
  const tried = spawnSync(program, [...args, '--', '/bin/sh', '-c', ':'], { stdio: ['ignore', 'ignore', 'pipe'] });
  if (tried.status === 0) return { program };
  const said = tried.stderr?.toString().trim().split('\n')[0] ?? '';
  return { why: `bubblewrap does not work here (${said.slice(0, 200) || `exit code ${tried.status}`})` };
}
