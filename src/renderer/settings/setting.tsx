import { type ReactNode, useId, useState } from 'react';
import { Text } from '../kit/text.tsx';
import { settingsText as text } from '../../text/service/settings-text.ts';
import { FieldError } from '../kit/field.tsx';
import { Icon } from '../kit/icon.tsx';
import { Switch } from '../kit/choice.tsx';
import styles from './settings.module.css';
import { type SaveSettings, type Saving, useSaving } from './use-settings.ts';

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
          {saving.kind === 'saved' ? (
            <>
              <Icon name="tick" /> {text.saved}
            </>
          ) : saving.kind === 'saving' ? (
            text.saving
          ) : null}
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
