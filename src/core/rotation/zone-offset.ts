/** The person's zone: minutes to add to UTC at an instant. East is positive; summer time is part of it. */
export type ZoneOffset = (atMs: number) => number;
