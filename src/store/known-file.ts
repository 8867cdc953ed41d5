import { type BigIntStats, statSync } from 'node:fs';

/**
 * A file or folder, known by what it is: its path may lead to another one later, or to none.
 *
 * A deleted file's number may come again, unless somebody has it open. So one that nobody has open must be a constant
 * one: then it is known by when it was written, too.
 */
export class KnownFile {
  readonly #path: string;
  readonly #isConstant: boolean;
  readonly #known: BigIntStats;

  constructor(path: string, { isConstant = false }: { readonly isConstant?: boolean } = {}) {
    this.#path = path;
    this.#isConstant = isConstant;
    this.#known = statSync(path, { bigint: true });
  }

  /** Whether the path still leads to it. One question to the system, one or two microseconds. */
  isInPlace(): boolean {
    const { dev, ino, mtimeNs } = this.#known;
    try {
      const found = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
      if (found?.ino !== ino || found.dev !== dev) return false;
      return !this.#isConstant || found.mtimeNs === mtimeNs;
    } catch {
      return false; // it cannot even be asked for: its disk is gone, or a folder above it is closed to us
    }
  }
}
