import { countWords } from '../count.ts';
import type { PauseSpan } from '../time.ts';

/** The list of credentials. */
export const credentialListText = {
  title: 'Credentials',
  lead: 'Tokens that Rotavox rotates automatically: each is replaced before it expires, wherever it is used.',
  add: 'Add credential…',
  search: 'credentials',
  searchHint: 'Search by name, service, state or target',
  found: (found: number, all: number) => `${found} of ${all}`,
  /** Those that do not work or cannot be rotated are not counted as rotated. */
  count: (all: number, rotated: number) =>
    rotated === all
      ? `${countWords(all, 'token')} rotated automatically`
      : `${countWords(rotated, 'token')} rotated automatically, ${all - rotated} not`,
  none: (sought: string) => `No matches for “${sought}” in names, services, states and targets.`,
  showAll: 'Show all',
  first: {
    title: 'Add your first credential',
    lead: (store: string) =>
      `Rotavox rotates the token of a credential before it expires, stores each new one in the ${store} of this machine and delivers it to the programs that use it.`,
    withToken: {
      title: 'You have a token',
      text: 'Of this program, GitLab or another supported service: paste it, and Rotavox rotates it from then on.',
    },
    without: {
      title: 'You have no token yet',
      text: 'Issue one here: it is rotated automatically.',
      button: 'Issue a token…',
    },
    typed: 'Issue one on the command line:',
    command: 'the command that issues a token and rotates it automatically',
  },
  vaultConsequence:
    'Until then no token can be copied or replaced. Rotations that are due wait and continue automatically.',
  withFile: 'Without a keychain, quit Rotavox and run this instead. It stores tokens in an encrypted file.',
  withFileCommand: 'the command that starts Rotavox with an encrypted file',
  expired: 'expired {at}',
  expiredAbout: 'expired about {at} (assumed)',
  wouldExpire: 'would have expired {at}',
  expiresIn: 'expires in {countdown}',
  expiresInAbout: 'expires in about {countdown} (assumed)',
  noTime: 'less than a minute',
  neverRotated: 'Not rotated yet',
  rotated: 'Rotated {at}',
  renewed: 'Renewed {at}',
  neverRenewed: 'Not renewed yet',
  underWay: 'in progress',
  due: 'due now',
  next: 'next: {at}',
  nextAfterPause: 'next, after the pause: {at}',
  retry: 'next attempt: {at}',
  whenTokenResumed: 'not rotated until the token is resumed',
  nonePlanned: 'no rotation planned',
  whenResumed: 'not rotated until you resume it',
  suspended: 'suspended',
  waitsForYou: 'needs attention',
  notRotated: 'not rotated',
  paused: 'paused',
  rotate: 'Rotate now',
  renew: 'Renew now',
  rotating: 'Rotating …',
  copy: 'Copy token',
  of: (name: string) => `of ${name}`,
  pause: 'Pause…',
  resume: 'Resume',
  targets: 'Delivered to',
  moreTargets: (count: number) => `and ${count} more`,
} as const;

/** The dialog that pauses the rotation of a credential. */
export const pauseText = {
  title: (name: string) => `Pause rotation of ${name}?`,
  lead: 'No rotation starts until the pause is over; one that has started is finished. The current token works until {expires} unless it is rotated before.',
  spans: {
    hour: 'For 1 hour',
    tomorrow: 'Until tomorrow',
    resumed: 'Until I resume it',
  } satisfies Record<PauseSpan, string>,
  unlimited: 'No end is set.',
  expiresUnlessResumed: 'The token expires unless you resume rotation before.',
  expiresBefore: 'The token expires before that.',
  cancel: 'Cancel',
} as const;
