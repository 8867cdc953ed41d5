import { readdir, readFile } from 'node:fs/promises';

/** A line of `mountinfo`: a file system, the path in it that is mounted, and where. */
interface Mount {
  readonly device: string;
  readonly root: string;
  readonly place: string;
}

/** How long what was found is used: many tokens may be delivered at once, and each process has a list of its own. */
const lastsMs = 2_000;
let known: { readonly atMs: number; readonly mounts: Promise<Found> } | null = null;

interface Found {
  readonly own: readonly Mount[];
  /** `device root` of everything that any process has mounted. */
  readonly roots: ReadonlySet<string>;
}

/**
 * Whether a file itself is mounted, here or into a container: a new file with its name would not be seen there. Only on Linux, whose
 * processes can be asked what they have mounted.
 */
export async function isMounted(place: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const nowMs = performance.now();
  if (known === null || nowMs - known.atMs > lastsMs) known = { atMs: nowMs, mounts: findMounts() };
  const { own, roots } = await known.mounts;
  if (own.some((mount) => mount.place === place)) return true;
  // The mount that the file is on: the longest path that it is below, the last of several there.
  const around = own.reduce<Mount | null>(
    (best, mount) =>
      isBelow(place, mount.place) && mount.place.length >= (best?.place.length ?? 0) ? mount : best,
    null,
  );
  if (around === null) return false;
  const below = around.place === '/' ? place : place.slice(around.place.length);
  const inDevice = around.root === '/' ? below : `${around.root}${below}`;
  return roots.has(`${around.device} ${inDevice}`);
}

function isBelow(place: string, folder: string): boolean {
  return folder === '/' || place.startsWith(`${folder}/`);
}

async function findMounts(): Promise<Found> {
  const processes = await readdir('/proc').catch(() => []);
  const lists = await Promise.all(
    ['self', ...processes.filter((name) => /^\d+$/.test(name))].map((name) =>
      // A process may have ended, or belong to somebody else.
      readFile(`/proc/${name}/mountinfo`, 'utf8').catch(() => ''),
    ),
  );
  const [own = ''] = lists;
  const roots = new Set<string>();
  for (const list of new Set(lists)) {
    for (const { device, root } of mountsIn(list)) roots.add(`${device} ${root}`);
  }
  return { own: mountsIn(own), roots };
}

/** https://www.kernel.org/doc/html/latest/filesystems/proc.html, section 3.5 */
function mountsIn(list: string): Mount[] {
  return list.split('\n').flatMap((line) => {
    const [, , device, root, place] = line.split(' ');
    return device === undefined || root === undefined || place === undefined
      ? []
      : [{ device, root: unescaped(root), place: unescaped(place) }];
  });
}

/** Blanks and backslashes are written as octal numbers. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_all, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
