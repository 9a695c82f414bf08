// Which globs ask for documents. A search over a tree passes documents over unless one does: reading them is dear.

/** Endings of files that `readDocument` knows, old Office formats included, so that their being skipped is said. */
const ENDINGS =
  'pdf docx docm dotx dotm doc pptx pptm ppsx potx ppt xlsx xlsm xltx xls odt ott ods ots odp otp zip jar war epub whl tar tgz tar.gz gz';
const DOCUMENT_NAME = new RegExp(`\\.(?:${ENDINGS.replaceAll('.', '\\.').replaceAll(' ', '|')})$`, 'i');

/** Alternatives a glob may spell out with braces before it is taken as it stands. */
const ALTERNATIVES = 64;

/** True for a name that ends as documents do. */
export function isDocumentName(name: string): boolean {
  return DOCUMENT_NAME.test(name);
}

/**
 * True if one of the globs names a type of document (`*.pdf`, `reports/*.{docx,xlsx}`, `a.zip`). A glob that leaves out
 * (`!*.zip`) or that says nothing of an ending (`docs/**`) asks for none.
 */
export function isDocumentGlob(globs: readonly string[]): boolean {
  return globs.some((glob) => !glob.startsWith('!') && alternatives(glob).some((each) => isDocumentName(plain(each))));
}

/** `[pP][dD][fF]` as `pdf`: a class stands for its first sign. */
function plain(glob: string): string {
  return glob.replaceAll(/\[([^\]!^])[^\]]*\]/g, '$1').replaceAll(/\\(.)/g, '$1');
}

/** What the braces of a glob spell out, innermost first; at most ALTERNATIVES. */
function alternatives(glob: string): string[] {
  let all = [glob];
  for (let open = true; open && all.length < ALTERNATIVES;) {
    open = false;
    all = all.flatMap((each) => {
      const brace = /\{([^{}]*)\}/.exec(each);
      if (!brace) return [each];
      open = true;
      const before = each.slice(0, brace.index);
      const after = each.slice(brace.index + brace[0].length);
      return (brace[1] as string).split(',').map((one) => before + one + after);
    });
  }
  return all;
}
