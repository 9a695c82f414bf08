import { describe, expect, it } from 'vitest';
import { decodeText } from './charset.ts';
import { mediaOf } from './media.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('the encoding of a text', () => {
  it.each([
    ['UTF-8 by itself', Buffer.from('é€'), undefined, 'é€', 'utf-8'],
    ['windows-1252 where it is not UTF-8', latin('caf\xe9 \x80'), undefined, 'café €', 'windows-1252'],
    ['the header', latin('\xe9'), 'ISO-8859-1', 'é', 'windows-1252'],
    ['the header, another alphabet', Buffer.from([0xcf, 0xf0, 0xe8]), 'windows-1251', 'При', 'windows-1251'],
    ['Shift_JIS', Buffer.from([0x82, 0xa0]), 'Shift_JIS', 'あ', 'shift_jis'],
    ['an unknown label', Buffer.from('é'), 'nonsense', 'é', 'utf-8'],
    [
      'a meta element',
      latin('<meta charset="iso-8859-2">\xb1'),
      undefined,
      '<meta charset="iso-8859-2">ą',
      'iso-8859-2',
    ],
    [
      'an XML declaration',
      latin("<?xml version='1.0' encoding='ISO-8859-1'?>\xe9"),
      undefined,
      "<?xml version='1.0' encoding='ISO-8859-1'?>é",
      'windows-1252',
    ],
    [
      'the header wins over the document',
      Buffer.from('<meta charset=iso-8859-1>é'),
      'utf-8',
      '<meta charset=iso-8859-1>é',
      'utf-8',
    ],
    ['a mark wins over the header', Buffer.from('\ufeffé'), 'iso-8859-1', 'é', 'utf-8'],
    ['UTF-16 by its mark', Buffer.from('\ufeffaé', 'utf16le'), undefined, 'aé', 'utf-16le'],
    [
      'a meta that claims UTF-16 but can be read',
      Buffer.from('<meta charset=utf-16>é'),
      undefined,
      '<meta charset=utf-16>é',
      'utf-8',
    ],
  ])('%s', (_what, bytes, header, text, charset) => {
    expect(decodeText(bytes, header)).toEqual({ text, charset });
  });

  it('a character cut off by a limit is left out, and the text is still UTF-8', () => {
    expect(decodeText(Buffer.from('aé').subarray(0, 2), undefined, true)).toEqual({ text: 'a', charset: 'utf-8' });
  });
});

describe('the kind of a content', () => {
  it.each([
    ['text/html; charset=UTF-8', '', 'html', 'text/html'],
    ['application/xhtml+xml', '', 'html', 'application/xhtml+xml'],
    ['application/json', '', 'text', 'application/json'],
    ['application/problem+json', '', 'text', 'application/problem+json'],
    ['image/svg+xml', '', 'text', 'image/svg+xml'],
    ['TEXT/CSV', '', 'text', 'text/csv'],
    ['application/pdf', '%PDF', 'binary', 'application/pdf'],
    ['image/png', '', 'image', 'image/png'],
    ['application/octet-stream', '#!/bin/sh\n', 'text', 'text/plain'],
    ['application/octet-stream', '\0\x01', 'binary', 'application/octet-stream'],
    [null, ' <!DOCTYPE HTML><p>', 'html', 'text/html'],
    [null, 'plain', 'text', 'text/plain'],
    [null, '\x89PNG\r\n', 'image', 'image/png'],
    [null, 'GIF89a', 'image', 'image/gif'],
    ['', '', 'text', 'text/plain'],
  ])('%j with %j is %s', (type, start, kind, mime) => {
    expect(mediaOf(type, latin(start))).toMatchObject({ kind, mime });
  });
});
