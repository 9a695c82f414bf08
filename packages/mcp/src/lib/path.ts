// From what a caller names to an absolute path, and from a path to what an answer names.
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { shorten, ToolError } from '@hanzo/tool';

/**
 * The absolute, normalised path of an input `uri`: an absolute path, `~` or `~/...`, or a `file://` URI without a host
 * (percent-decoded). Anything else is INVALID_PARAMS with the absolute form in the message. `cwd` only serves that message.
 */
export function toPath(uri: string, cwd: string, param = 'uri'): string {
  const refuse = (why: string): ToolError => new ToolError('INVALID_PARAMS', `'${param}': ${why}`, { param });
  if (uri === '') throw refuse('is empty; give an absolute path');
  if (uri.includes('\0')) throw refuse('contains a NUL byte, which no file name can hold');
  if (/^file:/i.test(uri)) return path.resolve(fromFileUri(uri, refuse));
  if (uri === '~' || uri.startsWith('~/')) return path.join(homedir(), uri.slice(1));
  if (path.isAbsolute(uri)) return path.resolve(uri);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(uri))
    throw refuse(`'${shorten(uri, 200)}' is not a file; only absolute paths and file:// URIs are`);
  throw refuse(
    `'${shorten(uri, 200)}' is relative; give the absolute path, for example ${shorten(path.resolve(cwd, uri), 400)}`,
  );
}

function fromFileUri(uri: string, refuse: (why: string) => ToolError): string {
  if (!/^file:\//i.test(uri))
    throw refuse(`'${shorten(uri, 200)}' is not a usable file:// URI; write file:///absolute/path`);
  let file: string;
  try {
    // The URL parser drops blanks around, tabs and line ends, and turns backslashes; in a name they mean themselves.
    const url = new URL(uri.replaceAll(/[\0-\x20\\]/g, encodeURIComponent));
    if (url.hostname === 'localhost') url.hostname = '';
    if (url.search !== '' || url.hash !== '' || /[?#]$/.test(uri)) {
      throw new Error('it has a ? or #, which in a name are written %3F and %23');
    }
    file = fileURLToPath(url);
  } catch (error) {
    throw refuse(
      `'${shorten(uri, 200)}' is not a usable file:// URI (${(error as Error).message}); write file:///absolute/path`,
    );
  }
  if (file.includes('\0')) throw refuse('encodes a NUL byte, which no file name can hold');
  return file;
}

/** The `file://` URI of an absolute path, percent-encoded. */
export function toUri(file: string): string {
  // The URL parser drops blanks and control characters at the end of what it is given; behind `/x` nothing is at the end.
  return file.endsWith('/') ? pathToFileURL(file).href : pathToFileURL(`${file}/x`).href.slice(0, -2);
}

/** True if `file` is `dir` or lies below it, by components. Both absolute and normalised. */
export function within(file: string, dir: string): boolean {
  const relative = path.relative(dir, file);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}
