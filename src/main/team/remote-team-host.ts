import { dialog, type Session, session as sessions } from 'electron';
import { createClient } from '../../client/create-client.ts';
import { checkHost, problemOfFailure, problemOfRefusal } from '../../client/host-problem.ts';
import type { Settings } from '../../contract/service/settings.ts';
import { hostName, type HostProblem, type TeamHostState } from '../../contract/service/team-host.ts';
import { HostError } from '../../host/host-error.ts';
import type { HostKeys } from '../../host/host-keys.ts';
import { desktopTask } from '../../text/service/desktop-text.ts';
import { hostProblemText, teamKeyNotice, teamMicrophoneText } from '../../text/service/team-host-text.ts';
import { type ClipboardSecret, type HostAction, runTrayAction } from '../run-tray-action.ts';
import { placeOfOpening } from '../notices/desktop-notices.ts';
import type { NoticeDisplay } from '../notices/notice.ts';
import { Notices } from '../notices/notices.ts';
import { reportFailure } from '../report-bug.ts';
import type { ShellMemory } from '../shell-memory.ts';
import type { TrayTeam } from '../tray/tray-view.ts';
import { AppWindows } from '../windows/app-windows.ts';
import type { Place } from '../windows/place.ts';
import { problemPage } from './problem-page.ts';
import { RemotePort } from './remote-port.ts';
import { trustExtraCertificates } from './trust-certificates.ts';

export interface TeamHostOptions {
  readonly url: string;
  readonly keys: HostKeys;
  readonly memory: ShellMemory;
  readonly display: NoticeDisplay;
  readonly clipboard: ClipboardSecret;
  /** Of this computer. */
  readonly settings: () => Settings;
  readonly hasTray: () => boolean;
  readonly onHidden: () => void;
  /** Something that the tray shows has changed. */
  readonly onChange: () => void;
  /** A key has to be entered. */
  readonly onKeyNeeded: () => void;
}

/** How often at most a window whose session has ended is signed in again, in milliseconds. */
const signInAgainMs = 10_000;

/** The address and the key as a session of the shell sends them: with the trust of its windows, without their cookie. */
function connectionOf(session: Session, url: string, key: string) {
  const withoutCookie: typeof fetch = (input, init) =>
    session.fetch(input as string, { ...init, credentials: 'omit' });
  return { baseUrl: url, authorization: `Bearer ${key}`, fetch: withoutCookie };
}

/** A session in memory for one host, so that nothing of it reaches the disk or another host. */
function sessionFor(url: string): Session {
  const session = sessions.fromPartition(`rotavox ${url}`);
  trustExtraCertificates(session, url, process.env['NODE_EXTRA_CA_CERTS']);
  return session;
}

/** Why a host cannot be used with a key; null: it can. */
export function checkTeamHost(url: string, key: string): Promise<HostProblem | null> {
  return checkHost(connectionOf(sessionFor(url), url, key));
}

/**
 * A host for a team, beside that of this computer: its windows, its part of the tray and its notices.
 *
 * Its credentials stay there: nothing is stored here but the key, which is in the keychain. Its pages come from another
 * machine and have no bridge to this one.
 */
// see decisions/team-host-in-the-desktop-app.md
export class TeamHost {
  readonly url: string;
  readonly name: string;
  readonly #options: TeamHostOptions;
  readonly #session: Session;
  readonly #windows: AppWindows;
  /** Null until there is a key. */
  #port: RemotePort | null = null;
  #keyProblem: HostProblem | null = null;
  #notices: Notices | null = null;
  #key = '';
  #signedInAtMs = -Infinity;
  #signingIn: NodeJS.Timeout | undefined;
  #hadProblem = false;
  readonly #started: Promise<void>;
  /** What the person answered, until the app ends. */
  #mayListen: Promise<boolean> | undefined;
  #isClosed = false;

  constructor(options: TeamHostOptions) {
    const { url, memory, hasTray, onHidden } = options;
    this.url = url;
    this.name = hostName(url);
    this.#options = options;
    this.#session = sessionFor(url);
    this.#windows = new AppWindows({
      memory,
      hasTray,
      onHidden,
      session: () => this.#session,
      team: {
        name: this.name,
        problemPage: (error) => problemPage(this.name, this.#reasonOf(error)),
        mayListen: () => (this.#mayListen ??= this.#askMayListen()),
      },
    });
    this.#started = this.#start();
  }

  /** What the tray shows. */
  get tray(): TrayTeam {
    return {
      name: this.name,
      snapshot: this.#port?.isKnown === true ? this.#port.snapshot() : null,
      answeredAt: this.#port?.answeredAt ?? new Date().toISOString(),
      problem: this.#problem,
    };
  }

  /** What the settings show. */
  get state(): TeamHostState {
    const problem = this.#problem;
    return {
      url: this.url,
      problem: problem === null ? null : hostProblemText(problem, this.url),
      needsKey: needsKey(problem),
    };
  }

  /** Brings a window with its pages to the front; where a key is missing, the way to enter it. */
  async show(place: Place): Promise<void> {
    await this.#started;
    if (this.#isClosed) return;
    if (needsKey(this.#problem)) this.#options.onKeyNeeded();
    else await this.#windows.show(place);
  }

  async offer(place: Place): Promise<void> {
    await this.#started;
    if (!this.#isClosed && !needsKey(this.#problem)) await this.#windows.offer(place);
  }

  /** Runs an action for a credential there; a failure is reported like one of this computer. */
  async act(action: HostAction): Promise<void> {
    if (this.#port === null) return;
    const { kind, name } = action;
    const outcome = await runTrayAction(action, { port: this.#port, clipboard: this.#options.clipboard });
    if (!outcome.ok) this.#notices?.reportFailedAction({ kind, name, reason: outcome.refusal });
  }

  wake(): void {
    this.#port?.wake();
    this.#notices?.wake();
  }

  /** Whether a network that comes back could help. */
  get isUnreachable(): boolean {
    return this.#problem?.kind === 'unreachable';
  }

  /** Whether one of its windows is the one that is used now. */
  get isInFront(): boolean {
    return this.#windows.isFocused;
  }

  /** Closes its windows, once they have saved unsaved input. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#signingIn);
    this.#notices?.close();
    this.#port?.close();
    await this.#windows.end();
  }

  /** Its scripts come from another machine, so that here the person decides what a browser would ask, too. */
  async #askMayListen(): Promise<boolean> {
    const { message, detail, allow, deny } = teamMicrophoneText(this.name);
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message,
      detail,
      buttons: [allow, deny],
      defaultId: 1,
      cancelId: 1,
    });
    return response === 0;
  }

  get #problem(): HostProblem | null {
    return this.#keyProblem ?? this.#port?.problem ?? null;
  }

  async #start(): Promise<void> {
    try {
      const key = await this.#options.keys.read(this.url);
      if (key === null) this.#keyProblem = { kind: 'no_key' };
      else this.#key = key;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      this.#keyProblem = { kind: 'keychain', message: error.message };
    }
    if (this.#isClosed) return;
    if (this.#keyProblem === null) this.#connect();
    this.#options.onChange();
  }

  #connect(): void {
    const connection = connectionOf(this.#session, this.url, this.#key);
    const port = new RemotePort({ connection, settings: this.#options.settings });
    this.#port = port;
    port.onChange(() => this.#onChange(port));
    this.#windows.connect({ address: this.url, signIn: (session) => this.#signIn(session) });
    // The service ends sessions, for example when it restarts; a page cannot sign in on its own here.
    this.#session.webRequest.onCompleted({ urls: [`${this.url}/portal/*`] }, (details) => {
      if (details.statusCode !== 401 || details.webContentsId === undefined) return;
      this.#signInSoon();
    });
  }

  /** At once, unless that was done shortly before: a host that refuses its own sessions must not be asked without end. */
  #signInSoon(): void {
    if (this.#signingIn !== undefined || this.#isClosed) return;
    const waitMs = Math.max(0, this.#signedInAtMs + signInAgainMs - Date.now());
    this.#signingIn = setTimeout(() => {
      this.#signingIn = undefined;
      this.#windows.signInAgain();
    }, waitMs);
  }

  #onChange(port: RemotePort): void {
    const hasProblem = port.problem !== null;
    if (port.isKnown) this.#notices ??= this.#openNotices(port);
    // Also where only the page had failed, for example while another host of the team took over.
    if (!hasProblem) this.#windows.retryFailed();
    if (!this.#hadProblem && port.problem?.kind === 'key_refused') this.#reportKey();
    this.#hadProblem = hasProblem;
    this.#options.onChange();
  }

  #openNotices(port: RemotePort): Notices {
    const { memory } = this.#options;
    const { teamNotices } = memory.remembered;
    return new Notices({
      port,
      display: this.#display,
      onOpen: (opening) => reportFailure(this.show(placeOfOpening(opening)), desktopTask.openWindow),
      familyName: (id) => port.familyName(id),
      remembered: teamNotices?.url === this.url ? teamNotices.notices : undefined,
      onRemember: (notices) => memory.keep({ teamNotices: { url: this.url, notices } }),
    });
  }

  /** Names the host, and keeps its notices apart from those of this computer. */
  get #display(): NoticeDisplay {
    const { display } = this.#options;
    const idOf = (id: string): string => `team ${id}`;
    return {
      show: (notice, answers) =>
        display.show({ ...notice, id: idOf(notice.id), title: `${this.name}: ${notice.title}` }, answers),
      withdraw: (id) => display.withdraw(idOf(id)),
    };
  }

  #reportKey(): void {
    const { display, onKeyNeeded } = this.#options;
    const notice = { id: 'team key', action: null, open: { kind: 'home' }, urgency: 'normal' } as const;
    const text = {
      title: teamKeyNotice(this.name),
      body: hostProblemText({ kind: 'key_refused' }, this.url),
    };
    display.show({ ...notice, ...text }, { onOpen: onKeyNeeded, onAction: () => undefined });
  }

  /** A link that works once signs the session in: the key stays in this process, and no page gets it. */
  async #signIn(session: Session): Promise<void> {
    this.#signedInAtMs = Date.now();
    const client = createClient(connectionOf(session, this.url, this.#key));
    const link = await client.call('createSignInLink');
    if (!link.ok) throw new SignInFailed(problemOfRefusal(link));
    // By its code alone: the host may call itself by another name.
    const code = new URL(link.value.url).searchParams.get('code') ?? '';
    const answer = await session.fetch(`${this.url}/?code=${encodeURIComponent(code)}`, {
      credentials: 'include',
      headers: { accept: 'application/json' },
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new SignInFailed({ kind: 'not_a_host', status: answer.status });
  }

  #reasonOf(error: unknown): string {
    const problem =
      error instanceof SignInFailed ? error.problem : (problemOfFailure(error) ?? this.#problem);
    return hostProblemText(problem ?? { kind: 'unreachable', detail: String(error) }, this.url);
  }
}

function needsKey(problem: HostProblem | null): boolean {
  return problem?.kind === 'no_key' || problem?.kind === 'key_refused' || problem?.kind === 'keychain';
}

class SignInFailed extends Error {
  readonly problem: HostProblem;

  constructor(problem: HostProblem) {
    super(problem.kind);
    this.name = 'SignInFailed';
    this.problem = problem;
  }
}
