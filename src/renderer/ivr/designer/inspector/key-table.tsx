import { flushSync } from 'react-dom';

import type { MenuNode } from '../../../../contract/ivr-draft.ts';
import { addKey, telephoneKeys } from '../../../../core/ivr/edit/edit-keys.ts';
import { Link } from '../../../kit/link.tsx';
import { useDesigner } from '../use-designer.ts';
import { FieldProblems, useProblemsAt } from './field-problems.tsx';
import { focusField } from './focus-field.ts';
import { KeyRow } from './key-row.tsx';
import styles from './key-table.module.css';
import { SmallButton } from './small-button.tsx';

/** The keys of a menu in their order, as the body has them in `option`, `destination` and `sms_template`. */
export function KeyTable({ menu }: { menu: MenuNode }) {
  const { store, surroundings } = useDesigner();
  const problems = useProblemsAt(`nodes.${menu.id}.keys`);
  const hasSms = surroundings.smsTemplatesEnabled;
  const isFull = telephoneKeys.every((key) => menu.keys.some((drawn) => drawn.key === key));
  const hasTemplates = menu.keys.some(({ sms_template }) => sms_template !== null);

  function add(): void {
    flushSync(() => store.edit('add a key', (document) => addKey(document, menu.id)));
    focusField(`nodes.${menu.id}.keys.${menu.keys.length}.key`);
  }

  return (
    <div className={styles['keys']} data-path={`nodes.${menu.id}.keys`} tabIndex={-1}>
      {menu.keys.length === 0 ? (
        <p className={styles['note']}>No key yet. A caller needs at least one to press.</p>
      ) : (
        <div role="table" aria-label={`Keys of ${menu.name}`} className={styles['table']}>
          <div role="row" className={styles['head']} data-sms={hasSms}>
            <span role="columnheader">
              <code>option</code>
            </span>
            <span role="columnheader">
              Leads to <code>destination</code>
            </span>
            {hasSms ? (
              <span role="columnheader" data-column="sms">
                SMS <code>sms_template</code>
              </span>
            ) : null}
            <span role="columnheader" className={styles['order']}>
              Order
            </span>
          </div>
          {menu.keys.map((drawn, index) => (
            <KeyRow key={index} menu={menu} index={index} drawn={drawn} />
          ))}
        </div>
      )}
      <FieldProblems problems={problems} />
      <div className={styles['add']}>
        <SmallButton icon="add" isDisabled={isFull} onPress={add}>
          {isFull ? 'Every key is in use' : 'Add a key'}
        </SmallButton>
      </div>
      {hasSms ? null : (
        <p className={styles['note']}>
          {hasTemplates
            ? 'Keys here have SMS templates, which are not sent: '
            : 'Keys can send an SMS template. '}
          {hasTemplates ? 'the SMS template setting is off.' : 'The setting for it is off.'}{' '}
          <Link to="/settings">Open settings</Link>
        </p>
      )}
    </div>
  );
}
