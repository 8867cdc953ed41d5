import type { CredentialOutline } from '../../contract/credential/credential-view.ts';
import { instantMs } from '../iso-instant.ts';
import { urgencyLastsUntilMs, zoneMark } from '../rotation/due-at.ts';
import type { State } from '../state.ts';
import { outlineCredentials } from './find-credential.ts';
import type { ViewContext } from './view-credential.ts';

interface Kept {
  readonly outlines: readonly CredentialOutline[];
  readonly mark: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * The outlines of all credentials, cached for frequent readers such as the tray. They are rebuilt when the state has
 * changed or when time alone makes one of them outdated; otherwise the same list is returned.
 */
export class CachedOutlines {
  #kept: Kept | null = null;

  /** `version` differs after each change of the state. */
  at(state: State, version: string, context: ViewContext): readonly CredentialOutline[] {
    const { nowMs, zone, embeddedUrl } = context;
    const mark = [version, zoneMark(zone, nowMs), embeddedUrl].join(' ');
    const kept = this.#kept;
    if (kept?.mark === mark && kept.fromMs <= nowMs && nowMs < kept.untilMs) return kept.outlines;
    const outlines = outlineCredentials(state, context);
    const untilMs = Math.min(...outlines.map((outline) => trueUntilMs(outline, nowMs)));
    this.#kept = { outlines, mark, fromMs: nowMs, untilMs };
    return outlines;
  }
}

/**
 * Until when an outline stays correct without a change. A past instant is ignored, because it is shown as "now" only
 * once.
 */
function trueUntilMs(outline: CredentialOutline, nowMs: number): number {
  const {
    obtained_at: obtainedAt,
    expires_at: expiresAt,
    next_rotation_at: nextAt,
    paused,
    targets,
  } = outline;
  // Whether the tools still run changes at any time.
  if (outline.waits_for_tools !== undefined) return nowMs;
  const planned = [nextAt, ...targets.map((target) => target.next_try_at)].flatMap(msOf);
  if (planned.some((ms) => ms <= nowMs)) return nowMs;
  const lifetime = { obtainedAtMs: instantMs(obtainedAt), expiresAtMs: instantMs(expiresAt) };
  const ends = [lifetime.expiresAtMs, ...msOf(paused?.until ?? null)].filter((ms) => ms > nowMs);
  return Math.min(...planned, ...ends, urgencyLastsUntilMs(lifetime, nowMs));
}

function msOf(instant: string | null): number[] {
  return instant === null ? [] : [instantMs(instant)];
}
