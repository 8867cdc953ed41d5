import type { ScheduleHours } from '../../contract/menu/schedule.ts';
import { daysFrom } from '../../core/schedule/day-hours.ts';
import { hoursWindowText, shortDate } from '../../text/menu/hours-window.ts';
import { Text } from '../kit/text.tsx';
import { useMinute } from '../kit/use-minute.ts';
import styles from './hours.module.css';

const shownDays = 14;

/** What is open on the coming days, and which exception applies. */
export function DayStrip({ hours }: { hours: ScheduleHours }) {
  const days = daysFrom(hours, useMinute(), shownDays);
  return (
    <div className={styles['frame']}>
      <ol className={styles['strip']} aria-label={hoursWindowText.days.title}>
        {days.map(({ date, open, exception }) => {
          const { weekday, day } = shortDate(date);
          return (
            <li
              key={date}
              className={styles['day']}
              data-open={open.length > 0}
              data-special={exception !== null}
            >
              <Text as="span" size="small" weight="strong">
                {weekday} <span className={styles['date']}>{day}</span>
              </Text>
              <Text as="span" size="small" isTabular>
                {open.length === 0
                  ? hoursWindowText.days.closed
                  : open.map(({ from, to }) => (
                      <span key={from} className={styles['range']}>
                        {from}–{to}
                      </span>
                    ))}
              </Text>
              {exception === null ? null : (
                <Text as="span" size="tiny" tone="soft" lines={2} title={exception.name}>
                  <bdi>{exception.name === '' ? hoursWindowText.days.exception : exception.name}</bdi>
                </Text>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
