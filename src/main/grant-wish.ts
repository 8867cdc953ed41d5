import type { HostDesk, WishOutcome } from '../host/host-desk.ts';
import type { ClipboardSecret } from './clipboard-secret.ts';
import type { WishKind } from './notices/tell-failed-wish.ts';
import { pauseUntil } from './tray/pause-until.ts';
import type { TrayAction } from './tray/tray-item.ts';

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
