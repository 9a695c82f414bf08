// Working styles: which tools each is for. Data, and which presets name which. No tool is named that this server cannot have.
export interface Mode {
  readonly name: string;
  /** what it is for, in one sentence that an agent can act on */
  readonly summary: string;
  /** the tools it lists; undefined: all that are served */
  readonly tools?: readonly string[];
}

export const DEFAULT_MODE = 'developer';

/** In the order they are listed (contract, local core tools 5.14, in the names of today). */
export const MODES: readonly Mode[] = [
  { name: 'developer', summary: 'Everything, for ordinary work on a project.' },
  { name: '10x', summary: 'Everything, fast: small steps, each tested before the next.' },
  {
    name: 'research',
    summary: 'Read and understand; change nothing but notes.',
    tools: ['fs', 'code', 'git', 'fetch', 'workspace', 'think', 'memory', 'plan', 'tasks'],
  },
  {
    name: 'editor',
    summary: 'Read and edit files; run nothing.',
    tools: ['fs', 'code', 'git', 'workspace', 'think'],
  },
  { name: 'terminal', summary: 'Run commands and look at what they leave.', tools: ['fs', 'exec', 'npx', 'uvx', 'jq'] },
  {
    name: 'cloud_admin',
    summary: 'Operate the plane and what runs on it.',
    tools: ['hanzo', 'fetch', 'memory', 'tasks'],
  },
  {
    name: 'devops',
    summary: 'Build, release and look after what runs.',
    tools: ['fs', 'exec', 'git', 'fetch', 'workspace', 'tasks', 'jq'],
  },
  { name: 'minimal', summary: 'Files and commands, nothing else.', tools: ['fs', 'exec'] },
];

/** The first of a preset is what it makes current. */
export const MODE_PRESETS: ReadonlyMap<string, readonly string[]> = new Map([
  ['default', ['developer']],
  ['minimal', ['research', 'editor']],
  ['power', ['developer', 'cloud_admin']],
  ['cloud', ['cloud_admin', 'devops']],
]);

export function modeOf(name: string): Mode | undefined {
  return MODES.find((each) => each.name === name);
}
