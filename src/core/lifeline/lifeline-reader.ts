/**
 * Lifeline: every credential, and every family that no credential rotates, for 90 days back and 90 ahead.
 *
 * The past comes from the records, the future from the planned rotations. Start reading here; `token-spans.ts` makes
 * the bars of a row.
 */
import { isDefaultProvider } from '../../contract/credential/provider.ts';
import TinyQueue from 'tinyqueue';
import { originOf } from '../../contract/address.ts';
import type { CredentialOutline, VaultStatus } from '../../contract/credential/credential-view.ts';
import {
  type Lifeline,
  lifelineDays,
  type LifelineRow,
  type LifelineRowOf,
} from '../../contract/window/lifeline.ts';
import { isRenewed } from '../../providers/catalogue.ts';
import { type AttentionSubjects, attentionSubjects, findAttention } from '../attention/find-attention.ts';
import { outlineCredentials } from '../credential/find-credential.ts';
import { planRotations } from '../credential/plan-rotations.ts';
import { deriveCredential, tokenOf } from '../credential/derive-credential.ts';
import type { ViewContext } from '../credential/view-credential.ts';
import { instantMs, isoInstant } from '../iso-instant.ts';
import type { State } from '../state.ts';
import { dayMs, statusAt } from '../token/token-record.ts';
import { unrotatedFamilies, type UnrotatedFamily } from '../token/view-token.ts';
import { invariant } from '../unreachable.ts';
import { credentialSpans, endOf, familySpans, type TokenSpans, secondsOf } from './token-spans.ts';

/** The expensive parts of a row, valid while its record is unchanged. */
interface Drawing extends TokenSpans {
  readonly planned: number[];
  readonly token: object | undefined;
  readonly goodUntilMs: number;
}

interface Candidate extends Placed {
  readonly row: () => LifelineRow;
}

/** The most rows that a chart can show. */
const maxRows = 1000;
const shownMs = lifelineDays * dayMs;
/** The longest validity of a cached row, in milliseconds: how far the 90 days may lag behind. */
const longestMs = 3_600_000;

/**
 * Reads the lifeline repeatedly, and recomputes only the rows whose record has changed.
 *
 * A record is replaced and never changed in place, so a row is cached by the record that it was made from and by its
 * token. What changes with time alone (states, order) is computed at every read, which is cheap.
 */
export class LifelineReader {
  readonly #drawings = new WeakMap<object, Drawing>();

  read(state: State, vault: VaultStatus, context: ViewContext): Lifeline {
    const { nowMs } = context;
    const outlines = outlineCredentials(state, context);
    const attentive = attentionSubjects(findAttention(state, outlines, vault, nowMs));
    const { first, leftOut } = firstRows(this.#candidates(state, outlines, attentive, context), maxRows);
    return { now: isoInstant(nowMs), rows: first.map(({ row }) => row()), left_out: leftOut };
  }

  *#candidates(
    state: State,
    outlines: readonly CredentialOutline[],
    attentive: AttentionSubjects,
    context: ViewContext,
  ): Generator<Candidate> {
    const { nowMs } = context;
    for (const one of outlines) {
      const needsAttention = attentive.credentials.has(one.name);
      yield {
        needsAttention,
        isOver: false,
        expiresAtMs: instantMs(one.expires_at),
        row: () => this.#credentialRow(state, one, needsAttention, context),
      };
    }
    for (const one of unrotatedFamilies(state)) {
      const endMs = endOf(one.newest, nowMs);
      if (endMs <= nowMs - shownMs) continue;
      const needsAttention = attentive.families.has(one.family.id);
      yield {
        needsAttention,
        isOver: endMs <= nowMs,
        expiresAtMs: endMs,
        row: () => this.#familyRow(state, one, needsAttention, nowMs),
      };
    }
  }

  #credentialRow(
    state: State,
    outline: CredentialOutline,
    needs_attention: boolean,
    { nowMs, zone }: ViewContext,
  ): LifelineRowOf<'credential'> {
    const record = state.credentials.get(outline.id);
    invariant(record !== undefined, `credential ${outline.id} is known`);
    const { firstGeneration, spans, planned } = this.#drawn(record, tokenOf(state, record), nowMs, () => {
      const credential = deriveCredential(state, record, nowMs);
      const plan = planRotations(credential, nowMs, zone);
      return {
        ...credentialSpans(credential, { fromMs: nowMs - shownMs, nowMs }),
        planned: plan.map(secondsOf),
        changesAtMs: Math.min(plan[0] ?? Infinity, endsAtMs(credential.lifetime.expiresAtMs, nowMs)),
      };
    });
    return {
      kind: 'credential',
      id: outline.id,
      name: outline.name,
      token_name:
        (outline.family_id === null ? undefined : state.tokens.family(outline.family_id))?.configuration
          .name ?? null,
      ...(isDefaultProvider(outline.provider) ? {} : { provider: outline.provider.id }),
      ...(isRenewed(outline.provider) ? { is_renewed: true as const } : {}),
      service: outline.service,
      origin: originOf(outline.base_url),
      ...(outline.expiry_assumed === undefined ? {} : { expiry_assumed: true as const }),
      state: outline.state,
      trouble: outline.trouble?.kind ?? null,
      needs_attention,
      expires_at: outline.expires_at,
      paused: outline.paused,
      next_rotation_at: outline.next_rotation_at,
      first_generation: firstGeneration,
      generations: spans,
      planned,
    };
  }

  #familyRow(
    { tokens }: State,
    { family, newest }: UnrotatedFamily,
    needs_attention: boolean,
    nowMs: number,
  ): LifelineRowOf<'family'> {
    const { firstGeneration, spans } = this.#drawn(newest, newest, nowMs, () => ({
      ...familySpans(tokens, newest, { fromMs: nowMs - shownMs, nowMs }),
      planned: [],
      changesAtMs: endsAtMs(endOf(newest, nowMs), nowMs),
    }));
    return {
      kind: 'family',
      id: family.id,
      name: family.configuration.name,
      status: statusAt(newest, nowMs),
      needs_attention,
      expires_at: isoInstant(newest.expiresAtMs),
      first_generation: firstGeneration,
      generations: spans,
    };
  }

  /** `token`: the other input of the row, also replaced and never changed in place. */
  #drawn(
    record: object,
    token: object | undefined,
    nowMs: number,
    draw: () => Omit<Drawing, 'goodUntilMs' | 'token'> & { changesAtMs: number },
  ): Drawing {
    const known = this.#drawings.get(record);
    if (
      known?.token === token &&
      known !== undefined &&
      nowMs < known.goodUntilMs &&
      nowMs > known.goodUntilMs - longestMs
    )
      return known;
    const { changesAtMs, ...drawing } = draw();
    const made = { ...drawing, token, goodUntilMs: Math.min(changesAtMs, nowMs + longestMs) };
    this.#drawings.set(record, made);
    return made;
  }
}

/** When it expires without a change; a token that has ended never changes again. */
function endsAtMs(endMs: number, nowMs: number): number {
  return endMs > nowMs ? endMs : Infinity;
}

/** The sort key of a row. */
interface Placed {
  readonly needsAttention: boolean;
  /** Whether none of its tokens works. */
  readonly isOver: boolean;
  readonly expiresAtMs: number;
}

/** First what needs attention, then by expiry, then what has ended, the latest first. */
function compareRows(a: Placed, b: Placed): number {
  if (a.needsAttention !== b.needsAttention) return a.needsAttention ? -1 : 1;
  if (a.isOver !== b.isOver) return a.isOver ? 1 : -1;
  return a.isOver ? b.expiresAtMs - a.expiresAtMs : a.expiresAtMs - b.expiresAtMs;
}

/** The first rows in their order, without sorting the others: there may be a hundred thousand. */
function firstRows<T extends Placed>(rows: Iterable<T>, count: number): { first: T[]; leftOut: number } {
  const kept = new TinyQueue<T>([], (a, b) => compareRows(b, a));
  let leftOut = 0;
  for (const row of rows) {
    const last = kept.peek();
    if (kept.length >= count) {
      leftOut += 1;
      if (last === undefined || compareRows(row, last) >= 0) continue;
      kept.pop();
    }
    kept.push(row);
  }
  return { first: kept.data.sort(compareRows), leftOut };
}
