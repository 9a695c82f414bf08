// Number formats of spreadsheets, as far as they are simple: dates, times, fixed decimals, thousands, per cent. (ECMA-376 18.8.30)

/** What a format makes of a number; `plain` is the number itself. */
export type Format =
  | { kind: 'plain' }
  | { kind: 'fixed'; decimals: number; thousands: boolean; percent: boolean }
  | { kind: 'date' | 'time' | 'date-time' | 'elapsed' };

const PLAIN: Format = { kind: 'plain' };

/** The format of a number-format id; `code` is there for those the workbook defines (164 and up). */
export function formatOf(id: number, code: string | undefined): Format {
  if (code !== undefined) return formatOfCode(code);
  if (id === 1) return fixed(0, false, false);
  if (id === 2) return fixed(2, false, false);
  if (id === 3) return fixed(0, true, false);
  if (id === 4) return fixed(2, true, false);
  if (id === 9) return fixed(0, false, true);
  if (id === 10) return fixed(2, false, true);
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return { kind: 'date' };
  if (id === 22) return { kind: 'date-time' };
  if (id === 46) return { kind: 'elapsed' };
  return (id >= 18 && id <= 21) || id === 45 || id === 47 ? { kind: 'time' } : PLAIN;
}

function fixed(decimals: number, thousands: boolean, percent: boolean): Format {
  return { kind: 'fixed', decimals, thousands, percent };
}

function formatOfCode(code: string): Format {
  const first = code.split(';')[0] ?? '';
  const elapsed = /\[(h+|m+|s+)\]/i.test(first);
  // Text in quotes, escaped characters, blanks as wide as a character, colours and conditions say nothing of the kind.
  const bare = first.replaceAll(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '').trim();
  const plain = /^(#,##)?0(?:\.(0+))?(%)?$/.exec(bare);
  if (plain) return fixed(plain[2]?.length ?? 0, plain[1] !== undefined, plain[3] !== undefined);
  if (elapsed) return { kind: 'elapsed' };
  const letters = bare.replaceAll(/am\/pm|a\/p|general/gi, '');
  const date = /[yd]/i.test(letters) || /^[^hs]*m[^hs]*$/i.test(letters);
  const time = /[hs]/i.test(letters);
  if (date && time) return { kind: 'date-time' };
  if (date) return { kind: 'date' };
  return time ? { kind: 'time' } : PLAIN;
}

/** The stored number as it is shown: dates as `2026-01-31`, times as `08:30:00`, others by their format. */
export function formatValue(stored: string, format: Format = PLAIN, from1904 = false): string {
  const value = Number(stored);
  if (!Number.isFinite(value)) return stored;
  if (format.kind === 'plain') return String(Number(value.toPrecision(15)));
  if (format.kind === 'fixed') {
    const text = decimal(format.percent ? value * 100 : value, format.decimals);
    const shown = format.thousands ? text.replaceAll(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',') : text;
    return format.percent ? `${shown}%` : shown;
  }
  return moment(value, format.kind, from1904) ?? String(value);
}

/** Rounds half away from zero in decimal, as spreadsheets do. */
function decimal(value: number, decimals: number): string {
  const exact = String(Number(Math.abs(value).toPrecision(15)));
  if (exact.includes('e')) return value.toFixed(decimals);
  const rounded = Number(`${Math.round(Number(`${exact}e${decimals}`))}e-${decimals}`).toFixed(decimals);
  return value < 0 && Number(rounded) !== 0 ? `-${rounded}` : rounded;
}

const DAY = 86_400;

/** A serial day number in words; undefined outside of what the date system holds. */
function moment(value: number, kind: 'date' | 'time' | 'date-time' | 'elapsed', from1904: boolean): string | undefined {
  const seconds = Math.round(value * DAY);
  if (kind === 'elapsed') return value < 0 ? undefined : clock(seconds);
  const serial = Math.floor(seconds / DAY) + (from1904 ? 1462 : 0);
  if (serial < 0 || serial > 2_958_465) return undefined;
  const time = clock(((seconds % DAY) + DAY) % DAY);
  if (kind === 'time' || serial === 0) return time;
  const date = serial === 60 ? '1900-02-29' : dateOf(serial);
  return kind === 'date' ? date : `${date} ${time}`;
}

/** The 1900 system counts a 29 February 1900 that never was (serial 60). */
function dateOf(serial: number): string {
  const days = serial > 60 ? serial - 1 : serial;
  return new Date(Date.UTC(1899, 11, 31) + days * DAY * 1000).toISOString().slice(0, 10);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function clock(seconds: number): string {
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
