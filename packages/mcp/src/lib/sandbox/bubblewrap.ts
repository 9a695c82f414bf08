// What bubblewrap is told for one command: everything to read, the roots to write, keys and the ways around hidden.
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Access } from '../access.ts';

/**
 * Sockets and folders of sockets of services that would do for a command what it may not do itself: start containers, units or
 * other users' programs, type into terminals and windows.
 */
const HELPERS: readonly string[] = [
  '/run/containerd',
  '/run/crio',
  '/run/dbus',
  '/run/docker.sock',
  '/run/libvirt',
  '/run/lxd.socket',
  '/run/podman',
  '/run/screen',
  '/run/snapd.socket',
  '/run/systemd/private',
  '/run/user',
  '/var/lib/incus/unix.socket',
  '/var/lib/lxd/unix.socket',
];
/** The same in the folder for temporary files. */
const TEMPORARY_HELPERS = /^(tmux-\d+|\.X11-unix|\.ICE-unix|emacs\d+|vscode-.*\.sock)$/;

/** What a command of root keeps no use for and could leave the sandbox with (capabilities(7)). */
const CAPABILITIES: readonly string[] = [
  'CAP_SYS_ADMIN',
  'CAP_SYS_BOOT',
  'CAP_SYS_CHROOT',
  'CAP_SYS_MODULE',
  'CAP_SYS_PTRACE',
  'CAP_SYS_RAWIO',
  'CAP_SYS_TIME',
  'CAP_DAC_READ_SEARCH',
  'CAP_MAC_ADMIN',
  'CAP_MAC_OVERRIDE',
  'CAP_MKNOD',
  'CAP_NET_ADMIN',
  'CAP_SYSLOG',
];

export interface View {
  readonly cwd: string;
  readonly access: Access;
  readonly network: boolean;
}

/** The options of bwrap(1) for a command. Later mounts lie over earlier ones. */
export function options({ cwd, access, network }: View): string[] {
  const temporary = access.temporary();
  const writable = access.level === 'read-only' ? temporary : access.roots();
  const agent = process.env['SSH_AUTH_SOCK'] ?? '';
  const args = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
  const helpers = network ? HELPERS : ['/run', ...HELPERS.filter((each) => !each.startsWith('/run/'))];
  for (const each of helpers) args.push(...hide(each));
  for (const each of [...writable].sort((a, b) => a.length - b.length)) {
    if (existsSync(each)) args.push('--bind', each, each);
  }
  for (const folder of temporary) {
    const found = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of found.filter((each) => TEMPORARY_HELPERS.test(each)))
      args.push(...hide(path.join(folder, name)));
  }
  // With a network the agent stays, for git: it signs, and gives no key away.
  if (agent !== '' && existsSync(agent)) {
    if (!network) args.push(...hide(agent));
    else if (agent.startsWith('/run/user/')) args.push('--ro-bind', agent, agent);
  }
  for (const secret of access.secrets()) {
    args.push(...hide(secret.path));
    for (const file of secret.readable) if (isPlainFile(file)) args.push('--ro-bind', file, file);
  }
  args.push('--unshare-pid', '--unshare-ipc', '--die-with-parent');
  if (!network) args.push('--unshare-net');
  if (process.getuid?.() === 0) for (const each of CAPABILITIES) args.push('--cap-drop', each);
  return [...args, '--chdir', cwd];
}

/** An empty folder in place of a folder; in place of anything else a device that nobody may open there. */
function hide(place: string): string[] {
  let real: string;
  try {
    real = realpathSync(place);
  } catch {
    return [];
  }
  return lstatSync(real).isDirectory() ? ['--perms', '0500', '--tmpfs', real] : ['--ro-bind', '/dev/null', real];
}

function isPlainFile(file: string): boolean {
  try {
    return lstatSync(file).isFile();
  } catch {
    return false;
  }
}
