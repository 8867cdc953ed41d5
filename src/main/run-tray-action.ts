import { pauseUntil } from '../text/time.ts';
import type { HostPort, ActionOutcome } from '../host/host-port.ts';
import type { ActionKind } from '../text/window/notices-text.ts';
import type { TrayAction } from './tray/tray-item.ts';
import { clipboard } from 'electron';
import { desktopTask } from '../text/service/desktop-text.ts';
import { reportFailure } from './report-bug.ts';

/** The actions for a credential or for opening hours in the menu of the tray. */
export type HostAction = Extract<TrayAction, { kind: ActionKind }>;

export async function runTrayAction(
  action: HostAction,
  { port, clipboard }: { port: HostPort; clipboard: ClipboardSecret },
): Promise<ActionOutcome<unknown>> {
  switch (action.kind) {
    case 'pause':
      return port.pause(action.name, pauseUntil(action.span, new Date()));
    case 'resume':
      return port.resume(action.name);
    case 'by-schedule':
      return port.endSwitch(action.id);
    case 'copy': {
      const value = await port.valueOf(action.name);
      if (value.ok) await clipboard.copy(value.value);
      return value;
    }
  }
}

/** How long a copied secret stays in the clipboard, in milliseconds. */
const clearAfterMs = 30_000;

/**
 * A secret in the clipboard: cleared after 30 s, and when the app ends.
 *
 * What was copied since then stays. A clipboard manager may keep a copy. Older versions of Electron return values where newer
 * ones return promises; `await` handles both.
 */
export class ClipboardSecret {
  #secret: string | null = null;
  #end: NodeJS.Timeout | undefined;

  async copy(secret: string): Promise<void> {
    clearTimeout(this.#end);
    this.#secret = secret;
    this.#end = setTimeout(() => reportFailure(this.clear(), desktopTask.clearClipboard), clearAfterMs);
    await clipboard.writeText(secret);
  }

  async clear(): Promise<void> {
    clearTimeout(this.#end);
    const secret = this.#secret;
    this.#secret = null;
    if (secret !== null && (await clipboard.readText()) === secret) clipboard.clear();
  }
}
