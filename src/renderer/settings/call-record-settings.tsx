import { useState } from 'react';
import { CallerKept } from '../../contract/calls/call.ts';
import type { Settings } from '../../contract/service/settings.ts';
import { callSettingsText } from '../../text/calls/calls-window.ts';
import { Choice } from '../kit/choice.tsx';
import { TextField } from '../kit/text-field.tsx';
import { Setting } from './setting.tsx';
import styles from './settings.module.css';
import { type SaveSettings, useSaving } from './use-settings.ts';
import { useTyped } from './use-typed.ts';

const kinds = CallerKept.options.map((value) => ({
  value,
  label: callSettingsText.caller.kept[value],
}));

/** How long records of calls are kept, and how much of a number is kept in them. */
export function CallRecordSettings({ settings, save }: { settings: Settings; save: SaveSettings }) {
  const { call_records_days: days, call_records_caller: kept } = settings;
  return (
    <>
      <DaysSetting days={days} save={save} />
      <CallerSetting kept={kept} save={save} />
    </>
  );
}

function DaysSetting({ days, save }: { days: number; save: SaveSettings }) {
  const { days: text } = callSettingsText;
  const { saving, field, send } = useTyped(String(days), save, (typed) => {
    const count = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
    return count >= 1 && count <= 3650 ? { call_records_days: count } : text.invalid;
  });
  return (
    <Setting title={text.title} hint={text.hint} saving={saving}>
      <form className={styles['time']} noValidate onSubmit={send}>
        <TextField label={text.label} face="code" inputMode="numeric" {...field} />
      </form>
    </Setting>
  );
}

function CallerSetting({ kept, save }: { kept: CallerKept; save: SaveSettings }) {
  const { caller: text } = callSettingsText;
  const { saving, submit } = useSaving(save);
  const [chosen, setChosen] = useState(kept);

  function change(wanted: CallerKept): void {
    setChosen(wanted);
    void submit({ call_records_caller: wanted });
  }
  return (
    <Setting title={text.title} hint={text.hint} saving={saving}>
      <Choice
        label={text.title}
        options={kinds}
        value={saving.kind === 'saving' ? chosen : kept}
        onChange={change}
      />
    </Setting>
  );
}
