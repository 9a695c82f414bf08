// What is known of one language: the row a language adds to the table. Node kinds are those of its grammar.
import type { Node } from 'web-tree-sitter';

export type Kind =
  | 'function'
  | 'method'
  | 'constructor'
  | 'class'
  | 'interface'
  | 'trait'
  | 'struct'
  | 'union'
  | 'enum'
  | 'enum_member'
  | 'type'
  | 'namespace'
  | 'macro'
  | 'constant'
  | 'variable'
  | 'field'
  | 'parameter'
  | 'type_parameter'
  | 'key';

/** A name that a node declares. */
export interface Named {
  readonly kind: Kind;
  /** the node that is the name */
  readonly name: Node;
  /** what it is a member of, where that is not what it stands in (Go's receivers, C++'s `A::b`) */
  readonly parent?: string | undefined;
  /** the part of the node that the declaration ends before in its signature; default its `body` */
  readonly body?: Node | null | undefined;
  /** a name of a pattern that is a key as well: `{ name }` */
  readonly shorthand?: boolean;
  /** the name is seen only within the node (a function expression's) */
  readonly inside?: boolean;
  /** the name is seen in the whole function (JavaScript's `var`) */
  readonly hoisted?: boolean;
}

/** What a node stands in, as far as the walk knows it. */
export interface Around {
  /** kind of the nearest enclosing declaration that can have members */
  readonly owner: Kind | undefined;
  /** name of the nearest enclosing declaration */
  readonly ownerName: string | undefined;
  /** within a function */
  readonly local: boolean;
  /** the wrapper it stands in, and the outermost of those around that one */
  readonly wrapper: Node | undefined;
  readonly outer: Node | undefined;
}

export type Declare = (node: Node, around: Around) => readonly Named[];

/** One name that an import brings. */
export interface ImportedName {
  /** as the module calls it; `default` and `*` as in JavaScript */
  readonly name: string;
  /** as this file calls it */
  readonly local: string;
  /** where `local` stands */
  readonly start: number;
  readonly end: number;
}

/** What an import says. */
export interface ImportSpec {
  /** as written, without quotes */
  readonly module: string;
  readonly names: readonly ImportedName[];
  /** what kind of thing brings it: `import`, `export` (from), `require`, `include`, `use` ... */
  readonly form: string;
  readonly typeOnly?: boolean;
}

export interface Row {
  /** how people call it */
  readonly title: string;
  /** package and file of the grammar */
  readonly grammar: string;
  /** endings of file names, without the dot */
  readonly endings: readonly string[];
  /** whole file names */
  readonly names?: readonly string[];
  /** programs that a first line `#!` names */
  readonly interpreters?: readonly string[];

  /** nodes that declare names */
  readonly declare: Readonly<Record<string, Declare>>;
  /** nodes within which the names declared there are seen, and functions, whose inside is local */
  readonly scopes: readonly string[];
  readonly functions: readonly string[];
  /** nodes that belong to the one declaration they hold: exports, decorators, templates, the statement of a declarator */
  readonly wrappers?: readonly string[];
  /** nodes that own members without declaring a name (Rust's impl): whose */
  readonly owners?: Readonly<Record<string, (node: Node) => string | undefined>>;
  /** members are in scope by their bare name */
  readonly bareMembers?: boolean;

  /** leaves that are identifiers, with what they are when nothing around says otherwise */
  readonly identifiers: Readonly<Record<string, 'reference' | 'property' | 'key' | 'type'>>;
  /** what an identifier is by where it stands: `parent`, `parent.field`, `parent@grandparent`, `parent@grandparent.field of the parent` */
  readonly roles?: Readonly<Record<string, Role>>;
  /** nodes in which every identifier belongs to an import */
  readonly importNodes: readonly string[];
  /** leaves of text that is code all the same (a macro's body) */
  readonly rawCode?: readonly string[];
  /** leaves that are a sigil and a name (Ruby's `:name`) */
  readonly symbols?: readonly string[];
  readonly comments: readonly string[];
  readonly strings: readonly string[];

  readonly imports: Readonly<Record<string, (node: Node) => ImportSpec | undefined>>;

  /** whether a declaration is seen outside its file */
  exported(node: Node, named: Named, around: Around): boolean;
  /** names that a file exports in other ways than where it declares them */
  exportedNames?(root: Node): ReadonlySet<string>;
  /** where declarations begin that something around them hides */
  hidden?(root: Node): ReadonlySet<number>;
  /** nodes whose members are told only where one of these kinds stands around, which names them (`type T = {...}`) */
  readonly anonymous?: Readonly<Record<string, readonly string[]>>;
  /** nodes that name supertypes of what a node declares, with how (`extends`, `implements`, ...) */
  readonly supertypes?: Readonly<Record<string, (node: Node) => readonly Supertype[]>>;
}

export interface Supertype {
  readonly name: string;
  readonly how: string;
  /** whose supertype it is, where the node declares no name itself (Rust's `impl T for S`) */
  readonly of?: string;
}

export type Role = 'declaration' | 'reference' | 'property' | 'key' | 'import' | 'type';
