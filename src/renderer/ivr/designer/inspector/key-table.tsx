import type { KeyboardEvent } from 'react';
import { Toolbar } from 'react-aria-components';
import { flushSync } from 'react-dom';
import { Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import unseen from '../../../kit/unseen.module.css';
import type { DraftKey, MenuNode } from '../../../../contract/menu/ivr-draft.ts';
import { ivrBounds } from '../../../../contract/menu/ivr.ts';
import { addKey, changeKey, moveKey, removeKey } from '../../../../core/ivr/edit/edit-keys.ts';
import input from '../../../kit/input.module.css';
import { Link } from '../../../kit/link.tsx';
import { useDesigner } from '../use-designer.ts';
import { Combo, matching } from './combo.tsx';
import { DestinationPicker } from './destination-picker.tsx';
import panel from '../panel.module.css';
import styles from './inspector.module.css';
import { SmallButton } from '../small-button.tsx';
import { FieldProblems, focusField, useProblemsAt } from './spec-field.tsx';
import { editText } from '../../../../text/menu/designer.ts';
import { keysText as text, wayText } from '../../../../text/menu/designer-inspector.ts';

/** The keys of a menu in the order of the body, with where they lead and what they send. */
export function KeyTable({ menu }: { menu: MenuNode }) {
  const { store, referenceData } = useDesigner();
  const problems = useProblemsAt(`nodes.${menu.id}.keys`);
  const hasSms = referenceData.smsTemplatesEnabled;
  const isFull = menu.keys.length >= ivrBounds.options.max;
  const hasLong = menu.keys.some(({ key }) => key.length > 2);
  const hasTemplates = menu.keys.some(({ sms_template }) => sms_template !== null);

  function add(): void {
    flushSync(() => store.edit(editText.addKey(), (document) => addKey(document, menu.id)));
    focusField(`nodes.${menu.id}.keys.${menu.keys.length}.key`);
  }

  return (
    <div className={styles['keys']} data-long={hasLong} data-path={`nodes.${menu.id}.keys`} tabIndex={-1}>
      {menu.keys.length === 0 ? (
        <p className={panel['note']}>{text.none}</p>
      ) : (
        <Stack role="table" aria-label={text.tableOf(menu.name)} gap={3}>
          <Text as="div" tone="soft" size="tiny" role="row" className={styles['keysHead']} data-sms={hasSms}>
            <span role="columnheader">{text.columns.key}</span>
            <span role="columnheader">{text.columns.destination}</span>
            {hasSms ? (
              <span role="columnheader" data-column="sms">
                {text.columns.sms}
              </span>
            ) : null}
            <span role="columnheader" className={unseen['unseen']}>
              {text.columns.order}
            </span>
          </Text>
          {menu.keys.map((drawn, index) => (
            <KeyRow key={index} menu={menu} index={index} drawn={drawn} />
          ))}
        </Stack>
      )}
      <FieldProblems problems={problems} />
      <div>
        <SmallButton icon="plus" isDisabled={isFull} onPress={add}>
          {isFull ? text.full(ivrBounds.options.max) : text.add}
        </SmallButton>
      </div>
      {hasSms ? null : (
        <p className={panel['note']}>
          {hasTemplates ? text.templatesNotSent : text.templatesOff}{' '}
          <Link to="/settings">{text.settings}</Link>
        </p>
      )}
    </div>
  );
}

/** A key of a menu, where it leads, and its SMS template. Alt and an arrow move it among the others. */
function KeyRow({ menu, index, drawn }: { menu: MenuNode; index: number; drawn: DraftKey }) {
  const { store, referenceData } = useDesigner();
  const path = `nodes.${menu.id}.keys.${index}`;
  const name = wayText.key(drawn.key, index + 1);
  const keyProblems = useProblemsAt(`${path}.key`);
  const toProblems = useProblemsAt(`${path}.to`);
  const smsProblems = useProblemsAt(`${path}.sms_template`);
  const hasSms = referenceData.smsTemplatesEnabled;
  const problems = [...keyProblems, ...toProblems, ...smsProblems];

  function move(to: number): void {
    if (to < 0 || to >= menu.keys.length) return;
    flushSync(() => store.edit(editText.moveKey(name), (document) => moveKey(document, menu.id, index, to)));
    focusField(`nodes.${menu.id}.keys.${to}.key`);
  }

  function press(event: KeyboardEvent): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(index + (event.key === 'ArrowUp' ? -1 : 1));
  }

  function remove(): void {
    flushSync(() => store.edit(editText.remove(name), (document) => removeKey(document, menu.id, index)));
    focusField(`nodes.${menu.id}.keys.${Math.min(index, menu.keys.length - 2)}.key`);
  }

  return (
    <div
      role="row"
      className={styles['keyRow']}
      data-sms={hasSms}
      data-path={path}
      tabIndex={-1}
      onKeyDown={press}
    >
      <div role="cell">
        <input
          type="text"
          className={[input['input'], styles['keySign']].join(' ')}
          data-path={`${path}.key`}
          aria-label={text.key(index + 1)}
          aria-invalid={keyProblems.some(({ severity }) => severity === 'error') || undefined}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          value={drawn.key}
          maxLength={4}
          autoComplete="off"
          onChange={({ target }) =>
            store.edit(
              editText.changeKey,
              (document) => changeKey(document, menu.id, index, { key: target.value.trim() }),
              { merge: `${path}.key` },
            )
          }
          onFocus={({ target }) => target.select()}
          onBlur={() => store.settle()}
        />
      </div>
      <div role="cell" className={styles['keyTo']}>
        <DestinationPicker
          isInRow
          tied={{ 'data-path': `${path}.to`, 'aria-invalid': toProblems.length > 0 || undefined }}
          name={name}
          from={{ kind: 'key', menu: menu.id, index }}
          to={drawn.to}
        />
      </div>
      {hasSms ? (
        <div role="cell" className={styles['keySms']}>
          <Text as="div" tone="soft" size="tiny" className={styles['keySmsName']} aria-hidden="true">
            {text.template}
          </Text>
          <Combo
            tied={{
              'aria-label': text.templateOf(name),
              placeholder: text.noTemplate,
              'data-path': `${path}.sms_template`,
              'aria-invalid': smsProblems.some(({ severity }) => severity === 'error') || undefined,
            }}
            value={drawn.sms_template ?? ''}
            offers={(sought) =>
              matching(
                referenceData.smsTemplates.map(({ id, name: template }) => ({ value: id, name: template })),
                sought,
              )
            }
            onChange={(typed) =>
              store.edit(
                editText.changeKeyTemplate(name),
                (document) =>
                  changeKey(document, menu.id, index, { sms_template: typed === '' ? null : typed }),
                { merge: `${path}.sms_template` },
              )
            }
            onLeave={() => store.settle()}
          />
        </div>
      ) : null}
      <div role="cell" className={styles['keyMoves']}>
        <Toolbar className={styles['keyTools'] ?? ''} aria-label={text.order(name)}>
          <SmallButton
            name={text.moveUp(name)}
            icon="arrowUp"
            isDisabled={index === 0}
            onPress={() => move(index - 1)}
          />
          <SmallButton
            name={text.moveDown(name)}
            icon="arrowDown"
            isDisabled={index === menu.keys.length - 1}
            onPress={() => move(index + 1)}
          />
          <SmallButton name={text.remove(name)} icon="remove" onPress={remove} />
        </Toolbar>
      </div>
      {problems.length === 0 ? null : (
        <div role="cell" className={styles['keyProblems']}>
          <FieldProblems problems={problems} />
        </div>
      )}
    </div>
  );
}
