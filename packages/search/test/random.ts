// Patterns cut out of the trees' own text by a seed, in the ways people make them. Asks no engine.
import { readFileSync } from 'node:fs';
import type { Query } from '../src/index.ts';

export type Random = () => number;

/** Mulberry32: numbers in [0, 1), the same for the same seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
export const between = (random: Random, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));

const SIGNS = /[.*+?^$()[\]{}|\\#&~-]/g;
const escape = (text: string): string => text.replaceAll(SIGNS, String.raw`\$&`);

/** `count` queries out of `files`. Ones that ripgrep could refuse for what they hold (NUL, invalid text) are not among them. */
export function randomQueries(seed: number, files: readonly string[], count: number): Query[] {
  const random = seeded(seed);
  const queries: Query[] = [];
  const shapes: readonly ((line: string) => Query | undefined)[] = [
    (line) => ({ pattern: cut(random, line, 3, 16), literal: true }),
    (line) => ({ pattern: escape(cut(random, line, 2, 24)) }),
    (line) => ({ pattern: escape(cut(random, line, 3, 10)), ignoreCase: true }),
    (line) => one(words(line), (word) => ({ pattern: word })),
    (line) => one(words(line), (word) => ({ pattern: String.raw`\b${word}\b` })),
    (line) => one(words(line), (word) => ({ pattern: word, word: true })),
    (line) => one(words(line), (word) => ({ pattern: flip(random, word), ignoreCase: true })),
    (line) => one(words(line), (word) => ({ pattern: `${word.slice(0, 3)}\\w+${word.slice(-2)}` })),
    (line) => one(words(line), (word) => ({ pattern: `(?i)${word.slice(0, 4)}\\w*` })),
    (line) => two(words(line), (a, b) => ({ pattern: `${a}.*${b}` })),
    (line) => two(words(line), (a, b) => ({ pattern: `${a}|${b}` })),
    (line) => two(words(line), (a, b) => ({ pattern: `(${a}|${b}|${a.slice(0, 2)})\\s*[(=:]` })),
    (line) => two(words(line), (a, b) => ({ pattern: `${a}\\W+${b}` })),
    (line) => two(words(line), (a, b) => ({ pattern: `(?:${a}|${b})?[.,;]$` })),
    (line) => one(words(line), (word) => ({ pattern: `^\\s*${word}` })),
    (line) => one(words(line), (word) => ({ pattern: `${word}[^\\w]*$` })),
    (line) =>
      one(words(line), (word) => ({ pattern: [...word].map((letter) => (random() < 0.3 ? '.' : letter)).join('') })),
    (line) =>
      one(words(line), (word) => ({
        pattern: [...word].map((letter) => (random() < 0.3 ? `[${letter}_]` : letter)).join(''),
      })),
    (line) => one(words(line), (word) => ({ pattern: `[A-Z]\\w*${word.slice(-3)}` })),
    (line) => one(words(line), (word) => ({ pattern: `${word.slice(0, 2)}{1,3}${word.slice(2, 4)}` })),
  ];
  for (let tries = 0; queries.length < count && tries < count * 50; tries++) {
    const lines = readFileSync(pick(random, files), 'utf8').split('\n');
    const line = pick(random, lines);
    if (line.length < 4 || line.length > 2000 || /[\0\r\ufffd]/.test(line)) continue;
    const query = pick(random, shapes)(line);
    if (query !== undefined && query.pattern.trim() !== '') queries.push(query);
  }
  return queries;

  function one(found: readonly string[], make: (word: string) => Query): Query | undefined {
    return found.length === 0 ? undefined : make(pick(random, found));
  }
  function two(found: readonly string[], make: (a: string, b: string) => Query): Query | undefined {
    return found.length < 2 ? undefined : make(pick(random, found), pick(random, found));
  }
}

const words = (line: string): string[] => line.match(/[\p{L}_][\p{L}\p{N}_]{2,}/gu) ?? [];

function cut(random: Random, line: string, low: number, high: number): string {
  const letters = [...line];
  const start = between(random, 0, Math.max(0, letters.length - low));
  return letters.slice(start, start + between(random, low, high)).join('');
}

const flip = (random: Random, word: string): string =>
  [...word].map((letter) => (random() < 0.5 ? letter.toUpperCase() : letter.toLowerCase())).join('');
