import { type ReactNode, useId, useState } from 'react';
import { readRanges } from '../../contract/menu/read-ranges.ts';
import {
  CreateSchedule,
  type ScheduleId,
  type ScheduleView,
  weekdays,
} from '../../contract/menu/schedule.ts';
import { pagePath } from '../../contract/window/window-page.ts';
import { hoursWindowText as text } from '../../text/menu/hours-window.ts';
import { scheduleFindingText } from '../../text/menu/schedule-text.ts';
import { fieldErrorText, windowTitle } from '../../text/window/window.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { QuestionDialog } from '../kit/dialog.tsx';
import { Empty } from '../kit/empty.tsx';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { Row, Stack } from '../kit/layout.tsx';
import { Link, WayBack } from '../kit/link.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { goTo } from '../kit/navigation.ts';
import { Text } from '../kit/text.tsx';
import { TextField } from '../kit/text-field.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { DayStrip } from './day-strip.tsx';
import { HoursSwitch } from './hours-switch.tsx';
import { allSchedules, ownTimeZone, timeZones } from './schedules.ts';

/** All opening hours: what callers meet now, the coming days, and the switch. */
export function HoursWindow() {
  const live = useLive(allSchedules);
  const known = live.known?.value;
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button rank="main" onPress={() => setAdding(true)}>
      {text.add}
    </Button>
  );
  return (
    <WindowFrame
      title={windowTitle(text.title)}
      heading={text.title}
      above={<WayBack to="/settings">{text.toSettings}</WayBack>}
      below={<Text tone="soft">{text.lead}</Text>}
      live={live}
      nav={<WindowNav current="settings" />}
    >
      {known === undefined ? null : <Schedules schedules={known} add={add} />}
      {isAdding ? (
        <AddHoursDialog onAdded={(id) => goTo(pagePath('schedule', id))} onClose={() => setAdding(false)} />
      ) : null}
    </WindowFrame>
  );
}

function Schedules({ schedules, add }: { schedules: readonly ScheduleView[]; add: ReactNode }) {
  if (schedules.length === 0) {
    return (
      <Empty title={text.first.title} text={text.first.text}>
        {add}
      </Empty>
    );
  }
  return (
    <Stack gap="cards">
      <Row gap={2}>{add}</Row>
      {schedules.map((schedule) => (
        <ScheduleCard key={schedule.id} schedule={schedule} />
      ))}
    </Stack>
  );
}

function ScheduleCard({ schedule }: { schedule: ScheduleView }) {
  return (
    <Card title={schedule.name} aside={schedule.time_zone}>
      <Stack gap={4}>
        <HoursSwitch schedule={schedule} />
        <DayStrip hours={schedule} />
        {schedule.findings.map((finding) =>
          finding.code === 'never_open' || finding.code === 'zone_unknown' ? (
            <Text key={finding.code} tone="warn">
              {scheduleFindingText(finding)}
            </Text>
          ) : null,
        )}
        <div>
          <Link to={pagePath('schedule', schedule.id)}>{text.editOf(schedule.name)}</Link>
        </div>
      </Stack>
    </Card>
  );
}

/** The same hours from Monday to Friday; everything else is changed afterwards. */
export function AddHoursDialog({
  onAdded,
  onClose,
}: {
  onAdded: (id: ScheduleId) => void;
  onClose: () => void;
}) {
  const { addDialog } = text;
  const [name, setName] = useState('');
  const [zone, setZone] = useState(ownTimeZone);
  const [week, setWeek] = useState('08:00-17:00');
  const [isTried, setTried] = useState(false);
  const ranges = readRanges(week);
  const checked = CreateSchedule.shape.name.safeParse(name);
  const nameError = checked.success
    ? undefined
    : fieldErrorText(addDialog.name, checked.error.issues[0]?.message ?? '');

  function add() {
    setTried(true);
    if (!checked.success || ranges === null) return null;
    const workdays = weekdays.slice(0, 5).map((day) => [day, ranges] as const);
    const weekly = Object.fromEntries(workdays);
    return askPortal('createSchedule', { body: { name: checked.data, time_zone: zone.trim(), weekly } });
  }
  return (
    <QuestionDialog
      title={addDialog.title}
      cancel={addDialog.cancel}
      verb={addDialog.verb}
      ask={add}
      change="schedule_created"
      onDone={({ id }) => onAdded(id)}
      onClose={onClose}
    >
      <TextField
        label={addDialog.name}
        value={name}
        hint={addDialog.nameHint}
        error={isTried ? nameError : undefined}
        isRequired
        onChange={setName}
      />
      <ZoneField value={zone} onChange={setZone} />
      <TextField
        label={addDialog.week}
        value={week}
        hint={addDialog.rangesHint}
        error={isTried && ranges === null ? text.week.error : undefined}
        onChange={setWeek}
      />
    </QuestionDialog>
  );
}

/** A time zone, with suggestions while it is typed. */
export function ZoneField({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const id = useId();
  return (
    <Field label={text.addDialog.zone} hint={text.addDialog.zoneHint}>
      {(tied) => (
        <>
          <input
            {...tied}
            className={inputStyles['input']}
            list={id}
            value={value}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={id}>
            {timeZones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
