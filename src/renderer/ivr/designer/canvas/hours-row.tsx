import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { HoursNode } from '../../../../contract/menu/ivr-draft.ts';
import { cardText } from '../../../../text/menu/designer-canvas.ts';
import { hoursWindowText } from '../../../../text/menu/hours-window.ts';
import { hoursText } from '../../../../text/menu/schedule-text.ts';
import { HoursSwitch } from '../../../hours/hours-switch.tsx';
import { presentHours } from '../../../hours/schedules.ts';
import { useMinute } from '../../../kit/use-minute.ts';
import { PartIcon } from '../part-icon.tsx';
import { useDesigner } from '../use-designer.ts';
import styles from './cards.module.css';

/** What callers meet now: “Open until 17:00”, and the switch. */
export function HoursRow({ hours: { hours }, isSelected }: { hours: HoursNode; isSelected: boolean }) {
  const { referenceData } = useDesigner();
  const nowMs = useMinute();
  const schedule = referenceData.schedules?.find(({ id }) => id === hours);
  if (schedule === undefined)
    return (
      <div className={styles['prompt']}>
        <PartIcon name="hours" />
        <span className={styles['leads']} data-open>
          {hours === null ? cardText.chooseHours : cardText.hoursGone}
        </span>
      </div>
    );
  const now = presentHours(schedule, nowMs);
  const says = hoursText(now, { timeZone: schedule.time_zone, nowMs });
  return (
    <div className={styles['prompt']} data-state={now.state}>
      <PartIcon name="hours" />
      <DialogTrigger>
        <Button
          className={[styles['leads'], styles['says'], 'nodrag nopan'].join(' ')}
          aria-label={cardText.switchOf(schedule.name, says)}
          excludeFromTabOrder={!isSelected}
        >
          {says}
        </Button>
        <Popover className={styles['switch'] ?? ''} placement="bottom end" offset={6}>
          <Dialog
            className={styles['switchInside'] ?? ''}
            aria-label={hoursWindowText.switch.label(schedule.name)}
          >
            <HoursSwitch schedule={schedule} />
          </Dialog>
        </Popover>
      </DialogTrigger>
    </div>
  );
}
