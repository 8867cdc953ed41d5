import type { HistoryEvent } from '../contract/history/audit-event.ts';
import type { CredentialOutline, VaultStatus } from '../contract/credential/credential-view.ts';
import type { UnansweredTool } from '../contract/credential/tool-connection.ts';
import type { MovedFrom } from '../contract/service/moved-from.ts';
import type { StoreHealth } from '../contract/service/portal.ts';
import type { PbxView } from '../contract/calls/pbx.ts';
import type { Schedule, ScheduleView } from '../contract/menu/schedule.ts';
import type { Settings } from '../contract/service/settings.ts';
import type { FamilyId } from '../contract/token/token.ts';
import { pauseCredential, resumeCredential } from '../core/credential/change-credential.ts';
import type { Telephony } from '../core/calls/telephony.ts';
import type { CredentialAgent } from '../core/credential/credential-agent.ts';
import type { CredentialRefusal } from '../core/credential/find-credential.ts';
import type { ViewContext } from '../core/credential/view-credential.ts';
import { CachedOutlines } from '../core/credential/cached-outlines.ts';
import type { FolderOrigin } from '../core/folder-origin.ts';
import { instantMs } from '../core/iso-instant.ts';
import { type Clock, type Ledger, StoreUnavailable } from '../core/ledger.ts';
import { presentEvent } from '../core/history/choose-events.ts';
import { done, refused, type Result } from '../core/result.ts';
import type { ZoneOffset } from '../core/rotation/due-at.ts';
import { setSwitch } from '../core/schedule/change-schedule.ts';
import { switchAt } from '../core/schedule/hours-at.ts';
import { dismissReuse } from '../core/token/reuse.ts';
import { credentialRefusalText } from '../text/credential/credential-refusal-text.ts';
import { credentialProblemText } from '../text/credential/credentials.ts';
import { storeRefusalText, writtenHealth } from '../text/service/store-text.ts';

/** Opening hours that a person opened or closed. */
export interface HoursByHand extends Pick<ScheduleView, 'id' | 'name' | 'time_zone'> {
  readonly to: 'open' | 'closed';
  /** Null: until somebody sets it again. */
  readonly until: string | null;
}

/** The state that a shell shows without a window. */
export interface ShellSnapshot {
  /** The most pressing first. */
  readonly credentials: readonly CredentialOutline[];
  readonly vault: VaultStatus;
  readonly store: StoreHealth;
  readonly pbxs: readonly Pick<PbxView, 'name' | 'state' | 'calls'>[];
  /** Those that are open or closed by hand now. */
  readonly hours: readonly HoursByHand[];
  readonly settings: Settings;
  /** Where the data may also be in use, so that nothing is rotated; null: nowhere else. */
  readonly movedFrom: MovedFrom | null;
}

/** The outcome of a request: done, or a sentence that says why not. */
export type ActionOutcome<T = null> = Result<T, string>;

/**
 * What the shell around the host may read and do in this process: the countdown, and the actions of the tray.
 *
 * Everything else goes through a window, which is a client of the service like any other.
 */
export interface HostPort {
  /** The current state. Costs a few microseconds for each credential after a change, and almost nothing otherwise. */
  snapshot(): ShellSnapshot;
  /**
   * Calls back for every change once it is durable, in order; with null when the store or the vault starts to fail or works
   * again, when a telephone system is connected or not, when the number of calls changes, and when it is confirmed that the data are
   * used here, for which there is no event.
   *
   * Returns how to unsubscribe.
   */
  onChange(listener: (event: HistoryEvent | null) => void): () => void;
  /** Calls back when a tool got no token because the vault does not work. Returns how to unsubscribe. */
  onUnansweredTool(listener: (asked: UnansweredTool) => void): () => void;
  /** Pauses until an instant (ISO), or until it is resumed. */
  pause(name: string, until: string | null): Promise<ActionOutcome>;
  resume(name: string): Promise<ActionOutcome>;
  /** Gives opening hours back to their schedule. */
  endSwitch(id: string): Promise<ActionOutcome>;
  /** Dismisses what is known of the use of replaced tokens of a family. */
  dismissReuse(familyId: string): Promise<ActionOutcome>;
  /** What the owner calls a family of the embedded service; null for one that it does not know. */
  familyName(id: string): string | null;
  /** The current token. */
  valueOf(name: string): Promise<ActionOutcome<string>>;
}

export interface HostPortParts {
  readonly ledger: Ledger;
  readonly credentialAgent: CredentialAgent;
  readonly telephony: Telephony;
  readonly onUnansweredTool: HostPort['onUnansweredTool'];
  readonly origin?: FolderOrigin | undefined;
  readonly clock: Clock;
  readonly zone: ZoneOffset;
  /** The address of the service; empty until it listens. */
  readonly embeddedUrl: () => string;
}

export function openPort(parts: HostPortParts): HostPort {
  const { ledger, credentialAgent, telephony, onUnansweredTool, origin, clock, zone, embeddedUrl } = parts;
  const outlines = new CachedOutlines();
  return {
    snapshot: () => {
      const { state } = ledger;
      const store = writtenHealth(ledger.health());
      const version = `${store.status} ${store.last_seq}`;
      const context: ViewContext = {
        nowMs: clock(),
        zone,
        embeddedUrl: embeddedUrl(),
        describe: credentialProblemText,
        agent: credentialAgent,
      };
      return {
        credentials: outlines.at(state, version, context),
        vault: credentialAgent.vaultStatus(),
        store,
        pbxs: telephony.pbxs(),
        hours: [...state.schedules.values()].flatMap((one) => byHand(one, clock())),
        settings: state.settings,
        movedFrom: origin?.movedFrom() ?? null,
      };
    },
    onChange(listener) {
      const stops = [
        ledger.subscribe((event) => {
          listener(presentEvent(event));
        }),
        ledger.onHealth(() => {
          listener(null);
        }),
        credentialAgent.onVaultChange(() => {
          listener(null);
        }),
        credentialAgent.onToolWait(() => {
          listener(null);
        }),
        telephony.onPbxState(() => {
          listener(null);
        }),
        onCallCount(telephony, () => {
          listener(null);
        }),
        origin?.onConfirmed(() => {
          listener(null);
        }) ?? (() => undefined),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    onUnansweredTool,
    pause: (name, until) => {
      const untilMs = until === null ? null : instantMs(until);
      return wanted(async () =>
        written(await ledger.transact((state, nowMs) => pauseCredential(state, name, untilMs, nowMs))),
      );
    },
    resume: (name) =>
      wanted(async () => written(await ledger.transact((state) => resumeCredential(state, name)))),
    endSwitch: (id) =>
      wanted(async () => {
        const to = { to: 'schedule', until: null } as const;
        const set = await ledger.transact((state, nowMs) => setSwitch(state, id, to, nowMs));
        // Deleted meanwhile: there is nothing to give back.
        return set.ok || set.refusal.found.kind === 'not_found' ? done(null) : refused(set.refusal.problem);
      }),
    dismissReuse: (familyId) =>
      wanted(async () => {
        await ledger.transact((state) => dismissReuse(state, familyId));
        return done(null);
      }),
    familyName: (id) => ledger.state.tokens.family(id as FamilyId)?.configuration.name ?? null,
    async valueOf(name) {
      return written(await credentialAgent.valueOf(name));
    },
  };
}

function byHand({ id, name, time_zone, switch: by }: Schedule, nowMs: number): HoursByHand[] {
  const { to, until } = switchAt(by, nowMs);
  return to === 'schedule' ? [] : [{ id, name, time_zone, to, until }];
}

/** Calls back when there are more or fewer calls, at most ten times a second. */
function onCallCount(telephony: Telephony, listener: () => void): () => void {
  let before = 0;
  return telephony.onCalls(() => {
    const now = telephony.live().length;
    if (now !== before) listener();
    before = now;
  });
}

/** The same with the refusal as a sentence. */
function written<T>(outcome: Result<T, CredentialRefusal>): Result<T, string> {
  return outcome.ok ? outcome : refused(credentialRefusalText(outcome.refusal.reason));
}

/** A refusal of the disk is an outcome here, not an error, so that the person sees it. */
async function wanted(make: () => Promise<Result<unknown, string>>): Promise<ActionOutcome> {
  try {
    const outcome = await make();
    return outcome.ok ? done(null) : outcome;
  } catch (error) {
    if (error instanceof StoreUnavailable) return refused(storeRefusalText(error.refusal));
    throw error;
  }
}

export type { ZoneOffset };

/** The time zone of this machine, which may change while it runs. */
export const systemZone: ZoneOffset = (atMs) => -new Date(atMs).getTimezoneOffset();
