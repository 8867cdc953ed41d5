import { useRef } from 'react';

import { emptyDocument } from '../../../core/ivr/edit/new-node.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Icon } from '../../kit/icon.tsx';
import { keepDraft } from './keep-draft.ts';
import styles from './new-menu-dialog.module.css';
import { TemplatePicture } from './template-picture.tsx';
import { templates } from './templates.ts';
import { useBegin } from './use-begin.ts';

/** What a new menu begins with: nothing, a template, or what somebody has made elsewhere. */
export function NewMenuDialog({ onImport, onClose }: { onImport: () => void; onClose: () => void }) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const { begin, isBusy, refusal } = useBegin();
  return (
    <Dialog ref={dialogRef} title="New menu" mayClose={() => !isBusy} onClose={onClose}>
      <ul className={styles['ways']}>
        <li>
          <button
            type="button"
            className={styles['way']}
            onClick={() => begin(() => keepDraft(emptyDocument('New menu')))}
          >
            <TemplatePicture document={emptyDocument('New menu')} />
            <span className={styles['name']}>Empty</span>
            <span className={styles['words']}>A caller, and a canvas to draw on</span>
          </button>
        </li>
        {templates.map(({ name, words, document }) => (
          <li key={name}>
            <button type="button" className={styles['way']} onClick={() => begin(() => keepDraft(document))}>
              <TemplatePicture document={document} />
              <span className={styles['name']}>{document.name}</span>
              <span className={styles['words']}>{words}</span>
            </button>
          </li>
        ))}
        <li>
          <button type="button" className={styles['way']} onClick={onImport}>
            <span className={styles['picture']}>
              <Icon name="outside" />
            </span>
            <span className={styles['name']}>Import …</span>
            <span className={styles['words']}>
              A JSON body, menus of the platform, or an exported drawing
            </span>
          </button>
        </li>
      </ul>
      <DialogButtons>
        <FormRefusal reason={refusal} />
        <Button onPress={() => dialogRef.current?.close()}>Cancel</Button>
      </DialogButtons>
    </Dialog>
  );
}
