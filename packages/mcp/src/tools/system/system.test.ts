import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessLevel, defaultConfig } from '../../config.ts';
import type { Local } from '../../local.ts';
import { createSurface, type Surface } from '../../surface.ts';
import { system } from './index.ts';

let dataDir: string;
let surface: Surface;
beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'hanzo-system-'));
  surface = createSurface(['fs', 'git', 'system'], dataDir);
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

// oxlint-disable-next-line typescript/no-explicit-any -- a client sees plain JSON
async function call(args: Record<string, unknown>, level: AccessLevel = 'workspace-write'): Promise<any> {
  const env = { config: defaultConfig({ dataDir, version: '9.8.7' }), access: { level }, surface } as unknown as Local;
  const context = {
    signal: new AbortController().signal,
    progress: () => {},
    log: () => {},
    clientCapabilities: {},
    ask: () => Promise.reject(new Error('nobody to ask')),
  };
  const result = await system.call(args, { env, context });
  return JSON.parse(result.content[0]?.type === 'text' ? result.content[0].text : '');
}

describe('system', () => {
  it('version names this server and what it runs on', async () => {
    expect((await call({ action: 'version' })).data).toMatchObject({
      hanzo_mcp: '9.8.7',
      platform: process.platform,
      arch: process.arch,
      runtime: `node ${process.versions.node}`,
    });
  });

  it('stats adds up logs and stores, and warns past the limits', async () => {
    mkdirSync(path.join(dataDir, 'logs'));
    writeFileSync(path.join(dataDir, 'logs', 'a.txt'), Buffer.alloc(2 * 1024 * 1024));
    writeFileSync(path.join(dataDir, 'memory.db'), Buffer.alloc(1024 * 1024));
    const { data } = await call({ action: 'stats' });
    expect(data.hanzo).toMatchObject({ logs_mb: 2, db_mb: 1 });
    expect(data.tools).toEqual({ local: 3, cloud: 0 });
    expect(data.healthy).toBe(data.warnings.length === 0);
    expect(data.system.memory.percent).toBeGreaterThan(0);
    expect(data.system.memory.used_gb).toBeLessThanOrEqual(data.system.memory.total_gb);
  });

  it('disabling takes a tool off the list, is kept, and tells the listener', async () => {
    let changes = 0;
    const stop = surface.onChange(() => {
      changes += 1;
    });
    expect((await call({ action: 'tool', tool_action: 'disable', name: 'git' })).data).toEqual({
      action: 'disable',
      name: 'git',
      changed: true,
      enabled: false,
      persisted: true,
    });
    expect(surface.listed()).toEqual(['fs', 'system']);
    expect(changes).toBe(1);
    expect(JSON.parse(readFileSync(path.join(dataDir, 'mcp/tool_states.json'), 'utf8'))).toEqual({ git: false });
    expect((await call({ action: 'tool', disabled: true })).data).toMatchObject({
      tools: [{ name: 'git', category: 'vcs', enabled: false }],
      total: 3,
      enabled: 2,
      disabled: 1,
    });
    expect((await call({ action: 'tool', tool_action: 'enable', name: 'git', persist: false })).data).toMatchObject({
      changed: true,
      persisted: false,
    });
    expect(surface.listed()).toEqual(['fs', 'git', 'system']);
    stop();
  });

  it('system itself cannot be disabled; a read-only server keeps nothing', async () => {
    expect((await call({ action: 'tool', tool_action: 'disable', name: 'system' })).error.code).toBe('INVALID_PARAMS');
    expect((await call({ action: 'tool', tool_action: 'status', name: 'system' })).data).toMatchObject({
      critical: true,
    });
    expect((await call({ action: 'tool', tool_action: 'enable', name: 'fs' }, 'read-only')).data).toMatchObject({
      persisted: false,
      note: expect.stringContaining('a read-only server keeps no choice'),
    });
  });

  it('an unknown tool names the nearest one, and a missing name is asked for', async () => {
    const { error } = await call({ action: 'tool', tool_action: 'enable', name: 'gti' });
    expect(error).toMatchObject({ code: 'NOT_FOUND', available: ['fs', 'git', 'system'] });
    expect(error.message).toContain("'git'");
    expect((await call({ action: 'tool', tool_action: 'enable' })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      param: 'name',
    });
    expect((await call({ action: 'tool', tool_action: 'enable', name: '__proto__' })).error.code).toBe('NOT_FOUND');
  });
});
