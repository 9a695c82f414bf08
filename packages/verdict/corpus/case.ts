// The form of a row of the corpora.

/** A command, the verdict it must get, and why; asked from `/home/dev/project`, its only root, in the home `/home/dev`. */
export interface Case {
  readonly command: string;
  readonly expected: 'allow' | 'ask' | 'deny';
  readonly why: string;
  /** default `/home/dev/project` */
  readonly cwd?: string;
  /** files that can be read, by absolute path */
  readonly files?: Readonly<Record<string, string>>;
}
