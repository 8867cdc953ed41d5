const thisYear = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const anyYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** The person's own day of an instant: `Today`, `Yesterday`, `Friday 21 November`, with the year when it is another. */
export function dayWords(at: string, now: Date): string {
  const day = new Date(at);
  if (Number.isNaN(day.getTime())) return at;
  if (isSameDay(day, now)) return 'Today';
  const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (isSameDay(day, before)) return 'Yesterday';
  return (day.getFullYear() === now.getFullYear() ? thisYear : anyYear).format(day);
}

/** Whether two instants are on the same day where the person is. */
export function areOfOneDay(one: string, other: string): boolean {
  return isSameDay(new Date(one), new Date(other));
}

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}
