// Syntax trees of source files: which language a file is in, its tree, what it declares, imports and names.
export { type Declaration, declarationsOf } from './declarations.ts';
export { type Identifier, identifiersOf } from './identifiers.ts';
export { type Import, importsOf } from './imports.ts';
export { globOf, type LanguageId, LANGUAGES, languageNamed, languageOf, rowOf } from './languages/index.ts';
export type { ImportedName, Kind, Role, Row, Supertype } from './languages/row.ts';
export { Lines, type Place, toByteOffsets } from './lines.ts';
export { type Fault, MAX_TEXT, type Parsed, type ParseOptions, parseSource } from './parse.ts';
export { type Files, resolveModule } from './modules.ts';
export { membersAround, resolveIn } from './scope.ts';
export { countLines, type LineCounts } from './count.ts';
export { type Edge, supertypesOf } from './supertypes.ts';
