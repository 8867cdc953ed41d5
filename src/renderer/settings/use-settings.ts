import { useQueryClient } from '@tanstack/react-query';

import type { PortalStatus } from '../../contract/portal.ts';
import type { Settings, SettingsChange } from '../../contract/settings.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { changeKnown } from '../kit/live/change-known.ts';
import { combineLive } from '../kit/live/combine-live.ts';
import type { LiveView } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { portalStatus } from '../kit/live/window-status.ts';
import type { PortalReply } from '../kit/portal-reply.ts';
import { presentSettings } from './read-settings.ts';

interface Known {
  readonly settings: Settings;
  readonly status: PortalStatus;
}

/** Saves a change; answers with the settings as they are then, or why it was not saved. */
export type SaveSettings = (change: SettingsChange) => Promise<PortalReply<Settings>>;

/** The settings as they are, and the way to change them. */
export function useSettings(): {
  readonly live: LiveView<Known>;
  readonly known: Known | undefined;
  readonly save: SaveSettings;
} {
  const cache = useQueryClient();
  const live = combineLive({ settings: useLive(presentSettings), status: useLive(portalStatus) });

  const save: SaveSettings = async (change) => {
    const reply = await askPortal('changeSettings', { body: change });
    // The answer to our own change is there before the stream has told of it.
    if (reply.kind === 'ok') changeKnown(cache, presentSettings, () => reply.value);
    return reply;
  };
  return { live, known: live.known?.value, save };
}
