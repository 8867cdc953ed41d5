import { type KeyboardEvent, useState } from 'react';
import type { HoursOfDay } from '../../contract/shapes.ts';
import { quietHoursHint, settingsText } from '../../text/service/settings-text.ts';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { Switch } from '../kit/choice.tsx';
import styles from './settings.module.css';
import { Setting } from './setting.tsx';
import { type SaveSettings, useSaving } from './use-settings.ts';

const { quietHours: text } = settingsText;

/** What quiet hours begin with when they are switched on. */
const usualHours: HoursOfDay = { from: '22:00', to: '07:00' };

/** When notifications wait: never, or between two times of every day. A time is saved when its field is left. */
export function QuietHoursSetting({ hours, save }: { hours: HoursOfDay | null; save: SaveSettings }) {
  const { saving, submit, refuse } = useSaving(save);
  /** What is typed and not saved; null while there is nothing of that. */
  const [draft, setDraft] = useState<HoursOfDay | null>(null);
  const [chosen, setChosen] = useState(hours !== null);
  const shown = draft ?? hours;
  const isOn = saving.kind === 'saving' ? chosen : hours !== null;

  function change(wanted: boolean): void {
    setChosen(wanted);
    setDraft(null);
    void submit({ quiet_hours: wanted ? usualHours : null });
  }
  async function commit(): Promise<void> {
    if (draft === null || hours === null) return;
    if (draft.from === '' || draft.to === '') {
      refuse(text.bothNeeded);
      return;
    }
    if (draft.from === hours.from && draft.to === hours.to) {
      setDraft(null);
      refuse(null);
      return;
    }
    setChosen(true);
    // What was typed meanwhile stays.
    if (await submit({ quiet_hours: draft })) setDraft((now) => (now === draft ? null : now));
  }
  return (
    <Setting
      title={text.title}
      hint={quietHoursHint(shown)}
      saving={saving}
      control={(ids) => <Switch {...ids} isOn={isOn} onChange={change} />}
    >
      {shown === null || !isOn
        ? undefined
        : (['from', 'to'] as const).map((end) => (
            <div key={end} className={styles['time']}>
              <Field label={text.ends[end]}>
                {(tied) => (
                  <input
                    {...tied}
                    type="time"
                    className={inputStyles['input']}
                    value={shown[end]}
                    onChange={(event) => setDraft({ ...shown, [end]: event.target.value })}
                    onBlur={() => void commit()}
                    onKeyDown={(event) => onEnter(event, () => void commit())}
                  />
                )}
              </Field>
            </div>
          ))}
    </Setting>
  );
}

function onEnter(event: KeyboardEvent, act: () => void): void {
  if (event.key === 'Enter') act();
}
