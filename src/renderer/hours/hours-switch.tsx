import { useState } from 'react';
import type { ScheduleSwitch, ScheduleView } from '../../contract/menu/schedule.ts';
import { hoursText } from '../../text/menu/schedule-text.ts';
import { hoursWindowText } from '../../text/menu/hours-window.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton } from '../kit/button.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import { TextField } from '../kit/text-field.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { useMinute } from '../kit/use-minute.ts';
import { presentHours } from './schedules.ts';
import styles from './hours.module.css';

const text = hoursWindowText.switch;
const places = ['schedule', 'open', 'closed'] as const satisfies readonly ScheduleSwitch['to'][];

/** What callers meet now, and the way to open or close by hand. It applies to the next caller. */
export function HoursSwitch({ schedule }: { schedule: ScheduleView }) {
  const act = useAct();
  const [until, setUntil] = useState('');
  const nowMs = useMinute();
  const now = presentHours(schedule, nowMs);
  const present = now.reason.kind === 'by_hand' ? schedule.switch.to : 'schedule';

  async function set(to: ScheduleSwitch['to']): Promise<void> {
    const end = to === 'schedule' || until.trim() === '' ? null : until.trim();
    const ask = () => askPortal('setSwitch', { params: { id: schedule.id }, body: { to, until: end } });
    if ((await act.run(to, ask, 'schedule_switched')) !== null) setUntil('');
  }
  return (
    <Stack gap={3} className={styles['frame']}>
      <Text weight="strong" role="status" className={styles['state']} data-state={now.state}>
        {hoursText(now, { timeZone: schedule.time_zone, nowMs })}
      </Text>
      <Row gap={4} wraps align="start">
        <div className={styles['until']}>
          <TextField label={text.until} value={until} hint={text.untilHint} onChange={setUntil} />
        </div>
        <Row
          role="group"
          aria-label={text.label(schedule.name)}
          gap={2}
          wraps
          className={styles['switch'] ?? ''}
        >
          {places.map((to) => (
            <ActionButton
              key={to}
              isPressed={present === to}
              isBusy={isBusyWith(act, to)}
              onPress={() => void set(to)}
            >
              {text.to[to]}
            </ActionButton>
          ))}
        </Row>
      </Row>
      <FormRefusal reason={act.refusal} />
    </Stack>
  );
}
