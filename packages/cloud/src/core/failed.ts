// A tool that ran and says that it failed. What it said is kept whole.
export class ToolFailed extends Error {
  override readonly name = 'ToolFailed';
  readonly tool: string;
  /** the MCP result with `isError` */
  readonly result: Readonly<Record<string, unknown>>;

  constructor(tool: string, result: Readonly<Record<string, unknown>>) {
    super(`${tool} failed: ${textOf(result) ?? 'it gave no reason'}`);
    this.tool = tool;
    this.result = result;
  }
}

/** The first text of a result, shortened to a sentence or two. */
function textOf({ content }: Readonly<Record<string, unknown>>): string | undefined {
  if (!Array.isArray(content)) return undefined;
  for (const block of content as readonly unknown[]) {
    if (typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string') {
      const line = block.text.trim();
      if (line !== '') return line.length > 500 ? `${[...line].slice(0, 500).join('')}…` : line;
    }
  }
  return undefined;
}
