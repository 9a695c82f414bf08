// Syntax trees of source files: which language a file is in, its tree, what it declares, imports and names.
export { countLines } from './count.ts';
export { type Declaration, declarationsOf } from './declarations.ts';
export { type Identifier, identifiersOf } from './identifiers.ts';
export { type Import, importsOf } from './imports.ts';
export { type LanguageId, LANGUAGES, languageNamed, languageOf, mayBeSource } from './languages/index.ts';
export type { ImportedName, Kind } from './languages/row.ts';
export { Lines, toByteOffsets } from './lines.ts';
export { type Files, resolveModule } from './modules.ts';
export { MAX_TEXT, type Parsed, parseSource } from './parse.ts';
export { membersAround, resolveIn } from './scope.ts';
export { type Edge, supertypesOf } from './supertypes.ts';
