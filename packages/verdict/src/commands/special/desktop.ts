// What is opened with whatever the desktop thinks fit, and programs for pictures and films that write where the last word says.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { exact, heads } from '../../shell/value.ts';
import type { Special } from '../types.ts';

/** Only documents that are shown, never run. */
const SHOWN =
  /(^|\/)\.{0,2}$|\.(html?|pdf|png|jpe?g|gif|svg|webp|txt|md|csv|json|log|mp4|mov|xml|css)$|(^|\/)[^./]+\/?$/i;

export const open: Special = (bench): Stream => {
  for (const field of bench.invocation.fields.slice(1)) {
    const text = exact(field);
    if (text !== undefined && /^-[WnRgF]$/.test(text)) continue;
    if (text !== undefined && /^https?:\/\//.test(text)) {
      bench.role('url', field);
      continue;
    }
    const inside =
      bench.zones(field)?.every(({ zone, open: more }) => !more && /^(inside|root|temporary)$/.test(zone)) ?? false;
    if (text === undefined || text.startsWith('-') || /^[a-z][\w+.-]*:/i.test(text) || !inside || !SHOWN.test(text))
      bench.report('ask', 'opens', `what ${field.source} is opened with may run it`);
  }
  return UNKNOWN;
};

export const media: Special = (bench): Stream => {
  const args = bench.invocation.fields.slice(1);
  const name = (exact(bench.invocation.fields[0]) ?? '').replace(/.*\//, '');
  for (const [i, field] of args.entries()) {
    const text = exact(field);
    const before = exact(args[i - 1]) ?? '';
    const head = text ?? heads(field)[0] ?? '';
    if (text === undefined && head === '' && field.pieces[0]?.kind === 'hole' && !field.pieces[0].quoted)
      bench.report('ask', 'option-unknown', `${field.source} may be an option of ${name}`);
    if (
      /^(msl|mvg|text|label|caption|ephemeral|https?|ftp|url|tcp|udp|rtmp|file|concat|pipe|data|inline|epi|ps|pdf|show|win|x|fd|vid|magick|plugin|subfile|tee|unix|sftp):|^[@|]|:\/\//i.test(
        head,
      ) &&
      !/^pipe:[01]$/.test(head)
    )
      bench.report('ask', 'transport', `${name} reads or writes ${field.source} by another way than a file`);
    if (
      /^(-if|-config|-execute|-api|-@|-script|-attach|-dump_attachment|-passlogfile|-progress|-report|-lavfi|-filter_complex_script|-f?ilter_script|-process|-TagsFromFile|-o|-tagsFromFile|-filter_script)$/i.test(
        head,
      ) &&
      !(head === '-o' && name !== 'exiftool')
    )
      bench.report('ask', 'option', `${name} ${head} runs code or takes in other files`);
    if (
      head.startsWith('-') ||
      (before.startsWith('-') &&
        before !== '-i' &&
        i < args.length - 1 &&
        !/^-(write|o)$/.test(before) &&
        !/\//.test(head))
    )
      continue;
    const last = i === args.length - 1;
    if (
      before === '-i' ||
      (!last && !/^-(write|o)$/.test(before) && !/^(mogrify|optipng|pngquant|jpegoptim|svgo|ffmpeg)$/.test(name))
    )
      bench.role('read', field);
    else bench.role('write', field);
  }
  return UNKNOWN;
};
