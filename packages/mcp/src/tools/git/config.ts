// config: reads any key, sets only keys that name no program, no other file and no other server.
import { shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act } from '../../local.ts';
import { text } from './names.ts';
import { listPage } from './page.ts';
import { cursor, limit, repository } from './params.ts';
import { open } from './repo.ts';
import { redact } from './run.ts';

/**
 * Keys this tool sets. A list of what is known to be harmless: of the rest, many make git run their value (aliases, hooks,
 * filters, editors, helpers, transports), and new ones appear with every release.
 */
const SETTABLE: readonly RegExp[] = [
  /^(user|author|committer)\.(name|email)$/,
  /^user\.(signingkey|useconfigonly)$/,
  /^commit\.(gpgsign|status|verbose)$/,
  /^tag\.(gpgsign|sort|forcesignannotated)$/,
  /^core\.(autocrlf|eol|safecrlf|filemode|ignorecase|precomposeunicode|quotepath|symlinks|abbrev|whitespace|commentchar|longpaths|logallrefupdates|untrackedcache|sparsecheckout|sparsecheckoutcone)$/,
  /^(pull|push|fetch|merge|rebase|rerere|status|stash|log|blame|branch|checkout|init|i18n|diff|color|column|advice|grep|format|index|pack|gc|feature|notes|versionsort|submodule|worktree)\.(rebase|ff|default|autosetupremote|followtags|prune|prunetags|parallel|conflictstyle|renames|renamelimit|autostash|autosquash|updaterefs|enabled|autoupdate|showuntrackedfiles|short|branch|showstash|showpatch|showstat|date|decorate|follow|abbrevcommit|mailmap|autosetupmerge|autosetuprebase|sort|guess|defaultremote|defaultbranch|commitencoding|logoutputencoding|algorithm|colormoved|context|interhunkcontext|mnemonicprefix|noprefix|ui|auto|detachedhead|pretty|version|threads|recurse|guessremote|linenumber|extendregexp)$/,
  /^branch\.[^\n]+\.(remote|merge|rebase|pushremote|description)$/,
  /^remote\.[^\n]+\.(fetch|push|prune|prunetags|tagopt|skipfetchall|skipdefaultupdate)$/,
  /^remote\.pushdefault$/,
];

/** Values that are secrets, whatever they hold. */
const SECRET = /(^http\..*extraheader$|token|password|passwd|secret|cookie)/i;

const shown = (key: string, value: string): string => (SECRET.test(key) ? '***' : redact(value));

const badKey = (value: string): boolean => !/^[A-Za-z][A-Za-z0-9-]*(\.[^\n\0]*)?\.[A-Za-z][A-Za-z0-9-]*$/.test(value);

/** git's own spelling: section and variable in lower case, what stands between them as it is. */
function canonical(key: string): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}

export const config = act({
  summary: 'lists settings, reads key, or sets key to value in this repository',
  effect: 'write',
  destructive: false,
  input: z.object({ ...repository, key: text.optional(), value: z.string().max(10_000).optional(), limit, cursor }),
  async run(ctx, input) {
    const repo = await open(ctx, input.path, input.value === undefined ? 'read' : 'write');
    if (input.key === undefined) {
      if (input.value !== undefined) throw new ToolError('INVALID_PARAMS', "'value' needs a 'key'", { param: 'key' });
      const all = repo.config.map(({ scope, key, value }) => ({ key, value: shown(key, value), scope }));
      const page = listPage(ctx, all, input.cursor, input.limit ?? 100);
      return { data: { entries: page.items, total: all.length }, ...(page.paging ? { paging: page.paging } : {}) };
    }
    if (input.key.startsWith('-') || badKey(input.key)) {
      throw new ToolError(
        'INVALID_PARAMS',
        `'key': '${shorten(input.key)}' is no config key; write section.name, like user.email`,
        {
          param: 'key',
        },
      );
    }
    const key = canonical(input.key);
    if (input.value === undefined) {
      const values = repo.config.filter((each) => each.key === key);
      const last = values.at(-1);
      if (!last) throw new ToolError('NOT_FOUND', `${key} is not set`, { key });
      return {
        data: {
          key,
          value: shown(key, last.value),
          scope: last.scope,
          ...(values.length > 1 ? { values: values.slice(0, 100).map((each) => shown(key, each.value)) } : {}),
        },
      };
    }
    if (!SETTABLE.some((each) => each.test(key))) {
      throw new ToolError(
        'PERMISSION_DENIED',
        `'key': ${key} is not among the settings this tool changes, which run no program and lead nowhere else; if it is meant, set it with exec`,
        { param: 'key', key },
      );
    }
    if (/[\0\r\n]/.test(input.value)) {
      throw new ToolError('INVALID_PARAMS', "'value' holds a line end or a NUL character", { param: 'value' });
    }
    await repo.git(['config', '--local', '--replace-all', '--end-of-options', key, input.value], { mode: 'write' });
    return { data: { key, value: shown(key, input.value), scope: 'local' } };
  },
});
