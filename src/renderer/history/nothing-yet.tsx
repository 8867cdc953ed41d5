import { Button } from '../kit/button.tsx';
import { goTo } from '../kit/navigation.ts';
import styles from './history-panel.module.css';

/** In the place of the list while there is nothing to list, with what makes the first event. */
export function NothingYet() {
  return (
    <section className={styles['panel']} aria-label="Events" data-empty="true">
      <div className={styles['empty']}>
        <p className={styles['title']}>Nothing has happened yet</p>
        <p>What happens to tokens, credentials and phone menus is written here, and never forgotten.</p>
        <Button rank="main" onPress={() => goTo('/tokens/issue')}>
          Issue a token
        </Button>
      </div>
    </section>
  );
}
