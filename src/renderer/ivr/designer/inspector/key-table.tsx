import type { KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { DraftKey, MenuNode } from '../../../../contract/ivr-draft.ts';
import { addKey, changeKey, moveKey, removeKey, telephoneKeys } from '../../../../core/ivr/edit/edit-keys.ts';
import input from '../../../kit/input.module.css';
import { Link } from '../../../kit/link.tsx';
import { useDesigner } from '../use-designer.ts';
import { Combo } from './combo.tsx';
import { DestinationPicker } from './destination-picker.tsx';
import styles from './key-table.module.css';
import { SmallButton } from './small-button.tsx';
import { FieldProblems, focusField, useProblemsAt } from './spec-field.tsx';

/** The keys of a menu in their order, as the body has them in `option`, `destination` and `sms_template`. */
export function KeyTable({ menu }: { menu: MenuNode }) {
  const { store, referenceData } = useDesigner();
  const problems = useProblemsAt(`nodes.${menu.id}.keys`);
  const hasSms = referenceData.smsTemplatesEnabled;
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

/** A key of a menu, where it leads, and its SMS template. Alt and an arrow move it among the others. */
function KeyRow({ menu, index, drawn }: { menu: MenuNode; index: number; drawn: DraftKey }) {
  const { store, referenceData } = useDesigner();
  const path = `nodes.${menu.id}.keys.${index}`;
  const name = drawn.key === '' ? `key ${index + 1} in order` : `key ${drawn.key}`;
  const keyProblems = useProblemsAt(`${path}.key`);
  const toProblems = useProblemsAt(`${path}.to`);
  const smsProblems = useProblemsAt(`${path}.sms_template`);
  const hasSms = referenceData.smsTemplatesEnabled;
  const problems = [...keyProblems, ...toProblems, ...smsProblems];

  function move(to: number): void {
    if (to < 0 || to >= menu.keys.length) return;
    flushSync(() => store.edit(`move ${name}`, (document) => moveKey(document, menu.id, index, to)));
    focusField(`nodes.${menu.id}.keys.${to}.key`);
  }

  function press(event: KeyboardEvent): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(index + (event.key === 'ArrowUp' ? -1 : 1));
  }

  function remove(): void {
    flushSync(() => store.edit(`remove ${name}`, (document) => removeKey(document, menu.id, index)));
    focusField(`nodes.${menu.id}.keys.${Math.min(index, menu.keys.length - 2)}.key`);
  }

  return (
    <div
      role="row"
      className={styles['row']}
      data-sms={hasSms}
      data-path={path}
      tabIndex={-1}
      onKeyDown={press}
    >
      <div role="cell">
        <input
          type="text"
          className={[input['input'], styles['key']].join(' ')}
          data-path={`${path}.key`}
          aria-label={`Key ${index + 1} in order`}
          aria-invalid={keyProblems.length > 0 || undefined}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          value={drawn.key}
          maxLength={3}
          autoComplete="off"
          onChange={({ target }) =>
            store.edit(
              'change a key',
              (document) => changeKey(document, menu.id, index, { key: target.value.trim().slice(-1) }),
              { merge: `${path}.key` },
            )
          }
          onFocus={({ target }) => target.select()}
          onBlur={() => store.settle()}
        />
      </div>
      <div role="cell" className={styles['to']}>
        <DestinationPicker
          isInRow
          tied={{ 'data-path': `${path}.to`, 'aria-invalid': toProblems.length > 0 || undefined }}
          name={name}
          from={{ kind: 'key', menu: menu.id, index }}
          to={drawn.to}
        />
      </div>
      {hasSms ? (
        <div role="cell" className={styles['sms']}>
          <span className={styles['smsName']} aria-hidden="true">
            SMS template <code>sms_template</code>
          </span>
          <Combo
            tied={{
              'aria-label': `SMS template of ${name}`,
              placeholder: 'No SMS',
              'data-path': `${path}.sms_template`,
              'aria-invalid': smsProblems.some(({ severity }) => severity === 'error') || undefined,
            }}
            value={drawn.sms_template ?? ''}
            offers={() =>
              referenceData.smsTemplates.map(({ id, name: template }) => ({ value: id, name: template }))
            }
            onChange={(typed) =>
              store.edit(
                `change the SMS template of ${name}`,
                (document) =>
                  changeKey(document, menu.id, index, { sms_template: typed === '' ? null : typed }),
                { merge: `${path}.sms_template` },
              )
            }
            onLeave={() => store.settle()}
          />
        </div>
      ) : null}
      <div role="cell" className={styles['moves']}>
        <SmallButton
          name={`Move ${name} up`}
          icon="up"
          isDisabled={index === 0}
          onPress={() => move(index - 1)}
        />
        <SmallButton
          name={`Move ${name} down`}
          icon="down"
          isDisabled={index === menu.keys.length - 1}
          onPress={() => move(index + 1)}
        />
        <SmallButton name={`Remove ${name}`} icon="remove" onPress={remove} />
      </div>
      <div role="cell" className={styles['problems']}>
        <FieldProblems problems={problems} />
      </div>
    </div>
  );
}
