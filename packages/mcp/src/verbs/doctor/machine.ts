// What this machine offers the server: programs, folders, limits. Nothing is changed here.
import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, readFile, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Check, type DoctorOptions, fail, ok, warn } from './check.ts';

/** Node as `engines` asks for it. */
export function checkNode({ nodeVersion, nodePath }: DoctorOptions): Check {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const found = `${nodeVersion} (${nodePath})`;
  if (major > 22 || (major === 22 && minor >= 19)) return ok('node', found);
  return fail(
    'node',
    `${found} is older than 22.19`,
    'npm ci --ignore-scripts in the checkout brings a current one; start it with npx hanzo-mcp',
  );
}

interface Program {
  readonly name: string;
  /** its package, where that has another name */
  readonly package?: string;
  readonly missing: 'ok' | 'warn' | 'fail';
  /** what is lost without it */
  readonly without: string;
  readonly version: readonly string[];
  readonly mend?: string;
}

const PROGRAMS: readonly Program[] = [
  { name: 'git', missing: 'fail', without: 'the git tool does not work', version: ['--version'] },
  { name: 'bash', missing: 'warn', without: 'exec falls back to sh', version: ['--version'] },
  { name: 'jq', missing: 'ok', without: 'the built-in one is used', version: ['--version'] },
  { name: 'npx', package: 'npm', missing: 'warn', without: 'the npx tool does not work', version: ['--version'] },
  {
    name: 'uvx',
    package: 'uv',
    missing: 'warn',
    without: 'the uvx tool does not work',
    version: ['--version'],
    mend: 'python3 -m pip install uv',
  },
];

/** The programs tools call, each found on PATH and started once. */
export async function checkPrograms(options: DoctorOptions): Promise<Check[]> {
  return Promise.all(
    PROGRAMS.map(async (program) => {
      const file = await findProgram(program.name, options);
      if (file === undefined) {
        const found = `not installed; ${program.without}`;
        if (program.missing === 'ok') return ok(program.name, found);
        const mend = program.mend ?? installCommand(program.package ?? program.name, await manager(options), options);
        return program.missing === 'fail' ? fail(program.name, found, mend) : warn(program.name, found, mend);
      }
      const answer = await runProgram(file, program.version, options);
      if (answer.code !== 0) {
        return warn(program.name, `${file} does not start: ${answer.text}`, `${file} ${program.version.join(' ')}`);
      }
      const version = /\d+(?:\.\d+)+/.exec(answer.text)?.[0] ?? answer.text;
      if (program.name === 'git' && olderThan(version, 2, 24)) {
        return warn(
          'git',
          `${version} does not know --end-of-options`,
          installCommand('git', await manager(options), options),
        );
      }
      return ok(program.name, `${version} (${file})`);
    }),
  );
}

function olderThan(version: string, major: number, minor: number): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number);
  return a < major || (a === major && b < minor);
}

/** bubblewrap, where there is one: installed, and allowed to make namespaces. */
export async function checkSandbox(options: DoctorOptions): Promise<Check[]> {
  if (options.platform !== 'linux') return [];
  const file = await findProgram('bwrap', options);
  if (file === undefined) {
    const mend = installCommand('bubblewrap', await manager(options), options);
    return [warn('bubblewrap', 'not installed; commands run without a namespace of their own', mend)];
  }
  const answer = await runProgram(file, ['--ro-bind', '/', '/', '--unshare-pid', 'true'], options);
  if (answer.code === 0) return [ok('bubblewrap', `works (${file})`)];
  return [
    warn(
      'bubblewrap',
      `cannot make a namespace: ${answer.text}`,
      'sudo sysctl -w kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0, or allow user namespaces in the container',
    ),
  ];
}

/** The folders the server writes: its own, and the temporary one. */
export async function checkFolders({ dataDir, tempDir }: DoctorOptions): Promise<Check[]> {
  return [
    (await writable(dataDir))
      ? ok('data folder', dataDir)
      : fail(
          'data folder',
          `${dataDir} cannot be written`,
          `mkdir -p ${dataDir} && chmod u+rwx ${dataDir}, or set HANZO_CONFIG_HOME`,
        ),
    await checkTemporary(tempDir),
  ];
}

async function checkTemporary(folder: string): Promise<Check> {
  if (!(await writable(folder))) {
    return fail('temporary folder', `${folder} cannot be written`, 'set TMPDIR to a folder that can be');
  }
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / 1024 / 1024);
  if (free < 100)
    return warn('temporary folder', `${folder} has ${free} MB left`, `free space under ${folder}, or set TMPDIR`);
  return ok('temporary folder', folder);
}

/** True if something can be made in `folder`, or in the nearest folder above it when it is not there yet. */
async function writable(folder: string): Promise<boolean> {
  const there = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (there instanceof Error) {
    const parent = path.dirname(folder);
    return there.code === 'ENOENT' && parent !== folder && writable(parent);
  }
  try {
    await rm(await mkdtemp(path.join(folder, '.doctor-')), { recursive: true });
    return true;
  } catch {
    return false;
  }
}

const WATCHES = 65_536;
const INSTANCES = 128;

/** The limits of the kernel's file watching, which a large tree meets. */
export async function checkWatching({ platform, proc }: DoctorOptions): Promise<Check[]> {
  if (platform !== 'linux') return [];
  const limit = async (name: string): Promise<number> =>
    Number(await readFile(path.join(proc, 'sys/fs/inotify', name), 'utf8').catch(() => Number.NaN));
  const watches = await limit('max_user_watches');
  const instances = await limit('max_user_instances');
  if (Number.isNaN(watches) || Number.isNaN(instances)) return [];
  const found = `${watches} watches, ${instances} instances`;
  const raise = [
    ...(watches < WATCHES ? ['fs.inotify.max_user_watches=524288'] : []),
    ...(instances < INSTANCES ? ['fs.inotify.max_user_instances=512'] : []),
  ];
  return [
    raise.length === 0
      ? ok('file watching', found)
      : warn('file watching', `${found}: too few for a large tree`, `sudo sysctl -w ${raise.join(' ')}`),
  ];
}

/** The first file of that name on PATH that may be executed. */
export async function findProgram(
  name: string,
  options: Pick<DoctorOptions, 'env' | 'platform'>,
): Promise<string | undefined> {
  const windows = options.platform === 'win32';
  const folders = (options.env['PATH'] ?? options.env['Path'] ?? '').split(windows ? ';' : ':').filter(Boolean);
  const names = windows ? [`${name}.exe`, `${name}.cmd`, name] : [name];
  for (const folder of folders) {
    for (const each of names) {
      const file = path.join(folder, each);
      if (await executable(file)) return file;
    }
  }
  return undefined;
}

/** True if `file` is a file this user may execute. */
export async function executable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

function runProgram(
  file: string,
  args: readonly string[],
  options: DoctorOptions,
): Promise<{ code: number; text: string }> {
  const shell = options.platform === 'win32' && file.endsWith('.cmd');
  return new Promise((resolve) => {
    execFile(
      file,
      [...args],
      { timeout: options.timeoutMs, env: { ...options.env }, shell },
      (error, stdout, stderr) => {
        const text = (stdout.trim() || stderr.trim() || error?.message || '').split('\n')[0] ?? '';
        resolve({ code: error ? 1 : 0, text });
      },
    );
  });
}

const MANAGERS: readonly (readonly [program: string, command: string])[] = [
  ['apt-get', 'sudo apt-get install'],
  ['dnf', 'sudo dnf install'],
  ['pacman', 'sudo pacman -S'],
  ['apk', 'sudo apk add'],
  ['zypper', 'sudo zypper install'],
  ['brew', 'brew install'],
];

async function manager(options: DoctorOptions): Promise<string | undefined> {
  for (const [program, command] of MANAGERS) if (await findProgram(program, options)) return command;
  return undefined;
}

function installCommand(name: string, command: string | undefined, { platform }: DoctorOptions): string {
  if (command !== undefined) return `${command} ${name}`;
  if (platform === 'darwin') return `brew install ${name}`;
  return platform === 'win32' ? `winget install ${name}` : `install ${name} with the system's package manager`;
}
