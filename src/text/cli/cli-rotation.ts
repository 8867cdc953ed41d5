import type { CredentialView } from '../../contract/credential/credential-view.ts';
import type { RunningTool } from '../../contract/credential/use.ts';
import { notRotatedText } from '../credential/providers.ts';
import { toolsText, toolWaitText } from '../credential/tool-wait-text.ts';
import { localTime, timeLeft } from '../time.ts';

/** When the next rotation is, as the end of a sentence or a cell: exactly, and how far away. */
export function nextRotationText(
  {
    next_rotation_at: next,
    service_waits_until: waits,
    service_asks_until: asks,
    waits_for_tools: toolWait,
    paused,
    trouble,
    can_rotate: canRotate,
    provider,
  }: CredentialView,
  nowMs: number,
): string {
  if (toolWait !== undefined)
    return `${toolWaitText.until(toolWait.tools, localTime(toolWait.until))} (in ${timeLeft(toolWait.until, nowMs)})`;
  if (next !== null) {
    const why = waits === undefined ? '' : `, ${waitReason(waits, asks)}`;
    return `${localTime(next)} (in ${timeLeft(next, nowMs)})${why}`;
  }
  if (trouble?.kind === 'suspended') return 'none until the token is resumed';
  if (canRotate === false) return `none: ${notRotatedText(provider)}`;
  return paused === null ? 'none: it needs a new token' : 'none while it is paused';
}

/** Why the next attempt is at an instant, of a service that got too many calls. */
function waitReason(waits: string, asks: string | undefined): string {
  if (asks === undefined) return 'because its service got too many calls';
  return Date.parse(asks) > Date.parse(waits)
    ? `after a day, although its service asks to wait until ${localTime(asks)}`
    : 'when its service wants to be called again';
}

/** What `credential rotate` says and asks while tools run that would lose the token. */
export const rotateNowText = {
  mayFail: (tools: readonly RunningTool[]) =>
    `${toolsText(tools)} ${tools.length === 1 ? 'runs' : 'run'} with the current token, which stops working at once, and may fail.`,
  ask: 'Rotate now? [y/N] ',
  notAgreed: 'Nothing was rotated. The planned rotation waits for them, for 15 minutes at most.',
} as const;
