// What a classifier says of a command, and the one place that turns it into a refusal. The classifier itself is injected.
import { shorten, ToolError } from '@hanzo/tool';

/** Why a verdict is what it is. */
interface Reason {
  readonly rule: string;
  readonly message: string;
  /** the simple command it is about */
  readonly command?: string;
  /** where that stands in the text, in UTF-16 units: start, end */
  readonly span?: readonly [start: number, end: number];
}

/** allow: only reads, or writes where it may. ask: cannot be decided here. deny: destroys beyond repair. */
export interface Verdict {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly reasons: readonly Reason[];
}

/** A command before it runs. */
export interface Question {
  readonly command: string;
  readonly cwd: string;
  /** the directories that may be written to */
  readonly roots: readonly string[];
  /** what the call lays over the environment */
  readonly env?: Readonly<Record<string, string>>;
  /** what the command reads: a text, or 'unknown' where it comes later; left out: nothing */
  readonly stdin?: { readonly text: string } | 'unknown';
}

/** Judges a command without running it. */
export type Classify = (question: Question) => Verdict | Promise<Verdict>;

/** What an answer shows of a verdict: reasons, and characters of a text in them. */
const MOST_REASONS = 5;
const MOST_CHARACTERS = 240;

/** The verdict of `classify`; undefined without one. A classifier that fails has not allowed anything: it asks. */
export async function judge(classify: Classify | undefined, question: Question): Promise<Verdict | undefined> {
  try {
    return await classify?.(question);
  } catch (error) {
    const message = `the classifier failed: ${error instanceof Error ? error.message : String(error)}`;
    return { decision: 'ask', reasons: [{ rule: 'classifier-failed', message }] };
  }
}

/** A verdict as answers carry it: bounded, without what would be said twice. An `allow` has no reasons. */
export function brief({ decision, reasons }: Verdict, asked = ''): Record<string, unknown> {
  const few = reasons.slice(0, MOST_REASONS).map(({ rule, message, command, span }) => ({
    rule,
    message: shorten(message, MOST_CHARACTERS),
    ...(command === undefined || command === asked ? {} : { command: shorten(command, MOST_CHARACTERS) }),
    ...(span === undefined || command === asked ? {} : { span }),
  }));
  const more = reasons.length - few.length;
  return { decision, ...(few.length > 0 ? { reasons: few } : {}), ...(more > 0 ? { more_reasons: more } : {}) };
}

/**
 * The policy: a denied command is refused with PERMISSION_DENIED before any process exists. `ask` runs: a server cannot ask the
 * person, and the client's own permission step has happened already. Undefined where the command may run.
 */
export function refusal(verdict: Verdict | undefined, asked = ''): ToolError | undefined {
  if (verdict?.decision !== 'deny') return undefined;
  const [first] = verdict.reasons;
  const why = first ? shorten(first.message, MOST_CHARACTERS) : 'the classifier denies it';
  return new ToolError(
    'PERMISSION_DENIED',
    `refused, nothing was run: ${why}`,
    { verdict: brief(verdict, asked) },
    { data: { verdict: { decision: verdict.decision } } },
  );
}
