import { useEffect, useRef, useState } from 'react';

import type { SettingsChange } from '../../contract/settings.ts';
import { problemWords } from '../kit/problem-words.ts';
import type { SaveSettings } from './use-settings.ts';

/** What became of the last change of a setting. */
export type Saving =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'refused'; readonly reason: string };

/** How long it says that something was saved. */
const savedShownMs = 4000;

/** Saves the changes of one setting and tells what became of the last of them. */
export function useSaving(save: SaveSettings): {
  readonly saving: Saving;
  /** Answers whether it was saved. */
  readonly submit: (change: SettingsChange) => Promise<boolean>;
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

  async function submit(change: SettingsChange): Promise<boolean> {
    const mine = ++last.current;
    setSaving({ kind: 'saving' });
    const reply = await save(change);
    const isSaved = reply.kind === 'ok';
    if (mine === last.current)
      setSaving(isSaved ? { kind: 'saved' } : { kind: 'refused', reason: whyRefused(reply) });
    return isSaved;
  }
  function refuse(reason: string | null): void {
    last.current += 1;
    setSaving(reason === null ? { kind: 'idle' } : { kind: 'refused', reason });
  }
  return { saving, submit, refuse };
}

/** The field's own sentence where there is one: the person sees which field it is. */
function whyRefused(problem: Exclude<Awaited<ReturnType<SaveSettings>>, { kind: 'ok' }>): string {
  const error = problem.kind === 'refused' ? problem.errors?.[0] : undefined;
  return error === undefined ? problemWords(problem, 'it was saved') : `This ${error.message}.`;
}
