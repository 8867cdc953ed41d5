import type { ReactNode } from 'react';
import type { MenuNode } from '../../../../contract/ivr-draft.ts';
import { changeMenu } from '../../../../core/ivr/edit/edit-nodes.ts';
import { useDesigner } from '../use-designer.ts';
import { DestinationLine } from './destination-picker.tsx';
import { KeyTable } from './key-table.tsx';
import styles from './menu-fields.module.css';
import { NumberLine, TextLine } from './text-lines.tsx';
import { RecordingLine } from './recording-line.tsx';
import { FieldProblems, useProblemsAt } from './spec-field.tsx';

/** Everything that a menu's body says, field by field, in the order in which a caller meets it. */
export function MenuFields({ menu }: { menu: MenuNode }) {
  const { store } = useDesigner();
  const path = `nodes.${menu.id}`;
  const problems = useProblemsAt(path);

  function change(field: keyof MenuNode, what: string) {
    return (value: string | number | null) =>
      store.edit(`change ${what}`, (document) => changeMenu(document, menu.id, { [field]: value }), {
        merge: `${path}.${field}`,
      });
  }

  return (
    <div className={styles['fields']}>
      <FieldProblems problems={problems} />
      <div className={styles['pair']}>
        <TextLine
          label="Name"
          spec="name"
          path={`${path}.name`}
          value={menu.name}
          onType={change('name', 'the name of a menu')}
        />
        <TextLine
          label="Description"
          spec="description"
          path={`${path}.description`}
          value={menu.description}
          isLong
          onType={change('description', 'the description of a menu')}
        />
      </div>
      <Group title="Prompt">
        <div className={styles['pair']}>
          <RecordingLine
            label="Callers hear"
            spec="recording"
            path={`${path}.recording`}
            value={menu.recording}
            onChange={change('recording', 'what callers hear')}
          />
          <NumberLine
            label="Then wait for a key"
            spec="timeout"
            path={`${path}.timeout`}
            value={menu.timeout}
            unit="seconds"
            onType={change('timeout', 'how long a menu waits')}
          />
        </div>
      </Group>
      <Group title="Keys">
        <KeyTable menu={menu} />
      </Group>
      <Group title="Wrong key">
        <div className={styles['pair']}>
          <RecordingLine
            label="After a key that is not used"
            spec="invalid_recording"
            path={`${path}.invalid_recording`}
            value={menu.invalid_recording}
            onChange={change('invalid_recording', 'what a wrong key plays')}
          />
          <NumberLine
            label="Then the menu again, up to"
            spec="incorrect_count"
            path={`${path}.incorrect_count`}
            value={menu.incorrect_count}
            unit="more attempts"
            onType={change('incorrect_count', 'how many wrong keys are allowed')}
          />
          <DestinationLine
            label="One wrong key too many leads to"
            spec="invalid_destination"
            path={`${path}.invalid_destination`}
            name="the wrong key"
            from={{ kind: 'invalid', menu: menu.id }}
            to={menu.invalid_destination}
          />
        </div>
      </Group>
      <Group title="Timeout">
        <div className={styles['pair']}>
          <RecordingLine
            label="Before it tries again"
            spec="timeout_retry_recording"
            path={`${path}.timeout_retry_recording`}
            value={menu.timeout_retry_recording}
            onChange={change('timeout_retry_recording', 'what is played before a new try')}
          />
          <NumberLine
            label="Then the menu again, up to"
            spec="timeout_tries"
            path={`${path}.timeout_tries`}
            value={menu.timeout_tries}
            unit="more tries"
            onType={change('timeout_tries', 'how often a menu tries again')}
          />
          <RecordingLine
            label="When no try is left"
            spec="timeout_recording"
            path={`${path}.timeout_recording`}
            value={menu.timeout_recording}
            onChange={change('timeout_recording', 'what is played when no try is left')}
          />
          <DestinationLine
            label="Then the timeout leads to"
            spec="timeout_destination"
            path={`${path}.timeout_destination`}
            name="timeout"
            from={{ kind: 'timeout', menu: menu.id }}
            to={menu.timeout_destination}
          />
        </div>
      </Group>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles['rule']}>
      <fieldset className={styles['group']}>
        <legend className={styles['title']}>{title}</legend>
        {children}
      </fieldset>
    </div>
  );
}
