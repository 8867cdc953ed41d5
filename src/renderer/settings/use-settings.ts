import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Change, problemText } from '../../text/window/connection.ts';
import type { PortalStatus } from '../../contract/service/portal.ts';
import type { Settings, SettingsChange } from '../../contract/service/settings.ts';
import { fieldErrorText } from '../../text/window/window.ts';
import { settingsText as text } from '../../text/service/settings-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { type LiveView, portalStatus, type Resource } from '../kit/live/resource.ts';
import { combineLive, useLive } from '../kit/live/use-live.ts';
import { changeKnown } from '../kit/live/window-cache.ts';
import { type PortalProblem, type PortalReply, readPortal } from '../kit/read-portal.ts';

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

/** What became of the last change of a setting. */
export type Saving =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'refused'; readonly reason: string };

/** How long it says that something was saved. */
const savedShownMs = 4000;

/** Saves the changes of one setting and tells what became of the last of them. */
export function useSaving<C = SettingsChange>(
  save: (change: C) => Promise<PortalReply<unknown>>,
  what: Change = 'settings_changed',
): {
  readonly saving: Saving;
  /** Answers whether it was saved. */
  readonly submit: (change: C) => Promise<boolean>;
  /** Says a refusal of our own, or takes the last one back. */
  readonly refuse: (reason: string | null) => void;
} {
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' });
  const last = useRef(0);

  useEffect(() => {
    if (saving.kind !== 'saved') return;
    const timer = setTimeout(() => setSaving({ kind: 'idle' }), savedShownMs);
    return () => clearTimeout(timer);
  }, [saving]);

  async function submit(change: C): Promise<boolean> {
    const mine = ++last.current;
    setSaving({ kind: 'saving' });
    const reply = await save(change);
    const isSaved = reply.kind === 'ok';
    if (mine === last.current)
      setSaving(isSaved ? { kind: 'saved' } : { kind: 'refused', reason: whyRefused(reply, what) });
    return isSaved;
  }
  function refuse(reason: string | null): void {
    last.current += 1;
    setSaving(reason === null ? { kind: 'idle' } : { kind: 'refused', reason });
  }
  return { saving, submit, refuse };
}

/** The field's own sentence where there is one: the person sees which field it is. */
function whyRefused(problem: PortalProblem, what: Change): string {
  const error = problem.kind === 'refused' ? problem.errors?.[0] : undefined;
  return error === undefined ? problemText(problem, what) : fieldErrorText(text.fieldSubject, error.message);
}

/** The settings as they are, whoever changes them. Light enough for the first view, which follows the theme. */
export const presentSettings: Resource<Settings> = {
  key: ['settings'],
  about: ['settings.'],
  read: (signal) => readPortal('settings', signal),
};
