import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { readPagePath } from '../contract/window/window-page.ts';
import { contentSecurityPolicy, embeddingHeaders, permissionsPolicy } from './http/security-headers.ts';

export interface WindowFile {
  readonly content: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The file names of the build: no folder, nothing hidden. */
const assetName = /^\w[\w.-]*$/;
/** The start of the path of everything but pages. */
export const assetsPath = '/assets/';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wav': 'audio/wav',
};

/** The built windows: one page, its scripts, styles, pictures and sounds, each with its headers. */
export class WindowFiles {
  readonly #folder: string;
  /** Those that were read: one copy for all callers, however slow they are. */
  readonly #assets = new Map<string, Promise<Buffer>>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Null if there are none in the folder. */
  static in(folder: string | undefined): WindowFiles | null {
    return folder !== undefined && existsSync(join(folder, 'index.html')) ? new WindowFiles(folder) : null;
  }

  /** What a path without a query names; null if that is no file. */
  async read(path: string): Promise<WindowFile | null> {
    if (path.startsWith(assetsPath)) return await this.#readAsset(path.slice(assetsPath.length));
    return readPagePath(path) === undefined ? null : await this.readPage();
  }

  /** All addresses of windows are the same page, which reads its own address. */
  async readPage(): Promise<WindowFile> {
    return {
      // Read and validated at each request, because it names the scripts of one build.
      content: await readFile(join(this.#folder, 'index.html')),
      headers: headersOf('text/html; charset=utf-8', 'no-cache'),
    };
  }

  async #readAsset(name: string): Promise<WindowFile | null> {
    if (!assetName.test(name)) return null;
    const reading = this.#assets.get(name) ?? readFile(join(this.#folder, 'assets', name));
    this.#assets.set(name, reading);
    try {
      // Its name contains a hash of its content.
      const caching = 'public, max-age=31536000, immutable';
      return {
        content: await reading,
        headers: headersOf(contentTypes[extname(name)] ?? 'application/octet-stream', caching),
      };
    } catch (error) {
      this.#assets.delete(name);
      if (isMissing(error)) return null;
      throw error;
    }
  }
}

function headersOf(type: string, caching: string): WindowFile['headers'] {
  return {
    'content-type': type,
    'cache-control': caching,
    'content-security-policy': contentSecurityPolicy.windows,
    'referrer-policy': 'no-referrer',
    'permissions-policy': permissionsPolicy,
    ...embeddingHeaders,
  };
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'EISDIR' || code === 'ENAMETOOLONG';
}
