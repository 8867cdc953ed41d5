/** Callers on the canvas and in the outline of the designer, and the traffic of menus over it. */
import type { LiveCall, MenuTraffic, Traffic } from '../../contract/calls/call.ts';
import { callDoing, callerText, callSpanText, pressedKeys } from '../calls/calls-text.ts';
import { countWords } from '../count.ts';
import { keyLabel, outcomeNames, quoted } from './phone-menu.ts';
import { hourText, shortDayText } from '../time.ts';

/** Callers who are in a menu now. */
export const callersText = {
  badge: (count: number) => count.toLocaleString(),
  title: (count: number, menu: string) => `${countWords(count, 'caller')} in ${quoted(menu)} now`,
  line: ({ caller, keys, doing }: Pick<LiveCall, 'caller' | 'keys' | 'doing'>) =>
    [callerText(caller), callDoing[doing], ...(keys.length === 0 ? [] : [`keys: ${pressedKeys(keys)}`])].join(
      ' · ',
    ),
  more: (count: number) => `and ${count.toLocaleString()} more`,
  all: 'All calls',
} as const;

export const trafficText = {
  title: 'Traffic',
  shortcut: 'Show or hide the traffic',
  notPublished:
    'Traffic is counted for menus that are published to this service. Publish this draft to see it.',
  unknown: 'The traffic could not be read.',
  none: 'No call in this period.',
  calls: (count: number) => countWords(count, 'call'),
  parts: ({ reached, hung_up: hungUp, failed, calls }: Traffic) =>
    [
      `${reached.toLocaleString()} reached a destination (${shareText(reached, calls)})`,
      `${hungUp.toLocaleString()} hung up (${shareText(hungUp, calls)})`,
      ...(failed === 0 ? [] : [`${failed.toLocaleString()} failed (${shareText(failed, calls)})`]),
    ].join(', '),
  median: (ms: number) => `Half of the calls reach a destination within ${callSpanText(ms)}`,
  histogram: { hour: 'Calls by hour', day: 'Calls by day' },
  bar: (at: string, by: Traffic['by'], calls: number) =>
    `${by === 'hour' ? `${shortDayText(at)}, ${hourText(at)}` : shortDayText(at)}: ${countWords(calls, 'call')}`,
  /** Above a card. */
  entered: (count: number) => `${count.toLocaleString()} in`,
  hungUp: (count: number, entered: number) => `${shareText(count, entered)} hang up`,
  giveUp: 'Many callers give up here',
} as const;

/** How many of a menu's callers hang up in it for this to stand out. */
const giveUpShare = 0.25;
/** Fewer than this say nothing. */
const leastHangUps = 3;

/** Whether many give up in a menu. */
export function isGivenUp({ entered, hung_up: hungUp }: Pick<MenuTraffic, 'entered' | 'hung_up'>): boolean {
  return hungUp >= leastHangUps && hungUp / Math.max(1, entered) >= giveUpShare;
}

/** What a share of calls is called: `12 %`. */
function shareText(count: number, of: number): string {
  return of === 0 ? '0 %' : `${Math.round((count / of) * 100)} %`;
}

/** An exit of a menu: what happened there, for a hover and for screen readers. */
export function exitTrafficText(
  exit: { readonly kind: 'key'; readonly key: string } | { readonly kind: 'invalid' | 'timeout' },
  { count, led, entered }: { readonly count: number; readonly led: number | null; readonly entered: number },
): string {
  if (exit.kind === 'key')
    return `${keyLabel(exit.key)} was pressed ${countWords(count, 'time')} (${shareText(count, entered)} of ${countWords(entered, 'call')})`;
  const what = exit.kind === 'invalid' ? countWords(count, 'wrong key') : countWords(count, 'timeout');
  return `${what}; ${countWords(led ?? 0, 'call')} left by this exit`;
}

/** The traffic of a menu in sentences, for the outline. */
export function menuTrafficText(traffic: MenuTraffic): string {
  const { entered, keys, wrong_keys: wrong, timeouts, hung_up: hungUp, led } = traffic;
  if (entered === 0) return 'No call entered in this period.';
  const pressed = Object.entries(keys).map(([key, count]) => `${keyLabel(key)}: ${count.toLocaleString()}`);
  const parts = [
    ...pressed,
    `${outcomeNames.invalid}: ${wrong.toLocaleString()} (${led.wrong_key.toLocaleString()} left by it)`,
    `${outcomeNames.timeout}: ${timeouts.toLocaleString()} (${led.timeout.toLocaleString()} left by it)`,
    `Hung up: ${hungUp.toLocaleString()} (${shareText(hungUp, entered)})`,
  ];
  const giveUp = isGivenUp(traffic) ? ` ${trafficText.giveUp}.` : '';
  return `Entered ${countWords(entered, 'time')}. ${parts.join(' · ')}.${giveUp}`;
}
