import { pauseUntil } from '../text/time.ts';
import type { HostPort, ActionOutcome } from '../host/host-port.ts';
import type { ClipboardSecret } from './clipboard-secret.ts';
import type { ActionKind } from './notices/failed-action-notice.ts';
import type { TrayAction } from './tray/tray-item.ts';

/** What a person can ask for a credential without a window. */
export type Wanted = Extract<TrayAction, { kind: ActionKind }>;

/** Does what a person asks for a credential. */
export async function runTrayAction(
  wanted: Wanted,
  { port, clipboard }: { port: HostPort; clipboard: ClipboardSecret },
): Promise<ActionOutcome<unknown>> {
  switch (wanted.kind) {
    case 'rotate':
      return port.rotate(wanted.name);
    case 'pause':
      return port.pause(wanted.name, pauseUntil(wanted.span, new Date()));
    case 'resume':
      return port.resume(wanted.name);
    case 'copy': {
      const value = await port.valueOf(wanted.name);
      if (value.ok) await clipboard.copy(value.value);
      return value;
    }
  }
}
