// @hanzo/verdict: judges shell commands before they run. Everything public is named here.
export { classify, explain } from './classify.ts';
export { checkExamples, withOwnRules } from './own-rules.ts';
export { type OwnProgram, type OwnRules, OwnRulesError, type OwnRulesOptions, parseOwnRules } from './own/parse.ts';
export { standardRules } from './rules/index.ts';
export type { Decision, Explanation, Machine, Node, Override, Question, Reason, RuleSet, Verdict } from './types.ts';
export type { CommandRule, Operands, OptionRule, Places, ProgramRule, Role } from './rules/types.ts';
