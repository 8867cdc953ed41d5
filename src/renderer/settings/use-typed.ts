import { type SyntheticEvent, useState } from 'react';
import type { SettingsChange } from '../../contract/service/settings.ts';
import { type SaveSettings, useSaving } from './use-settings.ts';

/**
 * A setting that is typed: saved when the field is left or Enter is pressed, and not before.
 *
 * `present` is how the saved one is written; what is typed stands over it until it is saved or is the same again.
 * `read` makes the change of it, or says what is wrong with it.
 */
export function useTyped(
  present: string,
  save: SaveSettings,
  read: (typed: string) => SettingsChange | string,
) {
  const { saving, submit, refuse } = useSaving(save);
  /** What is typed and not saved; null while there is nothing of that. */
  const [draft, setDraft] = useState<string | null>(null);

  async function commit(): Promise<void> {
    if (draft === null) return;
    const typed = draft.trim();
    if (typed === present) {
      setDraft(null);
      refuse(null);
      return;
    }
    const wanted = read(typed);
    if (typeof wanted === 'string') {
      refuse(wanted);
      return;
    }
    // What was typed meanwhile stays.
    if (await submit(wanted)) setDraft((now) => (now === draft ? null : now));
  }
  return {
    /** Of the setting as a whole; a refusal is said at the field. */
    saving: saving.kind === 'refused' ? ({ kind: 'idle' } as const) : saving,
    /** For the field. */
    field: {
      value: draft ?? present,
      error: saving.kind === 'refused' ? saving.reason : undefined,
      onChange: setDraft,
      onLeave: () => void commit(),
    },
    /** For the form around it. */
    send: (event: SyntheticEvent): void => {
      event.preventDefault();
      void commit();
    },
  };
}
