// fetch: the web for an agent, through the dial guard. The tool as a value; its actions are in the files beside.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { crawl } from './crawl/crawl.ts';
import { download } from './download.ts';
import { open } from './open.ts';
import { page } from './page.ts';
import { del, get, head, patch, post, put, request } from './request.ts';
import { search } from './search.ts';

export const fetch = defineTool<Local>({
  name: 'fetch',
  title: 'Web',
  summary:
    'HTTP. fetch reads a page as Markdown; request and the methods give the raw body; search, download, crawl, open.',
  actions: { fetch: page, request, get, post, put, patch, delete: del, head, download, crawl, search, open },
  aliases: { dest: 'output', q: 'query', data: 'body' },
  actionAliases: { web_read: 'fetch', read: 'fetch', curl: 'request', wget: 'download', web_search: 'search' },
});
