import { describe, expect, it } from 'vitest';
import { checkDraft } from '../../../../src/core/ivr/check-draft.ts';
import { moveNodes } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { autoLayout } from '../../../../src/renderer/ivr/designer/layout/auto-layout.ts';
import { templateHere, templatePart, templates } from '../../../../src/renderer/ivr/drafts/templates.ts';
import type { IvrDocument } from '../../../../src/contract/menu/ivr-draft.ts';
import type { ScheduleHours, ScheduleId, ScheduleView } from '../../../../src/contract/menu/schedule.ts';
import { checkSchedule } from '../../../../src/core/schedule/check-schedule.ts';
import { hoursNow } from '../../../../src/core/schedule/hours-at.ts';

const nothingKnown = {
  recordings: new Set<string>(),
  extensions: new Set<string>(),
  menus: new Set<string>(),
  smsTemplates: new Set<string>(),
  routedTypes: new Set(['extension', 'department', 'voicemail', 'time_condition']),
  smsTemplatesEnabled: true,
};

describe('the templates', () => {
  for (const template of templates) {
    const { name, document, schedules } = template;
    it(`${name} is complete, without any finding on a new telephone system`, () => {
      const { flow, problems, runs } = checkDraft(
        document,
        { ...nothingKnown, schedules: new Map(schedules.map((one) => [one.id, one])) },
        0,
      );
      expect(flow).not.toBeNull();
      expect(problems).toEqual([]);
      expect(runs.length).toBeGreaterThan(0);
      expect(runs.every(({ passed }) => passed)).toBe(true);
    });

    it(`${name} lies as the designer would lay it out`, () => {
      expect(moveNodes(document, autoLayout(document))).toEqual(document);
    });
  }

  const office = templates.find(({ name }) => name === 'office')!;
  const holidays = templates.find(({ name }) => name === 'holidays')!;
  const weekdays = { ...office.schedules[0]!, id: 'hrs_1' as ScheduleId, name: 'Shop' };
  const stored = (hours: ScheduleHours): ScheduleView => ({
    ...hours,
    version: 1,
    switch: { to: 'schedule', until: null, set_by: null, set_at: null },
    created_at: '',
    updated_at: '',
    ...hoursNow(hours, { to: 'schedule', until: null }, 0),
    findings: checkSchedule(hours, { at: 0, machineZone: 'UTC' }),
    used_by: [],
  });
  const asked = (document: IvrDocument) => [
    ...Object.values(document.nodes).flatMap((node) => (node.kind === 'hours' ? [node.hours] : [])),
    ...Object.values(document.scenarios).flatMap(({ switches = {} }) => Object.keys(switches)),
  ];

  it('take the only opening hours that fit, also in their scenarios, and pass with them', () => {
    const shop = stored(weekdays);
    const { document, uses, missing } = templateHere(office, [shop]);
    expect({ uses, missing }).toEqual({ uses: [shop], missing: [] });
    expect(new Set(asked(document))).toEqual(new Set(['hrs_1']));
    const { problems, runs } = checkDraft(
      document,
      { ...nothingKnown, schedules: new Map([[shop.id, shop]]) },
      0,
    );
    expect(problems).toEqual([]);
    expect(runs.map(({ passed }) => passed)).toEqual([true, true, true]);
  });

  it('take those of their name of several, and none where it is not known which is meant', () => {
    const [shop, other] = [
      stored(weekdays),
      stored({ ...weekdays, id: 'hrs_2' as ScheduleId, name: 'Support' }),
    ];
    expect(templateHere(office, [shop, other]).uses).toEqual([]);
    const named = { ...other, name: 'OFFICE hours' };
    expect(templateHere(office, [shop, named]).uses).toEqual([named]);
  });

  it('take none that is always closed, or open on a holiday of theirs', () => {
    const nothing = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
    expect(templateHere(office, [stored({ ...weekdays, weekly: nothing })]).uses).toEqual([]);
    expect(templateHere(holidays, [stored(weekdays)]).uses).toEqual([]);
    const { exceptions } = holidays.schedules[0]!;
    expect(templateHere(holidays, [stored({ ...weekdays, exceptions })]).uses).toHaveLength(1);
    const busy = exceptions.map((one) => ({ ...one, ranges: [{ from: '10:00', to: '12:00' }] }));
    expect(templateHere(holidays, [stored({ ...weekdays, exceptions: busy })]).uses).toEqual([]);
  });

  it('leave opening hours to be chosen as a part of another call flow', () => {
    expect(asked(templatePart('office')!)[0]).toBeNull();
    expect(asked(templatePart('office', [stored(weekdays)])!)[0]).toBe('hrs_1');
    expect(templatePart('unknown')).toBeNull();
  });
});
