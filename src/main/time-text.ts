const format = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** An instant (ISO) as the person writes it, on their clock. */
export function timeText(instant: string): string {
  return format.format(new Date(instant));
}
