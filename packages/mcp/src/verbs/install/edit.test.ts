// The two editors against every text: what is read is what JSON.parse reads, and an entry leaves no trace when it goes.
import * as fc from 'fast-check';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { FormatError } from './format.ts';
import { jsonFormat } from './json-edit.ts';
import { readJson, toValue } from './jsonc.ts';
import { scanToml } from './toml-scan.ts';
import { tomlFormat } from './toml-edit.ts';

const PLAIN = { comments: false, trailingCommas: false } as const;
const LENIENT = { comments: true, trailingCommas: true } as const;
const ENTRY = { command: '/n', args: ['/b', 'serve'] };
const PATH = ['mcpServers', 'hanzo'];

describe('reading JSON', () => {
  it('any text is read as JSON.parse reads it, or refused where JSON.parse refuses', () => {
    const texts = fc.oneof(
      fc.json(),
      fc.string(),
      fc.string({
        unit: fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          '"',
          ':',
          ',',
          '1',
          '-',
          '.',
          'e',
          ' ',
          '\\',
          'u',
          'true',
          'null',
          '\n',
        ),
      }),
      fc.json().chain((text) => fc.nat(text.length).map((at) => text.slice(0, at))),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let wanted: unknown;
        try {
          wanted = JSON.parse(text);
        } catch {
          if (/^[ \t\r\n]*$/.test(text)) return;
          expect(() => readJson(text, PLAIN)).toThrow(FormatError);
          return;
        }
        const { root } = readJson(text, PLAIN);
        expect(JSON.stringify(root && toValue(root))).toBe(JSON.stringify(wanted));
      }),
      { numRuns: 2000 },
    );
  });

  it('a long string costs no stack', () => {
    const text = JSON.stringify({ a: 'x'.repeat(5_000_000) });
    expect(readJson(text, PLAIN).root?.end).toBe(text.length);
  });
});

/** An object written in some style, with comments and blanks anywhere they may stand. */
const written = fc
  .record({
    value: fc.dictionary(
      fc.constantFrom('a', 'b', 'mcpServers', 'x y', '__proto__'),
      fc.oneof(
        fc.dictionary(fc.constantFrom('c', 'd', 'other'), fc.jsonValue({ maxDepth: 1 }), { noNullPrototype: false }),
        fc.jsonValue({ maxDepth: 1 }),
      ),
      { noNullPrototype: false },
    ),
    indent: fc.constantFrom(0, 2, 4, '\t'),
    crlf: fc.boolean(),
    note: fc.constantFrom('', ' // note, with "quotes" and }', ' /* a { b */'),
    commas: fc.boolean(),
    tail: fc.constantFrom('', '\n', '\n\n// end\n'),
  })
  .filter(({ value }) => {
    const servers = Object.getOwnPropertyDescriptor(value, 'mcpServers')?.value as unknown;
    return servers === undefined || (typeof servers === 'object' && servers !== null && !Array.isArray(servers));
  })
  .map(({ value, indent, crlf, note, commas, tail }) => {
    let text = JSON.stringify(value, null, indent);
    if (indent !== 0) {
      if (commas) text = text.replaceAll(/([^{[\s,])(\n\s*[}\]])/g, '$1,$2');
      if (note) text = text.replaceAll(/([,{[}\]"\w])\n/g, `$1${note}\n`);
    }
    text += tail;
    return crlf ? text.replaceAll('\n', '\r\n') : text;
  });

function commentsOf(text: string): string[] {
  return readJson(text, LENIENT).comments.map(({ start, end }) => text.slice(start, end));
}

describe('editing JSON', () => {
  const format = jsonFormat(LENIENT);

  it('sets the entry, keeps every other value and every comment, and is idempotent', () => {
    fc.assert(
      fc.property(written, (text) => {
        const edited = format.set(text, PATH, ENTRY, []);
        expect(format.get(edited, PATH)).toEqual(Object.assign(Object.create(null) as object, ENTRY));
        expect(format.set(edited, PATH, ENTRY, [])).toBe(edited);
        expect(commentsOf(edited)).toEqual(commentsOf(text));
        if (text.includes('\r\n')) expect(edited.replaceAll('\r\n', '')).not.toContain('\n');
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    '{"mcpServers":{"x":{}/*h*/,/*i*/}}',
    '{"mcpServers": {"x": {} /*h*/}}',
    '{"mcpServers":{"x":{},}}',
    '{"mcpServers":{"x":{} // h\n, // i\n}}',
  ])('%j comes back with its comments and commas', (text) => {
    expect(format.remove(format.set(text, PATH, ENTRY, []), PATH)).toContain(text);
  });

  it('one of the ways to remove it gives the text back byte for byte', () => {
    fc.assert(
      fc.property(written, (text) => {
        const ways = format.remove(format.set(text, PATH, ENTRY, []), PATH);
        for (const way of ways) expect(format.get(way, PATH)).toBeUndefined();
        // An object of nothing but a blank is the one thing an addition does not keep.
        if (!/\{\s+\}/.test(text)) expect(ways).toContain(text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('editing TOML', () => {
  const names = fc.constantFrom('a', 'b', 'mcp_servers', 'x y', 'ü', '"q"');
  const scalar = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
  );
  const table = fc.dictionary(
    names,
    fc.oneof(scalar, fc.array(fc.string(), { maxLength: 2 }), fc.dictionary(names, scalar, { maxKeys: 3 })),
    { maxKeys: 4 },
  );
  const texts = fc
    .tuple(table, fc.constantFrom('', '# end\n', 'raw'), fc.boolean())
    .filter(([value]) => {
      const servers = Object.getOwnPropertyDescriptor(value, 'mcp_servers')?.value as unknown;
      return (
        servers === undefined || (typeof servers === 'object' && !Array.isArray(servers) && !(servers instanceof Date))
      );
    })
    .map(([value, tail, crlf]) => {
      const text = stringifyToml(value) + (tail === 'raw' ? '' : tail);
      return crlf ? text.replaceAll('\n', '\r\n') : text;
    });

  it('sets the table, changes nothing else, is idempotent, and one way to remove it gives the text back', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const path = ['mcp_servers', 'hanzo'];
        const edited = tomlFormat.set(text, path, ENTRY, []);
        expect(tomlFormat.set(edited, path, ENTRY, [])).toBe(edited);
        expect(edited.startsWith(text)).toBe(true);
        const ways = tomlFormat.remove(edited, path);
        if (text.trim() !== '') expect(ways).toContain(text);
      }),
      { numRuns: 500 },
    );
  });

  it('every statement is found where it stands', () => {
    const text = '# c\na."b.c" = """x\n# no\n""" # yes\n[[t]]\nv = [1, # [\n 2]\n[t.u] # w\n\'k\' = {x = "}"}\n';
    expect(
      scanToml(text).map((each) =>
        each.kind === 'pair' ? [each.path, text.slice(each.valueStart, each.valueEnd)] : [each.table],
      ),
    ).toEqual([
      [['a', 'b.c'], '"""x\n# no\n"""'],
      [['t']],
      [['t', 'v'], '[1, # [\n 2]'],
      [['t', 'u']],
      [['t', 'u', 'k'], '{x = "}"}'],
    ]);
    expect(parseToml(text)).toBeDefined();
  });
});
