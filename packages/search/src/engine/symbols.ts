// What a symbol search asks of the judge of declarations.
import { CODE_GLOBS, declares, familyOf } from '../symbol/classify.ts';

export { CODE_GLOBS };

/** Tells whether a line of a file declares `name`. */
export function definesIn(name: string): (line: string, path: string) => boolean {
  let lastPath = '';
  let family = familyOf('');
  return (line, path) => {
    if (path !== lastPath) {
      lastPath = path;
      family = familyOf(path);
    }
    return declares(line, name, family);
  };
}
