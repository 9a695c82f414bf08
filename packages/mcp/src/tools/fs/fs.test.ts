// The tool as it is published: what it costs every turn, and that help knows every action.
import { writeFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { fs } from './index.ts';
import { bench } from './testkit.ts';

test('name, description and schema cost at most 330 tokens', () => {
  const { name, description, inputSchema } = fs.describe();
  expect(encode(JSON.stringify({ name, description, inputSchema })).length).toBeLessThanOrEqual(330);
});

test('the actions of the contract, in its order', async () => {
  const b = bench();
  try {
    const { data } = await b.call('help');
    expect(data.actions.map((each: { name: string }) => each.name)).toEqual([
      'read',
      'write',
      'stat',
      'list',
      'apply_patch',
      'patch',
      'search_text',
      'mv',
      'mkdir',
      'rm',
    ]);
  } finally {
    b.close();
  }
});

test('other tools’ names for the same are understood', async () => {
  const b = bench();
  try {
    await b.call('create', { path: b.at('a'), text: 'x\n' });
    await b.call('edit', { file_path: b.at('a'), old_string: 'x', new_string: 'y' });
    expect((await b.call('read', { file: b.at('a') })).body('text')).toBe('     1│y\n');
    expect((await b.call('search', { query: 'y' })).data.total).toBe(1);
    await b.call('move', { path: b.at('a'), to: b.at('b') });
    expect((await b.call('delete', { path: b.at('b'), confirm: true })).ok).toBe(true);
  } finally {
    b.close();
  }
});

const key = (kind: string): string => `-----BEGIN ${kind}-----\nMIIEsecret\n-----END ${kind}-----\n`;

test('a private key is not shown whatever its name, but where the operator allows it', async () => {
  const b = bench();
  const open = bench({ cwd: b.root, allowSecrets: [b.at('server.pem')] });
  try {
    for (const kind of ['PRIVATE KEY', 'RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK']) {
      writeFileSync(b.at('server.pem'), key(kind));
      const uri = b.at('server.pem');
      const input = `*** Update File: ${uri}\n@@\n-MIIEsecre\n+x\n`;
      const calls = [
        b.call('read', { uri }),
        b.call('apply_patch', { uri, old_text: 'MIIEsecre_', new_text: 'x' }),
        b.call('patch', { input }),
        b.call('search_text', { uri, pattern: 'MIIE' }),
      ];
      for (const { error } of await Promise.all(calls)) {
        expect(error.code).toBe('PERMISSION_DENIED');
        expect(JSON.stringify(error)).not.toContain('MIIEsecret');
        expect(error.message).toContain('--allow-secret');
      }
      expect((await b.call('search_text', { pattern: 'MIIE' })).data.total).toBe(0);
      expect((await open.call('read', { uri })).body('text')).toContain('MIIEsecret');
      expect((await open.call('search_text', { pattern: 'MIIE' })).data.total).toBe(1);
    }
    writeFileSync(b.at('ca.pem'), key('CERTIFICATE'));
    writeFileSync(b.at('test.ts'), `const pem = '${key('PRIVATE KEY').split('\n')[0]}';\n`);
    expect((await b.call('read', { uri: b.at('ca.pem') })).ok).toBe(true);
    expect((await b.call('read', { uri: b.at('test.ts') })).ok).toBe(true);
  } finally {
    b.close();
  }
});
