import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { Text } from '../kit/text.tsx';
import { settingsText as text } from '../../text/service/settings-text.ts';
import type { SettingsChange } from '../../contract/service/settings.ts';
import { FieldError } from '../kit/field.tsx';
import { Icon } from '../kit/icon.tsx';
import { Choice, Switch } from '../kit/choice.tsx';
import { TextField } from '../kit/text-field.tsx';
import styles from './settings.module.css';
import { type SaveSettings, type Saving, useSaving } from './use-settings.ts';

function SavingState({ kind }: Pick<Saving, 'kind'>) {
  if (kind === 'saved') {
    return (
      <>
        <Icon name="tick" /> {text.saved}
      </>
    );
  }
  return kind === 'saving' ? text.saving : null;
}

/** One setting: its name and what it does, its control beside, and whether the last change was saved. */
export function Setting({
  title,
  hint,
  saving,
  control,
  children,
}: {
  title: string;
  hint: ReactNode;
  saving: Saving;
  /** Beside the words; named and described by them. */
  control?: (ids: { labelledBy: string; describedBy: string }) => ReactNode;
  /** Below the words. */
  children?: ReactNode;
}) {
  const id = useId();
  const ids = { labelledBy: `${id}-title`, describedBy: `${id}-hint ${id}-error` };
  return (
    <div className={styles['setting']} role="group" aria-labelledby={ids.labelledBy}>
      <div>
        <Text id={ids.labelledBy} weight="strong">
          {title}
        </Text>
        <Text id={`${id}-hint`} tone="soft" size="small">
          {hint}
        </Text>
      </div>
      {control === undefined ? null : <div>{control(ids)}</div>}
      {children === undefined ? null : <div className={styles['more']}>{children}</div>}
      <div className={styles['state']}>
        <Text
          role="status"
          tone={saving.kind === 'saved' ? 'good' : 'soft'}
          size="small"
          data-appears={saving.kind === 'saving' ? 'late' : undefined}
        >
          <SavingState kind={saving.kind} />
        </Text>
        <FieldError id={`${id}-error`} error={saving.kind === 'refused' ? saving.reason : undefined} />
      </div>
    </div>
  );
}

/** A setting that is on or off. It shows what was requested while that is saved, and what is when it was refused. */
export function SwitchSetting({
  title,
  hint,
  name,
  isOn,
  save,
}: {
  title: string;
  hint: ReactNode;
  name: 'notifications_enabled' | 'sms_templates_enabled';
  isOn: boolean;
  save: SaveSettings;
}) {
  const { saving, submit } = useSaving(save);
  const [chosen, setChosen] = useState(isOn);

  function change(wanted: boolean): void {
    setChosen(wanted);
    void submit({ [name]: wanted });
  }
  return (
    <Setting
      title={title}
      hint={hint}
      saving={saving}
      control={(ids) => <Switch {...ids} isOn={saving.kind === 'saving' ? chosen : isOn} onChange={change} />}
    />
  );
}

/** A setting of which there are few values. It shows what was requested while that is saved, and what is when it was refused. */
export function ChosenSetting<T extends string>({
  title,
  hint,
  options,
  present,
  save,
  read,
}: {
  title: string;
  hint: string;
  options: readonly { readonly value: T; readonly label: string }[];
  present: T;
  save: SaveSettings;
  read: (chosen: T) => SettingsChange;
}) {
  const { saving, submit } = useSaving(save);
  const [chosen, setChosen] = useState(present);

  function change(wanted: T): void {
    setChosen(wanted);
    void submit(read(wanted));
  }
  return (
    <Setting title={title} hint={hint} saving={saving}>
      <Choice options={options} value={saving.kind === 'saving' ? chosen : present} onChange={change} />
    </Setting>
  );
}

/**
 * A setting that is typed: saved when the field is left or Enter is pressed, and not before.
 *
 * `present` is how the saved one is written; what is typed stands over it until it is saved or is the same again.
 * `read` makes the change of it, or says what is wrong with it.
 */
export function TypedSetting({
  title,
  hint,
  label,
  example,
  about,
  width = 'wide',
  inputMode,
  present,
  save,
  read,
  children,
}: {
  title: string;
  hint: string;
  /** Of the field, with an example of what is typed and what is said about it. */
  label: string;
  example?: string;
  about?: string;
  width?: 'wide' | 'port' | 'time' | 'content';
  inputMode?: 'numeric' | 'url';
  present: string;
  save: SaveSettings;
  read: (typed: string) => SettingsChange | string;
  /** Below the field. */
  children?: ReactNode;
}) {
  const { saving, submit, refuse } = useSaving(save);
  /** What is typed and not saved; null while there is nothing of that. */
  const [draft, setDraft] = useState<string | null>(null);

  async function commit(): Promise<void> {
    if (draft === null) return;
    const typed = draft.trim();
    if (typed === present) {
      setDraft(null);
      refuse(null);
      return;
    }
    const wanted = read(typed);
    if (typeof wanted === 'string') {
      refuse(wanted);
      return;
    }
    // What was typed meanwhile stays.
    if (await submit(wanted)) setDraft((now) => (now === draft ? null : now));
  }
  function send(event: SyntheticEvent): void {
    event.preventDefault();
    void commit();
  }
  return (
    // A refusal is said at the field.
    <Setting title={title} hint={hint} saving={saving.kind === 'refused' ? { kind: 'idle' } : saving}>
      <form className={styles[width]} noValidate onSubmit={send}>
        <TextField
          label={label}
          hint={about}
          face="code"
          placeholder={example}
          inputMode={inputMode}
          value={draft ?? present}
          error={saving.kind === 'refused' ? saving.reason : undefined}
          onChange={setDraft}
          onLeave={() => void commit()}
        />
      </form>
      {children}
    </Setting>
  );
}
