import { pagePath } from '../../contract/window/window-page.ts';
import { hoursText, nextHoursText } from '../../text/menu/schedule-text.ts';
import { hoursWindowText } from '../../text/menu/hours-window.ts';
import { Card } from '../kit/card.tsx';
import { Stack } from '../kit/layout.tsx';
import { Link } from '../kit/link.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { Text } from '../kit/text.tsx';
import { useMinute } from '../kit/use-minute.ts';
import { allSchedules, presentHours } from './schedules.ts';
import styles from './hours.module.css';

const shown = 5;

/** On the overview: what callers meet now, and what comes next. */
export function HoursCard() {
  const known = useLive(allSchedules).known?.value ?? [];
  const nowMs = useMinute();
  if (known.length === 0) return null;
  return (
    <Card title={hoursWindowText.title} aside={known.length.toLocaleString()}>
      <Stack gap={3}>
        <Stack as="ul" gap={3}>
          {known.slice(0, shown).map((schedule) => {
            const now = presentHours(schedule, nowMs);
            const zone = { timeZone: schedule.time_zone, nowMs };
            const next = now.reason.kind === 'by_hand' ? nextHoursText(now, zone) : null;
            return (
              <li key={schedule.id}>
                <Link to={pagePath('schedule', schedule.id)}>
                  <bdi>{schedule.name}</bdi>
                </Link>
                <Text className={styles['state']} data-state={now.state}>
                  {hoursText(now, zone)}
                </Text>
                {next === null ? null : (
                  <Text tone="soft" size="small">
                    {next}
                  </Text>
                )}
              </li>
            );
          })}
        </Stack>
        <div>
          <Link to={pagePath('opening-hours')}>{hoursWindowText.back}</Link>
        </div>
      </Stack>
    </Card>
  );
}
