// Finds matching lines in bytes: by needles, by a byte automaton, or by both. Compiled with AssemblyScript.
// It owns no memory: the areas below are filled by match/kernel.ts, which holds the same numbers, and text starts at TEXT.
// Reads go at most 512 bytes (a needle and a vector) beyond the text; writes go to LIST only.

/** class of each byte, 256 bytes; the class behind the last byte's is the end of text */
const CLASSES: usize = 0;
/** up to eight needles, 128 bytes each: four vectors (first and second rare byte, their case masks), then i32s: where the rare bytes are, length, address */
const NEEDLES: usize = 1024;
/** needle bytes, padded; the case mask (0x20 for letters that match either case) lies MASK bytes behind each */
const MASK: usize = 272;
/** lines found: pairs of u32 (start, end, counted from TEXT), DOUBT set in the end where bytes do not decide */
const LIST: usize = 8192;
const LIST_MAX: i32 = 8192;
const DOUBT: u32 = 0x80000000;
/** rows of u32: address of the next row, counted from TABLE, or one of the marks below */
const TABLE: usize = 131072;
const TEXT: usize = 1245184;

const MATCH: u32 = 0xfffffffe;
const DEAD: u32 = 0xfffffffd;
const UNKNOWN: u32 = 0xffffffff;

// What a line with a needle means
const CERTAIN: i32 = 0;
const WORD: i32 = 1;
const AUTOMATON: i32 = 2;
const OPEN: i32 = 3;

/** What a call answers that cannot go on before it is told a transition the automaton lacks; no place in the text. */
const PAUSED: i32 = 0;
const NO: i32 = 1;
const YES: i32 = 2;

let needles: i32 = 0;
/** class of the end of text, as an offset in a row */
let endOffset: u32 = 0;
let listed: i32 = 0;
let counted: i32 = 0;
let hitLength: i32 = 0;

// Where a call paused, and with what it goes on. Not an import: V8 frees the code that leads out of a module while another
// thread may be about to run it, and ends the process (nodejs/node#64500).
let row: u32 = 0;
let symbolAt: u32 = 0;
let told: u32 = 0;
let resuming: bool = false;
/** behind the byte that was read */
let pausedAt: usize = 0;
let pausedLow: usize = 0;
let pausedStart: usize = 0;
let pausedEnd: usize = 0;

export function setNeedles(count: i32): void { needles = count; }
export function setEnd(symbol: u32): void { endOffset = symbol << 2; }
/** the transition the paused call waits for: of this row ... */
export function pausedRow(): i32 { return row; }
/** ... by this class */
export function pausedSymbol(): i32 { return symbolAt; }
/** The next call, of the same function with the same arguments, goes on with this transition. Rows may have moved; row 0 stays. */
export function tell(next: i32): void {
  told = next;
  resuming = true;
}
/** lines in LIST after the last call */
export function lines(): i32 { return listed; }
/** lines the last call was sure of and did not list */
export function sure(): i32 { return counted; }

@inline function newline(p: usize, end: usize): usize {
  const wanted = i8x16.splat(10);
  while (p + 16 <= end) {
    const hits = i8x16.bitmask(i8x16.eq(v128.load(p), wanted));
    if (hits != 0) return p + ctz(hits);
    p += 16;
  }
  while (p < end) {
    if (load<u8>(p) == 10) return p;
    p++;
  }
  return end;
}

/** start of the line that holds `p`, not before `low` */
function lineStart(p: usize, low: usize): usize {
  const wanted = i8x16.splat(10);
  while (p >= low + 16) {
    const hits = i8x16.bitmask(i8x16.eq(v128.load(p - 16), wanted));
    if (hits != 0) return p - 16 + (32 - clz(hits));
    p -= 16;
  }
  while (p > low && load<u8>(p - 1) != 10) p--;
  return p;
}

function hasHigh(p: usize, end: usize): bool {
  let all = i8x16.splat(0);
  while (p + 16 <= end) {
    all = v128.or(all, v128.load(p));
    p += 16;
  }
  let rest: u32 = 0;
  while (p < end) rest |= load<u8>(p++);
  return i8x16.bitmask(all) != 0 || rest >= 128;
}

@inline function isWord(byte: u32): bool {
  const letter = (byte | 0x20) - 97;
  return letter < 26 || byte - 48 < 10 || byte == 95;
}

// ---- needles

/** is the needle described at `needle` at `p`? Reads a vector beyond it. */
@inline function isAt(needle: usize, p: usize): bool {
  let length = load<i32>(needle, 72);
  let bytes = <usize>load<u32>(needle, 76);
  while (length >= 16) {
    if (!i8x16.all_true(i8x16.eq(v128.or(v128.load(p), v128.load(bytes, MASK)), v128.load(bytes)))) return false;
    p += 16;
    bytes += 16;
    length -= 16;
  }
  if (length == 0) return true;
  const same = i8x16.bitmask(i8x16.eq(v128.or(v128.load(p), v128.load(bytes, MASK)), v128.load(bytes)));
  return (~same & ((1 << length) - 1)) == 0;
}

function findOne(p: usize, end: usize): usize {
  const length = load<i32>(NEEDLES, 72);
  if (<isize>(end - p) < <isize>length) return end;
  const last: usize = end - length;
  const first = v128.load(NEEDLES), second = v128.load(NEEDLES, 16);
  const firstCase = v128.load(NEEDLES, 32), secondCase = v128.load(NEEDLES, 48);
  const firstAt = <usize>load<u32>(NEEDLES, 64), secondAt = <usize>load<u32>(NEEDLES, 68);
  while (p <= last) {
    let hits = i8x16.bitmask(v128.and(
      i8x16.eq(v128.or(v128.load(p + firstAt), firstCase), first),
      i8x16.eq(v128.or(v128.load(p + secondAt), secondCase), second),
    ));
    while (hits != 0) {
      const at = p + ctz(hits);
      if (at > last) return end;
      if (isAt(NEEDLES, at)) {
        hitLength = length;
        return at;
      }
      hits &= hits - 1;
    }
    p += 16;
  }
  return end;
}

function findAny(p: usize, end: usize): usize {
  const stop = NEEDLES + (<usize>needles << 7);
  while (p < end) {
    let any = i8x16.splat(0);
    for (let needle = NEEDLES; needle < stop; needle += 128) {
      any = v128.or(any, v128.and(
        i8x16.eq(v128.or(v128.load(p + load<u32>(needle, 64)), v128.load(needle, 32)), v128.load(needle)),
        i8x16.eq(v128.or(v128.load(p + load<u32>(needle, 68)), v128.load(needle, 48)), v128.load(needle, 16)),
      ));
    }
    let hits = i8x16.bitmask(any);
    while (hits != 0) {
      const at = p + ctz(hits);
      if (at >= end) return end;
      for (let needle = NEEDLES; needle < stop; needle += 128) {
        const length = load<i32>(needle, 72);
        if (<isize>(end - at) >= <isize>length && isAt(needle, at)) {
          hitLength = length;
          return at;
        }
      }
      hits &= hits - 1;
    }
    p += 16;
  }
  return end;
}

/** first place of a needle in [p, end); `end` where there is none. `hitLength` is its length. */
@inline function find(p: usize, end: usize): usize {
  return needles == 1 ? findOne(p, end) : findAny(p, end);
}

/** does a needle stand at `p` between word boundaries? 0 no, 1 yes, 2 perhaps: a neighbour is not ASCII */
function wordAt(p: usize, begin: usize, end: usize): i32 {
  const before: u32 = p == begin ? 10 : load<u8>(p - 1);
  if (isWord(before)) return 0;
  const stop = NEEDLES + (<usize>needles << 7);
  let answer = 0;
  for (let needle = NEEDLES; needle < stop; needle += 128) {
    const length = load<i32>(needle, 72);
    if (<isize>(end - p) < <isize>length || !isAt(needle, p)) continue;
    const after: u32 = p + length == end ? 10 : load<u8>(p + length);
    if (isWord(after)) continue;
    if ((before | after) < 128) return 1;
    answer = 2;
  }
  return answer;
}

/** the same for the rest of the line [p, end) */
function wordIn(p: usize, begin: usize, end: usize): i32 {
  let answer = 0;
  while (p < end) {
    p = find(p, end);
    if (p >= end) break;
    const here = wordAt(p, begin, end);
    if (here == 1) return 1;
    answer |= here;
    p++;
  }
  return answer;
}

// ---- lines

@inline function put(start: usize, end: usize, doubt: u32): void {
  const entry = LIST + (<usize>listed << 3);
  store<u32>(entry, <u32>(start - TEXT));
  store<u32>(entry, <u32>(end - TEXT) | doubt, 4);
  listed++;
}

@inline function pause(state: u32, symbol: u32, at: usize): i32 {
  row = state;
  symbolAt = symbol;
  pausedAt = at;
  return PAUSED;
}

/** is `[p, end)` accepted by the automaton, read as a line of its own? YES, NO or PAUSED */
function accepts(p: usize, end: usize): i32 {
  let state: u32 = 0;
  if (resuming) {
    resuming = false;
    if (<i32>told < 0 || symbolAt == endOffset >> 2) return told == MATCH ? YES : NO;
    state = told;
    p = pausedAt;
  }
  while (p < end) {
    const symbol: u32 = load<u8>(load<u8>(p), CLASSES);
    const next = load<u32>(state + (symbol << 2), TABLE);
    p++;
    if (<i32>next < 0) {
      if (next == UNKNOWN) return pause(state, symbol, p);
      return next == MATCH ? YES : NO;
    }
    state = next;
  }
  const next = load<u32>(state + endOffset, TABLE);
  if (next == UNKNOWN) return pause(state, endOffset >> 2, p);
  return next == MATCH ? YES : NO;
}

/**
 * Lines with a needle in [from, end), which starts at the start of a line. `mode` tells what such a line means.
 * `doubtful`: accepted lines with a high byte are listed as doubts. `list`: all accepted lines are listed, else the sure are counted.
 * Returns where to go on: the end, or a line start where LIST is full.
 */
export function byNeedles(from: usize, end: usize, mode: i32, doubtful: bool, list: bool): usize {
  let p = from;
  let low = from;
  if (!resuming) {
    listed = 0;
    counted = 0;
  }
  while (true) {
    let doubt: u32 = 0;
    let at: usize = 0;
    let lineEnd: usize = 0;
    let start: usize = 0;
    if (resuming) {
      low = pausedLow;
      start = pausedStart;
      lineEnd = pausedEnd;
    } else {
      if (p >= end) return end;
      at = find(p, end);
      if (at >= end) return end;
      if (mode == WORD) {
        let answer = wordAt(at, from, end);
        if (answer == 0) {
          p = at + 1;
          continue;
        }
        lineEnd = newline(at, end);
        if (answer == 2 && wordIn(at + 1, from, lineEnd) != 1) doubt = DOUBT;
      } else {
        lineEnd = newline(at + hitLength, end);
        if (mode == AUTOMATON) start = lineStart(at, low);
      }
    }
    if (mode == AUTOMATON) {
      const answer = accepts(start, lineEnd);
      if (answer == PAUSED) {
        pausedLow = low;
        pausedStart = start;
        pausedEnd = lineEnd;
        return PAUSED;
      }
      if (answer == NO) {
        p = low = lineEnd + 1;
        continue;
      }
      if (doubtful && hasHigh(start, lineEnd)) doubt = DOUBT;
    } else if (mode == OPEN) doubt = DOUBT;
    if (list || doubt) {
      if (start == 0) start = lineStart(at, low);
      put(start, lineEnd, doubt);
    } else counted++;
    p = low = lineEnd + 1;
    if (listed == LIST_MAX) return p;
  }
}

/** Lines in [from, end) the automaton accepts; otherwise as `byNeedles`. */
export function byAutomaton(from: usize, end: usize, doubtful: bool, list: bool): usize {
  let p = from;
  let state: u32 = 0;
  let next: u32 = 0;
  let known = resuming;
  if (known) {
    resuming = false;
    p = pausedAt;
    next = told;
    if (symbolAt == endOffset >> 2) return lastLine(from, end, next, doubtful, list);
  } else {
    listed = 0;
    counted = 0;
  }
  while (true) {
    if (known) known = false;
    else {
      next = 0;
      while (p < end) {
        const symbol: u32 = load<u8>(load<u8>(p), CLASSES);
        next = load<u32>(state + (symbol << 2), TABLE);
        p++;
        if (<i32>next < 0) {
          if (next == UNKNOWN) return pause(state, symbol, p);
          break;
        }
        state = next;
      }
      if (<i32>next >= 0) break;
    }
    if (<i32>next < 0) {
      // the byte that decided may be the line end itself
      const lineEnd = load<u8>(p - 1) == 10 ? p - 1 : newline(p, end);
      if (next == MATCH) {
        if (list || doubtful) {
          const start = lineStart(p - 1, from);
          const doubt: u32 = doubtful && hasHigh(start, lineEnd) ? DOUBT : 0;
          if (list || doubt) put(start, lineEnd, doubt);
          else counted++;
        } else counted++;
      }
      p = lineEnd + 1;
      next = 0;
      if (listed == LIST_MAX) return p;
    }
    state = next;
  }
  if (p == end && end > from && load<u8>(end - 1) != 10) {
    next = load<u32>(state + endOffset, TABLE);
    if (next == UNKNOWN) return pause(state, endOffset >> 2, p);
    return lastLine(from, end, next, doubtful, list);
  }
  return end;
}

/** the line that ends with the text, whose last transition is `next` */
function lastLine(from: usize, end: usize, next: u32, doubtful: bool, list: bool): usize {
  if (next == MATCH) {
    const start = lineStart(end, from);
    const doubt: u32 = doubtful && hasHigh(start, end) ? DOUBT : 0;
    if (list || doubt) put(start, end, doubt);
    else counted++;
  }
  return end;
}

/** Lists every line in [from, end), as doubts or not. */
export function everyLine(from: usize, end: usize, doubt: bool): usize {
  listed = 0;
  counted = 0;
  let p = from;
  while (p < end) {
    const lineEnd = newline(p, end);
    put(p, lineEnd, doubt ? DOUBT : 0);
    p = lineEnd + 1;
    if (listed == LIST_MAX) return p;
  }
  return end;
}

// ---- whole texts

/** first place of a needle in [from, end), or `end` */
export function holdsNeedle(from: usize, end: usize): usize {
  return find(from, end);
}

/** YES if the automaton finds a match in [from, end), lines being crossed, NO or PAUSED */
export function acceptsText(from: usize, end: usize): i32 {
  return accepts(from, end);
}

export function countNewlines(from: usize, end: usize): i32 {
  const wanted = i8x16.splat(10);
  let count: i32 = 0;
  let p = from;
  while (p + 16 <= end) {
    count += popcnt(i8x16.bitmask(i8x16.eq(v128.load(p), wanted)));
    p += 16;
  }
  while (p < end) count += load<u8>(p++) == 10 ? 1 : 0;
  return count;
}

/** is there E2 84 AA (KELVIN SIGN) or C5 BF (LONG S) at one of the places of the vector at `p` that hold E2 or C5? */
function foldsAt(p: usize, end: usize, places: i32): bool {
  while (places != 0) {
    const at = p + ctz(places);
    places &= places - 1;
    if (load<u8>(at) == 0xc5) {
      if (at + 1 < end && load<u8>(at, 1) == 0xbf) return true;
    } else if (at + 2 < end && load<u8>(at, 1) == 0x84 && load<u8>(at, 2) == 0xaa) return true;
  }
  return false;
}

/** what is known of [from, end): 1 a high byte, 2 a NUL, 8 a character that folds to an ASCII letter */
export function flagsOf(from: usize, end: usize): i32 {
  const zero = i8x16.splat(0);
  const kelvin = i8x16.splat(0xe2 as i8), longS = i8x16.splat(0xc5 as i8);
  let all = zero;
  let nul = zero;
  let folds = false;
  let p = from;
  while (p + 16 <= end) {
    const here = v128.load(p);
    all = v128.or(all, here);
    nul = v128.or(nul, i8x16.eq(here, zero));
    if (!folds && i8x16.bitmask(here) != 0) {
      const places = i8x16.bitmask(v128.or(i8x16.eq(here, kelvin), i8x16.eq(here, longS)));
      if (places != 0) folds = foldsAt(p, end, places);
    }
    p += 16;
  }
  let flags = (i8x16.bitmask(all) != 0 ? 1 : 0) | (v128.any_true(nul) ? 2 : 0);
  while (p < end) {
    const byte: u32 = load<u8>(p);
    if (byte >= 128) flags |= 1;
    if (byte == 0) flags |= 2;
    if (!folds && (byte == 0xe2 || byte == 0xc5)) folds = foldsAt(p, end, 1);
    p++;
  }
  return folds ? flags | 8 : flags;
}
