// What kind of place a path is: where writing is expected, where it does harm, and what nobody may take away.
import path from 'node:path';
import type { Machine } from '../types.ts';
import { within } from './place.ts';

export type Zone =
  /** `/`, the home, or a directory that holds it or a root: nothing of it may be deleted as a whole */
  | 'ancestor'
  /** a root itself */
  | 'root'
  /** under a root, but where a file changes what tools run: hooks, the repository's configuration, these rules */
  | 'control'
  | 'inside'
  /** the folder for temporary files itself, and what is under it */
  | 'temporary-root'
  | 'temporary'
  /** /dev/null, the terminal, standard streams */
  | 'stream'
  /** disks, partitions, kernel memory */
  | 'device'
  /** a network connection by name, as bash has it */
  | 'socket'
  /** private keys, credential files, password databases */
  | 'key'
  /** what runs at login, at boot or by the clock, and who may log in */
  | 'startup'
  /** what the system consists of */
  | 'system'
  /** a directory of the system at its top: /etc, /usr ... */
  | 'system-top'
  | 'elsewhere';

const STREAMS =
  /^\/dev\/(null|zero|full|random|urandom|tty|ptmx|console|std(in|out|err)|fd(\/\d+)?|pts\/\d+)$|^\/proc\/self\/fd\/\d+$/;
const DEVICES =
  /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|loop|dm-|md|disk|mapper|mem$|kmem$|port$|nbd|zd|sr|rdisk|bcache|ram)|^\/proc\/(sysrq-trigger|kcore|kmem)$|^\/sys\/firmware\//;
const SYSTEM_TOPS = [
  'bin',
  'boot',
  'dev',
  'etc',
  'lib',
  'lib32',
  'lib64',
  'opt',
  'proc',
  'root',
  'run',
  'sbin',
  'srv',
  'sys',
  'usr',
  'var',
  'home',
  'mnt',
  'media',
  'System',
  'Library',
  'Applications',
  'Users',
  'private',
  'Volumes',
  'nix',
  'snap',
];
/** Second levels that are as much the system as their tops. */
const SYSTEM_SECOND =
  /^\/(usr|var|private|etc)\/(bin|sbin|lib|lib64|share|local|include|libexec|log|db|cache|spool|mail|www|etc|var|ssh|ssl|systemd|pam\.d|init\.d)$/;
const STARTUP_HOME =
  /^(\.(bash_?(rc|_profile|_login|_logout|_aliases)|profile|zsh(rc|env)|z(profile|login|logout)|kshrc|cshrc|tcshrc|login|inputrc|xinitrc|xprofile|xsession|xsessionrc|pam_environment|vimrc|exrc|emacs|gdbinit|npmrc|yarnrc|gitconfig|forward|rhosts|shosts)|\.ssh\/(authorized_keys2?|config|rc|environment)|\.config\/(fish|autostart|systemd|environment\.d|git|nvim)(\/.*)?|\.(vim|emacs\.d|oh-my-zsh)(\/.*)?|Library\/LaunchAgents(\/.*)?|\.local\/bin(\/.*)?|\.hanzo\/verdict\.json|\.(claude|codex|gemini|cursor)(\/.*)?)$/;
const STARTUP_SYSTEM =
  /^\/(etc\/(cron[^/]*|at\.(allow|deny)|init\.d|rc[^/]*|systemd|profile(\.d)?|bash\.bashrc|environment|zsh|ld\.so\.[^/]*|inittab|anacrontab|xdg\/autostart|udev|modules[^/]*|NetworkManager\/dispatcher\.d|apt\/apt\.conf\.d|skel|pam\.[^/]*|security|ssh|hosts\.equiv|hosts|nsswitch\.conf|resolv\.conf|fstab|crontab|sudoers[^/]*|passwd|group|login\.defs|shells|doas\.conf|polkit-1)|var\/spool\/(cron|at)|usr\/lib\/systemd|lib\/systemd|usr\/local\/s?bin|boot|Library\/Launch[^/]*)(\/|$)/;
const KEYS_HOME =
  /^(\.ssh(\/.*)?|\.aws\/(credentials|sso\/cache|cli\/cache)(\/.*)?|\.gnupg(\/.*)?|\.kube\/config|\.docker\/config\.json|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.config\/(gcloud|gh\/hosts\.yml|git\/credentials|op|doctl)(\/.*)?|\.azure(\/.*)?|\.password-store(\/.*)?|\.local\/share\/keyrings(\/.*)?|Library\/Keychains(\/.*)?|\.npmrc|\.pypirc|\.vault-token|\.terraform\.d\/credentials\.tfrc\.json|\.cargo\/credentials(\.toml)?|\.mozilla(\/.*)?|\.config\/(google-chrome|chromium)(\/.*)?)$/;
const KEYS_SYSTEM =
  /^\/etc\/(g?shadow-?|master\.passwd|sudoers(\.d(\/.*)?)?|ssl\/private(\/.*)?|security\/opasswd|krb5\.keytab|ssh\/ssh_host_[^/]*_key)$|^\/proc\/(\d+|self)\/environ$|^\/var\/lib\/(sss|private)(\/.*)?$/;
const KEY_NAMES =
  /(^|\/)(id_(rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)|[^/]+\.(pem|p12|pfx|jks|keystore|ppk)|[^/]*private[-_]?key[^/]*)$/;
const NOT_PRIVATE =
  /\.pub$|(^|\/)(known_hosts|config|authorized_keys2?)$|(^|\/)(ca|cert|cacert|chain|fullchain|ca-bundle)[^/]*\.pem$/;
/** Under a root: files that make tools run something. */
const CONTROL =
  /(^|\/)\.git\/(hooks|config|info\/attributes|objects|refs|HEAD|worktrees)(\/|$)|(^|\/)\.hanzo\/verdict\.json$|(^|\/)\.(claude|codex|gemini|cursor)\/(settings[^/]*\.json|hooks|config\.toml|mcp\.json)(\/|$)|(^|\/)\.mcp\.json$/;
/** The repository as a whole. */
const REPOSITORY = /(^|\/)\.(git|hg|svn|jj)$/;

export interface ZoneOptions {
  readonly roots: readonly string[];
  readonly machine: Machine;
}

/** The zone of an absolute, normalised path. `/dev` comes before roots: a root does not make a disk a file. */
export function zoneOf(file: string, { roots, machine }: ZoneOptions): Zone {
  if (STREAMS.test(file)) return 'stream';
  if (/^\/dev\/(tcp|udp)\//.test(file)) return 'socket';
  if (/^\/dev\/(shm|mqueue)\//.test(file)) return 'temporary';
  if (DEVICES.test(file)) return 'device';
  const { home } = machine;
  if (isKey(file, home)) return 'key';
  const temporary = machine.temporary ?? ['/tmp', '/var/tmp'];
  const inner = roots.filter((root) => within(file, root)).sort((a, b) => b.length - a.length)[0];
  if (file === '/' || file === home || roots.some((root) => root !== file && within(root, file))) {
    return inner === file && file !== '/' && file !== home ? 'root' : 'ancestor';
  }
  if (home !== undefined && within(home, file)) return 'ancestor';
  if (isStartup(file, home)) return 'startup';
  if (inner !== undefined) {
    if (file === inner) return 'root';
    const relative = file.slice(inner === '/' ? 1 : inner.length + 1);
    return CONTROL.test(relative) || REPOSITORY.test(relative) ? 'control' : 'inside';
  }
  if (temporary.includes(file)) return 'temporary-root';
  if (temporary.some((each) => within(file, each))) return 'temporary';
  const top = file.split('/')[1] ?? '';
  if (SYSTEM_TOPS.includes(top)) {
    if (file === `/${top}` || SYSTEM_SECOND.test(file)) return 'system-top';
    if (top !== 'home' && top !== 'Users' && top !== 'mnt' && top !== 'media' && top !== 'Volumes') return 'system';
    // another user's home
    if (file.split('/').length === 3) return 'system-top';
  }
  return 'elsewhere';
}

/**
 * The zones of what a name with a pattern may be in a directory: of any file there, and of those that are known to be there
 * and that the pattern takes in.
 */
export function zonesOfPattern(directory: string, name: string, options: ZoneOptions): { zone: Zone; path: string }[] {
  const child = (each: string): string => (directory === '/' ? `/${each}` : `${directory}/${each}`);
  const expression = patternExpression(name);
  const special = [
    ...(directory === '/' ? SYSTEM_TOPS : []),
    ...[...options.roots, options.machine.home ?? ''].flatMap((each) =>
      within(each, directory) && each !== directory
        ? [each.slice(directory === '/' ? 1 : directory.length + 1).split('/')[0] ?? '']
        : [],
    ),
    '.git',
    '.ssh',
    '.aws',
    '.gnupg',
    '.kube',
    '.netrc',
    '.bashrc',
    '.profile',
    '.bash_profile',
    '.zshrc',
    '.hanzo',
    '.config',
    '.docker',
    'passwd',
    'shadow',
    'sudoers',
    'sda',
    'sda1',
    'nvme0n1',
    'id_rsa',
    'id_ed25519',
  ];
  const plain = { zone: zoneOf(child(name.replaceAll(/[*?]|\[[^\]]*\]/g, 'x')), options), path: child(name) };
  const named = [...new Set(special)]
    .filter((each) => each !== '' && expression.test(each))
    .map((each) => ({ zone: zoneOf(child(each), options), path: child(each) }));
  // a name that has a zone of its own anywhere counts only where it is one of this place
  return [plain, ...named.filter(({ zone }) => zone !== plain.zone)];
}

function patternExpression(name: string): RegExp {
  const source = name
    .split(/([*?]|\[[^\]]*\])/)
    .map((each) =>
      each === '*'
        ? '.*'
        : each === '?'
          ? '.'
          : /^\[.+\]$/.test(each)
            ? '.'
            : each.replaceAll(/[.+^${}()|[\]\\*?]/g, '\\$&'),
    )
    .join('');
  // a leading dot is only matched by a dot
  return new RegExp(`^(?!\\.)${source}$|^(?=\\.)${name.startsWith('.') ? source : '(?!)'}$`, 's');
}

function under(file: string, home: string | undefined): string | undefined {
  return home !== undefined && home !== '/' && file.startsWith(`${home}/`) ? file.slice(home.length + 1) : undefined;
}

function isKey(file: string, home: string | undefined): boolean {
  if (NOT_PRIVATE.test(file)) return false;
  if (KEYS_SYSTEM.test(file) || KEY_NAMES.test(file)) return true;
  const relative =
    under(file, home) ?? /^\/(?:home|Users)\/[^/]+\/(.+)$/.exec(file)?.[1] ?? /^\/root\/(.+)$/.exec(file)?.[1];
  return relative !== undefined && KEYS_HOME.test(relative);
}

function isStartup(file: string, home: string | undefined): boolean {
  if (STARTUP_SYSTEM.test(file)) return true;
  const relative =
    under(file, home) ?? /^\/(?:home|Users)\/[^/]+\/(.+)$/.exec(file)?.[1] ?? /^\/root\/(.+)$/.exec(file)?.[1];
  return relative !== undefined && STARTUP_HOME.test(relative);
}

/** The directories programs are installed in: a program named by its path there is the one of that name. */
export function isProgramFolder(directory: string): boolean {
  return /^\/(usr\/)?(local\/)?s?bin$|^\/opt\/homebrew\/s?bin$|^\/snap\/bin$/.test(path.posix.normalize(directory));
}
