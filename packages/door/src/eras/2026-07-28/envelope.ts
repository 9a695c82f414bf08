// The envelope: what every request says about itself in `params._meta`, and whether it is sound.
import type { LogLevel } from '@hanzo/tool';
import { isLogLevel, LOG_LEVELS, metaOf } from '../../core/notify.ts';
import { CODES, isObject, type Params, RpcError, shown } from '../../core/rpc.ts';
import { MODERN_VERSIONS } from '../revisions.ts';
import { META } from './names.ts';

export interface Envelope {
  capabilities: Params;
  logLevel: LogLevel | undefined;
}

/** Whether a message claims this era for itself. */
export function hasClaim(params: Params | undefined): boolean {
  return Object.hasOwn(metaOf(params), META.version);
}

/**
 * Reads the envelope. `header` is the HTTP version header, undefined where there are no headers.
 * Order: form of the version, header equality (-32020), supported version (-32022), then the rest (-32602).
 */
export function readEnvelope(params: Params | undefined, header?: { version: string | undefined }): Envelope {
  const meta = metaOf(params);
  const version = meta[META.version];
  if (version === undefined) throw malformed(`_meta needs ${missingKeys(meta).join(' and ')}`);
  if (typeof version !== 'string') throw malformed(`_meta["${META.version}"] must be a string`);
  if (header?.version !== undefined && header.version !== version) {
    throw new RpcError(
      CODES.headerMismatch,
      `The MCP-Protocol-Version header says ${shown(header.version)}, the request says ${shown(version)}`,
      { status: 400 },
    );
  }
  if (!MODERN_VERSIONS.includes(version)) throw unsupported(version);
  const capabilities = meta[META.capabilities];
  if (capabilities === undefined) throw malformed(`_meta needs ${META.capabilities}`);
  if (!isObject(capabilities)) throw malformed(`_meta["${META.capabilities}"] must be an object`);
  const info = meta[META.clientInfo];
  if (info !== undefined && !isImplementation(info)) {
    throw malformed(`_meta["${META.clientInfo}"] must be an object with name and version, both strings`);
  }
  const logLevel = meta[META.logLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    throw malformed(`_meta["${META.logLevel}"] must be one of: ${LOG_LEVELS}`);
  }
  return { capabilities, logLevel };
}

/** -32022: the versions of this era we speak, and the one that was asked for. */
export function unsupported(requested: string): RpcError {
  return new RpcError(
    CODES.unsupportedVersion,
    `Unsupported protocol version: ${shown(requested)}. Supported: ${MODERN_VERSIONS.join(', ')}`,
    { data: { supported: MODERN_VERSIONS, requested }, status: 400 },
  );
}

function missingKeys(meta: Params): string[] {
  return [META.version, META.capabilities].filter((key) => meta[key] === undefined);
}

function malformed(what: string): RpcError {
  return new RpcError(CODES.invalidParams, `Invalid request metadata: ${what}`, { status: 400 });
}

function isImplementation(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}
