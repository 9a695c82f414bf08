// Collects reasons while a program is gone through, and the tree that explains them.
import type { Decision, Explanation, Node, Reason, Verdict } from './types.ts';
import type { Span } from './shell/value.ts';

/** Reasons told of one verdict. */
const MOST_REASONS = 20;
const ORDER: Readonly<Record<Decision, number>> = { deny: 0, ask: 1, allow: 2 };
/** Commands quoted in reasons are cut here. */
const QUOTE = 200;

interface Building {
  readonly command: string;
  readonly span: Span;
  decision: Decision;
  readonly notes: string[];
  readonly children: Building[];
}

export class Findings {
  readonly #reasons = new Map<string, Reason>();
  readonly #top: Building = { command: '', span: [0, 0], decision: 'allow', notes: [], children: [] };
  readonly #path: Building[] = [this.#top];
  readonly #tainted: Span[] = [];
  /** files whose content this very program makes: what was known of them does not hold, and running them is not running the project's own */
  readonly written = new Set<string>();

  /** Everything reported while `work` runs is about this command. */
  within<T>(command: string, span: Span, work: () => T): T {
    const node: Building = { command: cut(command), span, decision: 'allow', notes: [], children: [] };
    this.#path.at(-1)?.children.push(node);
    this.#path.push(node);
    try {
      return work();
    } finally {
      this.#path.pop();
      const parent = this.#path.at(-1);
      if (parent) parent.decision = strictest(parent.decision, node.decision);
    }
  }

  report(reason: Reason): void {
    const node = this.#path.at(-1) as Building;
    node.decision = strictest(node.decision, reason.decision);
    node.notes.push(`${reason.decision}: ${reason.message}`);
    if (reason.decision === 'allow') return;
    const key = `${reason.rule}\0${reason.span[0]}\0${reason.span[1]}\0${reason.message}`;
    this.#reasons.set(key, { ...reason, command: cut(reason.command) });
  }

  /** A point to which `forget` goes back. */
  mark(): ReadonlySet<string> {
    return new Set(this.#reasons.keys());
  }

  /** Takes back what was reported since `mark` of the command at `span`. */
  forget(mark: ReadonlySet<string>, [start, end]: Span): void {
    for (const [key, { span }] of this.#reasons) {
      if (!mark.has(key) && span[0] >= start && span[1] <= end) this.#reasons.delete(key);
    }
    (this.#path.at(-1) as Building).decision = 'allow';
  }

  /** What was understood, for people; no more than that. */
  note(text: string): void {
    this.#path.at(-1)?.notes.push(text);
  }

  /** The substitution at this place put key material into a word. */
  taint(span: Span): void {
    this.#tainted.push(span);
  }

  tainted([start, end]: Span): boolean {
    return this.#tainted.some((each) => each[0] >= start && each[1] <= end);
  }

  verdict(): Verdict {
    const reasons = [...this.#reasons.values()].sort(
      (a, b) => ORDER[a.decision] - ORDER[b.decision] || a.span[0] - b.span[0],
    );
    return { decision: reasons[0]?.decision ?? 'allow', reasons: reasons.slice(0, MOST_REASONS) };
  }

  explanation(): Explanation {
    return { ...this.verdict(), tree: this.#top.children.map(freeze) };
  }
}

function freeze({ command, span, decision, notes, children }: Building): Node {
  return { command, span, decision, notes: [...new Set(notes)], children: children.map(freeze) };
}

function strictest(a: Decision, b: Decision): Decision {
  return ORDER[a] <= ORDER[b] ? a : b;
}

function cut(command: string): string {
  return command.length <= QUOTE ? command : `${command.slice(0, QUOTE).toWellFormed()}...`;
}
