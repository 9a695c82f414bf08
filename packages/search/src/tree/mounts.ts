// Which file systems a tree lies on, as far as it matters to how its files may be read. Linux only: elsewhere nothing is known.
import { readFileSync } from 'node:fs';

/**
 * File systems on which a read that brings less than was asked for has met the end of the file. Those that make files up as
 * they are read (proc, sysfs, cgroup, FUSE) are not among them, nor those of the network.
 */
const SIZED: ReadonlySet<string> = new Set(
  'ext2 ext3 ext4 xfs btrfs f2fs zfs bcachefs tmpfs overlay squashfs erofs iso9660 vfat exfat'.split(' '),
);

/** Do all files at and below `root`, a real path, lie on such file systems? */
export function isSized(root: string): boolean {
  try {
    return onSized(readFileSync('/proc/self/mountinfo', 'utf8'), root);
  } catch {
    return false;
  }
}

/** The same of a table of mounts (proc(5)): `id parent device root point options [fields] - type source options`. */
export function onSized(table: string, root: string): boolean {
  const inside = root === '/' ? '/' : `${root}/`;
  let length = -1;
  let here = false;
  for (const line of table.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const escaped = before.split(' ')[4];
    const type = after.split(' ')[0];
    if (escaped === undefined || type === undefined) continue;
    const point = escaped.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));
    const below = point === '/' ? '/' : `${point}/`;
    const sized = SIZED.has(type);
    if (point !== root && point.startsWith(inside) && !sized && !isKernels(root, point)) return false;
    // the last of equal length lies on top
    if (inside.startsWith(below) && below.length >= length) {
      length = below.length;
      here = sized;
    }
  }
  return here;
}

/** Where a walk that starts at `/` does not go (tree/walk.ts). */
function isKernels(root: string, point: string): boolean {
  return root === '/' && /^\/(?:proc|sys|dev)(?:\/|$)/.test(point);
}
