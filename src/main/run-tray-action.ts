import type { HostPort, ActionOutcome } from '../host/host-port.ts';
import type { ClipboardSecret } from './clipboard-secret.ts';
import type { ActionKind } from './notices/failed-action-notice.ts';
import type { PauseSpan, TrayAction } from './tray/tray-item.ts';

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

/** The hour of the next day, on the person's clock, at which a pause until tomorrow ends. */
const morningHour = 8;

/** When a pause that begins `now` ends (ISO), or null when it ends by the person's word. */
export function pauseUntil(span: PauseSpan, now: Date): string | null {
  switch (span) {
    case 'hour':
      return new Date(now.getTime() + 3_600_000).toISOString();
    case 'tomorrow':
      return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, morningHour).toISOString();
    case 'resumed':
      return null;
  }
}
