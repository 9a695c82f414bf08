// Bytes of an answer as text: byte order mark, header, then what the document says of itself.

export interface Decoded {
  readonly text: string;
  /** WHATWG name of the encoding, such as `utf-8` or `windows-1252` */
  readonly charset: string;
}

/** How far into a document its own declaration is looked for (HTML standard, 13.2.3.2). */
const PRESCAN = 1024;

/**
 * Decodes text. The order is the HTML standard's: byte order mark, `charset` of the header, a `<meta>` or XML declaration
 * in the first 1024 bytes, then UTF-8 if the bytes are that, else windows-1252. Never fails; a mark is not part of the text.
 * `cut` says that the bytes end at a limit, where a broken last character is expected.
 */
export function decodeText(bytes: Uint8Array, header: string | undefined, cut = false): Decoded {
  const marked = fromMark(bytes);
  const named = marked ?? known(header) ?? known(declared(bytes));
  if (named !== undefined) return { text: decode(named, bytes, cut), charset: named };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut }), charset: 'utf-8' };
  } catch {
    return { text: decode('windows-1252', bytes, cut), charset: 'windows-1252' };
  }
}

function decode(charset: string, bytes: Uint8Array, cut: boolean): string {
  return new TextDecoder(charset).decode(bytes, { stream: cut });
}

function fromMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return undefined;
}

function declared(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, PRESCAN)).toString('latin1');
  const found =
    /<meta[^>]{1,200}charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start) ??
    /^\s*<\?xml[^>]{1,200}encoding\s*=\s*["']([\w:.-]+)["']/i.exec(start);
  const label = found?.[1];
  // A declaration that could be read byte by byte is not UTF-16, whatever it says.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
