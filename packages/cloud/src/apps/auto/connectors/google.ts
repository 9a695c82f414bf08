// The connector `google`: rows of sheets and files of a drive (contract, tool plane 6.3).
import { below, jsonOf } from '../http.ts';
import { text } from '../input.ts';
import type { Connector } from '../types.ts';

const SECRET = 'access_token';

export function google(bases: { readonly sheets: string; readonly drive: string }): Connector {
  return {
    name: 'google',
    displayName: 'Google',
    description: 'Rows in Google Sheets, files in Google Drive',
    authType: 'oauth2',
    secrets: [{ name: SECRET, description: 'OAuth access token with the scopes of Sheets and Drive' }],
    actions: [
      {
        name: 'append_row',
        displayName: 'Append row',
        description: 'Adds a row below a range. Values are stored as they are; a formula stays text.',
        props: [
          { name: 'spreadsheetId', type: 'string', required: true },
          { name: 'range', type: 'string', required: true, description: 'Sheet1!A:C' },
          { name: 'values', type: 'array', required: true, description: 'cells of the row, or several rows' },
        ],
        async run({ input, request, token }) {
          const values = input['values'] as readonly unknown[]; // declared an array, and checked to be one
          const rows = values.length > 0 && values.every((each) => Array.isArray(each)) ? values : [values];
          // RAW: a text that comes from somebody else must not become a formula that sends the sheet away
          const url = new URL(
            below(bases.sheets, ['v4', 'spreadsheets', text(input, 'spreadsheetId'), 'values', text(input, 'range')], {
              valueInputOption: 'RAW',
              insertDataOption: 'INSERT_ROWS',
            }),
          );
          url.pathname += ':append';
          return jsonOf(
            'google',
            await request({
              method: 'POST',
              url: url.href,
              headers: { authorization: `Bearer ${await token(SECRET)}`, 'content-type': 'application/json' },
              body: JSON.stringify({ values: rows }),
            }),
          );
        },
      },
      {
        name: 'list_files',
        displayName: 'List files',
        description: 'Answers files as Drive does; the first 100.',
        props: [{ name: 'query', type: 'string', description: "Drive's own syntax: name contains 'report'" }],
        async run({ input, request, token }) {
          const url = below(bases.drive, ['drive', 'v3', 'files'], {
            pageSize: '100',
            q: text(input, 'query') || undefined,
          });
          return jsonOf('google', await request({ url, headers: { authorization: `Bearer ${await token(SECRET)}` } }));
        },
      },
    ],
    triggers: [],
  };
}
