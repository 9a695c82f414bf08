// fetch: what a URL says, as a caller sees it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, bench } from './testkit.ts';

let web: Bench;
beforeEach(() => void (web = bench()));
afterEach(() => web.close());

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function serving(type: string | undefined, body: string | Buffer, status = 200): Promise<string> {
  const { origin } = await web.serve((_, response) =>
    response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body),
  );
  return `${origin}/dir/page`;
}

describe('fetch', () => {
  it('gives HTML as Markdown with its title, addresses absolute', async () => {
    const url = await serving('text/html', '<title>T</title><nav>menu</nav><h1>H</h1><p>a <a href="../x">b</a></p>');
    const answer = await web.call('fetch', { url });
    const origin = new URL(url).origin;
    expect(answer.data).toEqual({
      status: 200,
      url,
      mime: 'text/html',
      size: 70,
      hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      title: 'T',
      text: { block: 1 },
    });
    expect(answer.body('text')).toBe(`# H\n\na [b](${origin}/x)\n`);
  });

  it('keeps navigation when the whole page is wanted', async () => {
    const url = await serving('text/html', '<nav>menu</nav><p>a</p>');
    expect((await web.call('fetch', { url })).body('text')).toBe('a\n');
    expect((await web.call('fetch', { url, whole: true })).body('text')).toBe('menu\n\na\n');
  });

  it.each([
    ['application/json', '{"a": [1,\n2]}'],
    ['text/plain', 'a <b>not</b> HTML\n'],
    ['text/markdown', '# A\n'],
    ['application/rss+xml', '<rss/>'],
    [undefined, 'said nothing'],
  ])('gives %s as it is', async (type, body) => {
    expect((await web.call('fetch', { url: await serving(type, body) })).body('text')).toBe(body);
  });

  it('reads other encodings, and names them', async () => {
    const answer = await web.call('fetch', {
      url: await serving('text/html', Buffer.from('<meta charset=iso-8859-1><p>caf\xe9', 'latin1')),
    });
    expect(answer.data.charset).toBe('windows-1252');
    expect(answer.body('text')).toBe('café\n');
  });

  it('shows a picture as a picture', async () => {
    const answer = await web.call('fetch', { url: await serving('image/png', PNG) });
    expect(answer.data).toMatchObject({ mime: 'image/png', size: PNG.length, image: { block: 1 } });
    expect(answer.content[1]).toEqual({ type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' });
  });

  it('reads a PDF, whatever the server calls it', async () => {
    const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 41>>stream
BT /F1 24 Tf 20 100 Td (Hello web) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>`;
    for (const type of ['application/pdf', 'binary/x-thing']) {
      const answer = await web.call('fetch', { url: await serving(type, pdf) });
      expect(answer.data).toMatchObject({ mime: type, document: 'pdf' });
      expect(answer.body('text')).toContain('Hello web');
    }
  });

  it('describes what is neither', async () => {
    const answer = await web.call('fetch', { url: await serving('application/zip', 'PK\u0003\u0004') });
    expect(answer.data).toMatchObject({ mime: 'application/zip', size: 4, binary: true });
    expect(answer.content).toHaveLength(1);
  });

  it('an error page is data with its status', async () => {
    const answer = await web.call('fetch', { url: await serving('text/html', '<h1>Gone</h1>', 410) });
    expect([answer.ok, answer.data.status, answer.data.status_text, answer.body('text')]).toEqual([
      true,
      410,
      'Gone',
      '# Gone\n',
    ]);
  });

  it('pages join to the whole conversion', async () => {
    const html = Array.from({ length: 2000 }, (_, i) => `<h2>Part ${i}</h2><p>wörds 😀 <code>x_${i}</code></p>`).join(
      '',
    );
    const url = await serving('text/html; charset=utf-8', html);
    let all = '';
    let cursor: string | null = null;
    do {
      const answer = await web.call('web_read', { url, ...(cursor ? { cursor } : {}) }, { maxOutput: 8000 });
      all += answer.body('text');
      cursor = answer.data.paging.cursor as string | null;
      expect(Boolean(answer.data.more)).toBe(cursor !== null);
    } while (cursor !== null);
    expect(all).toBe(Array.from({ length: 2000 }, (_, i) => `## Part ${i}\n\nwörds 😀 \`x_${i}\`\n`).join('\n'));
  });

  it('10 MB of nested markup is an answer like any other', async () => {
    const url = await serving('text/html', `${'<div>'.repeat(2_000_000)}deep`);
    const answer = await web.call('fetch', { url });
    expect(answer.ok).toBe(true);
    expect(answer.data.truncated).toBe(true);
  });
});
