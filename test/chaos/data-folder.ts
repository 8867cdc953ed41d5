/** A data folder as bytes: for damaged copies, and to check that nothing was changed. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type FolderContent = Readonly<Record<string, Buffer>>;

export function readFolder(folder: string): FolderContent {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Makes a folder contain exactly this. */
export function writeFolder(folder: string, content: FolderContent): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of Object.entries(content)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), bytes, { mode: 0o600 });
  }
}

/** The names of files that differ between the two, or exist in only one of them. */
export function differencesOf(before: FolderContent, after: FolderContent): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => {
    const [old, now] = [before[name], after[name]];
    return old === undefined || now === undefined || !old.equals(now);
  });
}

export function without(content: FolderContent, name: string): FolderContent {
  return Object.fromEntries(Object.entries(content).filter(([other]) => other !== name));
}

export function flipped(bytes: Buffer, offset: number, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[offset] = (copy[offset] ?? 0) ^ (1 << bit);
  return copy;
}
