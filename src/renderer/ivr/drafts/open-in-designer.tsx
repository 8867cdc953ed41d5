import type { Ivr } from '../../../contract/ivr.ts';
import { documentOfBodies } from '../../../core/ivr/body/document-of-bodies.ts';
import { Button } from '../../kit/button.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import styles from './open-in-designer.module.css';
import { useBegin } from './use-begin.ts';

/** Makes a draft of a stored menu, in the version that is looked at. The menu itself stays as it is. */
export function OpenInDesigner({ menu }: { menu: Ivr }) {
  const { begin, isBusy, refusal } = useBegin();
  return (
    <div className={styles['way']}>
      <Button onPress={() => begin(documentOfBodies([{ id: menu.id, body: menu }], menu.name))}>
        {isBusy ? 'Opening …' : 'Open in the designer'}
      </Button>
      <FormRefusal reason={refusal} />
    </div>
  );
}
