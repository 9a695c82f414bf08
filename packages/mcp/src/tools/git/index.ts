// The git tool: its 29 actions.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { apply } from './apply.ts';
import { bisect } from './bisect.ts';
import { blame } from './blame.ts';
import { branch, checkout } from './branch.ts';
import { commit } from './commit.ts';
import { config } from './config.ts';
import { clone, init } from './create.ts';
import { diff, show } from './diff.ts';
import { cherryPick, merge, rebase } from './integrate.ts';
import { log, reflog, shortlog } from './log.ts';
import { describe, revParse } from './name-of.ts';
import { remote } from './remote.ts';
import { status } from './status.ts';
import { fetch, pull, push } from './sync.ts';
import { tag } from './tag.ts';
import { clean, reset, stash } from './undo.ts';
import { worktree } from './worktree.ts';

export const git = defineTool<Local>({
  name: 'git',
  title: 'Git',
  summary: 'Git.',
  actions: {
    status,
    diff,
    log,
    branch,
    commit,
    blame,
    stash,
    show,
    tag,
    remote,
    merge,
    rebase,
    cherry_pick: cherryPick,
    reset,
    clean,
    worktree,
    bisect,
    reflog,
    init,
    clone,
    fetch,
    pull,
    push,
    config,
    shortlog,
    rev_parse: revParse,
    describe,
    apply,
    checkout,
  },
  aliases: { cwd: 'path', uri: 'path', repo: 'path', op: 'sub_action', branch: 'target', remote: 'name' },
  actionAliases: {
    'cherry-pick': 'cherry_pick',
    'rev-parse': 'rev_parse',
    switch: 'checkout',
    restore: 'checkout',
  },
});
