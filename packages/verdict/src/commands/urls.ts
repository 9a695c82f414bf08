// Addresses a command fetches from: known, public ones are reads.
import type { Bench } from './types.ts';
import { exact, type Field, heads } from '../shell/value.ts';

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
/** Addresses from which machines of a cloud learn their own credentials. */
const METADATA = /^(169\.254\.|metadata\.google|metadata\.azure|100\.100\.100\.200|\[?fd00:ec2|instance-data)/i;

export function judgeUrl(field: Field, bench: Bench): void {
  const text = exact(field);
  const known = text ?? heads(field)[0] ?? '';
  const scheme = SCHEME.exec(known)?.[1]?.toLowerCase();
  const host =
    known
      .replace(SCHEME, '')
      .replace(/^[^/?#]*@/, '')
      .split(/[/?#]/)[0] ?? '';
  if (text === undefined && host === '')
    return bench.report('ask', 'address-unknown', `the address ${field.source} cannot be told before it runs`);
  if (scheme === 'file') return bench.report('ask', 'address-file', `${known} is a file`);
  if (METADATA.test(host))
    return bench.report('ask', 'address-metadata', `${host} gives out the machine's credentials`);
  if (scheme !== undefined && !/^(https?|ftps?|git|ssh)$/.test(scheme))
    bench.report('ask', 'address-scheme', `${known} is of a scheme that is not judged here`);
}
