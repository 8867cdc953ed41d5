import type { KeyboardEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { MenuNode } from '../../../../contract/menu/ivr-draft.ts';
import type { VoiceId } from '../../../../contract/menu/speech.ts';
import { ivrBounds } from '../../../../contract/menu/ivr.ts';
import type { BodyField } from '../../../../contract/menu/ivr-problem.ts';
import { addKey } from '../../../../core/ivr/edit/edit-keys.ts';
import { changeMenu } from '../../../../core/ivr/edit/edit-nodes.ts';
import {
  changeFlowPrompt,
  defaultOf,
  flowPrompt,
  type PromptField,
} from '../../../../core/ivr/flow-prompts.ts';
import { editText } from '../../../../text/menu/designer.ts';
import {
  directDialText,
  menuFieldText,
  menuGroupText,
  unitText,
  wayText,
  flowPromptText,
  flowSpeechText,
} from '../../../../text/menu/designer-inspector.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { DestinationLine } from './destination-picker.tsx';
import { DirectDialFields } from './direct-dial-fields.tsx';
import { KeyTable } from './key-table.tsx';
import styles from './inspector.module.css';
import { NumberLine, TextLine } from './text-lines.tsx';
import { RecordingLine } from './recording-line.tsx';
import { FieldProblems, focusField, useProblemsAt } from './spec-field.tsx';
import { VoiceFields } from '../../../recordings/voice-fields.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';

/** All fields of a menu's body, in the order of a call. */
export function MenuFields({ menu }: { menu: MenuNode }) {
  const { store } = useDesigner();
  const path = `nodes.${menu.id}`;
  const problems = useProblemsAt(path);
  const document = useDesignerState((state) => state.document);

  function field(name: BodyField) {
    return {
      label: menuFieldText[name],
      path: `${path}.${name}`,
      onChange: (value: string | number | null) =>
        store.edit(
          editText.changeMenu[name],
          (document) => changeMenu(document, menu.id, { [name]: value }),
          {
            merge: `${path}.${name}`,
          },
        ),
    };
  }
  /** A prompt that the call flow has a default for. */
  function promptField(name: PromptField) {
    const which = defaultOf[name];
    const fallback = flowPrompt(document, which);
    const value = menu[name];
    const makeDefault = (): void =>
      store.edit(editText.changeFlowPrompt, (before) =>
        changeMenu(changeFlowPrompt(before, which, value), menu.id, { [name]: null }),
      );
    return {
      ...field(name),
      value,
      fallback,
      onMakeDefault: value === null || value === '' || value === fallback ? undefined : makeDefault,
    };
  }
  function way(kind: 'invalid' | 'timeout', name: string) {
    const field = `${kind}_destination` as const;
    return (
      <DestinationLine
        label={menuFieldText[field]}
        path={`${path}.${field}`}
        name={name}
        from={{ kind, menu: menu.id }}
        to={menu[field]}
      />
    );
  }

  /** Ctrl or Cmd and Enter: the next key that is not used, asked for its destination. */
  function press(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    flushSync(() => store.edit(editText.addKey(), (document) => addKey(document, menu.id)));
    const now = store.state().document.nodes[menu.id];
    if (now?.kind === 'menu') focusField(`nodes.${menu.id}.keys.${now.keys.length - 1}.to`);
  }

  return (
    <div className={styles['fields']} onKeyDown={press}>
      <FieldProblems problems={problems} />
      <div className={styles['pair']}>
        <TextLine {...field('name')} value={menu.name} most={ivrBounds.name.max} />
        <TextLine
          {...field('description')}
          value={menu.description}
          most={ivrBounds.description.max}
          isLong
        />
      </div>
      <Group title={menuGroupText.prompt}>
        <div className={styles['pair']}>
          <RecordingLine {...field('recording')} value={menu.recording} />
          <NumberLine
            {...field('timeout')}
            value={menu.timeout}
            unit={unitText.seconds}
            bounds={ivrBounds.timeoutSeconds}
          />
        </div>
      </Group>
      <Group title={menuGroupText.keys}>
        <KeyTable menu={menu} />
      </Group>
      <Group title={directDialText.title}>
        <DirectDialFields menu={menu} />
      </Group>
      <Group title={menuGroupText.wrongKey}>
        <div className={styles['pair']}>
          <RecordingLine {...promptField('invalid_recording')} />
          <NumberLine
            {...field('incorrect_count')}
            value={menu.incorrect_count}
            unit={unitText.times}
            bounds={ivrBounds.count}
          />
          {way('invalid', wayText.wrongKey)}
        </div>
      </Group>
      <Group title={menuGroupText.timeout}>
        <div className={styles['pair']}>
          <RecordingLine {...promptField('timeout_retry_recording')} />
          <NumberLine
            {...field('timeout_tries')}
            value={menu.timeout_tries}
            unit={unitText.times}
            bounds={ivrBounds.count}
          />
          <RecordingLine {...promptField('timeout_recording')} />
          {way('timeout', wayText.timeout)}
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

/** The language and the voice of the call flow; otherwise those of the settings. */
export function FlowSpeechFields() {
  const { store, referenceData } = useDesigner();
  const speech = useDesignerState(({ document }) => document.speech);
  const { voices, usualSpokenAs } = referenceData;
  return (
    <Stack as="section" gap={3} aria-label={flowSpeechText.title}>
      <Text as="h3" size="medium" weight="bold">
        {flowSpeechText.title}
      </Text>
      <Text tone="soft" size="small">
        {flowSpeechText.hint}
      </Text>
      <VoiceFields
        voices={voices ?? []}
        usual={usualSpokenAs.speech_language}
        chosen={speech ?? { language: '', voice: null }}
        onChange={({ language, voice }) =>
          store.edit(editText.changeFlowSpeech, ({ speech: _before, ...document }) =>
            language === ''
              ? document
              : { ...document, speech: { language, voice: voice as VoiceId | null } },
          )
        }
      />
    </Stack>
  );
}

/** The prompts of all menus that have none of their own. */
export function FlowPrompts() {
  const { store } = useDesigner();
  const document = useDesignerState((state) => state.document);
  return (
    <Stack as="section" gap={3} aria-label={flowPromptText.title}>
      <Text as="h3" size="medium" weight="bold">
        {flowPromptText.title}
      </Text>
      <Text tone="soft" size="small">
        {flowPromptText.hint}
      </Text>
      {(['wrong_key', 'timeout'] as const).map((which) => (
        <RecordingLine
          key={which}
          label={flowPromptText.labels[which]}
          path={`prompts.${which}`}
          value={flowPrompt(document, which)}
          onChange={(prompt) =>
            store.edit(editText.changeFlowPrompt, (before) => changeFlowPrompt(before, which, prompt), {
              merge: `prompts.${which}`,
            })
          }
        />
      ))}
    </Stack>
  );
}
