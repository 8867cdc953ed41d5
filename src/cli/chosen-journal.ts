import { journalText } from '../text/cli/cli-service.ts';
import { wrongUsage } from './command-failure.ts';
import { say } from './terminal.ts';

export interface JournalOptions {
  readonly journal?: string;
  readonly advertise?: string;
}

/** The journal that hosts of a team share, and how they reach this one. */
export interface ChosenJournal {
  readonly url: string;
  readonly advertise: string | undefined;
}

/** Null for a host that is alone. Throws wrong usage. */
export function chosenJournal(
  { journal, advertise }: JournalOptions,
  environment: NodeJS.ProcessEnv,
): ChosenJournal | null {
  const url = journal ?? environment['ROTAVOX_JOURNAL'] ?? '';
  if (url === '') {
    if (advertise !== undefined) throw wrongUsage(journalText.advertiseAlone);
    return null;
  }
  const parsed = URL.parse(url);
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol))
    throw wrongUsage(journalText.badUrl);
  const hasPassword = parsed.password !== '' || parsed.searchParams.has('password');
  if (journal !== undefined && hasPassword) say(journalText.passwordShown);
  return { url, advertise: advertise === undefined ? undefined : originIn(advertise) };
}

function originIn(text: string): string {
  const parsed = URL.parse(text);
  const isOrigin =
    parsed !== null && ['http:', 'https:'].includes(parsed.protocol) && parsed.pathname === '/';
  if (!isOrigin || parsed.search !== '' || parsed.hash !== '' || parsed.username !== '')
    throw wrongUsage(journalText.badAdvertise);
  return parsed.origin;
}
