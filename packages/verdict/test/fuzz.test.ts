// Generated programs: none crashes or hangs the classifier, none that does not parse is allowed, and no wrapper makes a denied command allowed.
import { parse } from 'unbash';
import { describe, expect, test } from 'vitest';
import { classify } from '../src/index.ts';

const QUESTION = { cwd: '/home/dev/project', roots: ['/home/dev/project'], machine: { home: '/home/dev' } } as const;
const judge = (command: string): string => classify({ ...QUESTION, command }).decision;

/** A small generator of its own, so that a seed gives the same programs everywhere (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

class Grammar {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = random(seed);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#next() * choices.length)] as T;
  }

  #maybe(chance: number): boolean {
    return this.#next() < chance;
  }

  word(depth: number): string {
    const plain = [
      'a',
      '-rf',
      '/',
      '~',
      '.',
      '..',
      'src',
      '*',
      '?x',
      '[a-z]',
      'x=1',
      '--',
      '-',
      '-c',
      '1',
      '"a b"',
      "'c d'",
      '\\n',
      '$x',
      '${x:-y}',
      '"$@"',
      '$((1+2))',
      '{a,b}',
      '{1..3}',
      "$'\\x41'",
      '/dev/null',
      '/dev/sda',
      '~/.ssh/id_rsa',
      'é',
      '\u200b',
      '#',
      '%',
      '!',
      '@(a|b)',
    ];
    if (depth <= 0 || this.#maybe(0.7)) return this.pick(plain);
    return this.pick([
      () => `$(${this.list(depth - 1)})`,
      () => `\`${this.pick(['ls', 'echo x', 'rm y'])}\``,
      () => `"${this.pick(['a', '$x', `$(${this.list(depth - 1)})`])}"`,
      () => `<(${this.list(depth - 1)})`,
      () => this.word(0) + this.word(0),
    ])();
  }

  simple(depth: number): string {
    const programs = [
      'ls',
      'rm',
      'cat',
      'echo',
      'git',
      'find',
      'xargs',
      'sed',
      'awk',
      'tar',
      'sudo',
      'env',
      'sh',
      'bash',
      'eval',
      'cd',
      'export',
      'npm',
      'curl',
      'ssh',
      'dd',
      'chmod',
      'python3',
      'node',
      'make',
      'docker',
      'kill',
      'tee',
      'cp',
      'mv',
      'trap',
      'alias',
      'read',
      'test',
      '[',
      'timeout',
      'nice',
      'time',
      'unknown-program',
      '$x',
      './run.sh',
      '/bin/rm',
      'r\\m',
      '',
    ];
    const words = Array.from({ length: Math.floor(this.#next() * 5) }, () => this.word(depth));
    const assigned = this.#maybe(0.1) ? `${this.pick(['A', 'PATH', 'LD_PRELOAD', 'IFS'])}=${this.word(depth)} ` : '';
    const redirected = this.#maybe(0.2)
      ? ` ${this.pick(['>', '>>', '<', '2>&1', '&>', '<<<', '<>'])} ${this.word(0)}`
      : '';
    return `${assigned}${this.pick(programs)} ${words.join(' ')}${redirected}`;
  }

  list(depth: number): string {
    if (depth <= 0) return this.simple(0);
    const inner = (): string => this.list(depth - 1);
    return this.pick([
      () => this.simple(depth),
      () => `${inner()} | ${inner()}`,
      () => `${inner()} && ${inner()}`,
      () => `${inner()} || ${inner()}`,
      () => `${inner()}; ${inner()}`,
      () => `${inner()} &`,
      () => `(${inner()})`,
      () => `{ ${inner()}; }`,
      () => `if ${inner()}; then ${inner()}; else ${inner()}; fi`,
      () => `for f in ${this.word(depth)}; do ${inner()}; done`,
      () => `while ${inner()}; do ${inner()}; done`,
      () => `case ${this.word(0)} in a) ${inner()};; *) ${inner()};; esac`,
      () => `f() { ${inner()}; }; f ${this.word(0)}`,
      () => `cat <<EOF\n${inner()}\nEOF`,
      () => `cat <<'E' | ${this.simple(0)}\n${this.word(0)}\nE`,
      () => `[[ -f ${this.word(0)} ]] && ${inner()}`,
      () => `! ${inner()}`,
      () => `time ${inner()}`,
      // broken on purpose
      () => inner().slice(0, Math.floor(this.#next() * 20)),
      () => `${inner()}${this.pick(["'", '"', ')', '}', 'fi', '`', '<<', '$(', ';;', '|', '&&'])}`,
    ])();
  }
}

describe('generated programs', () => {
  test('100,000 of them never crash, and what does not parse is never allowed', () => {
    const decisions = { allow: 0, ask: 0, deny: 0 };
    const grammar = new Grammar(20_261_130);
    const wrong: string[] = [];
    for (let i = 0; i < 100_000; i++) {
      const command = grammar.list(i % 4);
      const decision = classify({ ...QUESTION, command }).decision;
      decisions[decision]++;
      if (decision === 'allow' && (parse(command).errors?.length ?? 0) > 0) wrong.push(command);
    }
    expect(wrong.slice(0, 10)).toEqual([]);
    // the grammar reaches every decision
    expect(Math.min(decisions.allow, decisions.ask, decisions.deny)).toBeGreaterThan(1000);
  }, 240_000);

  test('any characters at all', () => {
    const next = random(7);
    const alphabet = '\'"`$(){}[]<>|&;#!*?~\\ \n\t\r=+-/abc019@%^:,.\u0001\u200b\u202eé😀';
    const characters = [...alphabet];
    for (let i = 0; i < 20_000; i++) {
      const length = Math.floor(next() * 40);
      const command = Array.from({ length }, () => characters[Math.floor(next() * characters.length)]).join('');
      expect(['allow', 'ask', 'deny']).toContain(judge(command));
    }
  }, 120_000);
});

/** Everything that runs a command it is given, with `@` in its place: bare, or quoted as one word. */
const WRAPPERS: readonly (readonly [before: string, after: string, quoted: boolean])[] = [
  ['sudo -u x ', '', false],
  ['sudo ', '', false],
  ['env A=b ', '', false],
  ['env -i ', '', false],
  ['env -S ', '', true],
  ['nice ', '', false],
  ['nice -n 5 ', '', false],
  ['timeout 5 ', '', false],
  ['nohup ', '', false],
  ['time ', '', false],
  ['setsid ', '', false],
  ['stdbuf -o0 ', '', false],
  ['xargs ', '', false],
  ['echo x | xargs ', '', false],
  ['find . -exec ', ' \\;', false],
  ['find . -name "*.x" -execdir ', ' {} +', false],
  ['sh -c ', '', true],
  ['bash -lc ', '', true],
  ['bash -c ', ' -- a b', true],
  ['zsh -c ', '', true],
  ['eval ', '', true],
  ['eval ', '', false],
  ['ssh host ', '', true],
  ['ssh -p 22 host ', '', true],
  ['watch ', '', true],
  ['watch -n 1 ', '', false],
  ['parallel ', ' ::: a', false],
  ['parallel ', ' ::: a', true],
  ['command ', '', false],
  ['builtin ', '', false],
  ['exec ', '', false],
  ['trap ', ' EXIT', true],
  ['( ', ' )', false],
  ['{ ', '; }', false],
  ['! ', '', false],
  ['if true; then ', '; fi', false],
  ['for i in 1 2; do ', '; done', false],
  ['while true; do ', '; done', false],
  ['until false; do ', '; done', false],
  ['case x in *) ', ';; esac', false],
  ['f() { ', '; }; f', false],
  ['echo $( ', ' )', false],
  ['echo "$( ', ' )"', false],
  ['cat <( ', ' )', false],
  ['true && ', '', false],
  ['false || ', '', false],
  ['true; ', '', false],
  ['sleep 1 & ', '', false],
  ['ls | ', '', false],
  ['A=b ', '', false],
  ['cat <<EOF\n$( ', ' )\nEOF', false],
  ['bash <<EOF\n', '\nEOF', false],
  ['bash <<< ', '', true],
  ['echo ', ' | sh', true],
  ["printf '%s' ", ' | bash', true],
  ['docker run alpine ', '', false],
  ['flock /tmp/l ', '', false],
  ['flock /tmp/l -c ', '', true],
  ['script -c ', '', true],
  ['su -c ', '', true],
  ['chroot /x ', '', false],
  ['git bisect run ', '', false],
  ['git submodule foreach ', '', true],
  ['npx -c ', '', true],
  ['strace ', '', false],
  ['valgrind ', '', false],
  ['ionice -c 3 ', '', false],
  ['unshare ', '', false],
  ['coproc ', '', false],
  ['make -f - <<< ', '', true],
  ['python -c ', '', true],
  ['node -e ', '', true],
  ["vim -c '!", "'", false],
  ['awk \'BEGIN{system("', '")}\'', false],
  ['tar cf x.tar --to-command=', ' x', true],
  ['tmux new -d ', '', true],
];
const JOINS: ReadonlySet<string> = new Set(['eval ', 'watch -n 1 ', 'parallel ']);
const APPENDS: ReadonlySet<string> = new Set(
  WRAPPERS.map(([before]) => before).filter((before) => /xargs|find|parallel/.test(before)),
);
const DENIED = [
  'rm -rf /',
  'rm -rf /*',
  'dd if=/dev/zero of=/dev/sda',
  'mkfs.ext4 /dev/sda1',
  'chmod -R 777 /',
  'rm -fr -- /usr',
  'shred /dev/nvme0n1',
  'tee /etc/sudoers',
  'kill -9 -1',
  'iptables -F',
];

describe('wrappers', () => {
  test('no wrapper makes a denied command allowed, nor two of them', () => {
    const wrap = (command: string, [before, after, quoted]: (typeof WRAPPERS)[number]): string =>
      before + (quoted ? `'${command.replaceAll("'", "'\\''")}'` : command) + after;
    const allowed: string[] = [];
    for (const command of DENIED) {
      expect([command, judge(command)]).toEqual([command, 'deny']);
      for (const outer of WRAPPERS) {
        const once = wrap(command, outer);
        if (judge(once) === 'allow') allowed.push(once);
        for (const further of WRAPPERS) {
          // these join their words into one text that is parsed again: quotes inside are gone by then
          if (/['"\\]/.test(once) && (JOINS.has(further[0]) || /^(vim|awk)/.test(further[0])) && !further[2]) continue;
          // with a word behind it, a shell runs a file of that name and reads no code from its input
          if (APPENDS.has(further[0]) && /<<|\| (sh|bash)$/.test(once)) continue;
          const twice = wrap(once, further);
          if (judge(twice) === 'allow') allowed.push(twice);
        }
      }
    }
    expect(allowed.slice(0, 20)).toEqual([]);
  }, 240_000);
});

describe('size', () => {
  test('10,000 characters and 1,000 levels are answered', () => {
    for (const command of [
      `echo ${'a'.repeat(10_000)}`,
      'echo a; '.repeat(1250),
      `${'('.repeat(1000)}ls${')'.repeat(1000)}`,
      `${'$('.repeat(1000)}ls${')'.repeat(1000)}`,
      `${'{ '.repeat(1000)}ls${'; }'.repeat(1000)}`,
      `echo ${'"$('.repeat(300)}ls${')"'.repeat(300)}`,
      `${'sudo '.repeat(2000)}rm -rf /`,
      `${"bash -c '".repeat(50)}ls`,
      `${'if true; then '.repeat(500)}ls${'; fi'.repeat(500)}`,
      `x=${'$((1+'.repeat(400)}1${'))'.repeat(400)}`,
      `echo ${'{a,b}'.repeat(40)}`,
      `f(){ f; }; f`,
      `f(){ g; }; g(){ f; }; f`,
      `a=x; ${'a=$a$a; '.repeat(60)} $a`,
      `${'eval '.repeat(500)}ls`,
      'cat <<E\n'.repeat(500),
    ]) {
      expect(['allow', 'ask', 'deny']).toContain(judge(command));
    }
    expect(judge(`${'sudo '.repeat(2000)}rm -rf /`)).not.toBe('allow');
  }, 60_000);
});
