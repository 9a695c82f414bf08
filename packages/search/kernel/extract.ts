// The inverted index that a build thread fills in memory: distinct grams of documents go in, posting lists come out in
// the order of their grams. It knows no files; sizes of everything but the pool and the room are fixed here.

// A gram is kept under a key: three ASCII bytes as 21 bits, any other as 2^21 + its 24 bits. Keys of ASCII text are dense,
// which keeps bitmap, buckets and pages of the usual case small.
const HIGH: u32 = 0x200000;
const KEYS: u32 = 0x1200000;

/** which keys the document at hand holds: 2^21 bits for ASCII, 2^24 for all others */
const SEEN: usize = 0x100000;
const SEEN_HIGH: usize = 0x200000;
/** per 64 keys the address of a page of 64 addresses of lists; 0 where there is none */
const PAGES: usize = 0x400000;
const PAGE_COUNT: u32 = KEYS >>> 6;
/** per bucket how many postings of the batch it gets, then where they go */
const BUCKETS: usize = 0x540000;
const BUCKET_BITS: u32 = 13;
const BUCKET_COUNT: u32 = KEYS >>> BUCKET_BITS;
/** the same for the keys of one bucket */
const COUNTS: usize = 0x550000;
/** per document of the batch where its keys start */
const STARTS: usize = 0x560000;
const BATCH_DOCS: u32 = 0xffff;
/** one list, as it is handed out */
const LIST: usize = 0x5a0000;
const LIST_BYTES: u32 = 0x10000;
/** keys of the batch, document after document; later the documents of one bucket, ordered by key */
const KEYLIST: usize = 0x5b0000;
/** the batch's postings by bucket, as (key within its bucket) << 19 | document of the batch */
const SCATTERED: usize = 0xbb0000;
/** a batch is worked in when it has so many postings; with one more document it has at most 0x180000, for which both lists have place */
const BATCH: u32 = 0x100000;
/** with so many distinct grams a document is not text that an index could tell from any other (base64 has 2^18) */
const MOST: u32 = 0x80000;
const END: usize = 0x11b0000;

/** The pool is taken in chunks; a chunk that is free holds the address of the next free one. */
const CHUNK: u32 = 0x100000;

let room: usize = 0;
let roomBytes: u32 = 0;
let freeChunk: u32 = 0;
let usedChunks: u32 = 0;
/** all chunks in use, linked by their first word, newest first */
let chunks: u32 = 0;
let top: u32 = 0;
let topEnd: u32 = 0;

let batch: u32 = 0;
let batchDocs: u32 = 0;
let firstDoc: u32 = 0;
let docs: u32 = 0;
let postings: u64 = 0;

let cursor: u32 = 0;
let cursorHigh: u32 = HIGH;
let listBytes: u32 = 0;
let listIsBitmap: bool = false;

/** Bytes that the memory must have before anything is called. */
export function memoryBytes(): u32 {
  return <u32>END;
}

/** Once, before anything else: grams that never count are marked as seen, which no document undoes. */
export function start(): void {
  // a newline in the middle, or at both ends
  for (let a: u32 = 0; a < 256; a++) {
    for (let c: u32 = 0; c < 256; c++) see((a << 16) | (10 << 8) | c);
  }
  for (let b: u32 = 0; b < 256; b++) see((10 << 16) | (b << 8) | 10);
}

function see(gram: u32): void {
  if ((gram & 0x808080) == 0) {
    const key = narrow(gram);
    const word = SEEN + ((key >>> 5) << 2);
    store<u32>(word, load<u32>(word) | ((<u32>1) << (key & 31)));
  } else {
    const word = SEEN_HIGH + ((gram >>> 5) << 2);
    store<u32>(word, load<u32>(word) | ((<u32>1) << (gram & 31)));
  }
}

@inline function narrow(gram: u32): u32 {
  return ((gram >>> 16) << 14) | (((gram >>> 8) & 127) << 7) | (gram & 127);
}

@inline function widen(key: u32): u32 {
  return key < HIGH ? ((key >>> 14) << 16) | (((key >>> 7) & 127) << 8) | (key & 127) : key - HIGH;
}

// --- memory ---------------------------------------------------------------------------------------------------------

/** The address of at least `bytes` bytes for text, with a byte before and 64 after that are the kernel's. */
export function roomFor(bytes: u32): u32 {
  if (bytes > roomBytes) {
    const need = bytes + 128;
    const twice = roomBytes * 2;
    let chunksNeeded = (need + CHUNK - 1) / CHUNK;
    if (twice > need && twice <= 0x800000) chunksNeeded = (twice + CHUNK - 1) / CHUNK;
    const at = grow(chunksNeeded);
    // what was the room serves the pool from now on
    if (roomBytes > 0) {
      const end = <u32>room - 64 + roomBytes + 128;
      for (let chunk = <u32>room - 64; chunk < end; chunk += CHUNK) release(chunk);
    }
    room = at + 64;
    roomBytes = chunksNeeded * CHUNK - 128;
  }
  return <u32>room;
}

/** New memory, in chunks. Traps if there is none. */
function grow(count: u32): u32 {
  const before = memory.grow(<i32>((count * CHUNK) >>> 16));
  if (before < 0) unreachable();
  return (<u32>before) << 16;
}

@inline function release(chunk: u32): void {
  store<u32>(chunk, freeChunk);
  freeChunk = chunk;
}

/** A part of the pool. Its content is whatever was there. */
@inline function allocate(bytes: u32): u32 {
  if (top + bytes > topEnd) nextChunk();
  const at = top;
  top += bytes;
  return at;
}

function nextChunk(): void {
  let chunk = freeChunk;
  if (chunk != 0) freeChunk = load<u32>(chunk);
  else chunk = grow(1);
  store<u32>(chunk, chunks);
  chunks = chunk;
  usedChunks++;
  top = chunk + 16;
  topEnd = chunk + CHUNK;
}

/** Bytes of the pool that lists take. */
export function poolBytes(): u32 {
  return usedChunks * CHUNK;
}

// --- what a text holds ----------------------------------------------------------------------------------------------

/** Bit 0: a byte above 127; bit 1: a NUL. */
export function classify(at: u32, length: u32): u32 {
  let p: usize = at;
  const end: usize = p + length;
  const zero = i8x16.splat(0);
  let any = zero;
  let nul = zero;
  for (; p + 16 <= end; p += 16) {
    const bytes = v128.load(p);
    any = v128.or(any, bytes);
    nul = v128.or(nul, i8x16.eq(bytes, zero));
  }
  let high = i8x16.bitmask(any) != 0;
  let zeros = v128.any_true(nul);
  for (; p < end; p++) {
    const byte = load<u8>(p);
    if (byte > 127) high = true;
    if (byte == 0) zeros = true;
  }
  return (high ? 1 : 0) | (zeros ? 2 : 0);
}

// --- documents in ---------------------------------------------------------------------------------------------------

/** A document without grams. */
export function addNothing(): void {
  beginDoc();
  docs++;
  batchDocs++;
}

/**
 * A document: `length` bytes at `at` in the room. The bytes around it are put back. The number of its distinct grams, or
 * -1 if there are too many: then the document is there without grams.
 */
export function add(at: u32, length: u32, ascii: bool): i32 {
  beginDoc();
  const before: usize = at - 1;
  const after: usize = at + length;
  const byteBefore = load<u8>(before);
  const byteAfter = load<u8>(after);
  store<u8>(before, 10);
  store<u8>(after, 10);
  const first: usize = KEYLIST + (<usize>batch << 2);
  const last = ascii ? distinctAscii(at, after, first) : distinct(at, after, first);
  store<u8>(before, byteBefore);
  store<u8>(after, byteAfter);
  docs++;
  batchDocs++;
  forget(first, last);
  if (last - first >= <usize>MOST << 2) {
    return -1;
  }
  for (let p = first; p < last; p += 4) {
    const bucket = BUCKETS + ((load<u32>(p) >>> BUCKET_BITS) << 2);
    store<u32>(bucket, load<u32>(bucket) + 1);
  }
  const count = <u32>((last - first) >>> 2);
  batch += count;
  postings += count;
  if (batch >= BATCH) work();
  return <i32>count;
}

@inline function beginDoc(): void {
  if (batchDocs >= BATCH_DOCS) work();
  if (batchDocs == 0) firstDoc = docs;
  store<u32>(STARTS + (<usize>batchDocs << 2), batch);
}

/** Writes the distinct keys of an ASCII text with a newline after it; where they end. */
function distinctAscii(from: usize, end: usize, out: usize): usize {
  let o = out;
  const most = out + (<usize>MOST << 2);
  let key: u32 = (10 << 7) | 10;
  for (let p = from; p <= end; p++) {
    key = ((key << 7) | <u32>load<u8>(p)) & 0x1fffff;
    const word = SEEN + ((key >>> 5) << 2);
    const bits = load<u32>(word);
    const bit: u32 = (<u32>1) << (key & 31);
    if ((bits & bit) == 0) {
      if (o >= most) break;
      store<u32>(word, bits | bit);
      store<u32>(o, key);
      o += 4;
    }
  }
  return o;
}

/** The same for any text. */
function distinct(from: usize, end: usize, out: usize): usize {
  let o = out;
  const most = out + (<usize>MOST << 2);
  let gram: u32 = (10 << 8) | 10;
  for (let p = from; p <= end; p++) {
    gram = ((gram << 8) | <u32>load<u8>(p)) & 0xffffff;
    const ascii = (gram & 0x808080) == 0;
    const key = ascii ? narrow(gram) : gram;
    const word = (ascii ? SEEN : SEEN_HIGH) + ((key >>> 5) << 2);
    const bits = load<u32>(word);
    const bit: u32 = (<u32>1) << (key & 31);
    if ((bits & bit) == 0) {
      if (o >= most) break;
      store<u32>(word, bits | bit);
      store<u32>(o, ascii ? key : key + HIGH);
      o += 4;
    }
  }
  return o;
}

/** Takes the keys of a document out of the bitmaps. */
function forget(first: usize, last: usize): void {
  for (let p = first; p < last; p += 4) {
    const key = load<u32>(p);
    const word = key < HIGH ? SEEN + ((key >>> 5) << 2) : SEEN_HIGH + (((key - HIGH) >>> 5) << 2);
    store<u32>(word, load<u32>(word) & ~((<u32>1) << (key & 31)));
  }
}

// --- from documents to lists ----------------------------------------------------------------------------------------

/**
 * Appends the batch to the lists: ordered by key with two counting sorts, so that each list is touched once per batch, and
 * lists that lie near each other one after another.
 */
function work(): void {
  store<u32>(STARTS + (<usize>batchDocs << 2), batch);
  let sum: u32 = 0;
  for (let b: u32 = 0; b < BUCKET_COUNT; b++) {
    const bucket = BUCKETS + (<usize>b << 2);
    const count = load<u32>(bucket);
    store<u32>(bucket, sum);
    sum += count;
  }
  for (let d: u32 = 0; d < batchDocs; d++) {
    let p: usize = KEYLIST + (<usize>load<u32>(STARTS + (<usize>d << 2)) << 2);
    const end: usize = KEYLIST + (<usize>load<u32>(STARTS + (<usize>(d + 1) << 2)) << 2);
    for (; p < end; p += 4) {
      const key = load<u32>(p);
      const bucket = BUCKETS + ((key >>> BUCKET_BITS) << 2);
      const at = load<u32>(bucket);
      store<u32>(bucket, at + 1);
      store<u32>(SCATTERED + (<usize>at << 2), ((key & 8191) << 19) | d);
    }
  }
  // each bucket's word is now where it ends
  let from: u32 = 0;
  for (let b: u32 = 0; b < BUCKET_COUNT; b++) {
    const to = load<u32>(BUCKETS + (<usize>b << 2));
    if (to > from) workBucket(b << BUCKET_BITS, from, to);
    from = to;
  }
  memory.fill(BUCKETS, 0, BUCKET_COUNT << 2);
  batch = 0;
  batchDocs = 0;
}

function workBucket(firstKey: u32, from: u32, to: u32): void {
  const first: usize = SCATTERED + (<usize>from << 2);
  const last: usize = SCATTERED + (<usize>to << 2);
  memory.fill(COUNTS, 0, 8192 << 2);
  for (let p = first; p < last; p += 4) {
    const count = COUNTS + ((load<u32>(p) >>> 19) << 2);
    store<u32>(count, load<u32>(count) + 1);
  }
  let sum: u32 = 0;
  for (let k: u32 = 0; k < 8192; k++) {
    const at = COUNTS + (<usize>k << 2);
    const count = load<u32>(at);
    store<u32>(at, sum);
    sum += count;
  }
  for (let p = first; p < last; p += 4) {
    const posting = load<u32>(p);
    const at = COUNTS + ((posting >>> 19) << 2);
    const to = load<u32>(at);
    store<u32>(at, to + 1);
    store<u32>(KEYLIST + (<usize>to << 2), posting & 0x7ffff);
  }
  let start: u32 = 0;
  for (let k: u32 = 0; k < 8192; k++) {
    const end = load<u32>(COUNTS + (<usize>k << 2));
    if (end > start) {
      append(firstKey + k, start, end);
      start = end;
    }
  }
}

// A list is 16 bytes: where its next byte goes, where its slice ends, its first slice, and its last document with the size
// of its slice in the top byte. Slices grow from 8 bytes to 256 and end with the address of the next one.

@inline function sliceBytes(step: u32): u32 {
  return (<u32>8) << step;
}
const LARGEST_STEP: u32 = 5;

function append(key: u32, from: u32, to: u32): void {
  let page = load<u32>(PAGES + ((key >>> 6) << 2));
  if (page == 0) {
    page = allocate(256);
    memory.fill(page, 0, 256);
    store<u32>(PAGES + ((key >>> 6) << 2), page);
  }
  const entry: usize = page + ((key & 63) << 2);
  let list: usize = load<u32>(entry);
  let at: u32;
  let end: u32;
  let step: u32;
  let previous: u32;
  if (list == 0) {
    list = allocate(28);
    store<u32>(entry, <u32>list);
    at = <u32>list + 16;
    end = at + 8;
    store<u32>(list, at, 8);
    step = 0;
    // one less than document 0, as the first entry is a document and not a distance less one
    previous = 0xffffffff;
  } else {
    at = load<u32>(list);
    end = load<u32>(list, 4);
    const state = load<u32>(list, 12);
    step = state >>> 24;
    previous = state & 0xffffff;
  }
  for (let i = from; i < to; i++) {
    const doc = firstDoc + load<u32>(KEYLIST + (<usize>i << 2));
    let rest = doc - previous - 1;
    previous = doc;
    while (true) {
      if (at == end) {
        if (step < LARGEST_STEP) step++;
        const slice = allocate(sliceBytes(step) + 4);
        store<u32>(at, slice);
        at = slice;
        end = slice + sliceBytes(step);
      }
      if (rest < 128) {
        store<u8>(at++, <u8>rest);
        break;
      }
      store<u8>(at++, <u8>((rest & 127) | 128));
      rest >>>= 7;
    }
  }
  store<u32>(list, at);
  store<u32>(list, end, 4);
  store<u32>(list, (previous & 0xffffff) | (step << 24), 12);
}

// --- lists out ------------------------------------------------------------------------------------------------------

/** Works in what is left, and puts the cursor before the first gram; documents so far. */
export function rewind(): u32 {
  work();
  cursor = 0;
  cursorHigh = HIGH;
  return docs;
}

/** The next gram in ascending order, -1 after the last; its list is at `listAt`, `lengthOfList` bytes. */
export function next(): i32 {
  cursor = following(cursor, HIGH);
  cursorHigh = following(cursorHigh, KEYS);
  if (cursor == HIGH && cursorHigh == KEYS) return -1;
  const gram = widen(cursor);
  let key: u32;
  if (cursorHigh == KEYS || (cursor < HIGH && gram < cursorHigh - HIGH)) key = cursor++;
  else key = cursorHigh++;
  takeOut(load<u32>(load<u32>(PAGES + ((key >>> 6) << 2)) + ((key & 63) << 2)));
  return <i32>widen(key);
}

/** The first key from `key` on that has a list, or `end`. */
function following(key: u32, end: u32): u32 {
  while (key < end) {
    const page = load<u32>(PAGES + ((key >>> 6) << 2));
    if (page == 0) {
      key = ((key >>> 6) + 1) << 6;
      continue;
    }
    if (load<u32>(page + ((key & 63) << 2)) != 0) return key;
    key++;
  }
  return end;
}

export function listAt(): u32 {
  return <u32>LIST;
}

export function lengthOfList(): u32 {
  return listBytes;
}

export function isBitmap(): bool {
  return listIsBitmap;
}

/** Copies a list, or makes a bitmap of it where that is shorter. */
function takeOut(list: usize): void {
  const last = load<u32>(list);
  const bitmapBytes = (docs + 7) >>> 3;
  let bytes: u32 = 0;
  let slice = load<u32>(list, 8);
  let step: u32 = 0;
  let full: bool = false;
  while (true) {
    const size = sliceBytes(step);
    // the next byte may be the one after the slice, where its link will be
    const here = last >= slice && last <= slice + size;
    const count = here ? last - slice : size;
    if (!full && bytes + count <= bitmapBytes) memory.copy(LIST + bytes, slice, count);
    else full = true;
    bytes += count;
    if (here) break;
    slice = load<u32>(slice + size);
    if (step < LARGEST_STEP) step++;
  }
  listIsBitmap = full;
  listBytes = bytes;
  if (full) {
    listBytes = bitmapBytes;
    fillBitmap(load<u32>(list, 8), last, bitmapBytes);
  }
}

function fillBitmap(first: u32, last: u32, bytes: u32): void {
  memory.fill(LIST, 0, bytes);
  let at = first;
  let step: u32 = 0;
  let end = at + sliceBytes(0);
  let doc: u32 = 0xffffffff;
  let value: u32 = 0;
  let shift: u32 = 0;
  while (at != last) {
    if (at == end) {
      at = load<u32>(at);
      if (step < LARGEST_STEP) step++;
      end = at + sliceBytes(step);
      if (at == last) break;
    }
    const byte = <u32>load<u8>(at++);
    value |= (byte & 127) << shift;
    if (byte > 127) {
      shift += 7;
      continue;
    }
    doc += value + 1;
    value = 0;
    shift = 0;
    const target = LIST + (doc >>> 3);
    store<u8>(target, <u8>(<u32>load<u8>(target) | ((<u32>1) << (doc & 7))));
  }
}

/** Distinct grams of all documents since the last `clear`. */
export function postingCount(): f64 {
  return <f64>postings;
}

/** Most documents before `clear` that a bitmap in LIST has place for. */
export function mostDocs(): u32 {
  return LIST_BYTES << 3;
}

/** Forgets all documents; the pool is kept for the next ones. */
export function clear(): void {
  memory.fill(PAGES, 0, PAGE_COUNT << 2);
  let chunk = chunks;
  while (chunk != 0) {
    const older = load<u32>(chunk);
    release(chunk);
    chunk = older;
  }
  chunks = 0;
  usedChunks = 0;
  top = 0;
  topEnd = 0;
  docs = 0;
  batch = 0;
  batchDocs = 0;
  postings = 0;
}
