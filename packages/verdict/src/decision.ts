// The three answers there are.

/** allow: only reads, or writes where it may. ask: a person should decide, or it cannot be decided. deny: destroys beyond repair, or subverts the machine. */
export type Decision = 'allow' | 'ask' | 'deny';
