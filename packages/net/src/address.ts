// What an IP address is for. Only `public` may be dialled; everything unknown is not public.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The use of an address: `public`, or the reason why it is not. */
export type AddressKind =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'shared'
  | 'unspecified'
  | 'multicast'
  | 'broadcast'
  | 'documentation'
  | 'benchmarking'
  | 'translation'
  | 'metadata'
  | 'reserved'
  | 'malformed';

type Row = readonly [cidr: string, kind: AddressKind];

// IANA special-purpose registries (RFC 6890 and successors), more specific rows first. Rows that a registry calls globally
// reachable but that lead into relays or anycast helpers are refused all the same: no web server lives there.
const IPV4: readonly Row[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared'],
  ['127.0.0.0/8', 'loopback'],
  // The one metadata service with a public address (Azure wire server); the others are link-local, shared or private.
  ['168.63.129.16/32', 'metadata'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.2.0/24', 'documentation'],
  ['192.0.0.0/24', 'reserved'],
  ['192.31.196.0/24', 'reserved'],
  ['192.52.193.0/24', 'reserved'],
  ['192.88.99.0/24', 'translation'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'reserved'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
];

// Inside 2000::/3, the only block from which global unicast is given out; outside it see OUTSIDE.
const IPV6: readonly Row[] = [
  ['2001::/32', 'translation'], // Teredo, RFC 4380
  ['2001:2::/48', 'benchmarking'], // RFC 5180
  ['2001:db8::/32', 'documentation'], // RFC 3849
  ['2001::/23', 'reserved'], // IETF protocol assignments: ORCHID, AMT, DETs ...
  ['2002::/16', 'translation'], // 6to4, RFC 3056
  ['2620:4f:8000::/48', 'reserved'], // AS112, RFC 7534
  ['3ffe::/16', 'reserved'], // 6bone, RFC 3701
  ['3fff::/20', 'documentation'], // RFC 9637
];

const OUTSIDE: readonly Row[] = [
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::/96', 'translation'], // IPv4-compatible, RFC 4291 2.5.5.1
  ['::ffff:0:0:0/96', 'translation'], // IPv4-translated, RFC 2765
  ['64:ff9b::/96', 'translation'], // NAT64, RFC 6052
  ['64:ff9b:1::/48', 'translation'], // NAT64 local use, RFC 8215
  ['fc00::/7', 'private'], // unique local, RFC 4193
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'], // site-local, RFC 3879
  ['ff00::/8', 'multicast'],
];

interface Range {
  readonly bytes: readonly number[];
  readonly bits: number;
  readonly kind: AddressKind;
}

const V4 = IPV4.map(toRange);
const V6 = IPV6.map(toRange);
const V6_OUTSIDE = OUTSIDE.map(toRange);
const GLOBAL_UNICAST = toRange(['2000::/3', 'public']);

function toRange([cidr, kind]: Row): Range {
  const [address, bits] = ipaddr.parseCIDR(cidr);
  return { bytes: address.toByteArray(), bits, kind };
}

/**
 * The bytes of an IP address in its canonical text form: 4 for IPv4, 16 for IPv6. An IPv4-mapped IPv6 address
 * (`::ffff:a.b.c.d`, RFC 4291 2.5.5.2) is the IPv4 address it stands for. Undefined for anything else, zone ids included.
 */
export function toBytes(address: string): readonly number[] | undefined {
  if (address.includes('%') || isIP(address) === 0) return undefined;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toByteArray();
  return parsed.toByteArray();
}

/** True if the first `bits` bits of `bytes` and `range` agree; both of one family. */
export function matches(bytes: readonly number[], range: readonly number[], bits: number): boolean {
  if (bytes.length !== range.length) return false;
  const whole = bits >> 3;
  for (let i = 0; i < whole; i++) if (bytes[i] !== range[i]) return false;
  const mask = 0xff & ~(0xff >> (bits & 7));
  return mask === 0 || ((bytes[whole] ?? 0) & mask) === ((range[whole] ?? 0) & mask);
}

/** What an address is for. `malformed` for anything that is not one canonical IPv4 or IPv6 address. */
export function classify(address: string): AddressKind {
  const bytes = toBytes(address);
  if (!bytes) return 'malformed';
  const find = (ranges: readonly Range[]): AddressKind | undefined =>
    ranges.find((range) => matches(bytes, range.bytes, range.bits))?.kind;
  if (bytes.length === 4) return find(V4) ?? 'public';
  if (!matches(bytes, GLOBAL_UNICAST.bytes, GLOBAL_UNICAST.bits)) return find(V6_OUTSIDE) ?? 'reserved';
  return find(V6) ?? 'public';
}
