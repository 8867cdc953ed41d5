import { useState } from 'react';
import type { HoursNode, LeadingNode, MessageNode } from '../../../../contract/menu/ivr-draft.ts';
import { ivrBounds } from '../../../../contract/menu/ivr.ts';
import type { ScheduleId, ScheduleView } from '../../../../contract/menu/schedule.ts';
import { pagePath } from '../../../../contract/window/window-page.ts';
import { changeHours, changeMessage } from '../../../../core/ivr/edit/edit-nodes.ts';
import { unreachable } from '../../../../core/unreachable.ts';
import { editText } from '../../../../text/menu/designer.ts';
import { officeText as text } from '../../../../text/menu/designer-inspector.ts';
import { hoursWindowText } from '../../../../text/menu/hours-window.ts';
import { hoursPortNames, thenName } from '../../../../text/menu/phone-menu.ts';
import { DayStrip } from '../../../hours/day-strip.tsx';
import { HoursSwitch } from '../../../hours/hours-switch.tsx';
import { AddHoursDialog } from '../../../hours/hours-window.tsx';
import { ImportHolidaysDialog } from '../../../hours/import-holidays-dialog.tsx';
import { presentHours } from '../../../hours/schedules.ts';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Link } from '../../../kit/link.tsx';
import { Text } from '../../../kit/text.tsx';
import { useMinute } from '../../../kit/use-minute.ts';
import panel from '../panel.module.css';
import { SmallButton } from '../small-button.tsx';
import { useDesigner } from '../use-designer.ts';
import { DestinationLine } from './destination-picker.tsx';
import styles from './inspector.module.css';
import { MenuFields } from './menu-fields.tsx';
import { RecordingLine } from './recording-line.tsx';
import { FieldProblems, focusField, SpecField, useProblemsAt } from './spec-field.tsx';
import { TextLine } from './text-lines.tsx';

/** The fields of a part that leads on. */
export function LeadingFields({ node }: { node: LeadingNode }) {
  switch (node.kind) {
    case 'menu':
      return <MenuFields menu={node} />;
    case 'hours':
      return <HoursFields node={node} />;
    case 'message':
      return <MessageFields message={node} />;
    default:
      return unreachable(node);
  }
}

/** Which schedule is asked, what it says, and where each answer leads. */
function HoursFields({ node }: { node: HoursNode }) {
  const { store, referenceData } = useDesigner();
  const [open, setOpen] = useState<'add' | 'file' | 'holidays' | null>(null);
  const path = `nodes.${node.id}`;
  const problems = useProblemsAt(path);
  const schedules = referenceData.schedules ?? [];
  const schedule = schedules.find(({ id }) => id === node.hours);

  function choose(hours: ScheduleId | null): void {
    store.edit(editText.chooseHours, (document) => changeHours(document, node.id, { hours }), {
      merge: `${path}.hours`,
    });
  }
  return (
    <div className={styles['fields']}>
      <FieldProblems problems={problems} />
      <SpecField
        label={text.hours}
        path={`${path}.hours`}
        hint={schedules.length === 0 ? text.none : undefined}
      >
        {(tied) => (
          <select
            {...tied}
            className={panel['select']}
            value={node.hours ?? ''}
            onChange={({ target }) => choose(schedules.find(({ id }) => id === target.value)?.id ?? null)}
            onBlur={() => store.settle()}
          >
            <option value="">{text.choose}</option>
            {node.hours === null || schedule !== undefined ? null : (
              <option value={node.hours}>{text.deleted(node.hours)}</option>
            )}
            {schedules.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </SpecField>
      <Row gap={2} wraps align="center">
        <SmallButton icon="plus" onPress={() => setOpen('add')}>
          {text.add}
        </SmallButton>
        {schedule === undefined ? null : (
          <>
            <SmallButton onPress={() => setOpen('file')}>{hoursWindowText.importFile}</SmallButton>
            <SmallButton onPress={() => setOpen('holidays')}>{hoursWindowText.importHolidays}</SmallButton>
            <Link to={pagePath('schedule', schedule.id)}>{text.edit}</Link>
          </>
        )}
      </Row>
      {(['open', 'closed', 'holiday'] as const).map((kind) => (
        <DestinationLine
          key={kind}
          label={text.exits[kind]}
          path={`${path}.${kind}`}
          name={hoursPortNames[kind]}
          from={{ kind, menu: node.id }}
          to={node[kind]}
        />
      ))}
      <p className={panel['note']}>{text.holidayHint}</p>
      {schedule === undefined ? null : <ChosenHours schedule={schedule} />}
      {schedule !== undefined && (open === 'file' || open === 'holidays') ? (
        <ImportHolidaysDialog schedule={schedule} from={open} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'add' ? (
        <AddHoursDialog
          onAdded={(id) => {
            choose(id);
            store.settle();
            focusField(`${path}.hours`);
          }}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </div>
  );
}

/** What the schedule says now and on the coming days, and its switch. */
function ChosenHours({ schedule }: { schedule: ScheduleView }) {
  const { reason } = presentHours(schedule, useMinute());
  return (
    <Stack gap={3}>
      <HoursSwitch schedule={schedule} />
      {reason.kind === 'exception' ? (
        <Text tone="warn" size="small">
          {text.exception(reason.exception.name)}
        </Text>
      ) : null}
      <DayStrip hours={schedule} />
    </Stack>
  );
}

function MessageFields({ message }: { message: MessageNode }) {
  const { store } = useDesigner();
  const path = `nodes.${message.id}`;
  const problems = useProblemsAt(path);
  function change(field: 'name' | 'recording', changes: Partial<MessageNode>): void {
    store.edit(editText.changeMessage[field], (document) => changeMessage(document, message.id, changes), {
      merge: `${path}.${field}`,
    });
  }
  return (
    <div className={styles['fields']}>
      <FieldProblems problems={problems} />
      <TextLine
        label={text.name}
        path={`${path}.name`}
        value={message.name}
        most={ivrBounds.name.max}
        onChange={(name) => change('name', { name })}
      />
      <RecordingLine
        label={text.recording}
        path={`${path}.recording`}
        value={message.recording}
        onChange={(recording) => change('recording', { recording })}
      />
      <DestinationLine
        label={text.then}
        path={`${path}.then`}
        name={thenName}
        from={{ kind: 'then', menu: message.id }}
        to={message.then}
      />
    </div>
  );
}
