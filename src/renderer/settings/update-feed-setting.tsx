import { type SyntheticEvent, useState } from 'react';

import { Button } from '../kit/button.tsx';
import { desktop, desktopWords } from '../kit/desktop.ts';
import { TextField } from '../kit/text-field.tsx';
import { Setting } from './setting.tsx';
import styles from './update-feed-setting.module.css';
import { useSaving } from './use-saving.ts';
import type { SaveSettings } from './use-settings.ts';

/** Where new versions are looked for: nowhere, unless an address is given. Saved when the field is left. */
export function UpdateFeedSetting({ feed, save }: { feed: string | null; save: SaveSettings }) {
  const { saving, submit, refuse } = useSaving(save);
  /** What is typed and not saved; null while there is nothing of that. */
  const [draft, setDraft] = useState<string | null>(null);

  async function commit(): Promise<void> {
    if (draft === null) return;
    const wish = draft.trim();
    if (wish === (feed ?? '')) {
      setDraft(null);
      refuse(null);
      return;
    }
    // What was typed meanwhile stays.
    if (await submit({ update_feed: wish === '' ? null : wish }))
      setDraft((now) => (now === draft ? null : now));
  }
  function send(event: SyntheticEvent): void {
    event.preventDefault();
    void commit();
  }
  return (
    <Setting
      title="Update feed"
      hint={
        feed === null
          ? 'Off: while this is empty, nothing is asked anywhere.'
          : 'The desktop app asks this address, and no other, whether there is a new version.'
      }
      saving={saving.kind === 'refused' ? { kind: 'idle' } : saving} // a refusal is said at the field
    >
      <form className={styles['feed']} noValidate onSubmit={send}>
        <TextField
          label="Address"
          face="code"
          placeholder="https://downloads.example.com/rotavox"
          inputMode="url"
          value={draft ?? feed ?? ''}
          error={saving.kind === 'refused' ? saving.reason : undefined}
          onChange={setDraft}
          onLeave={() => void commit()}
        />
      </form>
      {desktop?.checkForUpdates === undefined || feed === null ? null : (
        <LookForUpdates ask={desktop.checkForUpdates} />
      )}
    </Setting>
  );
}

function LookForUpdates({ ask }: { ask: () => Promise<{ readonly words: string }> }) {
  const [words, setWords] = useState('');

  function look(): void {
    setWords('Looking …');
    ask().then(
      (answer) => setWords(answer.words),
      (error: unknown) => setWords(desktopWords(error)),
    );
  }
  return (
    <div className={styles['look']}>
      <Button onPress={look}>Look for a new version now</Button>
      <p role="status">{words}</p>
    </div>
  );
}
