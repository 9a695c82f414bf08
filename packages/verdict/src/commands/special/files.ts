// Programs on files whose arguments need more than a table: permissions, `dd`, `rsync`.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { after, exact, type Field, heads, textField } from '../../shell/value.ts';
import type { Special } from '../types.ts';

/** `chmod -x FILE`: a mode may begin with a dash; a mode that lets others become the owner asks. */
export const permissions: Special = (bench): Stream => {
  const { fields } = bench.invocation;
  const at = fields.findIndex(
    (field, i) =>
      i > 0 &&
      /^[-+=]?([ugoa]*[-+=][rwxXstugo]*,?)+$/.test(exact(field) ?? '') &&
      !/^-[Rvcfh]+$/.test(exact(field) ?? ''),
  );
  const mode = at > 0 ? exact(fields[at]) : undefined;
  const rest =
    at > 0 && mode?.startsWith('-')
      ? [
          ...fields.slice(0, at),
          { ...fields[at]!, pieces: [{ kind: 'text' as const, text: 'u=r', quoted: true }] },
          ...fields.slice(at + 1),
        ]
      : fields;
  const { operands, options } = bench.with(rest).ordinary();
  const recursive = options.some(({ rule }) => rule.recursive);
  const text = mode ?? (operands[0] && exact(operands[0])) ?? '';
  const rises = /^[2467]\d{3}$|[ug]?[+=][rwx]*s/.test(text);
  for (const field of operands.slice(1)) {
    for (const { zone, path, open } of bench.zones(field) ?? []) {
      if (recursive && !open && (zone === 'ancestor' || zone === 'system-top'))
        bench.report('deny', 'changes-system', `changes the permissions of everything under ${path}`);
      if (rises && /^(system|system-top|startup)$/.test(zone))
        bench.report('deny', 'sets-owner-bit', `lets whoever runs ${path} become its owner`);
    }
  }
  if (rises) bench.report('ask', 'sets-owner-bit', 'lets whoever runs the file become its owner');
  return UNKNOWN;
};

/** `ln [-s] TARGET... LINK`: what comes after goes through the link. */
export const link: Special = (bench): Stream => {
  const { operands, options } = bench.ordinary();
  const folder = options.find(({ name }) => /^(-t|--target-directory)$/.test(name))?.value;
  const last = folder ?? operands.at(-1);
  const targets = folder ? operands : operands.slice(0, -1);
  // `ln -s TARGET` alone makes a link of the same name here
  if (operands.length === 1 && !folder) bench.linked(textField('.', bench.invocation.span), operands[0]!);
  else if (last) for (const target of targets) bench.linked(last, target);
  return UNKNOWN;
};

/** `dd if=FROM of=TO`. */
export const dd: Special = (bench): Stream => {
  const { stdin, fields } = bench.invocation;
  let output = false;
  for (const field of fields.slice(1)) {
    const head = exact(field) ?? heads(field)[0] ?? '';
    if (head.startsWith('if=')) bench.role('read', after(field, 3));
    else if (head.startsWith('of=')) {
      output = true;
      bench.role('write', after(field, 3));
    } else if (
      !/^(bs|ibs|obs|cbs|count|skip|seek|iseek|oseek|conv|status|iflag|oflag|files|speed)=/.test(head) &&
      !head.startsWith('--')
    ) {
      bench.report('ask', 'operand-unexpected', `no rule says what ${field.source} means to dd`);
    }
  }
  return output ? UNKNOWN : { network: stdin.network, secret: stdin.secret };
};

const REMOTE = /^(rsync:\/\/|[^/:]+:)/;

/** `host:path`, `rsync://host/path`. */
const far = (field: Field): boolean => REMOTE.test(exact(field) ?? heads(field)[0] ?? '');

/** `rsync FROM... TO`: either side may be on another machine; `--delete` makes the target a copy. */
export const rsync: Special = (bench): Stream => {
  const { operands, options } = bench.ordinaryWithoutOperands();
  const deletes = options.some(({ name }) => name.startsWith('--delete'));
  const target = operands.length > 1 ? operands.at(-1) : undefined;
  const sources = target ? operands.slice(0, -1) : operands;
  const sends = target !== undefined && far(target);
  for (const each of sources)
    if (!far(each)) bench.role(sends ? 'upload' : 'read', each, { recursive: true, network: sends });
  if (sources.some(far)) bench.report('ask', 'remote', 'rsync fetches from another machine');
  if (sends) bench.report('ask', 'remote', 'rsync sends to another machine');
  else if (target) {
    bench.role('into', target);
    if (deletes) bench.role('delete', target, { recursive: true });
  }
  return UNKNOWN;
};
