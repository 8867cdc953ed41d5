import { leaseSeconds, siteLimit } from '../core/calls/asterisk-lines.ts';
import type { Clock } from '../core/ledger.ts';
import type { AriPort } from './ari-port.ts';

/** The time limit of a channel (func_timeout.c): read, the seconds that are left (0: none); set, seconds from now. */
export const absoluteTimeout = 'TIMEOUT(absolute)';

/**
 * When the site ends a call by itself, in milliseconds of our clock; null where it has set no limit.
 *
 * Both the site and our lease use the one time limit of a channel. The lines that hand a call over note the limit before they
 * set the lease. For a dialplan without these lines `noteSiteLimit` has noted it.
 */
export async function readSiteLimit(ari: AriPort, channel: string, clock: Clock): Promise<number | null> {
  const left = Number((await ari.readVariable(channel, siteLimit.left)) ?? 0);
  if (!(left > 0)) return null;
  const [at, now] = await Promise.all([
    ari.readVariable(channel, siteLimit.at),
    ari.readVariable(channel, 'EPOCH'),
  ]);
  // Both by the clock of Asterisk, which may differ from ours.
  return clock() + (left - (Number(now) - Number(at))) * 1000;
}

/**
 * Notes the limit of a call that arrives, unless the dialplan has, so that another start of this program finds it.
 *
 * No longer limit than the lease is taken for one: it is the lease of lines from earlier versions, which noted nothing.
 */
export async function noteSiteLimit(ari: AriPort, channel: string): Promise<void> {
  if ((await ari.readVariable(channel, siteLimit.left)) !== null) return;
  const [left, now] = await Promise.all([
    ari.readVariable(channel, absoluteTimeout),
    ari.readVariable(channel, 'EPOCH'),
  ]);
  const isSites = Number(left) > leaseSeconds;
  await ari.setVariable(channel, siteLimit.at, now ?? '0');
  await ari.setVariable(channel, siteLimit.left, isSites && left !== null ? left : '0');
}
