import { useRef, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { keyWords } from '../kit/keys/shortcut-list.ts';
import { shortcuts } from '../kit/keys/use-shortcut.ts';
import { Tick } from '../kit/tick.tsx';
import styles from './shortcut-sheet.module.css';

const isMac = navigator.userAgent.includes('Mac');

/** What holds in every list of rows; there it is no shortcut of its own but how the list is steered. */
const inLists = [
  { keys: '↑ ↓', what: 'Go through the rows of a list' },
  { keys: 'PageUp PageDown', what: 'Go through it by the page' },
  { keys: 'Home End', what: 'Go to its beginning or end' },
  { keys: 'Enter', what: 'Open the row' },
];

/** The shortcuts that work where the person is at this moment, and a way to turn single keys off. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [hasSingleKeys, setHasSingleKeys] = useState(shortcuts.hasSingleKeys);
  return (
    <Dialog ref={dialogRef} title="Keyboard shortcuts" mayClose={() => true} onClose={onClose}>
      <dl className={styles['shortcuts']}>
        {[...shortcuts.all, ...inLists].map(({ keys, what }) => (
          <div key={keys} className={styles['shortcut']}>
            <dt>{what}</dt>
            <dd className={styles['keys']}>
              {keyWords(keys, isMac).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Tick
        label="Single keys, such as g or /, are shortcuts"
        isOn={hasSingleKeys}
        onChange={(isOn) => {
          shortcuts.hasSingleKeys = isOn;
          setHasSingleKeys(isOn);
        }}
      />
      <DialogButtons>
        <Button rank="main" onPress={() => dialogRef.current?.close()}>
          Close
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
