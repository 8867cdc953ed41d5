import { useState } from 'react';

import { settingsText } from '../../text/service/settings-text.ts';
import { Button } from '../kit/button.tsx';
import { desktop, desktopWords } from '../kit/desktop-bridge.ts';
import { Row } from '../kit/layout.tsx';
import { TextField } from '../kit/text-field.tsx';
import { Text } from '../kit/text.tsx';
import { Setting } from './setting.tsx';
import styles from './settings.module.css';
import type { SaveSettings } from './use-settings.ts';
import { useTyped } from './use-typed.ts';

const { updates: text } = settingsText;

/** Where new versions are looked for: nowhere, unless an address is given. Saved when the field is left. */
export function UpdateFeedSetting({ feed, save }: { feed: string | null; save: SaveSettings }) {
  const { saving, field, send } = useTyped(feed ?? '', save, (typed) => ({
    update_feed: typed === '' ? null : typed,
  }));

  return (
    <Setting title={text.title} hint={feed === null ? text.off : text.on} saving={saving}>
      <form className={styles['wide']} noValidate onSubmit={send}>
        <TextField
          label={text.label}
          face="code"
          placeholder="https://downloads.example.com/rotavox"
          inputMode="url"
          {...field}
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
    setWords(text.checking);
    ask().then(
      (answer) => setWords(answer.words),
      (error: unknown) => setWords(desktopWords(error)),
    );
  }
  return (
    <Row gap={4} wraps align="center">
      <Button onPress={look}>{text.check}</Button>
      <Text role="status" size="small">
        {words}
      </Text>
    </Row>
  );
}
