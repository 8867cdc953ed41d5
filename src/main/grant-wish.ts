import type { HostDesk, WishOutcome } from '../host/host-desk.ts';
import type { ClipboardSecret } from './clipboard-secret.ts';
import type { WishKind } from './notices/tell-failed-wish.ts';
import type { PauseSpan, TrayAction } from './tray/tray-item.ts';

/** What a person can ask for a credential without a window. */
export type Wish = Extract<TrayAction, { kind: WishKind }>;

/** Does what a person wishes for a credential. */
export async function grantWish(
  wish: Wish,
  { desk, clipboard }: { desk: HostDesk; clipboard: ClipboardSecret },
): Promise<WishOutcome<unknown>> {
  switch (wish.kind) {
    case 'rotate':
      return desk.rotate(wish.name);
    case 'pause':
      return desk.pause(wish.name, pauseUntil(wish.span, new Date()));
    case 'resume':
      return desk.resume(wish.name);
    case 'copy': {
      const value = await desk.valueOf(wish.name);
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
