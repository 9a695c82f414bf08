// `git`: settings given on the line can be commands, and some subcommands throw work away only in one of their forms.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { after, exact, type Field, heads, textField } from '../../shell/value.ts';
import type { Bench, Special } from '../types.ts';

/** Settings whose value git runs as a command. */
const COMMANDS =
  /^(core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|pager\..+|sequence\.editor|diff\.(external|.+\.(command|textconv))|merge\..+\.driver|filter\..+\.(clean|smudge|process)|credential(\..+)?\.helper|gpg(\..+)?\.program|ssh\.variant|interactive\.difffilter|sendemail\.(smtpserver|sendmailcmd|tocmd|cccmd)|difftool\..+\.cmd|mergetool\..+\.cmd|browser\..+\.cmd|man\..+\.cmd|uploadpack\.packobjectshook|remote\..+\.(uploadpack|receivepack|vcs)|imap\.tunnel|trailer\..+\.(command|cmd)|hook\..+\.command|web\.browser|instaweb\.httpd)$/i;
/** Settings that only change what is shown or how much is fetched. */
const HARMLESS =
  /^(color\..+|advice\..+|user\.(name|email)|commit\.gpgsign|tag\.gpgsign|core\.(quotepath|autocrlf|eol|filemode|ignorecase|longpaths|precomposeunicode|abbrev|compression|preloadindex|untrackedcache|bare|logallrefupdates|whitespace)|log\..+|diff\.(renames|renamelimit|algorithm|context|colormoved|mnemonicprefix|noprefix|submodule|wserrorhighlight|statgraphwidth)|merge\.(conflictstyle|renames|renamelimit|ff)|pull\.(rebase|ff)|push\.default|fetch\.(prune|parallel|recursesubmodules)|rebase\.(autosquash|autostash|updaterefs)|status\..+|column\..+|init\.defaultbranch|http\.(version|postbuffer|lowspeedlimit|lowspeedtime|maxrequests)|pack\..+|gc\.(auto|autodetach)|maintenance\.auto|protocol\.version|safe\.directory|submodule\.recurse|checkout\..+|grep\..+|blame\..+|branch\.(autosetuprebase|autosetupmerge|sort)|tag\.sort|format\..+|rerere\..+|index\..+|feature\..+|transfer\.(fsckobjects|progress)|receive\.denycurrentbranch|credential\.interactive|clone\.defaultremotename)$/i;

export const git: Special = (bench): Stream => {
  const args = bench.read();
  for (const { name, value } of args.options) {
    if (!/^(-c|--config-env)$/.test(name) || !value) continue;
    // after the subcommand it is one of its own: `git switch -c BRANCH`
    const [verb] = args.path;
    const at = bench.invocation.fields.indexOf(value);
    if (verb !== undefined && at > bench.invocation.fields.findIndex((field) => exact(field) === verb) && at > 0)
      continue;
    setting(value, bench);
  }
  const there = args.options.find(({ name }) => name === '-C' || name === '--work-tree' || name === '--git-dir')?.value;
  if (args.path.length === 0 && args.operands.length === 0) return UNKNOWN;
  const [sub] = args.path;
  const writes =
    sub !== undefined &&
    /^(add|commit|mv|rm|init|switch|merge|revert|cherry-pick|rebase|checkout|restore|reset|clean|stash|branch|tag|worktree|am|apply|pull|fetch|bisect|submodule|notes|gc|sparse-checkout)$/.test(
      sub,
    );
  // a repository outside the roots is written to
  if (there && writes) bench.role('into', there);
  // one name and nothing to set it to: a question
  if (
    sub === 'config' &&
    args.operands.length === 1 &&
    exact(args.operands[0]) !== undefined &&
    args.path.length === 1 &&
    bench.invocation.fields.length <= 4 &&
    bench.invocation.fields.every((field) =>
      /^(git|config|--(global|local|system|bool|int|null)|[a-z][\w.-]*\.[\w-]+)$/i.test(exact(field) ?? ''),
    )
  )
    return UNKNOWN;
  if (sub === 'checkout') checkout(args.operands, bench);
  if (sub === 'clone' || sub === 'fetch' || sub === 'pull' || sub === 'ls-remote') {
    for (const operand of args.operands) {
      const text = exact(operand) ?? heads(operand)[0] ?? '';
      if (/^(ext|fd)::/.test(text) || text.startsWith('-'))
        bench.report('ask', 'transport', `git runs a command for ${operand.source}`);
    }
    if (sub === 'clone' && args.operands.length === 1) bench.note('writes a folder here');
  }
  bench.ordinary();
  return UNKNOWN;
};

function setting(value: Field, bench: Bench): void {
  const text = exact(value);
  const key = (text ?? heads(value)[0] ?? '').split('=')[0] as string;
  if (HARMLESS.test(key)) return;
  const cut = text?.indexOf('=') ?? -1;
  const set = text !== undefined && cut >= 0 ? text.slice(cut + 1) : undefined;
  if (/^alias\./i.test(key) && set !== undefined) {
    if (set.startsWith('!')) bench.shell(textField(set.slice(1), value.span));
    else bench.shell(textField(`git ${set}`, value.span));
    return;
  }
  if (COMMANDS.test(key) && set !== undefined) {
    if (set !== '') bench.shell(after(value, cut + 1 + (set.startsWith('!') ? 1 : 0)));
    return;
  }
  bench.report('ask', 'git-setting', `git -c ${value.source} changes settings that may run commands`);
}

/** `git checkout -- FILES` and `git checkout .` throw changes away; a branch does not. */
function checkout(operands: readonly Field[], bench: Bench): void {
  const words = bench.invocation.fields.map((field) => exact(field));
  const paths = words.includes('--') || operands.some((field) => /^\.{1,2}(\/|$)|[*]/.test(exact(field) ?? ''));
  if (paths) bench.report('ask', 'git-checkout', 'git checkout of files throws uncommitted changes away');
}

/** `gh GROUP VERB`: verbs that only look are known by name. */
const LOOKS =
  /^(list|ls|view|status|diff|checks|watch|browse|search|show|download|checkout|clone|help|version|completion|get)$/;

export const grouped: Special = (bench): Stream => {
  const { operands } = bench.read();
  const [group, verb] = operands.map((field) => exact(field));
  const { fields } = bench.invocation;
  const tool = exact(fields[0]) ?? '';
  if (fields.slice(1).some((field) => /^(--version|--help|-h)$/.test(exact(field) ?? ''))) return UNKNOWN;
  const sure = fields.every((field) => exact(field) !== undefined) || (group !== undefined && verb !== undefined);
  if (
    !sure ||
    group === undefined ||
    !(LOOKS.test(verb ?? group) && !/^(auth|api|alias|extension|config|codespace|ssh-key|gpg-key)$/.test(group))
  ) {
    bench.report('ask', 'changes-host', `${tool} ${group ?? ''} ${verb ?? ''} may change what is on the host`);
  }
  return { network: true, secret: false };
};
