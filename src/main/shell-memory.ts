import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { trayDrawings } from '../contract/window/bridge.ts';
import { desktopLine } from '../text/service/desktop-text.ts';
import { printLine } from './print-line.ts';
import { replacePathSync } from '../system/replace-path.ts';

const Remembered = z.object({
  /** How each window was left. */
  windows: z
    .partialRecord(
      z.enum(['overview', 'designer', 'team-overview', 'team-designer']),
      z.object({
        x: z.int(),
        y: z.int(),
        width: z.int().positive(),
        height: z.int().positive(),
        isMaximized: z.boolean(),
      }),
    )
    .catch({}),
  /** Whether the person was told that this desktop shows no tray icons. */
  toldNoTray: z.boolean().catch(false),
  /** What was reported by earlier notices. */
  notices: z.unknown().optional(),
  /** The address of the host for a team that the app shows too. */
  teamHost: z.string().nullable().catch(null).default(null),
  /** What was reported of it, and of which host. */
  teamNotices: z.object({ url: z.string(), notices: z.unknown() }).optional().catch(undefined),
  /** The version in which the graphics processor failed, or `always`: it is not used (main/graphics.ts). */
  graphicsOff: z.string().nullable().optional().catch(undefined),
  /** Whether the app is not in the Dock of macOS. */
  isOutOfDock: z.boolean().optional().catch(undefined),
  /** How the tray's icon is drawn; null: as fits the desktop. */
  trayDrawing: z.enum(trayDrawings).nullable().optional().catch(undefined),
  /** Whether the app starts again after something has ended it; it does unless a person has turned that off. */
  startsAgain: z.boolean().optional().catch(undefined),
  /** When it last did, in milliseconds since the epoch. */
  kills: z.array(z.int()).optional().catch(undefined),
  /** The AppImage that last ran, for `rotavox app` (cli/desktop-app.ts). */
  appImage: z.string().optional().catch(undefined),
});
type Remembered = z.infer<typeof Remembered>;

/**
 * What the shell remembers from one run to the next, in one small file beside Chromium's profile.
 *
 * Nothing important: tokens and settings belong to the service. So a file that cannot be read is ignored, and one that
 * cannot be written is reported on stderr.
 */
export class ShellMemory {
  readonly #path: string;
  #remembered: Remembered;

  constructor(path: string) {
    this.#path = path;
    this.#remembered = Remembered.parse(read(path));
  }

  get remembered(): Readonly<Remembered> {
    return this.#remembered;
  }

  /** Remembers where the AppImage is that runs; nothing for an app that is none. */
  keepAppImage(appImage: string | null): void {
    if (appImage !== null && appImage !== this.#remembered.appImage) this.keep({ appImage });
  }

  keep(change: Partial<Remembered>): void {
    this.#remembered = { ...this.#remembered, ...change };
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const temporary = `${this.#path}.new`;
      // Always a new file, so that a link that was left there is not followed.
      rmSync(temporary, { force: true });
      writeFileSync(temporary, JSON.stringify(this.#remembered), { flag: 'wx', mode: 0o600 });
      replacePathSync(temporary, this.#path);
    } catch (error) {
      printLine(desktopLine.notRemembered(this.#path, (error as Error).message));
    }
  }
}

function read(path: string): unknown {
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof found === 'object' && !Array.isArray(found) ? (found ?? {}) : {};
  } catch {
    return {}; // the first run, or a file that was damaged
  }
}
