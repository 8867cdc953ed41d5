import { useRef, useState } from 'react';
import type {
  HolidayCountries,
  ImportSchedule,
  ScheduleImported,
  ScheduleView,
} from '../../contract/menu/schedule.ts';
import { leftOutTexts } from '../../text/menu/schedule-text.ts';
import { hoursWindowText } from '../../text/menu/hours-window.ts';
import { problemText } from '../../text/window/connection.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton } from '../kit/button.tsx';
import { ChooseFile } from '../kit/choose-file.tsx';
import { Consequences, Dialog, DialogButtons } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { Grid, Stack } from '../kit/layout.tsx';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { readTextFile } from '../kit/read-text-file.ts';
import { Text } from '../kit/text.tsx';
import { TextField } from '../kit/text-field.tsx';

const text = hoursWindowText.import;
const largestMib = 4;

/** From where the days come. */
type Source = Pick<ImportSchedule, 'calendar' | 'holidays'>;

type Shown =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'preview' | 'importing'; readonly source: Source; readonly would: ScheduleImported };

/** Imports holidays from a file or of a country, after showing what that adds, renames and leaves out. */
export function ImportHolidaysDialog({
  schedule,
  from,
  onClose,
}: {
  schedule: ScheduleView;
  from: 'file' | 'holidays';
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState<Shown>({ kind: 'nothing' });
  const last = useRef(0);
  const params = { id: schedule.id };

  async function look(source: Source | null): Promise<void> {
    const mine = (last.current += 1);
    setShown({ kind: source === null ? 'nothing' : 'reading' });
    if (source === null) return;
    const reply = await askPortal('importSchedule', { params, body: { ...source, dry_run: true } });
    if (mine !== last.current) return;
    if (reply.kind === 'ok') setShown({ kind: 'preview', source, would: reply.value });
    else setShown({ kind: 'refused', reason: problemText(reply) });
  }
  async function run({ source, would }: { source: Source; would: ScheduleImported }): Promise<void> {
    setShown({ kind: 'importing', source, would });
    const body = { ...source, version: would.schedule.version };
    const reply = await askPortal('importSchedule', { params, body });
    if (reply.kind === 'ok') ref.current?.close();
    else setShown({ kind: 'refused', reason: problemText(reply, 'schedule_changed') });
  }
  const planned = shown.kind === 'preview' || shown.kind === 'importing' ? shown : null;
  const changes = planned === null ? 0 : planned.would.added.length + planned.would.changed.length;
  return (
    <Dialog
      ref={ref}
      title={from === 'file' ? text.fileTitle : text.holidaysTitle}
      mayClose={() => shown.kind !== 'importing'}
      onClose={onClose}
    >
      <Stack gap={4}>
        <Text tone="soft">{text.lead}</Text>
        {from === 'file' ? (
          <FileChoice
            onText={(calendar) => void look({ calendar })}
            onRefusal={(reason) => setShown({ kind: 'refused', reason })}
          />
        ) : (
          <CountryChoice onChange={(holidays) => void look(holidays === null ? null : { holidays })} />
        )}
        <Text as="div" role="status" size="medium" breaks>
          {shown.kind === 'reading' ? text.reading : null}
          {planned === null ? null : <Preview would={planned.would} />}
        </Text>
      </Stack>
      <DialogButtons cancel={text.cancel} refusal={shown.kind === 'refused' ? shown.reason : undefined}>
        <ActionButton
          rank="main"
          isBusy={shown.kind !== 'preview' || changes === 0}
          onPress={() => planned !== null && void run(planned)}
        >
          {shown.kind === 'importing' ? text.importing : text.verb(changes)}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}

function FileChoice({
  onText,
  onRefusal,
}: {
  onText: (text: string) => void;
  onRefusal: (reason: string) => void;
}) {
  async function read(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const taken = await readTextFile(file, largestMib);
    if (taken.ok) onText(taken.text);
    else onRefusal(taken.reason);
  }
  return (
    <div>
      <ChooseFile
        label={text.choose}
        name={text.file}
        accept=".ics,.ical,.ifb,text/calendar"
        onFiles={([file]) => void read(file)}
      />
    </div>
  );
}

const countries: Resource<HolidayCountries['countries']> = {
  key: ['holiday-countries'],
  about: ['never.'],
  read: async (signal) => {
    const reply = await askPortal('listHolidayCountries', { signal });
    return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.countries } : reply;
  },
};

interface Chosen {
  readonly country: string;
  readonly state: string;
  readonly region: string;
  readonly years: string;
}

function CountryChoice({ onChange }: { onChange: (holidays: Source['holidays'] | null) => void }) {
  const known = useLive(countries).known?.value ?? [];
  const [chosen, setChosen] = useState<Chosen>(() => {
    const year = new Date().getFullYear();
    return { country: '', state: '', region: '', years: `${year}, ${year + 1}` };
  });
  const states = known.find(({ code }) => code === chosen.country)?.states ?? [];
  const regions = states.find(({ code }) => code === chosen.state)?.regions ?? [];

  function change(changes: Partial<Chosen>): void {
    const next = { ...chosen, ...changes };
    setChosen(next);
    const years = next.years.split(/[\s,]+/).flatMap((year) => (year === '' ? [] : [Number(year)]));
    const { country, state, region } = next;
    const place = { ...(state === '' ? {} : { state }), ...(region === '' ? {} : { region }) };
    onChange(country === '' ? null : { country, ...place, years });
  }
  return (
    <Stack gap={4}>
      <Grid min={12} gap={4}>
        <Select
          label={text.country}
          none={text.pick}
          of={known}
          value={chosen.country}
          onChange={(country) => change({ country, state: '', region: '' })}
        />
        {states.length === 0 ? null : (
          <Select
            label={text.state}
            none={text.all}
            of={states}
            value={chosen.state}
            onChange={(state) => change({ state, region: '' })}
          />
        )}
        {regions.length === 0 ? null : (
          <Select
            label={text.region}
            none={text.all}
            of={regions}
            value={chosen.region}
            onChange={(region) => change({ region })}
          />
        )}
        <TextField
          label={text.years}
          value={chosen.years}
          hint={text.yearsHint}
          onChange={(years) => change({ years })}
        />
      </Grid>
      <Text tone="soft" size="small">
        {text.source}
      </Text>
    </Stack>
  );
}

function Select({
  label,
  none,
  of,
  value,
  onChange,
}: {
  label: string;
  none: string;
  of: readonly { readonly code: string; readonly name: string }[];
  value: string;
  onChange: (code: string) => void;
}) {
  return (
    <Field label={label}>
      {(tied) => (
        <select
          {...tied}
          className={inputStyles['input']}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">{none}</option>
          {of.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** As many as are named; of more only the number is said. */
const named = 12;

function Preview({ would: { added, changed, unchanged, left_out: leftOut } }: { would: ScheduleImported }) {
  return (
    <Stack gap={2}>
      <Part title={text.adds(added.length)} lines={added.map(({ date, name }) => `${date} ${name}`)} />
      <Part
        title={text.renames(changed.length)}
        lines={changed.map(({ date, before, name }) => text.renamed(date, before, name))}
      />
      {unchanged === 0 ? null : <p>{text.unchanged(unchanged)}</p>}
      <Part
        title={text.leaves(leftOut.length)}
        lines={leftOut.map(({ name, date, why }) => text.leftOut(name, date, leftOutTexts[why]))}
      />
      {added.length + changed.length === 0 ? <p>{text.nothing}</p> : null}
    </Stack>
  );
}

function Part({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <Text weight="strong">{title}</Text>
      <Consequences of={lines.slice(0, named)} />
      {lines.length > named ? <p>{text.more(lines.length - named)}</p> : null}
    </>
  );
}
