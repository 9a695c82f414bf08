// Exceptions to the guard: exactly named addresses or networks, each with a port if one is given.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { matches, toBytes } from './address.ts';
import { NetError } from './errors.ts';

/** True if an address (canonical text) and port are excepted. */
export type AllowList = (address: string, port: number) => boolean;

interface Entry {
  readonly bytes: readonly number[];
  readonly bits: number;
  readonly port: number | undefined;
}

/**
 * Reads exceptions: `10.0.0.5`, `10.0.0.5:8443`, `10.1.0.0/16`, `fd00::1`, `[fd00::1]:8443`, `fd00::/8`. Names are not
 * taken, because a name is whatever its owner makes of it. Throws NetError `invalid`.
 */
export function allowList(entries: readonly string[]): AllowList {
  const parsed = entries.map(parse);
  if (parsed.length === 0) return () => false;
  return (address, port) => {
    const bytes = toBytes(address);
    if (!bytes) return false;
    return parsed.some(
      (entry) => (entry.port === undefined || entry.port === port) && matches(bytes, entry.bytes, entry.bits),
    );
  };
}

function parse(entry: string): Entry {
  const refuse = (): NetError =>
    new NetError('invalid', `allow entry '${entry}' is not an address, network or address:port, such as 10.0.0.5:8443`);
  const network = /^([^/]+)\/(\d{1,3})$/.exec(entry);
  if (network) {
    if (isIP(network[1] ?? '') === 0) throw refuse();
    try {
      const [address, bits] = ipaddr.parseCIDR(entry);
      return { bytes: address.toByteArray(), bits, port: undefined };
    } catch {
      throw refuse();
    }
  }
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry);
  const plain = /^([\d.]+)(?::(\d{1,5}))?$/.exec(entry);
  const [, address = entry, port] = bracketed ?? plain ?? [];
  const bytes = toBytes(address);
  if (!bytes || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))) throw refuse();
  return { bytes, bits: bytes.length * 8, port: port === undefined ? undefined : Number(port) };
}
