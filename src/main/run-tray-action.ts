import { pauseUntil } from '../text/time.ts';
import type { HostPort, ActionOutcome } from '../host/host-port.ts';
import type { ClipboardSecret } from './clipboard-secret.ts';
import type { ActionKind } from '../text/window/notices-text.ts';
import type { TrayAction } from './tray/tray-item.ts';

/** The actions for a credential in the menu of the tray. */
export type CredentialAction = Extract<TrayAction, { kind: ActionKind }>;

export async function runTrayAction(
  action: CredentialAction,
  { port, clipboard }: { port: HostPort; clipboard: ClipboardSecret },
): Promise<ActionOutcome<unknown>> {
  switch (action.kind) {
    case 'pause':
      return port.pause(action.name, pauseUntil(action.span, new Date()));
    case 'resume':
      return port.resume(action.name);
    case 'copy': {
      const value = await port.valueOf(action.name);
      if (value.ok) await clipboard.copy(value.value);
      return value;
    }
  }
}
