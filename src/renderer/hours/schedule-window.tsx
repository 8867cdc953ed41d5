import { useState } from 'react';
import type { ScheduleView } from '../../contract/menu/schedule.ts';
import { checkSchedule, pastExceptions } from '../../core/schedule/check-schedule.ts';
import { scheduleFindingText } from '../../text/menu/schedule-text.ts';
import { hoursWindowText as text } from '../../text/menu/hours-window.ts';
import { windowTitle } from '../../text/window/window.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Box } from '../kit/box.tsx';
import { ActionButton, Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { QuestionDialog } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Grid, Row, Stack } from '../kit/layout.tsx';
import { WayBack } from '../kit/link.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { goTo } from '../kit/navigation.ts';
import { FoundOrUnknown } from '../kit/notice.tsx';
import { Text } from '../kit/text.tsx';
import { TextField } from '../kit/text-field.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { useMinute } from '../kit/use-minute.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { DayStrip } from './day-strip.tsx';
import { type DraftHours, draftOf, ExceptionsEditor, hoursOfDraft, WeekEditor } from './hours-editor.tsx';
import { HoursSwitch } from './hours-switch.tsx';
import { ZoneField } from './hours-window.tsx';
import { ImportHolidaysDialog } from './import-holidays-dialog.tsx';
import styles from './hours.module.css';
import { allSchedules, ownTimeZone } from './schedules.ts';

/** One schedule: its switch, its week, its exceptions, and the imports of holidays. */
export function ScheduleWindow({ id }: { id: string }) {
  const live = useLive(allSchedules);
  const known = live.known?.value;
  const schedule = known?.find((one) => one.id === id);
  const name = schedule?.name ?? text.title;
  return (
    <WindowFrame
      title={windowTitle(name)}
      heading={name}
      above={<WayBack to="/opening-hours">{text.back}</WayBack>}
      live={live}
      nav={<WindowNav current="settings" />}
    >
      <FoundOrUnknown isKnown={known !== undefined} found={schedule} text={text.unknown} name={id}>
        {(found) => (
          <Stack gap="cards">
            <Card title={text.switch.title}>
              <HoursSwitch schedule={found} />
            </Card>
            <HoursEditor schedule={found} />
          </Stack>
        )}
      </FoundOrUnknown>
    </WindowFrame>
  );
}

/** What a person has entered. `savedAs`: it is shown until the window knows this version, so that nothing flickers. */
interface Entered {
  readonly draft: DraftHours;
  /** Which it is based on. */
  readonly version: number;
  readonly savedAs: number | null;
}

/** The hours as a person edits them, until they are saved. */
function HoursEditor({ schedule }: { schedule: ScheduleView }) {
  const act = useAct();
  const nowMs = useMinute();
  // What was saved meanwhile by somebody else shows while nothing was changed here; a save of an older version is refused.
  const [entered, setEntered] = useState<Entered | null>(null);
  const edited = entered !== null && schedule.version >= (entered.savedAs ?? Infinity) ? null : entered;
  const isUnsaved = edited?.savedAs === null;
  const [isTried, setTried] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const [open, setOpen] = useState<'file' | 'holidays' | 'delete' | null>(null);
  const draft = edited?.draft ?? draftOf(schedule);
  const hours = hoursOfDraft(draft);
  const shown = { ...schedule, ...hours.readable };
  const past = pastExceptions(shown, nowMs).length;

  function change(changes: Partial<DraftHours>): void {
    setSaved(false);
    const version = edited?.savedAs ?? edited?.version ?? schedule.version;
    setEntered({ draft: { ...draft, ...changes }, version, savedAs: null });
  }
  function discard(): void {
    setEntered(null);
    setTried(false);
    act.clear();
  }
  async function save(): Promise<void> {
    setTried(true);
    if (hours.whole === null || edited === null) return;
    const body = { ...hours.whole, version: edited.version };
    const ask = () => askPortal('changeSchedule', { params: { id: schedule.id }, body });
    const done = await act.run('save', ask, 'schedule_changed');
    if (done === null) return;
    setEntered({ ...edited, savedAs: done.value.version });
    setTried(false);
    setSaved(true);
  }
  function removePast(): void {
    const dates = new Set(pastExceptions(shown, nowMs));
    change({ exceptions: draft.exceptions.filter(({ date }) => !dates.has(date.trim())) });
  }
  const findings = checkSchedule(shown, { at: nowMs, machineZone: ownTimeZone() });
  const importing = (
    <Row gap={2} wraps>
      <ActionButton isBusy={isUnsaved} onPress={() => setOpen('file')}>
        {text.importFile}
      </ActionButton>
      <ActionButton isBusy={isUnsaved} onPress={() => setOpen('holidays')}>
        {text.importHolidays}
      </ActionButton>
      {past === 0 ? null : <Button onPress={removePast}>{text.exceptions.removePast(past)}</Button>}
    </Row>
  );
  return (
    <>
      <Card title={text.days.title} aside={shown.time_zone}>
        <Stack gap={4}>
          <DayStrip hours={shown} />
          {findings.map((finding) => (
            <Box as="p" key={finding.code} tone={finding.code === 'zone_differs' ? 'calm' : 'warn'}>
              {scheduleFindingText(finding)}
            </Box>
          ))}
        </Stack>
      </Card>
      <Card title={text.week.title}>
        <Stack gap={4}>
          <Grid min={16} gap={4}>
            <TextField
              label={text.addDialog.name}
              value={draft.name}
              isRequired
              onChange={(name) => change({ name })}
            />
            <ZoneField value={draft.time_zone} onChange={(time_zone) => change({ time_zone })} />
          </Grid>
          <WeekEditor draft={draft} isTried={isTried} onChange={change} />
        </Stack>
      </Card>
      <Card title={text.exceptions.title}>
        <Stack gap={4}>
          {importing}
          {isUnsaved ? (
            <Text tone="soft" size="small">
              {text.saveFirst}
            </Text>
          ) : null}
          <ExceptionsEditor draft={draft} isTried={isTried} onChange={change} />
        </Stack>
      </Card>
      <div role="status" className={styles['unsaved']}>
        {isUnsaved ? (
          <Box tone="accent">
            <Row gap={4} wraps align="center" justify="between">
              <span>{text.unsaved}</span>
              <Row gap={2} wraps>
                <Button onPress={discard}>{text.discard}</Button>
                <ActionButton rank="main" isBusy={isBusyWith(act, 'save')} onPress={() => void save()}>
                  {text.save}
                </ActionButton>
              </Row>
            </Row>
          </Box>
        ) : (
          <Text tone="good">{isSaved ? text.saved : ''}</Text>
        )}
      </div>
      <FormRefusal reason={act.refusal} />
      <div>
        <Button onPress={() => setOpen('delete')}>{text.delete}</Button>
      </div>
      {open === 'file' || open === 'holidays' ? (
        <ImportHolidaysDialog schedule={schedule} from={open} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'delete' ? (
        <QuestionDialog
          title={text.deleteDialog.title(schedule.name)}
          cancel={text.addDialog.cancel}
          verb={text.deleteDialog.verb}
          isFinal
          ask={() => askPortal('deleteSchedule', { params: { id: schedule.id } })}
          change="schedule_deleted"
          onDone={() => goTo('/opening-hours')}
          onClose={() => setOpen(null)}
        >
          <Text>{text.deleteDialog.what}</Text>
        </QuestionDialog>
      ) : null}
    </>
  );
}
