import type { Session } from 'electron';

/** What was noticed since the last `forget`: electron-updater's own errors do not tell. */
export interface FeedGuard {
  /** Where the feed wanted to send us on to. */
  readonly redirect: string | null;
  /** The status of the last answer. */
  readonly status: number | null;
  forget(): void;
  /** Lets nothing out any more. */
  shut(): void;
}

/** What a feed gets to know: that a Rotavox asks. Not its version, nor the machine's language, nor an id. */
const headers = {
  Accept: '*/*',
  // The bytes as they lie there: the length that is announced is then the length that arrives.
  'Accept-Encoding': 'identity',
  'Cache-Control': 'no-cache',
  'User-Agent': 'Rotavox',
};

/**
 * Lets the requests of a session reach what lies below `base`, and nothing else.
 *
 * A redirect is an answer, never followed: electron-updater would follow one anywhere, from https to http too, and round
 * and round for ever. The session is electron-updater's own; no window uses it.
 */
export function guardFeed(session: Session, base: URL): FeedGuard {
  let redirect: string | null = null;
  let status: number | null = null;
  let isShut = false;
  const { webRequest } = session;
  webRequest.onBeforeRequest(({ url }, decide) => {
    decide({ cancel: isShut || redirect !== null || !url.startsWith(base.href) });
  });
  webRequest.onBeforeSendHeaders((_details, decide) => {
    decide({ requestHeaders: headers });
  });
  webRequest.onBeforeRedirect(({ redirectURL }) => {
    redirect = redirectURL;
  });
  webRequest.onResponseStarted(({ statusCode }) => {
    status = statusCode;
  });
  return {
    get redirect() {
      return redirect;
    },
    get status() {
      return status;
    },
    forget() {
      redirect = null;
      status = null;
    },
    shut() {
      isShut = true;
    },
  };
}
