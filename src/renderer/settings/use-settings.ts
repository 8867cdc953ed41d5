import { useQueryClient } from '@tanstack/react-query';

import type { PortalStatus } from '../../contract/portal.ts';
import type { Settings, SettingsChange } from '../../contract/settings.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { LiveView, Resource } from '../kit/live/resource.ts';
import type { PortalReply } from '../kit/portal-reply.ts';
import { changeKnown } from '../kit/live/change-known.ts';
import { useLive } from '../kit/live/use-live.ts';

interface Known {
  readonly settings: Settings;
  readonly status: PortalStatus;
}

/** Saves a change; answers null, or why it was not saved. */
export type SaveSettings = (change: SettingsChange) => Promise<PortalReply<Settings>>;

/** The settings as they are, whoever changes them, and the way to change them. */
export function useSettings(): {
  readonly live: LiveView<Known>;
  readonly known: Known | undefined;
  readonly save: SaveSettings;
} {
  const cache = useQueryClient();
  const live = useLive(knownSettings);

  const save: SaveSettings = async (change) => {
    const reply = await askPortal('changeSettings', { body: change });
    // The answer to our own change is there before the stream has told of it.
    if (reply.kind === 'ok')
      changeKnown(cache, knownSettings, (known) => ({ ...known, settings: reply.value }));
    return reply;
  };
  return { live, known: live.known?.value, save };
}

const knownSettings: Resource<Known> = { key: ['settings'], about: ['settings.'], read: readKnown };

async function readKnown(signal: AbortSignal): Promise<PortalReply<Known>> {
  const [settings, status] = await Promise.all([
    askPortal('readSettings', { signal }),
    askPortal('portalStatus', { signal }),
  ]);
  if (settings.kind !== 'ok') return settings;
  if (status.kind !== 'ok') return status;
  return { kind: 'ok', value: { settings: settings.value, status: status.value } };
}
