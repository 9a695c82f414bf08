// Which trees lie on file systems whose files have their sizes.
import { expect, it } from 'vitest';
import { onSized } from './mounts.ts';

const TABLE = [
  '22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
  '23 22 0:21 / /proc rw,nosuid - proc proc rw',
  '24 22 0:22 / /sys rw - sysfs sysfs rw',
  '25 22 0:23 / /dev rw - devtmpfs udev rw',
  '26 22 0:24 / /home/a\\040b rw - fuse.sshfs host:/ rw',
  '27 22 0:25 / /tmp rw shared:2 master:3 - tmpfs tmpfs rw',
  '28 27 0:26 / /tmp/over rw - overlay overlay rw',
  '29 27 0:27 / /tmp/over rw - cgroup2 cgroup rw',
].join('\n');

it.each([
  ['/usr/src', true],
  ['/', false],
  ['/proc/self', false],
  ['/home', false],
  ['/home/a', true],
  ['/home/a b', false],
  ['/home/a b/c', false],
  ['/home/a bc', true],
  ['/tmp/x', true],
  ['/tmp', false],
  ['/tmp/over', false],
  ['/tmp/over/x', false],
])('%s: %s', (root, sized) => expect(onSized(TABLE, root)).toBe(sized));

it('a root whose only made-up files are where a walk does not go', () => {
  expect(onSized(TABLE.split('\n').slice(0, 4).join('\n'), '/')).toBe(true);
});

it('an empty table says nothing', () => expect(onSized('', '/tmp')).toBe(false));
