/** What `rotavox app` says about a start: that the app is up, or why it is not and what to do. */

/** How the line of the launcher of a checkout begins that says why there is no window (launcher/start.ts). */
export const launcherBegin = 'No window can open: ';

/** Why a desktop app ended before it was up. */
export type AppFailure =
  /** Lines of the app itself, which say what to do. */
  | { readonly kind: 'said'; readonly line: string }
  | Plain
  | { readonly kind: 'library'; readonly library: string }
  | { readonly kind: 'other'; readonly lines: readonly string[] };

interface Plain {
  readonly kind: 'shared_memory' | 'sandbox' | 'display' | 'display_refused' | 'root' | 'gpu' | 'fuse';
}

/** What it printed last, where nothing in it is known. */
const shownLines = 5;

/** The first that matches counts: a display that refuses is told to be missing as well. */
const known: readonly (readonly [words: RegExp, kind: Plain['kind']])[] = [
  [/AppImages require FUSE|loading libfuse|fuse: /, 'fuse'],
  [/as root without --no-sandbox/, 'root'],
  [/SUID sandbox helper|No usable sandbox|sandbox_host_linux|namespace sandbox/, 'sandbox'],
  [/\/dev\/shm|shared memory/i, 'shared_memory'],
  [/Authorization required|Invalid MIT-MAGIC-COOKIE/, 'display_refused'],
  [/Missing X server|cannot open display|[Pp]latform failed to initialize|connect to Wayland/, 'display'],
  [/GPU process isn't usable/, 'gpu'],
];

/**
 * Why an app ended, by what it and Chromium have printed.
 *
 * The words are Chromium's (content/browser, sandbox/linux/suid, base/memory, ui/ozone), glibc's and the AppImage runtime's.
 */
export function appFailureIn(printed: string, signal: string | null, begin: string): AppFailure {
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  const said = lines.findLast((line) => line.includes(begin));
  if (said !== undefined) return { kind: 'said', line: said.slice(said.indexOf(begin)) };
  const [, library] = /error while loading shared libraries: ([^\s:]+)/.exec(printed) ?? [];
  if (library !== undefined) return { kind: 'library', library };
  const [, kind] = known.find(([words]) => words.test(printed)) ?? [];
  if (kind !== undefined) return { kind };
  if (signal === 'SIGBUS') return { kind: 'shared_memory' };
  return { kind: 'other', lines: lines.slice(-shownLines) };
}

/** One sentence each: what happened, and what to do. */
function causeLines(failure: AppFailure, env: { readonly display: string }): readonly string[] {
  switch (failure.kind) {
    case 'said':
      return [failure.line];
    case 'shared_memory':
      return [
        'It found too little shared memory: /dev/shm is not writable for you, or too small (a container has 64 MB where nothing else is said).',
        'On a computer, run `sudo chmod 1777 /dev/shm`; in a container, start it with --shm-size=256m.',
      ];
    case 'sandbox':
      return [
        'The sandbox of its windows is not allowed on this system: its helper chrome-sandbox is not owned by root with mode 4755, and other ways are closed (Ubuntu 24.04 closes them for an AppImage).',
        'Install the .deb or .rpm package, which sets this up, or allow it for this program with an AppArmor profile.',
      ];
    case 'display':
      return [
        `No display answers at ${env.display}.`,
        'Start it in a session with a desktop, or correct DISPLAY or WAYLAND_DISPLAY.',
      ];
    case 'display_refused':
      return [
        `The display at ${env.display} does not let this account show windows.`,
        'Start it as the account whose session that is.',
      ];
    case 'root':
      return ['It shows no windows for root.', 'Start it as an ordinary account.'];
    case 'gpu':
      return ['Its graphics process ended again and again.', 'Start the app itself with --disable-gpu.'];
    case 'fuse':
      return [
        'This system cannot mount an AppImage, because FUSE is missing.',
        'Install libfuse2 (on Ubuntu 24.04 libfuse2t64), or use another package.',
      ];
    case 'library':
      return [
        `The library ${failure.library} is missing.`,
        'Install the package of your system that has it; the .deb and .rpm packages of Rotavox bring what they need.',
      ];
    case 'other':
      return failure.lines.length === 0
        ? ['It printed nothing.']
        : ['It printed at last:', ...failure.lines.map((line) => `  ${line}`)];
  }
}

/** How a process ended. */
export type AppEnd = { readonly code: number } | { readonly signal: string } | null;

function endText(end: AppEnd): string {
  if (end === null) return 'The desktop app could not start.';
  if ('signal' in end) return `The desktop app was ended by ${end.signal} before it was up.`;
  return `The desktop app ended with exit code ${end.code} before it was up.`;
}

export const appStartText = {
  up: (url: string) => `The desktop app runs, and its service answers at ${url}.`,
  shown: 'The desktop app was running already. Its window is shown.',
  /** Started again without a window. */
  runsAlready: 'The desktop app is running already.',
  /** From a checkout, where its launcher says why no window can open. */
  withoutWindow: (why: string, url: string) => [why, `The service runs without a window at ${url}.`],
  still: (seconds: number) => `The desktop app is still starting after ${seconds} s.`,
  log: (path: string) => `What it prints is in ${path}.`,
  failed: (
    end: AppEnd,
    failure: AppFailure,
    more: { readonly display: string; readonly log: string | null },
  ) => [
    endText(end),
    ...causeLines(failure, more),
    ...(more.log === null ? [] : [`All of what it printed is in ${more.log}.`]),
    '`rotavox serve` needs no display: it rotates tokens too, and `rotavox open` shows the windows in a browser.',
  ],
} as const;
