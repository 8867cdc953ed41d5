import type { CredentialView } from '../../../contract/credential-view.ts';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { setSearch } from '../../kit/navigation.ts';
import styles from './added-note.module.css';

/** What to do next with a token that was just added: said once, on the page that it leads to. */
export function AddedNote({ one: { name, can_rotate: canRotate } }: { one: CredentialView }) {
  return (
    <div className={styles['note']} role="status">
      <Icon name="tick" />
      <p className={styles['words']}>
        <strong>{name}</strong>{' '}
        {canRotate === false
          ? 'is not rotated; you are reminded before it expires.'
          : canRotate === null
            ? 'is rotated from now on. Whether its service can do that could not be found out: its first rotation shows it.'
            : 'is kept fresh from now on.'}{' '}
        Next: add the places where programs read it, under “Delivered to”, or take a recipe from “Use it”.
      </p>
      <Button onPress={() => setSearch({ new: undefined })}>Understood</Button>
    </div>
  );
}
