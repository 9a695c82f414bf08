// Programs that change the machine, of which some words look, some ask and some take its protections away.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { after, exact, type Field, textField } from '../../shell/value.ts';
import type { Bench, Special } from '../types.ts';

const nameOf = (bench: Bench): string => (exact(bench.invocation.fields[0]) ?? '').replace(/.*\//, '');
/** The words after the program; what is not known is a blank that no pattern matches. */
const wordsOf = (bench: Bench): string[] => bench.invocation.fields.slice(1).map((field) => exact(field) ?? '\0');

export const kill: Special = (bench): Stream => {
  let args = bench.invocation.fields.slice(1);
  const first = exact(args[0]);
  if (first !== undefined && /^-(l|L|-list|-table)/.test(first)) return UNKNOWN;
  if (first !== undefined && /^-(s|n|-signal)$/.test(first)) args = args.slice(2);
  else if (first !== undefined && /^-./.test(first) && first !== '--') args = args.slice(1);
  if (first === '-0') return UNKNOWN;
  for (const field of args) {
    const text = exact(field);
    if (text === '--') continue;
    bench.role('pid', field);
    // jobs of this very shell
    if (!(text ?? '').startsWith('%') && !/^"?\$\{?!\}?"?$/.test(field.source))
      bench.report('ask', 'ends-process', `kill ends the process ${field.source}`);
  }
  return UNKNOWN;
};

/** By program: words that only look, and words that take a protection away or let somebody in; all others ask. */
const GUARDED: Readonly<Record<string, readonly [looks: RegExp, denies: RegExp]>> = {
  iptables: [/^(-\w*[LS]\w*|--list|--list-rules|-C)( |$)/, /(^| )(-\w*F|--flush|-X|(-P|--policy) \S+ ACCEPT)( |$)/],
  ip6tables: [/^(-\w*[LS]\w*|--list|--list-rules|-C)( |$)/, /(^| )(-\w*F|--flush|-X|(-P|--policy) \S+ ACCEPT)( |$)/],
  nft: [/^(-\w+ )*list( |$)/, /(^| )(flush|delete table|destroy)( |$)/],
  ufw: [/^(status|show|version|app list)( |$)/, /(^| )(disable|reset)( |$)|default allow/],
  'firewall-cmd': [/^--(list-\S+|get-\S+|state|query-\S+|version)$/, /--set-default-zone=trusted|--panic-off/],
  pfctl: [/^-s/, /(^| )-(\w*d|F)( |$)/],
  setenforce: [/^$/, /^(0|permissive)$/i],
  'aa-disable': [/^$/, /./],
  'aa-complain': [/^$/, /./],
  'aa-teardown': [/^\0$/, /^/],
  apparmor_parser: [/^-V$/, /-R|--remove/],
  auditctl: [/^-[ls]$/, /-e 0|-D/],
  csrutil: [/^(status|report)$/, /disable|clear/],
  spctl: [/^--(status|assess)|^-a /, /--(master|global)-disable|--add/],
  visudo: [/^(-c|--check|-V|--version)$/, /^(?!(-c|--check|-V|--version)$)/],
  passwd: [/^(-S|--status)( \S+)?$/, /^(?!(-S|--status)( \S+)?$)/],
  chage: [/^(-l|--list)( \S+)?$/, /^(?!(-l|--list)( \S+)?$)/],
};

export const guarded: Special = (bench): Stream => {
  const name = nameOf(bench);
  const words = wordsOf(bench).join(' ');
  const [looks, denies] = GUARDED[name] ?? [/^(--help|--version)$/, /^(?!(--help|--version)$)/];
  if (denies.test(words))
    bench.report('deny', 'protection', `${name} ${words} changes who may enter or takes a protection away`);
  else if (!looks.test(words) || words.includes('\0'))
    bench.report('ask', 'protection', `${name} ${words.replaceAll('\0', '?')} changes what protects the machine`);
  return UNKNOWN;
};

const SERVICE_LOOKS =
  /^(status|list-\S+|show|cat|is-active|is-enabled|is-failed|is-system-running|get-default|help|show-environment|list|print|blame|--status-all|--version|--list|-l)$/;
const GUARDS =
  /^(ufw|firewalld|iptables|nftables|apparmor|auditd|fail2ban|selinux\S*|crowdstrike\S*|falcon\S*|clamav\S*|com\.apple\.(alf|xprotect)\S*)(\.service)?$/;

export const services: Special = (bench): Stream => {
  const words = wordsOf(bench);
  const plain = words.filter((word) => !word.startsWith('-'));
  const verb =
    words.length === 0
      ? 'list'
      : nameOf(bench) === 'service' || nameOf(bench) === 'rc-service'
        ? (plain[1] ?? words[0]!)
        : (plain[0] ?? words[0]!);
  if (SERVICE_LOOKS.test(verb) && !words.some((word) => /^(-H|-M|--host|--machine)/.test(word))) return UNKNOWN;
  const guard = plain.find((word) => GUARDS.test(word));
  if (guard && /^(stop|disable|mask|kill|unload|bootout|remove)$/.test(verb))
    bench.report('deny', 'protection', `stops ${guard}, which protects the machine`);
  bench.report(
    'ask',
    'changes-service',
    `${nameOf(bench)} ${verb.replace('\0', '?')} changes what runs on the machine`,
  );
  return UNKNOWN;
};

const DISK_LOOKS: Readonly<Record<string, RegExp>> = {
  fdisk: /^(-l|--list|-x)( |$)/,
  sfdisk: /^(-l|--list|-d|--dump|-J)( |$)/,
  parted: /^(-l|--list)$|^(-s )?\S+ (unit \S+ )?print$/,
  gdisk: /^-l /,
  sgdisk: /^(-p|--print) /,
  wipefs: /^[^-]\S*$/,
  hdparm: /^-[IitT]+( |$)/,
  nvme: /^(list|smart-log|id-ctrl|id-ns|version)( |$)/,
  smartctl: /^(-[aiHAxlc]|--all|--scan|--info|--health)( |$)/,
  cryptsetup: /^(status|isLuks|luksDump|benchmark|--version)( |$)/,
  lvs: /^/,
  vgs: /^/,
  pvs: /^/,
  zpool: /^(list|status|get|iostat|history)( |$)/,
  zfs: /^(list|get|diff|version)( |$)/,
  btrfs: /^(subvolume (list|show)|filesystem (df|show|usage|du)|device stats|scrub status)( |$)/,
  mdadm: /^(-D|--detail|-E|--examine|-Q)( |$)/,
  diskutil: /^(list|info|activity|apfs list)( |$)/,
  losetup: /^(-a|-l|--list|--all|-j \S+)?$/,
  dmsetup: /^(ls|info|status|table)( |$)/,
};
const DISK_DESTROYS =
  /^(lvremove|vgremove|pvremove|blkdiscard)$|(^| )(destroy|luksFormat|erase|luksErase|luksKillSlot|--zero-superblock|format|sanitize|erase\w+|zeroDisk|secureErase|partitionDisk|reformat|randomDisk|--security-erase\S*|labelclear)( |$)/;

export const disks: Special = (bench): Stream => {
  const name = nameOf(bench);
  const words = wordsOf(bench).join(' ');
  if (DISK_LOOKS[name]?.test(words) || words === '--version') return UNKNOWN;
  for (const field of bench.invocation.fields.slice(1))
    for (const { zone, path } of bench.zones(field) ?? [])
      if (zone === 'device' || (/^\/dev\/[a-z]/.test(path) && zone !== 'stream'))
        bench.report('deny', 'changes-device', `${name} changes the disk ${path}`);
  if (DISK_DESTROYS.test(name) || DISK_DESTROYS.test(words))
    bench.report('deny', 'changes-device', `${name} ${words} destroys what is on a disk`);
  bench.report('ask', 'changes-disk', `${name} changes disks or images of them`);
  return UNKNOWN;
};

const SETTINGS_LOOK: Readonly<Record<string, RegExp>> = {
  journalctl: /^(?!.*(--vacuum|--rotate|--flush|--sync|--relinquish|--setup-keys|--update-catalog|\0))/,
  dmesg: /^(?!.*(-\w*[CcDEn]|--clear|--read-clear|--console))/,
  mount: /^(-l|--list|-t \w+|-V)?$/,
  sysctl: /^(?!.*(=|-w|-p|--system|--load|\0))/,
  crontab: /^-l$/,
  hwclock: /^(-r|--show|--verbose)?$/,
  timedatectl: /^(status|show|list-timezones|timesync-status|show-timesync)?$/,
  hostnamectl: /^(status)?$/,
  localectl: /^(status|list-\S+)?$/,
  loginctl: /^((list|show|session-status|user-status)\S*( \S+)?)?$/,
  ifconfig: /^(-a|\w+)?$/,
  route: /^(-n|-ne|get \S+|-n get \S+)?$/,
  ip: /^(-\S+ )*(a|addr|address|r|route|l|link|n|neigh|neighbor|rule|maddr|netns|-V|tunnel)( (show|list|ls|get)( [\w.:/-]+)*)?$/,
  defaults: /^(read|read-type|domains|find|help)( |$)/,
  networksetup: /^-(get|list)\S+/,
  scutil: /^--(get|dns|proxy|nwi)( |$)/,
  pmset: /^-g/,
  dscl: /^\S+ -(read|list|search|ls|cat)( |$)/,
  'update-alternatives': /^--(list|display|query|get-selections)( |$)/,
  alternatives: /^--(list|display)( |$)/,
  gsettings: /^(get|list-\S+|range|describe)( |$)/,
  dconf: /^(read|list|dump)( |$)/,
  nmcli: /^((-\S+ )*(device|dev|d|general|g|connection|con|c|radio)( (status|show|list))?)?$/,
  ethtool: /^(-[iSkgca] )?\w+$/,
  coredumpctl: /^(list|info)?( |$)/,
};

/** Programs that show a setting of the machine or change it. */
export const settings: Special = (bench): Stream => {
  const name = nameOf(bench);
  const { stdin, fields } = bench.invocation;
  const all = wordsOf(bench);
  const words = all.join(' ');
  if (name === 'date') {
    // `date 01010000` sets the clock, `date +FORMAT` and `date -d TEXT` do not
    const sets = all.some(
      (word, i) =>
        /^(-s|--set)/.test(word) ||
        (/^\d+([.:-]\d+)*$/.test(word) && !/^-[rdvfzj]+$/.test(all[i - 1] ?? '') && !all.includes('-j')),
    );
    if (sets || all.some((word) => /^-[uR]*s/.test(word)))
      bench.report('ask', 'changes-machine', 'date sets the clock of the machine');
    return UNKNOWN;
  }
  if (name === 'ip' && /^(-\S+ )*(netns|vrf) exec /.test(words)) {
    bench.report('ask', 'elsewhere', 'ip runs a command in another network');
    return bench.command(fields.slice(all.indexOf('exec') + 3));
  }
  if (/^sysctl$/.test(name) && /randomize_va_space=0|kptr_restrict=0|ptrace_scope=0|dmesg_restrict=0/.test(words))
    bench.report('deny', 'protection', `sysctl ${words} takes a protection of the system away`);
  if (name === 'crontab' && !/^-[lr]/.test(words)) {
    for (const line of stdin.none ? [] : (stdin.text ?? '').split('\n')) {
      const job = /^\s*(?:@\w+|(?:\S+\s+){5})(.*)$/.exec(line);
      if (job && !line.startsWith('#')) bench.shellText(job[1] as string);
    }
  }
  if (!SETTINGS_LOOK[name]?.test(words) || words.includes('\0'))
    bench.report('ask', 'changes-machine', `${name} ${words.replaceAll('\0', '?')} changes the machine`);
  return UNKNOWN;
};

const SHELL_NAMES = /^-\w*c$|^--(session-)?command$/;

/** Code that is the value of an option, wherever it stands. */
function codeAfter(bench: Bench, names: RegExp): Field[] {
  const { fields } = bench.invocation;
  return fields.flatMap((field, i) => {
    const text = exact(field) ?? '';
    if (names.test(text)) return fields[i + 1] ? [fields[i + 1]!] : [];
    const attached = /^--(?:session-)?command=([\s\S]*)$/.exec(text);
    return attached ? [textField(attached[1] as string, field.span)] : [];
  });
}

export const su: Special = (bench): Stream => {
  const { fields } = bench.invocation;
  bench.report('ask', 'as-root', `${nameOf(bench)} runs commands as another user`);
  const change = { asRoot: true };
  for (const each of codeAfter(bench, SHELL_NAMES)) bench.shell(each, change);
  const dashes = fields.findIndex((field) => exact(field) === '--');
  if (nameOf(bench) === 'gosu' || nameOf(bench) === 'su-exec') return bench.command(fields.slice(2), change);
  if (dashes > 0) return bench.command(fields.slice(dashes + 1), change);
  const { stdin } = bench.invocation;
  if (!stdin.none && stdin.text !== undefined) bench.shellText(stdin.text, change);
  return UNKNOWN;
};

/** The command among words that may be options of the wrapper, their values, or it: every place it may begin at is judged. */
function anywhere(bench: Bench, from: readonly Field[], loud: boolean): Stream {
  const start = from.findIndex((field) => exact(field) === '--');
  if (start >= 0) return bench.command(from.slice(start + 1));
  let made = UNKNOWN;
  for (const [i, field] of from.entries()) {
    const text = exact(field);
    if (text?.startsWith('-') || /^\w+=/.test(text ?? '')) continue;
    // only words that are programs can begin a command
    if (text === undefined || bench.knows(text.replace(/.*\//, '')) || /^\.?\.?\//.test(text)) {
      made = bench.command(from.slice(i));
      if (!loud) return made;
    }
  }
  return made;
}

export const inside: Special = (bench): Stream => {
  bench.report('ask', 'elsewhere', `${nameOf(bench)} runs a command in other surroundings`);
  return anywhere(bench, bench.invocation.fields.slice(1), true);
};

/** Wrappers that change nothing that matters: the command is what counts. */
const AROUND_VALUES =
  /^(-c|--cpu-list|-n|-N|-m|-C|-s|--server-args|--server-num|-e|--error-file|-t|-w|-l|--what|--why|--who|--mode|-p|-i)$/;

export const around: Special = (bench): Stream => {
  const name = nameOf(bench);
  let args = bench.invocation.fields.slice(1);
  if (/^(direnv|doppler|dotenv)$/.test(name)) {
    bench.report('ask', 'surroundings', `${name} runs a command with other variables`);
    return anywhere(bench, args, true);
  }
  let first = true;
  while (args.length > 0) {
    const text = exact(args[0]);
    if (text === undefined) break;
    if (text === '--') {
      args = args.slice(1);
      break;
    }
    if (text.startsWith('-')) args = args.slice(AROUND_VALUES.test(text) ? 2 : 1);
    else if (
      first &&
      (name === 'faketime' ||
        (name === 'taskset' && /^(0x)?[0-9a-f,]+$/.test(text)) ||
        (name === 'setarch' && /^(x86|i\d86|aarch|linux|armv)/.test(text)))
    ) {
      args = args.slice(1);
      first = false;
    } else break;
  }
  return args.length === 0 ? UNKNOWN : bench.command(args);
};

/** `watch COMMAND WORDS`: a shell runs the words joined. */
export const joined: Special = (bench): Stream => {
  const { operands } = bench.ordinaryWithoutOperands();
  const texts = operands.map((field) => exact(field));
  if (operands.length === 1) return bench.shell(operands[0]!);
  if (texts.some((text) => text === undefined)) return bench.command(operands);
  return operands.length === 0 ? UNKNOWN : bench.shell(textField(texts.join(' '), bench.invocation.span));
};

/** `{}`, `{.}`, `{/}`, `{//}`, `{/.}`, `{#}`, `{%}`, `{1}`, `{1/.}`, `{=perl=}`: where parallel puts a value. */
const PLACES = /\{(?:[./#%]|\/\/|\/\.|\d+[./]*|=[^}]*=)?\}/g;

function holds(line: string): boolean {
  return line.search(PLACES) >= 0;
}

/** `parallel COMMAND ::: VALUES`: each value takes the place of `{}`, or comes last. */
export const parallel: Special = (bench): Stream => {
  const { stdin, span, fields } = bench.invocation;
  let args = fields.slice(1);
  while (args.length > 0 && (exact(args[0]) ?? '').startsWith('-')) {
    const text = exact(args[0]) as string;
    if (
      /^(-S|--sshlogin\w*|--ssh|--basefile|--bf|--return|--transfer\w*|-a|--arg-file|--results|--joblog|--profile|-J|--plus|--tmuxpane|--embed|--wd|--workdir|--env|--rpl|--shellquote)/.test(
        text,
      )
    )
      bench.report('ask', 'option', `parallel ${text} works elsewhere or changes what it runs`);
    args = args.slice(
      /^(-j|--jobs|-P|-n|-N|-L|-I|-d|--delimiter|--colsep|-C|--delay|--timeout|--retries|--load|--halt|-S|--sshlogin|-a|--arg-file|--results|--joblog|-s|-l)$/.test(
        text,
      )
        ? 2
        : 1,
    );
  }
  const cut = args.findIndex((field) => /^::::?\+?$/.test(exact(field) ?? ''));
  const command = cut < 0 ? args : args.slice(0, cut);
  const unknown: Field = {
    pieces: [{ kind: 'hole', why: 'a line of input', quoted: true }],
    many: true,
    span,
    source: '{}',
  };
  if (command.length === 0) {
    const values =
      cut < 0 ? (stdin.none ? [] : stdin.text?.split('\n').filter((each) => each.trim() !== '')) : undefined;
    if (values) for (const each of values) bench.shellText(each);
    else if (cut >= 0) for (const each of args.slice(cut + 1)) bench.shell(each);
    else bench.report('ask', 'code-unknown', 'parallel runs each line of its input');
    return UNKNOWN;
  }
  const lists = cut >= 0 && exact(args[cut]) === ':::';
  const values = lists ? args.slice(cut + 1) : [unknown];
  const texts = command.map((field) => exact(field));
  const line = texts.every((text) => text !== undefined) ? texts.join(' ') : undefined;
  for (const value of values.slice(0, 64)) {
    if (/^::::?\+?$/.test(exact(value) ?? '')) continue;
    const text = exact(value);
    // what is filled in is quoted for the shell, so it stays one word
    if (line !== undefined && text !== undefined) {
      const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
      bench.shellText(holds(line) ? line.replaceAll(PLACES, () => quoted) : `${line} ${quoted}`);
    } else if (line !== undefined && /[;&|<>$`'"\s]/.test(texts.length === 1 ? line : '')) {
      bench.shellText(holds(line) ? line.replaceAll(PLACES, () => '"$UNKNOWN_VALUE"') : `${line} "$UNKNOWN_VALUE"`);
    } else {
      const filled = command.map((field): Field => (exact(field) === '{}' ? value : field));
      bench.command(command.some((field) => exact(field) === '{}') ? filled : [...command, value]);
    }
  }
  if (values.length > 64) bench.report('ask', 'too-many', 'parallel gets too many values');
  return UNKNOWN;
};

/** `flock FILE COMMAND`, `flock FILE -c CODE`, `script -c CODE FILE`: after the file comes a command whose own options are not meant here. */
export const locked: Special = (bench): Stream => {
  const { fields } = bench.invocation;
  const takes = /^(-w|--timeout|--wait|-E|--conflict-exit-code|-o|-T|-O|-B|-I|-m|--log-\w+)$/;
  const code = /^-\w*c$|^--command(=|$)/;
  let at = 1;
  let made = UNKNOWN;
  let hasCode = false;
  const coded = (i: number): boolean => {
    const text = exact(fields[i]) ?? '';
    if (!code.test(text)) return false;
    hasCode = true;
    const attached = text.startsWith('--command=') ? after(fields[i]!, 10) : fields[i + 1];
    if (attached) made = bench.shell(attached);
    return true;
  };
  while (at < fields.length && (exact(fields[at]) ?? '').startsWith('-')) {
    const text = exact(fields[at]) as string;
    at += (coded(at) && !text.includes('=')) || takes.test(text) ? 2 : 1;
  }
  const file = fields[at];
  if (file && !/^\d+$/.test(exact(file) ?? '')) bench.role('write', file);
  const rest = fields.slice(at + 1);
  if (coded(at + 1)) return made;
  if (exact(rest[0]) === '--') rest.shift();
  if (rest.length > 0) return bench.command(rest);
  if (nameOf(bench) === 'script' && !hasCode)
    bench.report('ask', 'interactive', 'script starts a shell that waits for input');
  return made;
};

/** Terminals within terminals: looking at them is a read; what they start or type is code. */
export const sessions: Special = (bench): Stream => {
  const { fields } = bench.invocation;
  const words = wordsOf(bench);
  const name = nameOf(bench);
  const verb = words.find((word) => !word.startsWith('-')) ?? words[0] ?? '';
  const looks =
    name === 'tmux'
      ? /^(ls|list-\S+|lsw|lsp|lsk|lscm|info|display-message|display|capture-pane|capturep|show-options|show|has-session|has|-V)$/.test(
          verb,
        ) && !words.some((word) => word.includes('#('))
      : /^(-ls|-list|-v|--version|list-sessions|ls)$/.test(words[0] ?? '');
  if (looks && !words.includes(';') && !words.includes('\0')) return UNKNOWN;
  bench.report('ask', 'session', `${name} starts or types commands in a terminal of its own`);
  for (const field of fields.slice(1)) if (/[\s/;|&]/.test(exact(field) ?? '')) bench.shell(field);
  anywhere(bench, fields.slice(1), true);
  return UNKNOWN;
};

export const later: Special = (bench): Stream => {
  const words = wordsOf(bench);
  if (/^(-l|-q|-V|-c)$/.test(words[0] ?? '') && words.length === 1) return UNKNOWN;
  bench.report('ask', 'later', 'its input is run as commands later');
  const { stdin } = bench.invocation;
  if (stdin.text !== undefined && !stdin.none) bench.shellText(stdin.text);
  const at = words.indexOf('-f');
  if (at >= 0 && bench.invocation.fields[at + 2]) bench.role('script', bench.invocation.fields[at + 2]!);
  return UNKNOWN;
};
