// What addresses are for: the edges of every special block, and agreement with Node's own matcher on random addresses.
import { BlockList } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classify } from './address.ts';
import { createGuard } from './guard.ts';
import { NetError } from './errors.ts';

// first, last, kind, and the neighbours outside; '-' where the neighbour is special too
const V4_EDGES = [
  ['0.0.0.0', '0.255.255.255', 'unspecified', '-', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', 'private', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', 'shared', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', 'loopback', '126.255.255.255', '128.0.0.0'],
  ['168.63.129.16', '168.63.129.16', 'metadata', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0', '169.254.255.255', 'link-local', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', 'private', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', 'reserved', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', 'documentation', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0', '192.31.196.255', 'reserved', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0', '192.52.193.255', 'reserved', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0', '192.88.99.255', 'translation', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', 'private', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0', '192.175.48.255', 'reserved', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0', '198.19.255.255', 'benchmarking', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', 'documentation', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', 'documentation', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '239.255.255.255', 'multicast', '223.255.255.255', '-'],
  ['240.0.0.0', '255.255.255.254', 'reserved', '-', '-'],
  ['255.255.255.255', '255.255.255.255', 'broadcast', '-', '-'],
] as const;

const V6_EDGES = [
  ['::', '::', 'unspecified', '-', '-'],
  ['::1', '::1', 'loopback', '-', '-'],
  ['::2', '::ffff:ffff', 'translation', '-', '-'],
  ['64:ff9b::', '64:ff9b::ffff:ffff', 'translation', '-', '-'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', 'translation', '-', '-'],
  ['100::', '100::ffff:ffff:ffff:ffff', 'reserved', '-', '-'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', 'translation', '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '-'],
  ['2001:1::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', 'reserved', '-', '2001:200::'],
  ['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff', 'benchmarking', '-', '-'],
  [
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    'documentation',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
  ],
  [
    '2002::',
    '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    'translation',
    '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2003::',
  ],
  [
    '2620:4f:8000::',
    '2620:4f:8000:ffff:ffff:ffff:ffff:ffff',
    'reserved',
    '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff',
    '2620:4f:8001::',
  ],
  ['3ffe::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'reserved', '3ffd:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '-'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', 'documentation', '-', '3fff:1000::'],
  ['4000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'reserved', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '-'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'private', '-', '-'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'link-local', '-', '-'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'private', '-', '-'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'multicast', '-', '-'],
] as const;

describe('the edges of special blocks', () => {
  it.each([...V4_EDGES, ...V6_EDGES])('%s to %s is %s', (first, last, kind, before, after) => {
    expect([classify(first), classify(last)]).toEqual([kind, kind]);
    for (const outside of [before, after])
      if (outside !== '-') expect([outside, classify(outside)]).toEqual([outside, 'public']);
  });

  it.each(V4_EDGES)('%s mapped into IPv6 is what it is', (first, last, kind) => {
    expect([classify(`::ffff:${first}`), classify(`::ffff:${last}`)]).toEqual([kind, kind]);
  });

  it.each(['93.184.216.34', '8.8.8.8', '::ffff:8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'])(
    '%s is public',
    (address) => {
      expect(classify(address)).toBe('public');
    },
  );

  it.each([
    '',
    'localhost',
    '127.1',
    '0x7f.1',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.256',
    '::1%lo',
    '[::1]',
    ':::',
    '1.2.3.4 ',
    '1.2.3.4/8',
    '::g',
  ])('%j is no address', (address) => {
    expect(classify(address)).toBe('malformed');
  });
});

describe('on random addresses', () => {
  const special = new BlockList();
  for (const [first, last] of V4_EDGES) special.addRange(first, last, 'ipv4');
  for (const [first, last] of V6_EDGES) special.addRange(first, last, 'ipv6');
  // Everything outside 2000::/3 is special, given out or not.
  special.addRange('::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ipv6');
  special.addRange('4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ipv6');

  const byte = fc.integer({ min: 0, max: 255 });
  const v4 = fc.tuple(byte, byte, byte, byte);
  const v6 = fc.tuple(
    fc.constantFrom(0, 0x64, 0x2000, 0x2001, 0x2002, 0x2620, 0x3ffe, 0x3fff, 0xfc00, 0xfe80),
    ...Array.from({ length: 7 }, () => fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))),
  );

  it('public is exactly what no block holds, in IPv4', () => {
    fc.assert(
      fc.property(v4, (bytes) => {
        const address = bytes.join('.');
        expect(classify(address) === 'public').toBe(!special.check(address, 'ipv4'));
      }),
      { numRuns: 3000 },
    );
  });

  it('and in IPv6', () => {
    fc.assert(
      fc.property(v6, (groups) => {
        const address = groups.map((each) => each.toString(16)).join(':');
        const mapped = address.startsWith('0:0:0:0:0:ffff:');
        fc.pre(!mapped);
        expect(classify(address) === 'public').toBe(!special.check(address, 'ipv6'));
      }),
      { numRuns: 3000 },
    );
  });

  it('no spelling of a URL changes the verdict', () => {
    const guard = createGuard({});
    fc.assert(
      fc.property(v4, fc.tuple(byte, byte, byte, byte), (bytes, style) => {
        const url = `http://${write(bytes, style)}/`;
        let open = true;
        try {
          guard.url(url);
        } catch (error) {
          expect(error).toBeInstanceOf(NetError);
          open = false;
        }
        expect([url, open]).toEqual([url, !special.check(bytes.join('.'), 'ipv4')]);
      }),
      { numRuns: 3000 },
    );
  });
});

/** An IPv4 address as a URL may spell it: one to four parts, each in its own base, odd dots, wide digits. */
function write(bytes: readonly number[], style: readonly number[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const pick = <T>(index: number, choices: readonly T[]): T => choices[(style[index] ?? 0) % choices.length] as T;
  const parts = pick(0, [
    [a, b, c, d],
    [a, b, c * 256 + d],
    [a, (b * 256 + c) * 256 + d],
    [((a * 256 + b) * 256 + c) * 256 + d],
  ]);
  const wide = pick(2, [false, true]);
  const text = parts.map((part, i) => {
    const plain = pick(i, [
      String(part),
      `0x${part.toString(16)}`,
      `0${part.toString(8)}`,
      `0X000${part.toString(16)}`,
    ]);
    return wide ? plain.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))) : plain;
  });
  return text.join(pick(1, ['.', '。', '．', '%2e']));
}
