// exec against real processes: how a command starts, ends, goes on, and what an answer shows of it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { look } from '../../lib/processes/scan.ts';
import { exec } from './index.ts';
import { type Answer, createFixture, type Fixture } from './testkit.ts';

let fixture: Fixture;
beforeAll(() => {
  fixture = createFixture();
});
afterAll(() => fixture.close());

const call = (action: string, args: object = {}, maxOutput?: number): Promise<Answer> =>
  fixture.call(exec, { action, ...args }, {}, maxOutput);
const run = (command: unknown, args: object = {}): Promise<Answer> => call('exec', { command, ...args });

describe('a command that ends', () => {
  test('answers with its output beside the facts', async () => {
    const answer = await run('echo out; echo err >&2');
    expect(answer).toMatchObject({
      ok: true,
      isError: false,
      data: { proc_id: expect.stringMatching(/^proc_\d+$/), status: 'success', exit_code: 0 },
    });
    expect(answer.data.stdout).toEqual({ block: 1 });
    expect([answer.text('stdout'), answer.text('stderr')]).toEqual(['out\n', 'err\n']);
  });

  test('has an empty stream as an empty text', async () => {
    expect((await run('true')).data).toMatchObject({ stdout: '', stderr: '' });
  });

  test('with another exit code is an error that keeps everything', async () => {
    const answer = await run('echo partial; exit 3');
    expect(answer).toMatchObject({
      ok: false,
      isError: true,
      data: { status: 'failed', exit_code: 3 },
      error: { code: 'EXIT', message: 'exited with 3', exit_code: 3 },
    });
    expect(answer.text('stdout')).toBe('partial\n');
  });

  test('by a signal has the code that shells give, and the signal', async () => {
    expect((await run('kill -9 $$')).data).toMatchObject({ status: 'failed', exit_code: 137, signal: 'SIGKILL' });
  });

  test('runs in bash, by its own rules', async () => {
    const answer = await run('a=(1 2 3); echo ${#a[@]} {x,y}; [[ abc =~ b ]] && echo "$(( 2 ** 10 ))" <<< z');
    expect(answer.text('stdout')).toBe('3 x y\n1024\n');
  });

  test('may begin with a dash', async () => {
    expect(await run('--version')).toMatchObject({ ok: false, data: { exit_code: 127 } });
  });

  test('as an array of words runs exactly these words', async () => {
    const answer = await run(['printf', '[%s]', 'a b', '$HOME', "it's", '', '*']);
    expect(answer.text('stdout')).toBe("[a b][$HOME][it's][][*]");
  });

  test('does not wait for a background job that holds its output', async () => {
    const answer = await run('sleep 4321 & echo done');
    expect(answer).toMatchObject({ ok: true, data: { status: 'success', left_running: 1 } });
    expect(answer.text('stdout')).toBe('done\n');
    const { proc_id } = answer.data;
    expect((await call('ps', { proc_id })).data.processes[0]).toMatchObject({ running: false, left_running: 1 });
    expect((await call('kill', { proc_id })).data).toMatchObject({ killed: true });
    expect((await call('ps', { proc_id })).data.processes[0].left_running).toBeUndefined();
  });

  test('does not wait for an orphan of a process substitution', async () => {
    const answer = await run('echo done > >(cat; sleep 4322); sleep 0.2');
    expect(answer.data).toMatchObject({ status: 'success', left_running: expect.any(Number) });
    expect(answer.text('stdout')).toBe('done\n');
    await call('kill', { proc_id: answer.data.proc_id });
  });

  test('many at once each get their own output', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => run(`echo ${i}; exit ${i}`)));
    expect(answers.map((each) => [each.text('stdout'), each.data.exit_code])).toEqual(
      Array.from({ length: 20 }, (_, i) => [`${i}\n`, i]),
    );
  });
});

describe('where and with what', () => {
  test('cwd is a directory, by path or URI', async () => {
    mkdirSync(path.join(fixture.folder, 'in here'));
    const wanted = path.join(fixture.folder, 'in here');
    expect((await run('pwd', { cwd: wanted })).text('stdout')).toBe(`${wanted}\n`);
    expect((await run('pwd', { cwd: `file://${wanted.replace(' ', '%20')}` })).text('stdout')).toBe(`${wanted}\n`);
  });

  test('a cwd that is not there names what is', async () => {
    mkdirSync(path.join(fixture.folder, 'packages'));
    const answer = await run('pwd', { cwd: path.join(fixture.folder, 'pakages') });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'NOT_FOUND', nearest: expect.stringMatching(/packages$/) },
    });
    expect(answer.error.message).toMatch(/pakages does not exist; did you mean .*packages\?/);
  });

  test('a cwd that is a file, or relative, is refused with the reason', async () => {
    writeFileSync(path.join(fixture.folder, 'file'), '');
    expect((await run('pwd', { cwd: path.join(fixture.folder, 'file') })).error.message).toMatch(/is a file/);
    expect((await run('pwd', { cwd: 'src' })).error).toMatchObject({ code: 'INVALID_PARAMS', param: 'cwd' });
  });

  test('env is laid over the environment of the server', async () => {
    const answer = await run('echo "$GREETING $HOME"', { env: { GREETING: 'a  b' } });
    expect(answer.text('stdout')).toBe(`a  b ${process.env['HOME']}\n`);
  });

  test.each([[{ 'A=B': 'x' }], [{ '': 'x' }], [{ A: 'x\0y' }], [{ A: 1 }], [{ A: null }], [['A']]])(
    'env %j is refused',
    async (env) => {
      expect((await run('true', { env })).error).toMatchObject({ code: 'INVALID_PARAMS' });
    },
  );

  test('the credentials of the server do not reach a command unless passed', async () => {
    const names = [
      'HANZO_API_KEY',
      'HANZO_KEY',
      'API_KEY',
      'API_TOKEN',
      'HANZO_TOKEN',
      'OPENAI_API_KEY',
      'GITHUB_TOKEN',
    ];
    for (const name of names) process.env[name] = `canary-${name}`;
    try {
      expect((await run('env; cat /proc/$$/environ')).text('stdout')).not.toContain('canary-');
      expect((await run('echo $API_KEY', { env: { API_KEY: 'mine' } })).text('stdout')).toBe('mine\n');
    } finally {
      for (const name of names) delete process.env[name];
    }
  });

  test.each([['   '], [''], ['echo a\0b'], [`: ${'x'.repeat(140_000)}`], [7], [['a', 1]]])(
    'the command %j is refused',
    async (command) => {
      expect((await run(command)).error).toMatchObject({ code: 'INVALID_PARAMS', param: 'command' });
    },
  );
});

describe('standard input', () => {
  test('is empty unless asked for', async () => {
    expect((await run('cat; echo over')).text('stdout')).toBe('over\n');
  });

  test('is the input, whole, also through /dev/stdin', async () => {
    const input = `${'é'.repeat(200_000)}\n`;
    expect((await run('wc -c', { input })).text('stdout').trim()).toBe('400001');
    expect((await run('cat /dev/stdin | wc -c', { input })).text('stdout').trim()).toBe('400001');
    expect((await run('true', { input })).ok).toBe(true);
  });

  test('stays open with stdin, and takes what write sends until eof', async () => {
    const { proc_id } = (await run('while read line; do echo "got $line"; done; echo end', { stdin: true, timeout: 0 }))
      .data;
    expect((await call('write', { proc_id, input: 'one\n' })).data).toMatchObject({ written: 4 });
    expect((await call('wait', { proc_id, pattern: 'got one' })).data).toMatchObject({
      met: 'pattern',
      status: 'running',
    });
    await call('write', { proc_id, input: 'two\n', eof: true });
    const answer = await call('wait', { proc_id });
    expect(answer.text('stdout')).toBe('got one\ngot two\nend\n');
    expect((await call('write', { proc_id, input: 'x' })).error).toMatchObject({ code: 'CONFLICT' });
  });

  test('a process without it says how it would have it', async () => {
    const { proc_id } = (await run('sleep 4323', { timeout: 0 })).data;
    expect((await call('write', { proc_id, input: 'x' })).error.message).toMatch(/stdin: true/);
    await call('kill', { proc_id });
  });

  test('that is waited for is read from the process, not from its words', async () => {
    const { proc_id } = (await run('echo "collecting ..."; read answer', { stdin: true, timeout: 0 })).data;
    await call('wait', { proc_id, pattern: 'collecting' });
    await expect
      .poll(async () => (await call('wait', { proc_id, timeout: 0 })).data.waits_for_input, { timeout: 20_000 })
      .toBe(true);
    await call('kill', { proc_id });
    const busy = (await run('printf "Password: "; sleep 4324', { stdin: true, timeout: 0 })).data.proc_id;
    await call('wait', { proc_id: busy, pattern: 'Password: ' });
    expect((await call('wait', { proc_id: busy, timeout: 0 })).data.waits_for_input).toBeUndefined();
    await call('kill', { proc_id: busy });
  });

  test('a process that does not read is no reason to hang', async () => {
    const { proc_id } = (await run('sleep 4325', { stdin: true, timeout: 0 })).data;
    expect((await call('write', { proc_id, input: 'x'.repeat(900_000) })).ok).toBe(true);
    expect((await call('write', { proc_id, input: 'x'.repeat(900_000) })).error.message).toMatch(/has not read/);
    await call('kill', { proc_id });
  });
});

describe('output', () => {
  test('/dev/stdout and /dev/stderr can be opened', async () => {
    const answer = await run('echo a > /dev/stdout; echo b | tee /dev/stderr >/dev/null');
    expect([answer.text('stdout'), answer.text('stderr')]).toEqual(['a\n', 'b\n']);
  });

  test('50 MB cost no more than the bound; the rest is named and can be paged', async () => {
    const answer = await run('yes 0123456789012345678 | head -c 50000000');
    expect(answer.bytes).toBeLessThanOrEqual(32_768);
    expect(answer.data).toMatchObject({ exit_code: 0, truncated: true, stdout_bytes: 50_000_000 });
    const note = /\[(\d+) of 50000000 bytes left out: exec logs proc_id=(\S+) stream=stdout offset=(\d+)\]\n/.exec(
      answer.text('stdout'),
    );
    const shown = answer.text('stdout').replace(note?.[0] ?? '', '');
    expect(shown.length).toBe(50_000_000 - Number(note?.[1]));
    const next = await call('logs', { proc_id: note?.[2], offset: Number(note?.[3]) });
    expect(next.text('stdout').slice(0, 20)).toBe('0123456789012345678\n');
  });

  test('pages concatenate exactly to the whole', async () => {
    const { proc_id } = (await run('for i in $(seq 30000); do echo "$i é€😀"; done; printf "no end é"')).data;
    let whole = '';
    let page = await call('logs', { proc_id, offset: 0 }, 20_000);
    for (let count = 0; count < 100; count++) {
      expect(page.bytes).toBeLessThanOrEqual(20_000);
      whole += page.text('stdout');
      if (page.data.more === undefined) break;
      page = await call('logs', { proc_id, offset: page.data.next_offset }, 20_000);
    }
    expect(whole).toBe(`${Array.from({ length: 30_000 }, (_, i) => `${i + 1} é€😀\n`).join('')}no end é`);
  });

  test('pages of one long line concatenate too, and never split a character', async () => {
    const { proc_id } = (await run("printf '€%.0s' $(seq 20000)")).data;
    let whole = '';
    for (let offset = 0; offset < 60_000;) {
      const page = await call('logs', { proc_id, offset }, 3001);
      whole += page.text('stdout');
      offset = page.data.next_offset;
    }
    expect(whole).toBe('€'.repeat(20_000));
  });

  test('3,000 progress frames are the last one', async () => {
    const answer = await run('for i in $(seq 3000); do printf "\\rfetching %d/3000 [####      ] 12 MB/s" $i; done');
    expect(answer.text('stdout')).toBe('fetching 3000/3000 [####      ] 12 MB/s');
  });

  test('control sequences never arrive', async () => {
    const answer = await run(`printf '\\e[1;31mred\\e[0m \\e]0;title\\atext\\b\\bxt\\e[K\\n'`);
    expect(answer.text('stdout')).toBe('red text\n');
  });

  test('a character cut between two writes is whole', async () => {
    const answer = await run("printf '\\xe2\\x82'; sleep 0.1; printf '\\xac'");
    expect(answer.text('stdout')).toBe('€');
  });

  test('both streams have room: much on stdout does not push stderr out', async () => {
    const answer = await run('seq 100000; seq 1 200 >&2; exit 1');
    expect(answer.text('stderr')).toBe(Array.from({ length: 200 }, (_, i) => `${i + 1}\n`).join(''));
    expect(answer.text('stdout').endsWith('99999\n100000\n')).toBe(true);
    expect(answer.bytes).toBeLessThanOrEqual(32_768);
  });

  test('bytes that are no UTF-8 stay within the bound', async () => {
    const answer = await run("head -c 100000 /dev/zero | tr '\\0' '\\377'");
    expect(answer.bytes).toBeLessThanOrEqual(32_768);
    expect(answer.data.truncated).toBe(true);
  });
});

describe('the background', () => {
  test('is where a command goes at its limit, and the answer says so', async () => {
    const answer = await run('echo first; sleep 1; echo second', { timeout: 300 });
    expect(answer).toMatchObject({ ok: true, data: { status: 'running', exit_code: null, background: true } });
    expect(answer.data.message).toContain(answer.data.proc_id);
    const later = await call('wait', { proc_id: answer.data.proc_id });
    expect(later).toMatchObject({ ok: true, data: { status: 'success', exit_code: 0, waited: true, met: 'exit' } });
    expect(later.text('stdout')).toBe('first\nsecond\n');
  });

  test('is where a command goes at once with background or timeout 0', async () => {
    for (const args of [{ background: true }, { timeout: 0 }]) {
      const { data } = await run('sleep 0.3; echo late', args);
      expect(data).toMatchObject({ status: 'running', pid: expect.any(Number) });
      expect((await call('wait', { proc_id: data.proc_id })).text('stdout')).toBe('late\n');
    }
  });

  test('names are given or made, and are free again after the end', async () => {
    await run('sleep 4326', { proc_id: 'dev-server', timeout: 0 });
    const taken = await run('true', { proc_id: 'dev-server' });
    expect(taken.error).toMatchObject({ code: 'CONFLICT', proc_id: 'dev-server' });
    expect((await call('logs', { proc_id: 'dev-sever' })).error).toMatchObject({
      code: 'NOT_FOUND',
      nearest: 'dev-server',
    });
    await call('kill', { proc_id: 'dev-server' });
    expect((await run('echo anew', { proc_id: 'dev-server' })).text('stdout')).toBe('anew\n');
    expect((await run('true', { proc_id: '-x y' })).error).toMatchObject({ code: 'INVALID_PARAMS', param: 'proc_id' });
  });

  test.each(['__proto__', 'constructor', 'toString'])('a name such as %s is only a name', async (proc_id) => {
    expect((await call('logs', { proc_id })).error.code).toBe('NOT_FOUND');
  });

  test('ps lists what runs and what ran', async () => {
    const { proc_id } = (await run('sleep 4327', { timeout: 0 })).data;
    const { data } = await call('ps');
    expect(data.count).toBe(data.processes.length);
    expect(data.total).toBe(data.count + (data.more ? Number.parseInt(data.more, 10) : 0));
    expect(data.processes[0]).toMatchObject({ proc_id, command: 'sleep 4327', running: true, exit_code: null });
    await call('kill', { proc_id });
  });

  test('a call that the client cancels ends its command', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    const answer = await fixture.call(
      exec,
      { action: 'exec', command: 'sleep 4328 & setsid sleep 4328' },
      { signal: stop.signal },
    );
    expect(answer).toMatchObject({ ok: false, error: { code: 'EXIT' } });
    expect((await call('ps', { proc_id: answer.error.proc_id })).data.processes[0].running).toBe(false);
  });
});

describe('logs', () => {
  test('tail counts lines, of both streams or one', async () => {
    const { proc_id } = (await run('seq 1 500; echo a >&2; echo b >&2')).data;
    const both = await call('logs', { proc_id, tail: 2 });
    expect([both.text('stdout'), both.text('stderr')]).toEqual(['499\n500\n', 'a\nb\n']);
    const one = await call('logs', { proc_id, tail: 1, stream: 'stderr' });
    expect([one.text('stdout'), one.text('stderr')]).toEqual(['', 'b\n']);
    expect((await call('logs', { proc_id })).text('stdout').split('\n')).toHaveLength(51);
    expect((await call('logs', { proc_id, tail: 100_000 })).text('stdout').split('\n')).toHaveLength(501);
  });

  test('of a running process show its unfinished line', async () => {
    const { proc_id } = (await run('echo line; printf "Continue? [y/N] "; sleep 4329', { timeout: 0 })).data;
    await call('wait', { proc_id, pattern: 'Continue' });
    expect((await call('logs', { proc_id, tail: 1 })).text('stdout')).toBe('Continue? [y/N] ');
    const page = await call('logs', { proc_id, offset: 0 });
    expect(page.data).toMatchObject({ next_offset: 5, unfinished: 'Continue? [y/N] ' });
    await call('kill', { proc_id });
  });

  test('an offset past the end says where the end is', async () => {
    const { proc_id } = (await run('printf 12345')).data;
    expect((await call('logs', { proc_id, offset: 5 })).data).toMatchObject({ next_offset: 5, stdout: '' });
    expect((await call('logs', { proc_id, offset: 6 })).error.message).toBe(
      'offset 6 is past the end; stdout has 5 bytes in all',
    );
    expect((await call('logs', { proc_id, offset: 0, tail: 3 })).error.code).toBe('INVALID_PARAMS');
  });
});

describe('wait', () => {
  test('ends with a pattern, however it came: before, in pieces, without a line end', async () => {
    const { proc_id } = (
      await run('echo ready on 3000; sleep 0.3; printf li; sleep 0.2; printf "stening"; sleep 4330', { timeout: 0 })
    ).data;
    await sleep(100);
    expect((await call('wait', { proc_id, pattern: 'ready on \\d+$' })).data).toMatchObject({
      met: 'pattern',
      line: 'ready on 3000',
    });
    expect((await call('wait', { proc_id, pattern: 'listening' })).data).toMatchObject({
      met: 'pattern',
      line: 'listening',
    });
    await call('kill', { proc_id });
  });

  test('looks at stderr too, and far into much output', async () => {
    const { proc_id } = (await run('seq 1 400000; echo "needle (x)" >&2; sleep 4331', { timeout: 0 })).data;
    expect((await call('wait', { proc_id, pattern: '^399999$' })).data.met).toBe('pattern');
    expect((await call('wait', { proc_id, pattern: 'needle \\(.\\)' })).data.line).toBe('needle (x)');
    await call('kill', { proc_id });
  });

  test('ends with the process even if the pattern never came', async () => {
    const { proc_id } = (await run('sleep 0.3', { timeout: 0 })).data;
    expect((await call('wait', { proc_id, pattern: 'never' })).data).toMatchObject({ met: 'exit', status: 'success' });
  });

  test('ends with silence', async () => {
    const { proc_id } = (await run('echo a; sleep 0.1; echo b; sleep 4332', { timeout: 0 })).data;
    const answer = await call('wait', { proc_id, quiet: 400 });
    expect(answer.data).toMatchObject({ met: 'quiet', status: 'running' });
    expect(answer.text('stdout')).toBe('a\nb\n');
    await call('kill', { proc_id });
  });

  test('at its own limit is TIMEOUT with what there is', async () => {
    const { proc_id } = (await run('echo so far; sleep 4333', { timeout: 200 })).data;
    const answer = await call('wait', { proc_id, timeout: 50 });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'TIMEOUT', proc_id },
      data: { status: 'running', waited: true },
    });
    expect(answer.text('stdout')).toBe('so far\n');
    await call('kill', { proc_id });
  });

  test('on what is over answers at once', async () => {
    const { proc_id } = (await run('exit 4')).data;
    expect(await call('wait', { proc_id })).toMatchObject({
      ok: true,
      data: { waited: false, exit_code: 4, status: 'failed' },
    });
  });

  test('waits do not disturb each other', async () => {
    const { proc_id } = (await run('sleep 0.3; echo one; sleep 0.3; echo two', { timeout: 0 })).data;
    const waits = await Promise.all([
      call('wait', { proc_id, timeout: 20 }),
      call('wait', { proc_id, pattern: 'one' }),
      call('wait', { proc_id, pattern: 'two' }),
      call('wait', { proc_id }),
    ]);
    expect(waits.map((each) => each.data.met)).toEqual([undefined, 'pattern', expect.any(String), 'exit']);
  });

  test.each(['(', 'a(?=b)', '\\1'])('the pattern %j is refused', async (pattern) => {
    const { proc_id } = (await run('true')).data;
    expect((await call('wait', { proc_id, pattern })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      param: 'pattern',
    });
  });

  test('a pattern that would run away does not', async () => {
    const { proc_id } = (await run("printf 'a%.0s' $(seq 5000)")).data;
    expect((await call('wait', { proc_id, pattern: '(a+)+b' })).data.met).toBe('exit');
  });
});

describe('kill', () => {
  test.each(['TERM', 'sigkill', '9', undefined])('%s ends it', async (signal) => {
    const { proc_id } = (await run('sleep 4334', { timeout: 0 })).data;
    const answer = await call('kill', { proc_id, ...(signal ? { signal } : {}) });
    expect(answer.data).toMatchObject({ killed: true, status: 'failed', exit_code: expect.any(Number) });
    expect((await call('logs', { proc_id })).data.running).toBe(false);
    expect((await call('kill', { proc_id })).data).toMatchObject({ killed: false });
  });

  test('gives a process the time to end well', async () => {
    const { proc_id } = (
      await run("trap 'echo tidy; exit 0' TERM; echo up; while :; do sleep 0.05; done", { timeout: 0 })
    ).data;
    await call('wait', { proc_id, pattern: 'up' });
    expect((await call('kill', { proc_id })).data).toMatchObject({ exit_code: 0, status: 'success' });
    expect((await call('logs', { proc_id })).text('stdout')).toBe('up\ntidy\n');
  });

  test('another signal is only delivered', async () => {
    const { proc_id } = (await run("trap 'echo again' HUP; echo up; while :; do sleep 0.05; done", { timeout: 0 }))
      .data;
    await call('wait', { proc_id, pattern: 'up' });
    expect((await call('kill', { proc_id, signal: 'HUP' })).data).toMatchObject({
      signal: 'SIGHUP',
      status: 'running',
    });
    expect((await call('wait', { proc_id, pattern: 'again' })).data.met).toBe('pattern');
    await call('kill', { proc_id });
  });

  test('an interrupt ends what a terminal would end', async () => {
    const { proc_id } = (await run('echo up; sleep 4335; echo not reached', { timeout: 0 })).data;
    await call('wait', { proc_id, pattern: 'up' });
    await call('kill', { proc_id, signal: 'SIGINT' });
    const answer = await call('wait', { proc_id });
    expect(answer.data).toMatchObject({ status: 'failed', exit_code: 130 });
    expect(answer.text('stdout')).toBe('up\n');
  });

  test('an unknown signal or process is named', async () => {
    const { proc_id } = (await run('true')).data;
    expect((await call('kill', { proc_id, signal: 'SIGNONE' })).error).toMatchObject({ code: 'INVALID_PARAMS' });
    expect((await call('kill', { proc_id: 'nothing' })).error).toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('finished processes are kept up to a number; what left something running stays', async () => {
  const small = createFixture({ keep: 3 });
  try {
    const start = (command: string): Promise<Answer> => small.call(exec, { action: 'exec', command });
    const left = (await start('sleep 4336 &')).data.proc_id;
    for (let i = 0; i < 6; i++) await start(`echo ${i}`);
    const { data } = await small.call(exec, { action: 'ps' });
    expect(data.processes.map((each: { command: string }) => each.command)).toEqual([
      'sleep 4336 &',
      'echo 5',
      'echo 4',
      'echo 3',
      'echo 2',
    ]);
    expect((await small.call(exec, { action: 'logs', proc_id: left })).ok).toBe(true);
    expect((await small.call(exec, { action: 'logs', proc_id: 'proc_2' })).error.code).toBe('NOT_FOUND');
  } finally {
    await small.close();
  }
});

test('ps pages within the output limit, and nothing is left out between its pages', async () => {
  const many = createFixture();
  try {
    const start = (command: string, timeout = 10_000): Promise<Answer> =>
      many.call(exec, { action: 'exec', command, timeout });
    const text = '🦊'.repeat(100);
    await Promise.all(Array.from({ length: 12 }, (_, i) => start(`sleep 4339 # ${i} ${text}`, 0)));
    await Promise.all(Array.from({ length: 40 }, (_, i) => start(`: x${'y'.repeat(i % 2)} ${text}`)));
    const seen: { proc_id: string; command: string; running: boolean }[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 60; pages++) {
      const page = await many.call(exec, { action: 'ps', ...(cursor ? { cursor } : {}) }, {}, 4096);
      expect(page.bytes).toBeLessThan(4096 + 512);
      expect(page.data).toMatchObject({ count: page.data.processes.length, total: 52 });
      seen.push(...page.data.processes);
      cursor = page.data.paging.cursor ?? undefined;
      expect(page.data.more === undefined).toBe(cursor === undefined);
      if (cursor === undefined) break;
      // One that ends between two pages moves behind the others; it may come twice, and is never left out.
      if (pages === 0) await many.call(exec, { action: 'kill', proc_id: 'proc_1' });
    }
    expect(new Set(seen.map((each) => each.proc_id)).size).toBe(52);
    expect(seen.slice(0, 11).every((each) => each.running)).toBe(true);
    expect(seen.every((each) => each.command.isWellFormed())).toBe(true);
    expect((await many.call(exec, { action: 'ps', cursor: 'x' })).error).toMatchObject({ code: 'INVALID_PARAMS' });
    expect((await many.call(exec, { action: 'ps' })).bytes).toBeLessThan(32_768);
  } finally {
    await many.close();
  }
});

test('names in messages are cut between characters', async () => {
  const fox = `a${'🦊'.repeat(200)}`;
  for (const args of [
    { action: 'logs', proc_id: fox },
    { action: 'kill', proc_id: (await run('true')).data.proc_id, signal: fox },
    { action: 'exec', command: 'true', env: { [`${fox}=`]: '' } },
  ]) {
    const { error } = await fixture.call(exec, args);
    expect(error.message).toContain('…');
    expect(error.message.isWellFormed() && !error.message.includes('\\ud83e')).toBe(true);
  }
});

test('too many at once are refused', async () => {
  const small = createFixture({ maxRunning: 2 });
  try {
    const start = (): Promise<Answer> => small.call(exec, { action: 'exec', command: 'sleep 4337', timeout: 0 });
    const [one] = [await start(), await start()];
    expect((await start()).error).toMatchObject({ code: 'CONFLICT' });
    await small.call(exec, { action: 'kill', proc_id: one.data.proc_id });
    expect((await start()).ok).toBe(true);
  } finally {
    await small.close();
  }
});

test('nothing is started after the end, and nothing is left of before', async () => {
  const other = createFixture();
  try {
    const mark = `4338${process.pid}`;
    await other.call(exec, { action: 'exec', command: `setsid sleep ${mark} & sleep ${mark}`, timeout: 0 });
    await other.env.processes.close();
    const left = [...look().all.keys()].filter((pid) => commandLine(pid).includes(mark));
    expect(left).toEqual([]);
    expect((await other.call(exec, { action: 'ps' })).data.processes).toEqual([]);
    expect((await other.call(exec, { action: 'exec', command: 'true' })).error.code).toBe('CONFLICT');
  } finally {
    await other.close();
  }
});

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
