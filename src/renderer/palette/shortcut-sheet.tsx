import { useRef, useState } from 'react';
import { shortcutText } from '../../text/window/palette.ts';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { keyWords, shortcuts } from '../kit/keys/use-shortcut.ts';
import { Tick } from '../kit/choice.tsx';
import styles from './palette.module.css';
import { Row, Stack } from '../kit/layout.tsx';

const isMac = navigator.userAgent.includes('Mac');

/** The keys of every list of rows, which are not shortcuts of their own. */
const inLists = [
  { keys: '↑ ↓', what: shortcutText.lists.rows },
  { keys: 'PageUp PageDown', what: shortcutText.lists.pages },
  { keys: 'Home End', what: shortcutText.lists.ends },
  { keys: 'Enter', what: shortcutText.lists.open },
];

/** The shortcuts that work where the person is at this moment, and a way to turn single keys off. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [hasSingleKeys, setHasSingleKeys] = useState(shortcuts.hasSingleKeys);
  return (
    <Dialog ref={dialogRef} title={shortcutText.title} mayClose={() => true} onClose={onClose}>
      <Stack gap={4}>
        <dl>
          {[...shortcuts.all, ...inLists].map(({ keys, what }) => (
            <Row key={keys} gap={4} align="center" justify="between" className={styles['shortcut']}>
              <dt>{what}</dt>
              <Row as="dd" gap={1} justify="end">
                {keyWords(keys, isMac).map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </Row>
            </Row>
          ))}
        </dl>
        <Tick
          label={shortcutText.singleKeys}
          isOn={hasSingleKeys}
          onChange={(isOn) => {
            shortcuts.hasSingleKeys = isOn;
            setHasSingleKeys(isOn);
          }}
        />
      </Stack>
      <DialogButtons>
        <Button rank="main" onPress={() => dialogRef.current?.close()}>
          {shortcutText.close}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
