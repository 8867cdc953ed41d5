import { periodText as text } from '../../text/calls/calls-window.ts';
import { startOfDate, startOfDay } from '../../text/time.ts';
import { Choice } from '../kit/choice.tsx';
import { DayField } from '../kit/field.tsx';
import { Row } from '../kit/layout.tsx';

/** A time that calls are shown of: days of the local calendar, the present one included. */
export interface Period {
  readonly kind: 'today' | 'week' | 'month' | 'custom' | 'all';
  /** The first and the last day of a custom one, as `2026-11-21`; blank: open. */
  readonly from: string;
  readonly to: string;
}

const days = { today: 0, week: -6, month: -29 } as const;

/** Its bounds as instants. They stay the same for a whole day. */
export function boundsOf(
  { kind, from, to }: Period,
  nowMs: number,
): { readonly since?: string; readonly until?: string } {
  switch (kind) {
    case 'all':
      return {};
    case 'custom': {
      const [since, until] = [startOfDate(from, 0), startOfDate(to, 1)];
      return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
    }
    case 'today':
    case 'week':
    case 'month':
      return { since: new Date(startOfDay(nowMs, days[kind])).toISOString() };
  }
}

/** Chooses a period; of a custom one also the days. */
export function PeriodChoice({
  kinds,
  period,
  onChange,
}: {
  kinds: readonly Period['kind'][];
  period: Period;
  onChange: (period: Period) => void;
}) {
  return (
    <Row gap={3} wraps align="center">
      <Choice
        label={text.label}
        options={kinds.map((value) => ({ value, label: text.periods[value] }))}
        value={period.kind}
        onChange={(kind) => onChange({ ...period, kind })}
      />
      {period.kind !== 'custom' ? null : (
        <>
          <DayField
            label={text.from}
            value={period.from}
            onChange={(from) => onChange({ ...period, from })}
          />
          <DayField label={text.to} value={period.to} onChange={(to) => onChange({ ...period, to })} />
        </>
      )}
    </Row>
  );
}
