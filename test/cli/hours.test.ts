import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ScheduleView } from '../../src/contract/menu/schedule.ts';
import { type ServiceHere, serviceOfFile } from './service-here.ts';

let service: ServiceHere;
let folder: string;

serviceOfFile((here) => {
  service = here;
  folder = dirname(here.dataDir);
});

const hours = (...args: string[]) => service.cli('hours', ...args);

async function shown(name: string): Promise<ScheduleView> {
  return ScheduleView.parse(JSON.parse((await hours('show', name, '--json')).stdout));
}

async function added(name: string, ...options: string[]): Promise<ScheduleView> {
  expect(await hours('add', name, '--zone', 'Europe/Berlin', ...options)).toMatchObject({ code: 0 });
  return shown(name);
}

describe('rotavox hours', () => {
  it('adds hours by options, and lists what callers meet', async () => {
    expect((await hours('list')).stderr).toContain('rotavox hours add NAME');
    const { weekly } = await added(
      'Office',
      '--weekdays',
      '8:00-12:00,13:00-17:00',
      '--wed',
      'closed',
      '--sat',
      '22:00-06:00',
    );
    expect(weekly).toMatchObject({
      mon: [
        { from: '08:00', to: '12:00' },
        { from: '13:00', to: '17:00' },
      ],
      wed: [],
      sat: [{ from: '22:00', to: '06:00' }],
      sun: [],
    });
    expect((await hours('show', 'Office')).code).toBe(0);
    expect((await hours('list')).stdout).toMatch(
      /^Office +(?:Open until|Closed, opens) .+ Europe\/Berlin +hrs_/m,
    );
    expect((await hours('show', 'office')).stdout).toContain('  mon  08:00-12:00, 13:00-17:00\n');
  });

  it('adds hours as another schedule has them', async () => {
    await added('First', '--mon', '08:00-17:00');
    await hours('change', 'First', '--close', '2030-12-24=Christmas Eve');
    const file = join(folder, 'first.json');
    await writeFile(file, (await hours('show', 'First', '--json')).stdout);
    expect(await hours('add', 'Second', '--file', file)).toMatchObject({ code: 0 });
    const [first, second] = [await shown('First'), await shown('Second')];
    expect(second.weekly).toEqual(first.weekly);
    expect(second.exceptions).toEqual([{ date: '2030-12-24', name: 'Christmas Eve', ranges: [] }]);
    await writeFile(file, '{"weekly":{"mon":"always"}}');
    expect(await hours('add', 'Third', '--file', file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('weekly mon') as unknown,
    });
  });

  it('changes what is given and nothing else, and deletes', async () => {
    await added('Changed', '--mon', '08:00-17:00');
    const changed = await hours(
      'change',
      'Changed',
      '--rename',
      'Renamed',
      '--fri',
      '09:00-15:00',
      '--close',
      '12-25=Christmas',
    );
    expect(changed).toMatchObject({ code: 0, stderr: 'Renamed is changed.\n' });
    expect(await shown('Renamed')).toMatchObject({
      version: 2,
      weekly: { mon: [{ from: '08:00', to: '17:00' }], fri: [{ from: '09:00', to: '15:00' }] },
      exceptions: [{ date: '12-25', name: 'Christmas', ranges: [] }],
    });
    expect((await hours('change', 'Renamed')).code).toBe(2);
    expect(await hours('change', 'Renamed', '--remove', '12-26')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no exception on 12-26') as unknown,
    });
    expect((await hours('change', 'Renamed', '--close', '2020-01-01=Past')).stderr).toContain(
      '--remove-past',
    );
    await hours('change', 'Renamed', '--remove-past', '--remove', '12-25');
    expect((await shown('Renamed')).exceptions).toEqual([]);
    expect(await hours('delete', 'Renamed')).toMatchObject({ code: 0, stderr: 'Renamed is deleted.\n' });
    expect((await hours('show', 'Renamed')).code).toBe(1);
  });

  it('sets the switch until a time, and says in plain words what is no time', async () => {
    await added('Switched', '--mon', '08:00-17:00');
    const closed = await hours('set', 'Switched', 'closed', '--until', 'tomorrow 08:00');
    expect(closed.stderr).toMatch(/^Switched: Closed by hand until .+\.$/m);
    expect((await shown('Switched')).switch.to).toBe('closed');
    expect((await hours('set', 'Switched', 'open')).stderr).toBe('Switched: Open by hand.\n');
    const wrong = await hours('set', 'Switched', 'closed', '--until', 'soon');
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain('--until');
    expect(wrong.stderr).toContain('Write 17:00, tomorrow 08:00');
    expect((await hours('set', 'Switched', 'ajar')).code).toBe(2);
    await hours('set', 'Switched', 'schedule');
    expect((await shown('Switched')).switch.to).toBe('schedule');
  });

  it('shows holidays before it imports them', async () => {
    await added('Holidays', '--mon', '08:00-17:00');
    const file = join(folder, 'holidays.ics');
    const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
    await writeFile(
      file,
      `\ufeff${[
        'BEGIN:VCALENDAR',
        ...event('DTSTART;VALUE=DATE:20301225', 'DTEND;VALUE=DATE:20301227', 'SUMMARY:Weihnachten'),
        ...event('DTSTART:20301224T140000', 'SUMMARY:Party'),
        'END:VCALENDAR',
      ].join('\r\n')}`,
    );
    const preview = await hours('import', 'Holidays', file, '--dry-run');
    expect(preview).toMatchObject({
      code: 0,
      stdout:
        '+ 2030-12-25  Weihnachten\n+ 2030-12-26  Weihnachten\n- 2030-12-24  Party: it has a time of day\n',
      stderr: '2 to add, 0 to rename, 0 already there, 1 left out. Nothing was changed.\n',
    });
    expect((await shown('Holidays')).exceptions).toEqual([]);
    expect((await hours('import', 'Holidays', file)).stderr).toBe(
      '2 added, 0 renamed, 0 already there, 1 left out.\n',
    );
    const of2031 = await hours('holidays', 'Holidays', 'DE', '--state', 'by', '--years', '2031');
    expect(of2031.stdout).toContain('+ 2031-01-06  Heilige Drei Könige\n');
    const unknown = await hours('holidays', 'Holidays', 'XX');
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toContain('No holidays are known for this country');
  });
});
