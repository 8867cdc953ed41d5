/** The person's zone: minutes to add to UTC at an instant. East is positive; summer time is part of it. */
export type ZoneOffset = (atMs: number) => number;

/** Half a year, in milliseconds: of two instants so far apart, one is in summer time where there is any. */
const halfYearMs = 183 * 86_400_000;

/** The same for as long as the person's zone is: what was worked out for the hours of a day still holds. */
export function zoneMark(zone: ZoneOffset, nowMs: number): string {
  return `${zone(nowMs)} ${zone(nowMs + halfYearMs)}`;
}
