// Archives as their members with the text in them; office documents among zips are told apart here.
import { decodeText } from './decode.ts';
import { containerOf, HEAD_LENGTH, isTarHeader } from './kind.ts';
import { bytes, Enough, Skip } from './limits.ts';
import { type Opened, reasonOf } from './opened.ts';
import { bufferSource } from './source.ts';
import { gunzipStream, plainStream, type Stream, tarMembers, unread } from './tar.ts';
import type { DocumentKind } from './types.ts';
import { unpack, zipMembers } from './zip.ts';

/** A zip: the office document it is, or its members. */
export async function readZip(opened: Opened, is: (kind: DocumentKind) => void): Promise<void> {
  const { source, sink } = opened;
  const { members, total } = zipMembers(source, sink.limits.members);
  const { officePackage } = await import('./package.ts');
  const office = officePackage(source, members, sink, is);
  if (office) {
    await (await import('./office.ts')).readOffice(office, opened);
    return;
  }
  is('zip');
  for (const member of members) {
    if (member.directory) continue;
    await listed(opened, member.name, member.size, () => Promise.resolve(unpack(source, member, sink)));
  }
  if (total > members.length) throw new Enough(`${total} members, of which the first ${members.length} were read`);
}

/** A tar, plain or in gzip; gzip around anything else is that one member. */
export async function readTarOrGzip(
  opened: Opened,
  container: 'tar' | 'gzip',
  is: (kind: DocumentKind) => void,
): Promise<void> {
  if (container === 'tar') {
    is('tar');
    await readTar(opened, plainStream(opened.source));
    return;
  }
  const stream = gunzipStream(opened.source, opened.sink);
  try {
    is(/\.(tgz|tar\.gz)$/i.test(opened.name) ? 'tar.gz' : 'gz');
    const first = await stream.take(HEAD_LENGTH);
    const whole = unread(first, stream);
    if (isTarHeader(first.subarray(0, 512))) {
      is('tar.gz');
      await readTar(opened, whole);
    } else {
      is('gz');
      const { member } = opened.sink.limits;
      const body = await whole.take(member + 1);
      if (body.length > member) throw new Skip(`unpacks to more than ${bytes(member)}`);
      await listed(opened, opened.name.replace(/\.gz$/i, '') || 'data', body.length, () => Promise.resolve(body));
    }
  } finally {
    stream.close();
  }
}

async function readTar(opened: Opened, stream: Stream): Promise<void> {
  let count = 0;
  for await (const member of tarMembers(stream, opened.sink.limits.member)) {
    opened.sink.breathe();
    if (++count > opened.sink.limits.members) {
      throw new Enough(`more than ${opened.sink.limits.members} members; the rest is left out`);
    }
    if (member.file) await listed(opened, member.name, member.size, () => member.body());
  }
}

/** One member: a heading, and what is in it. Only a limit of the whole file gets out. */
async function listed(opened: Opened, name: string, size: number, body: () => Promise<Buffer>): Promise<void> {
  const { sink } = opened;
  const entries = [...opened.entries, name];
  const entry = entries.join('!');
  const head = (note: string): void => sink.show(`--- ${entry} (${note}) ---\n`);
  let unpacked: Buffer;
  try {
    unpacked = await body();
  } catch (error) {
    if (error instanceof Enough) throw error;
    skip(reasonOf(error));
    return;
  }
  if (containerOf(name, unpacked.subarray(0, HEAD_LENGTH)) !== undefined) {
    head(bytes(size));
    try {
      await opened.nested({ ...opened, source: bufferSource(unpacked), name, entries }, () => {});
    } catch (error) {
      if (error instanceof Enough) throw error;
      sink.part({ place: '', entry, text: '', skipped: reasonOf(error) });
      sink.show(`(skipped: ${reasonOf(error)})\n`);
    }
    return;
  }
  const text = decodeText(unpacked);
  if (text === undefined) {
    skip('binary');
    return;
  }
  head(bytes(size));
  sink.part({ place: '', entry, text });
  sink.show(text === '' || text.endsWith('\n') ? text : `${text}\n`);

  function skip(reason: string): void {
    head(`${bytes(size)}, skipped: ${reason}`);
    sink.part({ place: '', entry, text: '', skipped: reason });
  }
}
