import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { setSearch } from '../../kit/navigation.ts';
import styles from './added-note.module.css';

/** What to do next with a token that was just added: said once, on the page that it leads to. */
export function AddedNote({ name }: { name: string }) {
  return (
    <div className={styles['note']} role="status">
      <Icon name="tick" />
      <p className={styles['words']}>
        <strong>{name}</strong> is kept fresh from now on. Next: add the places where programs read it, under
        “Delivered to”, or take a recipe from “Use it”.
      </p>
      <Button onPress={() => setSearch({ new: undefined })}>Understood</Button>
    </div>
  );
}
