import { z } from 'zod';

const clockError = 'must be a time of day, such as 02:30';
const ClockTime = z.string({ error: clockError }).regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, clockError);

/** Some hours of every day on this machine's clock; `to` may lie after midnight. */
export const HoursOfDay = z.strictObject(
  { from: ClockTime, to: ClockTime },
  { error: 'must be null or a JSON object with two times of day: from and to' },
);
export type HoursOfDay = z.infer<typeof HoursOfDay>;
