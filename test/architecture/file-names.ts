/** Words that name a drawer instead of a thing: whatever fits nowhere else ends up in them. */
const drawers = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers']);

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** What is wrong with a path's names, or null. Every folder on the way counts; `.test`, `.d` and the like are suffixes. */
export function faultOfPath(path: string): string | null {
  for (const part of path.split('/')) {
    if (part === 'README.md' || part.startsWith('.')) continue;
    const [name = '', ...suffixes] = part.split('.');
    if (![name, ...suffixes].every((word) => kebabCase.test(word)))
      return `${path}: «${part}» is not kebab-case`;
    if (name.split('-').some((word) => drawers.has(word))) {
      return `${path}: «${part}» does not say what it holds; name it after its main export`;
    }
  }
  return null;
}

/** Every provider has a file of each of these names, and each program begins in its index: the folder says whose it is. */
const namedByFolder = /^src\/(?:providers\/[^/]+\/(?:facts|words|calls)|(?:cli|main|preload)\/index)\.ts$/;

/** Files of a list that share a name, which a search cannot tell apart. */
export function sharedNames(paths: readonly string[]): string[] {
  const named = Map.groupBy(
    paths.filter((path) => !namedByFolder.test(path)),
    (path) => path.slice(path.lastIndexOf('/') + 1),
  );
  return [...named.values()].filter(({ length }) => length > 1).map((files) => files.join(', '));
}
