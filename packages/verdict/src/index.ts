// @hanzo/verdict: judges shell commands before they run. Everything public is named here.
export { classify, explain } from './classify.ts';
export type { Decision, Explanation, Machine, Node, Override, Question, Reason, RuleSet, Verdict } from './types.ts';
export type { CommandRule, Operands, OptionRule, Places, ProgramRule, Role } from './rules/types.ts';
