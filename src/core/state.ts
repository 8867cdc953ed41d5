import type { Ivr, IvrId } from '../contract/ivr.ts';
import { defaultSettings, type Settings } from '../contract/settings.ts';
import { type FamilyId, type TokenId, type TokenStatus, tokenStatuses } from '../contract/token.ts';
import { Table } from './table.ts';
import type { AccessToken, Token, TokenFamily } from './token/token.ts';
import { type Restorable, UndoLog } from './undo-log.ts';

/**
 * All that is true now, in memory. Only `applyEvent` and the store's loader write to it.
 *
 * Invariants: 1. every token has its family; 2. generations of a family count 1, 2, 3 … without a gap and only the
 * newest can be Active or Suspended; 3. `tokenIdByDigest` has each token once.
 */
export class State implements Restorable {
  readonly undo = new UndoLog();
  readonly families = new Table<FamilyId, TokenFamily>(this.undo);
  readonly tokens = new Table<TokenId, Token>(this.undo);
  readonly tokenIdByDigest = new Table<string, TokenId>(this.undo);
  readonly accessTokens = new Table<string, AccessToken>(this.undo);
  readonly ivrs = new Table<IvrId, Ivr>(this.undo);
  #settings: Settings = defaultSettings;
  readonly #tokenIds: TokenId[] = [];
  readonly #tokenCounts = Object.fromEntries(tokenStatuses.map((status) => [status, 0])) as Record<
    TokenStatus,
    number
  >;

  get settings(): Settings {
    return this.#settings;
  }

  setSettings(settings: Settings): void {
    this.undo.note(this, 'settings', this.#settings);
    this.#settings = settings;
  }

  /** How many tokens are recorded in each status. */
  get tokenCounts(): Readonly<Record<TokenStatus, number>> {
    return this.#tokenCounts;
  }

  /** The place that the next new token gets in the order of issue. */
  get nextOrdinal(): number {
    return this.#tokenIds.length;
  }

  tokenIdAt(ordinal: number): TokenId | undefined {
    return this.#tokenIds[ordinal];
  }

  addToken(token: Token): void {
    this.tokens.set(token.id, token);
    this.tokenIdByDigest.set(token.digest, token.id);
    this.undo.note(this, 'added', token.status);
    this.#tokenIds.push(token.id);
    this.#tokenCounts[token.status] += 1;
  }

  replaceToken(before: Token, after: Token): void {
    this.tokens.set(after.id, after);
    if (before.status === after.status) return;
    this.undo.note(this, 'moved', [before.status, after.status] satisfies Move);
    this.#tokenCounts[before.status] -= 1;
    this.#tokenCounts[after.status] += 1;
  }

  /** Takes back what the tables do not hold themselves. */
  restore(what: 'settings' | 'added' | 'moved', before: unknown): void {
    if (what === 'settings') {
      this.#settings = before as Settings;
    } else if (what === 'added') {
      this.#tokenIds.pop();
      this.#tokenCounts[before as TokenStatus] -= 1;
    } else {
      const [from, to] = before as Move;
      this.#tokenCounts[from] += 1;
      this.#tokenCounts[to] -= 1;
    }
  }
}

type Move = readonly [from: TokenStatus, to: TokenStatus];
