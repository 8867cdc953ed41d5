import { useState } from 'react';

import type { PortalStatus } from '../../contract/portal.ts';
import type { Settings, SettingsChange } from '../../contract/settings.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { PortalReply } from '../kit/portal-reply.ts';
import { type LiveView, useLive } from '../kit/use-live.ts';

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
  const live = useLive(readKnown, 'settings.');
  const [answered, setAnswered] = useState<{ readonly settings: Settings; readonly at: string }>();

  const save: SaveSettings = async (change) => {
    const reply = await askPortal('changeSettings', { body: change });
    if (reply.kind === 'ok') setAnswered({ settings: reply.value, at: new Date().toISOString() });
    return reply;
  };

  // The answer to our own change is there before the stream has told of it.
  const isAnswerNewer = answered !== undefined && live.known !== undefined && answered.at > live.known.at;
  const known = live.known?.value;
  return {
    live,
    known: known !== undefined && isAnswerNewer ? { ...known, settings: answered.settings } : known,
    save,
  };
}

async function readKnown(signal: AbortSignal): Promise<PortalReply<Known>> {
  const [settings, status] = await Promise.all([
    askPortal('readSettings', { signal }),
    askPortal('portalStatus', { signal }),
  ]);
  if (settings.kind !== 'ok') return settings;
  if (status.kind !== 'ok') return status;
  return { kind: 'ok', value: { settings: settings.value, status: status.value } };
}
