import { outsideCounter } from '../core/calls/asterisk-lines.ts';
import { AriError, type AriPort } from './ari-port.ts';

const hourSeconds = 3600;

/**
 * Counts one more call to an outside number; false: there were as many as are allowed in this hour, or they cannot be counted.
 *
 * The count is in the database of Asterisk, where the exported menus find it, and which restarts of either program leave as it
 * is. What was written is read again: without func_db no number is called. The caller sees to it that calls are counted one by one.
 */
// see decisions/outside-numbers.md
export async function countOutsideCall(ari: AriPort, channel: string, perHour: number): Promise<boolean> {
  try {
    return await countOne(ari, channel, perHour);
  } catch (error) {
    // Without func_db, Asterisk refuses to read and to set it.
    if (error instanceof AriError && error.code === 'failed') return false;
    throw error;
  }
}

async function countOne(ari: AriPort, channel: string, perHour: number): Promise<boolean> {
  const entry = `DB(${outsideCounter})`;
  const [now, before] = await Promise.all([
    ari.readVariable(channel, 'EPOCH'),
    ari.readVariable(channel, entry),
  ]);
  const seconds = Number(now);
  if (!(seconds > 0)) return false;
  const hour = String(seconds - (seconds % hourSeconds));
  const [countedIn, counted] = (before ?? '').split('-');
  const count = (countedIn === hour ? Number(counted) : 0) + 1;
  if (!(count <= perHour)) return false;
  await ari.setVariable(channel, entry, `${hour}-${count}`);
  const [keptIn, kept] = ((await ari.readVariable(channel, entry)) ?? '').split('-');
  // More: an exported menu has counted another call meanwhile.
  return keptIn === hour && Number(kept) >= count;
}
