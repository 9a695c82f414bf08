// What a classifier says of a command, and the one place that turns it into a refusal. The classifier itself is injected.
import { ToolError } from '@hanzo/tool';

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

/** Judges a command without running it. `roots` are the directories that may be written to. */
export type Classify = (question: {
  readonly command: string;
  readonly cwd: string;
  readonly roots: readonly string[];
}) => Verdict | Promise<Verdict>;

/** The verdict of `classify`; undefined without one. A classifier that fails has not allowed anything: it asks. */
export async function judge(
  classify: Classify | undefined,
  question: Parameters<Classify>[0],
): Promise<Verdict | undefined> {
  try {
    return await classify?.(question);
  } catch (error) {
    const message = `the classifier failed: ${error instanceof Error ? error.message : String(error)}`;
    return { decision: 'ask', reasons: [{ rule: 'classifier-failed', message }] };
  }
}

/**
 * The policy: a denied command is refused with PERMISSION_DENIED before any process exists. `ask` runs: a server cannot ask the
 * person, and the client's own permission step has happened already. Undefined where the command may run.
 */
export function refusal(verdict: Verdict | undefined): ToolError | undefined {
  if (verdict?.decision !== 'deny') return undefined;
  const why = verdict.reasons.map((each) => each.message).join('; ') || 'the classifier denies it';
  return new ToolError('PERMISSION_DENIED', `refused, nothing was run: ${why}`, { verdict }, { data: { verdict } });
}
