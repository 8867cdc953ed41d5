import type { AppLimits, AppTokenId, ProxyRefusalCode } from '../../contract/credential/proxy.ts';
import { done, refused, type Result } from '../result.ts';

const minuteMs = 60_000;

interface Account {
  running: number;
  /** Requests and bytes that are left; they return evenly over a minute. Bytes can be fewer than none. */
  requests: number;
  bytes: number;
  atMs: number;
}

type Refusal = Extract<ProxyRefusalCode, 'too_many_at_once' | 'too_many_requests' | 'too_many_bytes'>;

/**
 * What each app uses now, against its limits.
 *
 * In memory only: a restart gives every app its full share again. The bytes of a request are known at its end, so one large
 * request may exceed the share, and later ones wait until it is made up for.
 */
export class UseLimits {
  readonly #accounts = new Map<AppTokenId, Account>();

  /** Begins a request, or says why not and for how many seconds. */
  begin(
    { id, limits }: { readonly id: AppTokenId; readonly limits: AppLimits },
    nowMs: number,
  ): Result<null, { readonly code: Refusal; readonly retryAfterSeconds: number }> {
    const account = this.#accountAt(id, limits, nowMs);
    if (account.running >= limits.at_once) return refused({ code: 'too_many_at_once', retryAfterSeconds: 1 });
    if (account.requests < 1) {
      const waitMs = ((1 - account.requests) / limits.per_minute) * minuteMs;
      return refused({ code: 'too_many_requests', retryAfterSeconds: Math.ceil(waitMs / 1000) });
    }
    if (account.bytes < 0) {
      const waitMs = (-account.bytes / limits.bytes_per_minute) * minuteMs;
      return refused({ code: 'too_many_bytes', retryAfterSeconds: Math.ceil(waitMs / 1000) });
    }
    account.requests -= 1;
    account.running += 1;
    return done(null);
  }

  end(id: AppTokenId, bytes: number): void {
    const account = this.#accounts.get(id);
    if (account === undefined) return;
    account.running -= 1;
    account.bytes -= bytes;
  }

  running(id: AppTokenId): number {
    return this.#accounts.get(id)?.running ?? 0;
  }

  /** Of a token that no longer exists. */
  forget(id: AppTokenId): void {
    this.#accounts.delete(id);
  }

  #accountAt(
    id: AppTokenId,
    { per_minute: requests, bytes_per_minute: bytes }: AppLimits,
    nowMs: number,
  ): Account {
    const account = this.#accounts.get(id);
    if (account === undefined) {
      const first = { running: 0, requests, bytes, atMs: nowMs };
      this.#accounts.set(id, first);
      return first;
    }
    // A clock that was set back gives nothing.
    const share = Math.max(0, nowMs - account.atMs) / minuteMs;
    account.requests = Math.min(requests, account.requests + share * requests);
    account.bytes = Math.min(bytes, account.bytes + share * bytes);
    account.atMs = nowMs;
    return account;
  }
}
