// The ways in which commands start processes and lose sight of them, as data for kill.test.ts.

/** One command. `MARK` stands for a number that no other process has as an argument. */
export interface KillCase {
  readonly name: string;
  readonly command: string;
  /** processes with the mark that have to be up before the kill; default 1 */
  readonly up?: number;
}

/** Programs the cases run, put into the working directory. Each takes the mark as its last argument and never ends. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  // takes no signal it can refuse, and has children that live longer than the grace
  stubborn: `#!/bin/sh\ntrap '' HUP INT QUIT TERM USR1 USR2\nwhile :; do sleep 3; done\n`,
  // answers a signal by starting another one of its kind
  hydra: `#!/bin/sh\ntrap 'setsid "$0" "$@" & ' TERM HUP INT\nwhile :; do sleep 0.05; done\n`,
  // starts short-lived children all the time
  busy: `#!/bin/sh\nwhile :; do (sleep 0.3 &); sleep 0.05; done\n`,
};

/** What is started: a program that dies of SIGTERM, and one that does not. */
const BODIES: Readonly<Record<string, string>> = { plain: 'sleep MARK', stubborn: './stubborn MARK' };

/** How it is started; BODY is one of the above. */
const WAYS: Readonly<Record<string, string>> = {
  'in the foreground': 'BODY; true',
  'by exec': 'exec BODY',
  'in the background, waited for': 'BODY & wait',
  'in the background, left behind': 'BODY &',
  'left behind with output elsewhere': 'BODY >/dev/null 2>&1 </dev/null &',
  'in a subshell': '(BODY; true)',
  'in a subshell in the background': '(BODY &)',
  'in nested subshells': '(((BODY; true) & wait) & wait) & wait',
  disowned: 'BODY & disown; true',
  'by nohup': 'nohup BODY >/dev/null 2>&1 & wait',
  'by nohup, left behind': 'nohup BODY >/dev/null 2>&1 &',
  'in a session of its own': 'setsid BODY & wait',
  'in a session of its own, left behind': 'setsid BODY >/dev/null 2>&1 &',
  'in a session of its own, forked': 'setsid -f BODY; sleep 0.2',
  'in a session of its own, forked, left behind': 'setsid -f BODY >/dev/null 2>&1 </dev/null',
  'by a double fork': '( (setsid BODY >/dev/null 2>&1 &) & )',
  'in a session within a session': 'setsid setsid -f setsid BODY; sleep 0.2',
  'without an environment': 'env -i BODY & wait',
  'without an environment, in a session of its own': 'env -i setsid BODY & wait',
  'without an environment, forked off': 'env -i setsid -f BODY >/dev/null 2>&1 </dev/null',
  'without an environment, by a double fork': '( (env -i setsid BODY >/dev/null 2>&1 </dev/null &) & )',
  'as the start of a pipeline': 'BODY | cat',
  'as the end of a pipeline': 'tail -f /dev/null | BODY',
  'in the middle of a pipeline': 'tail -f /dev/null | BODY | cat',
  'in a pipeline in the background': 'BODY | cat &',
  'in a process substitution that is read': 'cat <(BODY)',
  'in a process substitution that is written to': 'tail -f /dev/null > >(BODY)',
  'in a process substitution, left behind': ': < <(BODY); true',
  'in a command substitution': 'x=$(BODY); echo "$x"',
  'in a command substitution in the background': 'x=$(BODY & echo)',
  'as a coprocess': 'coproc BODY; wait',
  'as a coprocess, left behind': 'coproc BODY; true',
  'by another shell': "sh -c 'BODY; true'",
  'by another shell that becomes it': "sh -c 'exec BODY'",
  'by three shells': `sh -c "sh -c 'sh -c \\"BODY; true\\"; true'; true"`,
  'by another shell in the background': "sh -c 'BODY &' & wait; true",
  'by a shell with job control': 'set -m; BODY & BODY & wait',
  'in a function': 'f() { BODY; }; f & wait',
  'in a loop': 'while :; do BODY; done',
  'by xargs': 'echo 1 | xargs -I{} BODY',
  'by find': 'find . -maxdepth 0 -exec BODY \\;',
  'by timeout': 'timeout 1000 BODY',
  'by nice': 'nice -n 5 BODY',
  'by env': 'env A=1 B=2 BODY',
  'with a here-string': 'BODY <<< text',
  'with a here-document': 'BODY <<END\ntext\nEND',
  'by eval': 'eval "BODY & wait"',
  'under a lock': 'flock lock-MARK BODY',
};

/** Ways that are one of a kind. */
const SINGLE: readonly KillCase[] = [
  { name: 'three in the background', command: 'sleep MARK & sleep MARK & sleep MARK & wait', up: 3 },
  { name: 'forty in the background', command: 'for i in $(seq 40); do sleep MARK & done; wait', up: 40 },
  { name: 'twenty, each in its own session', command: 'for i in $(seq 20); do setsid -f sleep MARK; done', up: 20 },
  {
    name: 'a chain of ten shells',
    command: 'f() { if [ $1 -gt 0 ]; then (f $(($1 - 1)); true); else sleep MARK; fi; }; f 10',
  },
  { name: 'a shell that refuses SIGTERM', command: "trap '' TERM; sleep MARK; sleep MARK; sleep MARK" },
  {
    name: 'a shell that refuses every signal',
    command: "trap '' HUP INT QUIT TERM USR1 USR2; while :; do sleep MARK; done",
  },
  {
    name: 'a shell that starts anew on SIGTERM',
    command: "trap 'setsid sleep MARK &' TERM; while :; do sleep MARK; done",
  },
  { name: 'a shell that waits on at its exit', command: "trap 'sleep MARK' EXIT; sleep MARK" },
  { name: 'a program that multiplies on SIGTERM', command: './hydra MARK' },
  { name: 'a program that multiplies, in a session of its own', command: 'setsid ./hydra MARK >/dev/null 2>&1 & wait' },
  {
    name: 'a program that multiplies, without an environment',
    command: 'env -i PATH="$PATH" setsid -f ./hydra MARK >/dev/null 2>&1',
  },
  { name: 'a program that starts children all the time', command: './busy MARK' },
  { name: 'the same, left behind', command: 'setsid -f ./busy MARK >/dev/null 2>&1' },
  { name: 'a stopped process', command: 'sleep MARK & sleep 0.3; kill -STOP $!; wait' },
  { name: 'a stopped session', command: 'setsid ./stubborn MARK & sleep 0.2; kill -STOP -- -$!; wait' },
  { name: 'a shell that stops itself', command: 'sleep MARK & kill -STOP $$' },
  { name: 'a reader without a writer', command: 'mkfifo fifo-MARK; tail -f fifo-MARK MARK 2>/dev/null' },
  { name: 'a flood of output', command: 'yes MARK' },
  { name: 'a flood of output that nobody reads', command: 'setsid -f yes MARK >/dev/null' },
  { name: 'output held by a grandchild', command: '(sleep MARK; echo late) & echo early' },
  { name: 'perl that forks and renames itself', command: `perl -e 'fork; sleep 100000' MARK`, up: 2 },
  {
    name: 'a daemon by the book (perl)',
    command: `perl -MPOSIX -e 'exit if fork; POSIX::setsid(); exit if fork; chdir "/"; umask 0; POSIX::close($_) for 0..1023; %ENV = (); exec "sleep", "MARK"'`,
  },
  {
    name: 'a daemon that refuses every signal (perl)',
    command: `perl -MPOSIX -e 'exit if fork; POSIX::setsid(); exit if fork; $SIG{$_} = "IGNORE" for qw(HUP INT QUIT TERM USR1 USR2); %ENV = (); sleep 100000 while 1' MARK`,
  },
  {
    name: 'a daemon that forks again on every signal (perl)',
    command: `perl -MPOSIX -e 'exit if fork; POSIX::setsid(); $SIG{TERM} = $SIG{HUP} = sub { if (!fork) { POSIX::setsid() } }; sleep 1 while 1' MARK`,
  },
  {
    name: 'a chain that forks and leaves, over and over (perl)',
    command: `perl -MPOSIX -e 'while (1) { my $p = fork; exit if $p; POSIX::setsid(); select undef, undef, undef, 0.02 }' MARK`,
  },
  { name: 'a tree of processes (perl)', command: `perl -e 'fork for 1..4; sleep 100000' MARK`, up: 16 },
  {
    name: 'a detached child (node)',
    command: `node -e 'require("child_process").spawn("sleep", ["MARK"], { detached: true, stdio: "ignore" }).unref()'`,
  },
  {
    name: 'a detached child without an environment (node)',
    command: `node -e 'require("child_process").spawn("sleep", ["MARK"], { detached: true, stdio: "ignore", env: {} }).unref()'`,
  },
  {
    name: 'a server with workers (node)',
    command: `node -e 'const c = require("cluster"); if (c.isPrimary) { c.fork(); c.fork() } else setInterval(() => {}, 1000)' MARK`,
    up: 3,
  },
  {
    name: 'a daemon in a daemon',
    command:
      'setsid -f sh -c "setsid -f sh -c \\"env -i setsid -f sleep MARK; sleep MARK\\"; sleep MARK" >/dev/null 2>&1',
    up: 3,
  },
  { name: 'a command under another name', command: 'exec -a "innocent" sleep MARK' },
  {
    name: 'a limit lowered further',
    command: 'ulimit -n 64; ulimit -c 0; setsid -f env -i sleep MARK >/dev/null 2>&1',
  },
  {
    name: 'a directory that is gone',
    command: 'mkdir gone-MARK; cd gone-MARK; rmdir ../gone-MARK; setsid -f sleep MARK >/dev/null 2>&1',
  },
];

/** Every case. */
export const KILL_CASES: readonly KillCase[] = [
  ...Object.entries(WAYS).flatMap(([way, template]) =>
    Object.entries(BODIES).map(([body, text]) => ({
      name: `${body}, ${way}`,
      command: template.replaceAll('BODY', text),
    })),
  ),
  ...SINGLE,
];
