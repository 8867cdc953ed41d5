/** An instant (ISO) as the person writes it, on their clock; asked anew each time, for the zone may have changed. */
export function timeText(instant: string): string {
  return new Date(instant).toLocaleString(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
}
