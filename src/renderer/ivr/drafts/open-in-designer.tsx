import type { Ivr } from '../../../contract/ivr.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { draftOfMenu, findOrKeepDraft } from './draft-of-menu.ts';
import styles from './open-in-designer.module.css';
import { allDrafts } from './read-drafts.ts';
import { useBegin } from './use-begin.ts';

/**
 * Opens the draft of a stored menu, or makes one of the version that is looked at. The menu itself stays as it is until
 * the draft is published.
 */
export function OpenInDesigner({ menu, isStored }: { menu: Ivr; isStored: boolean }) {
  const { begin, isBusy, refusal } = useBegin();
  const drafts = useLive(allDrafts).known?.value ?? [];
  const draft = isStored ? draftOfMenu(drafts, menu.id) : undefined;
  return (
    <div className={styles['way']}>
      <ActionButton isBusy={isBusy} onPress={() => begin(() => findOrKeepDraft(menu, isStored))}>
        {isBusy ? 'Opening …' : 'Open in the designer'}
      </ActionButton>
      {draft === undefined ? null : (
        <p className={styles['known']}>
          Its draft “{draft.name}” is opened as it was left; publishing it here replaces this menu.
        </p>
      )}
      <FormRefusal reason={refusal} />
    </div>
  );
}
