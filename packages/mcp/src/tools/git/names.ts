// What a caller may hand to git as a ref, a name, a url or a pattern. A word that git could take for an option stops here.
import { z } from 'zod';

type Reason = string | undefined;

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

function field(reason: (value: string) => Reason): z.ZodString {
  return z.string().superRefine((value, context) => {
    const why = reason(value);
    if (why) context.addIssue({ code: 'custom', message: why });
  });
}

/** Why `value` is no revision expression (gitrevisions(7)), or undefined. */
export function badRevision(value: string): Reason {
  if (value === '') return 'is empty; give a commit, branch, tag or HEAD';
  if (value.startsWith('-')) return `'${value}' begins with '-', which git reads as an option; give a revision`;
  if (CONTROL.test(value)) return 'holds a control character, which no revision can';
  if (value.length > 1024) return 'is longer than 1024 characters';
  return undefined;
}

/** Why `value` is no branch or tag name (git-check-ref-format(1)), or undefined. */
export function badRefName(value: string): Reason {
  if (value === '') return 'is empty';
  if (value.startsWith('-')) return `'${value}' begins with '-', which git reads as an option`;
  if (value === '@' || value === 'HEAD') return `'${value}' is reserved`;
  if (CONTROL.test(value) || /[ ~^:?*[\\]/.test(value)) return `'${value}' holds a space or one of ~ ^ : ? * [ \\`;
  if (value.includes('..') || value.includes('@{')) return `'${value}' holds '..' or '@{'`;
  if (value.split('/').some((part) => part === '' || part.startsWith('.') || part.endsWith('.lock'))) {
    return `'${value}' has an empty part, or one that begins with '.' or ends with '.lock'`;
  }
  if (value.endsWith('.')) return `'${value}' ends with '.'`;
  return value.length > 255 ? 'is longer than 255 characters' : undefined;
}

/** Why `value` is no name of a remote, or undefined. */
export function badRemote(value: string): Reason {
  if (/^[A-Za-z0-9_.][A-Za-z0-9_./-]*$/.test(value)) return badRefName(value);
  return `'${value}' is not the name of a remote (letters, digits and . _ - /); remote list shows them, remote add takes a url`;
}

/** Why `value` is no place git may clone from: http(s), ssh, git and file URLs, `host:path`, absolute paths. */
export function badUrl(value: string): Reason {
  if (value === '') return 'is empty';
  if (value.startsWith('-')) return `'${value}' begins with '-', which git reads as an option`;
  if (CONTROL.test(value)) return 'holds a control character';
  if (/^[A-Za-z0-9+.-]+::/.test(value)) return 'names a remote helper, which runs a program; give an https or ssh url';
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(value)?.[1];
  if (scheme !== undefined) {
    if (!/^(https?|ssh|git|file|git\+ssh|ssh\+git)$/i.test(scheme)) {
      return `'${scheme}' is not a transport git may use here; use https, ssh, git or file`;
    }
    if (/:\/\/([^/]*@)?-/.test(value)) return 'names a host that begins with -';
    return undefined;
  }
  if (value.startsWith('/')) return undefined;
  const scp = /^([^/:]+):./.exec(value);
  if (!scp) return `'${value}' is neither a url nor an absolute path`;
  return /(^|@)-/.test(scp[1] as string) ? 'names a host that begins with -' : undefined;
}

const badText = (value: string): Reason =>
  value.includes('\0') ? 'holds a NUL character' : value === '' ? 'is empty' : undefined;

const badPath = (value: string): Reason =>
  value === '' ? 'is empty' : value.includes('\0') ? 'holds a NUL character, which no file name can' : undefined;

export const revision = field(badRevision);
export const refName = field(badRefName);
export const remoteName = field(badRemote);
export const url = field(badUrl);
/** free text that reaches git as one word after `=` or by stdin */
export const text = field(badText);
/** Words of git's dates that hold no digit (date.c); anything else git silently takes for now. */
const DATE_WORD =
  /\b(now|today|yesterday|noon|midnight|tea|never|ago|last|one|two|three|four|five|six|seven|eight|nine|ten|(sun|mon|tues|wednes|thurs|fri|satur)day|(second|minute|hour|day|week|month|year)s?)\b/i;

/** a moment: a date, or words such as `2 weeks ago` or `yesterday` */
export const moment = field((value) =>
  value.includes('\0') || (!/\d/.test(value) && !DATE_WORD.test(value))
    ? `'${value}' is no date; write 2026-01-31, or words such as '2 weeks ago'`
    : undefined,
);
/** a path: absolute, or relative to the repository folder the call names */
export const filePath = field(badPath);
