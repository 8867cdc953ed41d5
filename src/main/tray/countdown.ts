const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The time left in the two largest units that count: `2d 4h`, `3h 12m`, `12m`, `under 1m`; never more than is left. */
export function countdown(leftMs: number): string {
  if (leftMs < minuteMs) return 'under 1m';
  const days = Math.floor(leftMs / dayMs);
  const hours = Math.floor((leftMs % dayMs) / hourMs);
  const minutes = Math.floor((leftMs % hourMs) / minuteMs);
  if (days > 0) return hours > 0 ? `${days}d ${hours}h` : `${days}d`;
  if (hours > 0) return minutes > 0 ? `${hours}h ${minutes}m` : `${hours}h`;
  return `${minutes}m`;
}

/** How long the countdown stays as it is, in milliseconds, given what is left now. */
export function countdownLastsMs(leftMs: number): number {
  if (leftMs < minuteMs) return Math.max(leftMs, 0) || Infinity;
  return (leftMs % (leftMs >= dayMs ? hourMs : minuteMs)) + 1;
}
