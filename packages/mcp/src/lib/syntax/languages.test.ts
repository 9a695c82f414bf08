// Every language on a file of its own: what it declares, imports and extends, read off the file by hand.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { declarationsOf, importsOf, languageOf, parseSource, type Parsed, supertypesOf } from './index.ts';

const CORPUS = path.resolve(import.meta.dirname, '../../../corpus/syntax');
const installed = createRequire(import.meta.url);

async function parsed(file: string, name: string): Promise<Parsed> {
  const text = readFileSync(file, 'utf8');
  const language = languageOf(name, text);
  if (!language) throw new Error(`${name} is in no language`);
  return parseSource(text, language);
}

/** `line [+exported][~local]kind parent.name`, without parameters. */
const told = (source: Parsed): string[] =>
  declarationsOf(source)
    .filter(({ kind }) => kind !== 'parameter' && kind !== 'type_parameter')
    .map(
      ({ line, exported, local, kind, parent, name }) =>
        `${line} ${exported ? '+' : ''}${local ? '~' : ''}${kind} ${parent === undefined ? '' : `${parent}.`}${name}`,
    );

interface Expected {
  readonly declares: readonly string[];
  /** parameters and type parameters */
  readonly parameters: string;
  /** `line form module: name as local, ...` */
  readonly imports: readonly string[];
  readonly supertypes: readonly string[];
}

const EXPECTED: Readonly<Record<string, Expected>> = {
  'cache.py': {
    declares: [
      '8 variable __all__',
      '10 +constant LIMIT',
      '11 variable _default',
      '11 variable _low',
      '11 variable _rest',
      '14 +class Entry',
      '17 field Entry.__slots__',
      '18 field Entry.version',
      '20 method Entry.__init__',
      '21 field Entry.key',
      '22 field Entry.value',
      '26 +class Cache',
      '27 method Cache.store',
      '29 ~variable store.index',
      '29 ~variable store.name',
      '29 ~variable store.old',
      '30 ~variable store.found',
      '32 ~variable store.entry',
      '36 method Cache.size',
      '37 ~variable size.entry',
      '40 method Cache.entries',
      '41 ~variable entries.handle',
      '44 method Cache.render',
      '48 +function open_cache',
      '49 ~function open_cache.attempt',
      '52 ~variable attempt.problem',
      '58 function _hidden',
      '61 +type Key',
    ],
    parameters: 'self key value ttl extra self key value self self value v width path factory times',
    imports: [
      '2 from __future__: annotations',
      '4 import json, os.path: json, os.path as osp',
      '5 from collections.abc: Iterator',
      '6 from .errors: CacheError as Broken, Missing',
    ],
    supertypes: ['Cache extends Entry'],
  },
  'queue.go': {
    declares: [
      '13 +type Kind',
      '16 +constant Low',
      '17 +constant High',
      '20 constant limit',
      '20 +constant Version',
      '22 +variable ErrFull',
      '22 variable errEmpty',
      '24 +type ID',
      '26 +struct Job',
      '29 +field Job.Name',
      '29 field Job.owner',
      '30 +field Job.Kind',
      '31 field Job.done',
      '34 +interface Store',
      '36 +method Store.Push',
      '37 +method Store.Pop',
      '40 +struct Ring',
      '41 field Ring.items',
      '42 field Ring.head',
      '45 +method Ring.Push',
      '46 ~variable Push.size',
      '53 method Ring.each',
      '54 ~variable each.at',
      '54 ~variable each.item',
      '59 +function New',
      '60 ~variable New.ring',
      '63 ~variable New.v',
    ],
    parameters: 'err ctx jobs count err T r item r visit at item kind late',
    imports: [
      '5 import context: * as context',
      '6 import fmt: * as fmt',
      '7 import log: * as stdlog',
      '9 import example.com/shop/internal/clock: * as clock',
    ],
    supertypes: ['Job embeds ID', 'Job embeds Timer', 'Store embeds Stringer'],
  },
  'inventory.rs': {
    declares: [
      '8 +constant LIMIT',
      '9 variable COUNTER',
      '10 +type Shelf',
      '13 +struct Item',
      '14 +field Item.name',
      '15 field Item.count',
      '18 +struct Pair',
      '20 +enum Event',
      '21 +enum_member Event.Added',
      '22 +enum_member Event.Moved',
      '23 +enum_member Event.Lost',
      '23 field Lost.item',
      '26 +trait Stock',
      '27 +type Stock.Unit',
      '28 +constant Stock.MIN',
      '29 +method Stock.restock',
      '30 +method Stock.is_empty',
      '33 +method Stock.level',
      '37 +method Item.new',
      '43 type Item.Unit',
      '44 constant Item.MIN',
      '45 method Item.restock',
      '46 ~variable restock.before',
      '46 ~variable restock.after',
      '47 ~variable restock.apply',
      '52 method Item.level',
      '58 method Item.fmt',
      '63 macro items',
      '67 function total',
      '68 ~variable total.sum',
      '69 ~variable total.item',
      '70 ~variable total.found',
      '76 ~variable total.other',
      '80 namespace tests',
      '82 +function tests.sample',
    ],
    parameters: 'T by name count by amount f items',
    imports: [
      '2 use std::{collections::HashMap, fmt::{self, Display as Show}}: std::collections::HashMap as HashMap, std::fmt as fmt, std::fmt::Display as Show',
      '3 use crate::pricing::*: crate::pricing::* as *',
      '5 mod audit: * as audit',
      '81 use super::Item: super::Item as Item',
    ],
    supertypes: ['Stock extends Show', 'Stock extends Send', 'Item implements Stock', 'Item implements Display'],
  },
  'Ledger.java': {
    declares: [
      '9 +class Ledger',
      '10 +constant Ledger.NAME',
      '11 field Ledger.entries',
      '11 field Ledger.spare',
      '12 field Ledger.total',
      '14 +constructor Ledger.Ledger',
      '19 +method Ledger.post',
      '20 ~variable post.size',
      '21 ~variable post.each',
      '22 ~variable post.text',
      '26 ~variable post.in',
      '31 ~variable post.later',
      '35 method Ledger.audit',
      '37 +enum Ledger.State',
      '38 +enum_member State.OPEN',
      '38 +enum_member State.CLOSED',
      '39 method CLOSED.isFinal',
      '42 field State.code',
      '44 constructor State.State',
      '46 method State.isFinal',
      '49 interface Ledger.Listener',
      '50 +constant Listener.PRIORITY',
      '51 +method Listener.posted',
      '54 +class Ledger.Entry',
      '54 field Entry.key',
      '54 field Entry.amount',
      '55 constructor Entry.Entry',
      '58 +method Entry.compareTo',
      '61 interface Ledger.Audited',
      '62 +method Audited.by',
    ],
    parameters: 'T capacity R entry then tags problem x code ledger other',
    imports: [
      '3 import java.util.*',
      '4 import java.util.function.Function: Function',
      '5 import static java.lang.Math.max: max',
    ],
    supertypes: [
      'Ledger extends Book',
      'Ledger implements Iterable',
      'Ledger implements AutoCloseable',
      'Listener extends EventListener',
      'Listener extends Comparable',
      'Entry implements Comparable',
    ],
  },
  'Orders.cs': {
    declares: [
      '6 +namespace Example.Shop',
      '10 +class Orders',
      '12 +constant Orders.Limit',
      '13 field Orders.items',
      '13 field Orders.spare',
      '14 +field Orders.Placed',
      '15 +field Orders.Count',
      '18 +constructor Orders.Orders',
      '22 +method Orders.Place',
      '24 ~variable Place.size',
      '25 ~variable Place.tag',
      '26 ~function Place.Twice',
      '27 ~variable Place.plus',
      '29 ~variable Place.problem',
      '30 ~variable Place.rush',
      '30 ~variable Place.parsed',
      '34 method Orders.Describe',
      '38 +enum Orders.State',
      '38 +enum_member State.Open',
      '38 +enum_member State.Closed',
      '40 +interface Orders.ISource',
      '40 +method ISource.Next',
      '42 +struct Orders.Money',
      '42 +field Money.Amount',
      '42 +method Money.Equals',
      '44 +class Orders.Line',
      '44 field Line.Sku',
      '44 field Line.Quantity',
      '46 +type Orders.Handler',
    ],
    parameters: 'T index capacity tags order times value step order left right other sender order',
    imports: [
      '1 using System',
      '2 using System.Collections.Generic',
      '3 using System.Text: * as Text',
      '4 using static System.Math',
    ],
    supertypes: [
      'Orders extends Repository',
      'Orders implements IOrders',
      'Orders implements IDisposable',
      'ISource extends IEnumerable',
      'Money implements IEquatable',
    ],
  },
  'catalog.rb': {
    declares: [
      '5 +namespace Shop',
      '6 +constant Shop.LIMIT',
      '8 +class Shop.Catalog',
      '12 field Catalog.entries',
      '12 field Catalog.name',
      '13 field Catalog.@@count',
      '15 +method Catalog.initialize',
      '16 field Catalog.@name',
      '17 field Catalog.@entries',
      '17 ~variable initialize.first',
      '21 +method Catalog.lookup',
      '26 ~variable lookup.problem',
      '30 +method Catalog.open',
      '33 +method Catalog.default',
      '34 field Catalog.@default',
      '40 method Catalog.lookup_in',
      '41 ~variable lookup_in.handler',
      '45 +method Catalog.find',
      '46 method Catalog.search',
      '50 variable $catalog',
      '51 variable result',
    ],
    parameters: 'name entries rest strict options block key entry left right path entry key value',
    imports: ['2 require json', '3 require_relative support/names'],
    supertypes: ['Catalog extends Base', 'Catalog include Enumerable', 'Catalog extend Forwardable'],
  },
  'Router.php': {
    declares: [
      '7 +namespace Example\\Http',
      '15 +constant LIMIT',
      '16 +constant ROUTER_DEBUG',
      '20 +class Router',
      '24 +constant Router.METHODS',
      '25 field Router.prefix',
      '25 field Router.suffix',
      '26 field Router.count',
      '28 +constructor Router.__construct',
      '28 field Router.logger',
      '33 +method Router.make',
      '35 ~variable make.first',
      '35 ~variable make.second',
      '36 ~variable make.at',
      '36 ~variable make.code',
      '37 ~variable make.seen',
      '43 method Router.handle',
      '45 +method Router.dispatch',
      '48 ~variable dispatch.next',
      '50 ~variable dispatch.problem',
      '57 +interface Handler',
      '59 +trait Emits',
      '59 +method Emits.emit',
      '61 +enum Status',
      '63 +enum_member Status.Ok',
      '64 +enum_member Status.Gone',
      '65 +method Status.jsonSerialize',
      '68 +function route',
      '74 variable router',
      '74 +method router.handle',
    ],
    parameters: 'prefix codes request request inner event path then request',
    imports: [
      '9 use Example\\Core: Example\\Core\\Kernel as Kernel, Example\\Core\\Events as Bus',
      '10 use Psr\\Log\\LoggerInterface: Psr\\Log\\LoggerInterface as LoggerInterface',
      '11 use Example\\Core\\now: Example\\Core\\now as now',
      "13 require_once __DIR__ . '/helpers.php'",
    ],
    supertypes: [
      'Router extends Kernel',
      'Router implements Handler',
      'Router implements Countable',
      'Router uses Emits',
      'Router uses Logs',
      'Handler extends Middleware',
      'Status implements JsonSerializable',
    ],
  },
  'deploy.sh': {
    declares: [
      '7 +variable STAGE',
      '8 constant RETRIES',
      '9 variable targets',
      '10 variable version',
      '12 +function build',
      '13 ~variable build.target',
      '14 ~variable build.out',
      '18 +function deploy',
      '19 ~variable deploy.target',
      '27 +variable REGION',
    ],
    parameters: '',
    imports: ['4 source ./lib/common.sh', '5 source lib/log.sh'],
    supertypes: [],
  },
  'Panel.tsx': {
    declares: [
      '5 +interface PanelProps',
      '6 field PanelProps.title',
      '7 field PanelProps.items',
      '8 method PanelProps.render',
      '11 +type Size',
      '13 enum Side',
      '14 enum_member Side.Left',
      '15 enum_member Side.Right',
      '18 +function Panel',
      '19 ~constant Panel.open',
      '19 ~constant Panel.setOpen',
      '20 ~function Panel.toggle',
      '33 +constant Row',
      '35 +class Frame',
      '36 field Frame.defaultProps',
      '37 field Frame.#size',
      '38 method Frame.handle',
      '39 constructor Frame.constructor',
      '42 method Frame.size',
      '45 method Frame.render',
    ],
    parameters: 'T item T title items rest event item at children props',
    imports: ['2 import react: default as React, useState, ReactNode', '3 import ./panel.css: * as styles'],
    supertypes: ['Frame extends Component', 'Frame implements Sized'],
  },
};

describe('files of the corpus', () => {
  test.each(Object.entries(EXPECTED))('%s', async (name, expected) => {
    const file = path.join(CORPUS, name === 'Panel.tsx' ? 'Panel.tsx.txt' : name);
    const source = await parsed(file, name);
    const parameters = declarationsOf(source).filter(({ kind }) => kind === 'parameter' || kind === 'type_parameter');
    expect(source.errors).toEqual([]);
    expect(told(source)).toEqual(expected.declares);
    expect(parameters.map((each) => each.name).join(' ')).toBe(expected.parameters);
    expect(
      importsOf(source).map(({ line, form, module, names }) => {
        const list = names.map((each) => (each.name === each.local ? each.name : `${each.name} as ${each.local}`));
        return `${line} ${form} ${module}${list.length > 0 ? `: ${list.join(', ')}` : ''}`;
      }),
    ).toEqual(expected.imports);
    expect(supertypesOf(source).map((each) => `${each.name} ${each.how} ${each.of}`)).toEqual(expected.supertypes);
    source.free();
  });
});

describe('open-source files as they are installed', () => {
  test('TypeScript: the document writer of zod', async () => {
    const source = await parsed(path.resolve(installed.resolve('zod/package.json'), '../src/v4/core/doc.ts'), 'doc.ts');
    expect(source.errorCount).toBe(0);
    expect(told(source).filter((each) => !each.includes('~'))).toEqual([
      '1 type ModeWriter',
      '3 +class Doc',
      '4 field Doc.args',
      '6 field Doc.closed',
      '7 field Doc.content',
      '8 field Doc.indent',
      '10 constructor Doc.constructor',
      '16 method Doc.indented',
      '25 method Doc.write',
      '26 method Doc.write',
      '27 method Doc.write',
      '43 method Doc.compile',
    ]);
    expect(declarationsOf(source).find(({ name }) => name === 'indented')?.signature).toBe(
      'indented(fn: (doc: Doc) => void)',
    );
    source.free();
  });

  test('JavaScript: picocolors, whose functions are values and whose exports are assigned', async () => {
    const source = await parsed(installed.resolve('picocolors'), 'picocolors.js');
    expect(told(source).filter((each) => !each.includes('~'))).toEqual([
      '1 variable p',
      '1 variable argv',
      '1 variable env',
      '2 variable isColorSupported',
      '6 function formatter',
      '12 function replaceClose',
      '22 +function createColors',
    ]);
    source.free();
  });

  test('C: the scanner of the C++ grammar', async () => {
    const file = path.resolve(installed.resolve('tree-sitter-cpp/package.json'), '../src/scanner.c');
    const source = await parsed(file, 'scanner.c');
    expect(source.errorCount).toBe(0);
    expect(told(source).filter((each) => !each.includes('~'))).toEqual([
      '8 +enum TokenType',
      '8 +enum_member TokenType.RAW_STRING_DELIMITER',
      '8 +enum_member TokenType.RAW_STRING_CONTENT',
      '11 +macro MAX_DELIMITER_LENGTH',
      '16 +type Scanner',
      '14 field Scanner.delimiter_length',
      '15 field Scanner.delimiter',
      '18 function advance',
      '20 function reset',
      '26 function scan_raw_string_delimiter',
      '59 function scan_raw_string_content',
      '97 +function tree_sitter_cpp_external_scanner_create',
      '103 +function tree_sitter_cpp_external_scanner_scan',
      '125 +function tree_sitter_cpp_external_scanner_serialize',
      '135 +function tree_sitter_cpp_external_scanner_deserialize',
      '145 +function tree_sitter_cpp_external_scanner_destroy',
    ]);
    expect(importsOf(source).map(({ module, form }) => `${form} ${module}`)).toEqual([
      'include tree_sitter/alloc.h',
      'include tree_sitter/parser.h',
      'include <> assert.h',
      'include <> string.h',
      'include <> wctype.h',
    ]);
    source.free();
  });

  test('C++: the binding of the Go grammar, whose last line only a macro makes sense of', async () => {
    const file = path.resolve(installed.resolve('tree-sitter-go/package.json'), '../bindings/node/binding.cc');
    const source = await parsed(file, 'binding.cc');
    expect(told(source)).toEqual([
      '3 +type TSLanguage',
      '5 +function tree_sitter_go',
      '8 +constant LANGUAGE_TYPE_TAG',
      '12 +function Init',
      '13 ~variable Init.language',
    ]);
    expect(source.errors.map(({ line, message }) => `${line} ${message}`)).toEqual(['19 missing ;']);
    source.free();
  });

  test('JSON: a manifest', async () => {
    const source = await parsed(installed.resolve('picocolors/package.json'), 'package.json');
    const top = declarationsOf(source).filter(({ depth }) => depth === 0);
    expect(top.slice(0, 3).map(({ line, name, kind }) => `${line} ${kind} ${name}`)).toEqual([
      '2 key name',
      '3 key version',
      '4 key main',
    ]);
    source.free();
  });
});

test('C++ as it is written: namespaces, templates, members in and out of their class', async () => {
  const source = await parseSource(
    `namespace a::b {
template <typename T> class Box : public Base<T>, private virtual Lock {
public:
  explicit Box(int size) : size_(size) {}
  ~Box();
  virtual T &get(int at) const override;
  bool operator==(const Box &other) const;
  static const int Most = 2;
private:
  int size_ = 0, *spare_;
  enum class State { Open, Shut };
};
template <typename T> T &Box<T>::get(int at) const { auto [x, y] = pair(at); return x; }
using Words = std::vector<std::string>;
}
static int helper(int (*call)(int), char **names) { return call(1); }
`,
    'cpp',
  );
  expect(source.errors).toEqual([]);
  expect(told(source)).toEqual([
    '1 +namespace a::b',
    '2 +class a::b.Box',
    '4 +constructor Box.Box',
    '5 +method Box.~Box',
    '6 method Box.get',
    '7 method Box.operator==',
    '8 field Box.Most',
    '10 field Box.size_',
    '10 field Box.spare_',
    '11 +enum Box.State',
    '11 +enum_member State.Open',
    '11 +enum_member State.Shut',
    '13 +method Box.get',
    '13 ~variable get.x',
    '13 ~variable get.y',
    '14 +type a::b.Words',
    '16 function helper',
  ]);
  expect(supertypesOf(source).map((each) => `${each.name} ${each.how} ${each.of}`)).toEqual([
    'Box extends Base',
    'Box extends Lock',
  ]);
  source.free();
});

test('a file is in the language its name says, else the one its first line names', () => {
  const cases: readonly (readonly [name: string, text: string, language: string | undefined])[] = [
    ['a.ts', '', 'typescript'],
    ['a.d.mts', '', 'typescript'],
    ['a.tsx', '', 'tsx'],
    ['a.jsx', '', 'javascript'],
    ['A.PY', '', 'python'],
    ['a.h', 'int f(void);', 'c'],
    ['a.h', '#pragma once\nnamespace a {\n}', 'cpp'],
    ['a.h', '// class of its own\nint f(void);', 'c'],
    ['Rakefile', '', 'ruby'],
    ['.bashrc', '', 'bash'],
    ['run', '#!/bin/sh\n', 'bash'],
    ['run', '#!/usr/bin/env -S node --test\n', 'javascript'],
    ['run', '#! /usr/bin/python3.13\r\n', 'python'],
    ['run', 'no first line', undefined],
    ['a.kt', '#!/bin/sh\n', undefined],
    ['constructor', '', undefined],
    ['a.__proto__', '', undefined],
  ];
  for (const [name, text, language] of cases) expect([name, languageOf(name, text)]).toEqual([name, language]);
});
