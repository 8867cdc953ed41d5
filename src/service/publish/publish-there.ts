import type { NodeId, PublishReply, PublishExchange } from '../../contract/menu/ivr-draft.ts';
import type { CredentialAgent, ServiceAnswer, ServiceCall } from '../../core/credential/credential-agent.ts';
import { bodyOfMenu } from '../../core/ivr/body/menu-body.ts';
import { publishPlan } from '../../core/ivr/body/publish-plan.ts';
import {
  adoptableMenu,
  idOf,
  type ListedMenu,
  menusListed,
  readRemoteId,
  type RemoteId,
} from '../../core/ivr/draft/adopt-menu.ts';
import { publicationAt, type SentBody } from '../../core/ivr/draft/draft.ts';
import {
  draftPublished,
  menuRefused,
  menuSent,
  menuStored,
  type Publishing,
} from '../../core/ivr/draft/record-publication.ts';
import { type Decision, type Ledger, StoreUnavailable } from '../../core/ledger.ts';
import { done, refused, type Result } from '../../core/result.ts';
import type { State } from '../../core/state.ts';
import { invariant } from '../../core/unreachable.ts';
import { publishingText, publishRefusal } from '../../text/menu/publish.ts';
import { storeRefusalText } from '../../text/service/store-text.ts';
import { type WrittenRefusal, writtenRefusal } from '../http/refuse.ts';
import { type PublishingDraft, menuName } from './publish-here.ts';

/** How often menus are sent again because a menu that they lead to got another id. */
const mostRounds = 3;
const notFound = 404;
const listPath = '/v1/ivrs';
/** The most pages of a list that are requested: a service could always return another one. */
const mostPages = 100;

/** A publication that stops early, with the reason as a sentence. */
type Stop = { readonly failed: string } | { readonly refusal: WrittenRefusal };

/**
 * Stores the menus of a draft in the service of a credential, one call each, and stops at the first failure.
 *
 * Every step is recorded immediately, and a creation also before it is sent, so that a publication that breaks off (a
 * lost reply, a killed program) never creates a menu twice. The draft itself is not changed.
 */
export class RemotePublication {
  readonly #ledger: Ledger;
  readonly #publishing: PublishingDraft;
  readonly #to: Publishing;
  readonly #sender: MenuSender;
  readonly #credential: string;
  /** The id of each menu in that service. */
  readonly #ids = new Map<NodeId, string>();
  /** The current content of each menu in that service. */
  readonly #stored = new Map<NodeId, string>();

  constructor(
    { ledger, credentialAgent }: { readonly ledger: Ledger; readonly credentialAgent: CredentialAgent },
    publishing: PublishingDraft & { readonly credential: string },
  ) {
    const { draft, target, flow, credential } = publishing;
    this.#ledger = ledger;
    this.#publishing = publishing;
    this.#to = { id: draft.id, target };
    this.#sender = new MenuSender(credentialAgent, credential, publishing);
    this.#credential = credential;
    const { menus } = publicationAt(draft, target);
    for (const [menu, id] of Object.entries(menus)) {
      // An id that was recorded before ids were checked may be invalid: then the menu is created again.
      const known = readRemoteId(id);
      if (flow.menus.has(menu as NodeId) && known.id !== null) this.#ids.set(menu as NodeId, known.id);
    }
  }

  async run(): Promise<Result<PublishReply, WrittenRefusal>> {
    const { exchanges } = this.#sender;
    let stop: Stop | null;
    try {
      stop = await this.#storeAll();
      if (stop === null) return done(await this.#finish());
    } catch (error) {
      // If nothing was sent, it fails like every other change that the disk refuses.
      if (!(error instanceof StoreUnavailable) || exchanges.length === 0) throw error;
      stop = { failed: publishingText.notRecorded(storeRefusalText(error.refusal)) };
    }
    if ('refusal' in stop && exchanges.length === 0) return refused(stop.refusal);
    const message = 'refusal' in stop ? stop.refusal.message : stop.failed;
    return done({ outcome: 'failed', message, version: null, exchanges });
  }

  async #storeAll(): Promise<Stop | null> {
    const stop = await this.#lookForSent();
    if (stop !== null) return stop;
    const { flow } = this.#publishing;
    for (const { kind, menu } of publishPlan(flow, Object.fromEntries(this.#ids))) {
      const stopped = await (kind === 'create' ? this.#create(menu) : this.#replace(menu));
      if (stopped !== null) return stopped;
    }
    // Only when a menu was missing and got another id: the menus that lead to it have to be updated.
    for (let round = 0; round < mostRounds; round += 1) {
      const stale = [...flow.menus.keys()].filter(
        (menu) => this.#stored.get(menu) !== JSON.stringify(this.#bodyOf(menu)),
      );
      if (stale.length === 0) return null;
      for (const menu of stale) {
        const stopped = await this.#replace(menu);
        if (stopped !== null) return stopped;
      }
    }
    return { failed: publishingText.losesMenus };
  }

  async #finish(): Promise<PublishReply> {
    const { draft, target } = this.#publishing;
    const { revision, document, versions: versionsBefore } = draft;
    const menus = Object.fromEntries(this.#ids);
    const version = await this.#record((state) =>
      draftPublished(state, this.#to, { revision, document, menus, versionsBefore }),
    );
    const message = publishingText.publishedAt(version, target.baseUrl, this.#ids.size);
    return { outcome: 'published', message, version, exchanges: this.#sender.exchanges };
  }

  /** Searches for the menus that may have arrived, and adopts those that did. */
  async #lookForSent(): Promise<Stop | null> {
    const { draft, target, flow } = this.#publishing;
    const open = Object.entries(publicationAt(draft, target).sent) as [NodeId, SentBody][];
    for (const [menu, sent] of open) {
      if (!flow.menus.has(menu) || this.#ids.has(menu)) continue;
      const stop = await this.#adopt(menu, sent, publishingText.replyLost);
      if (stop !== null) return stop;
    }
    return null;
  }

  async #adopt(menu: NodeId, sent: SentBody, because: string): Promise<Stop | null> {
    const asked = await this.#listMenus(menu);
    if (!asked.ok) return { refusal: asked.refusal };
    const { answer, tell, listed } = asked.value;
    if (listed === null) {
      const why = doneBy(answer) !== null ? publishingText.noList : whyNotStored(answer, this.#credential);
      tell(`${because} ${why}`);
      return { failed: why };
    }
    const found = adoptableMenu(this.#ledger.state, this.#to.target, { sent, listed });
    if (found === null) {
      tell(`${because} ${publishingText.noneSame(listed.length)}`, []);
      await this.#record(() => menuRefused(this.#to, menu));
      return null;
    }
    const { told, entry } = found;
    if (told.id === null) return this.#failedById(told, tell, entry);
    tell(`${because} ${publishingText.adopted(told.id)}`, entry);
    await this.#keepId(menu, told.id);
    this.#stored.set(menu, JSON.stringify(sent));
    return null;
  }

  /** All menus there, page by page, and the last answer; no menus if an answer has none or the pages never end. */
  async #listMenus(menu: NodeId) {
    const listed: ListedMenu[] = [];
    let path = listPath;
    for (let pages = 1; ; pages += 1) {
      const asked = await this.#sender.send({ menu, method: 'GET', path });
      if (!asked.ok) return asked;
      const page = menusListed(doneBy(asked.value.answer)?.reply);
      const next = nextPage(asked.value.answer, this.#publishing.target.baseUrl);
      if (page === null || (next !== null && pages === mostPages))
        return done({ ...asked.value, listed: null });
      listed.push(...page);
      if (next === null) return done({ ...asked.value, listed });
      path = next;
    }
  }

  async #create(menu: NodeId): Promise<Stop | null> {
    const body = this.#bodyOf(menu);
    await this.#record(() => menuSent(this.#to, menu, body));
    const sent = await this.#sender.send({ menu, method: 'POST', path: '/v1/ivr', body });
    if (!sent.ok) {
      await this.#record(() => menuRefused(this.#to, menu));
      return { refusal: sent.refusal };
    }
    const { answer, tell } = sent.value;
    const created = doneBy(answer);
    if (created === null) {
      const why = whyNotStored(answer, this.#credential);
      tell(why);
      if (isRefusedForSure(answer)) await this.#record(() => menuRefused(this.#to, menu));
      return { failed: why };
    }
    const told = idOf(created.reply) ?? idInLocation(created.location);
    if (told === null) {
      tell(publishingText.storedWithoutId);
      const stop = await this.#adopt(menu, body, publishingText.replyWithoutId);
      if (stop !== null) return stop;
      if (this.#ids.has(menu)) return null;
      return { failed: publishingText.idUnknown };
    }
    if (told.id === null) return this.#failedById(told, tell);
    tell(publishingText.created(told.id));
    await this.#keepId(menu, told.id);
    this.#stored.set(menu, JSON.stringify(body));
    return null;
  }

  async #replace(menu: NodeId): Promise<Stop | null> {
    const id = this.#ids.get(menu);
    invariant(id !== undefined, `menu ${menu} is known at the target`);
    const body = this.#bodyOf(menu);
    const path = `/v1/ivr/${encodeURIComponent(id)}`;
    const sent = await this.#sender.send({ menu, method: 'PUT', path, body });
    if (!sent.ok) return { refusal: sent.refusal };
    const { answer, tell } = sent.value;
    if (doneBy(answer) !== null) {
      tell(publishingText.replaced(id));
      this.#stored.set(menu, JSON.stringify(body));
      return null;
    }
    if (answer.kind === 'answer' && answer.status === notFound) {
      tell(publishingText.recreating(id));
      this.#ids.delete(menu);
      return this.#create(menu);
    }
    const why = whyNotStored(answer, this.#credential);
    tell(why);
    return { failed: why };
  }

  /** What was sent stays recorded: the next publication searches for it instead of creating it again. */
  #failedById(
    { unusable }: Extract<RemoteId, { id: null }>,
    tell: (message: string, shown?: unknown) => void,
    shown?: unknown,
  ): Stop {
    const why = publishingText.unusableId(this.#to.target.baseUrl, unusable);
    tell(why, shown);
    return { failed: why };
  }

  async #keepId(menu: NodeId, id: string): Promise<void> {
    this.#ids.set(menu, id);
    await this.#record(() => menuStored(this.#to, menu, id));
  }

  #bodyOf(menu: NodeId): SentBody {
    const drawn = this.#publishing.flow.menus.get(menu);
    invariant(drawn !== undefined, `menu ${menu} is in the flow`);
    return { ...bodyOfMenu(drawn, (to) => this.#ids.get(to) ?? null) };
  }

  #record<T>(decide: (state: State) => Decision<T>): Promise<T> {
    return this.#ledger.transact(decide);
  }
}

type Answer = Extract<ServiceAnswer, { kind: 'answer' }>;

/** The answer of a service that did what was asked; null for every other outcome. */
function doneBy(answer: ServiceAnswer): Answer | null {
  return answer.kind === 'answer' && answer.status >= 200 && answer.status < 300 ? answer : null;
}

/** The path of the next page of a list, from `Link` (RFC 8288); null without one, and for an address outside the list's. */
function nextPage(answer: ServiceAnswer, baseUrl: string): string | null {
  const [, target] = /<([^<>]*)>\s*;[^,<]*\brel="?next\b/i.exec(doneBy(answer)?.link ?? '') ?? [];
  const list = `${baseUrl}${listPath}`;
  if (target === undefined || !URL.canParse(target, list)) return null;
  const { origin, pathname, search } = new URL(target, list);
  const there = new URL(list);
  return origin === there.origin && pathname === there.pathname ? `${listPath}${search}` : null;
}

/** The id at the end of a `Location`. */
function idInLocation(location: string | null): RemoteId | null {
  const [, id] = /\/v1\/ivrs?\/([^/?#]+)$/.exec(location ?? '') ?? [];
  try {
    return id === undefined ? null : readRemoteId(decodeURIComponent(id));
  } catch {
    return null; // not valid percent-encoding: an id that could not be requested again
  }
}

/** A call about a menu. */
interface MenuCall extends ServiceCall {
  readonly menu: NodeId;
}

/** A call to the service of the target's credential, with its entry in the report. */
type Sent = Result<
  { readonly answer: ServiceAnswer; readonly tell: (message: string, shown?: unknown) => void },
  WrittenRefusal
>;

/** Sends menus to a target and records the replies. */
class MenuSender {
  /** All calls so far, in order. */
  readonly exchanges: PublishExchange[] = [];
  readonly #credentialAgent: CredentialAgent;
  readonly #credential: string;
  readonly #publishing: PublishingDraft;

  constructor(credentialAgent: CredentialAgent, credential: string, publishing: PublishingDraft) {
    this.#credentialAgent = credentialAgent;
    this.#credential = credential;
    this.#publishing = publishing;
  }

  /** The caller describes the answer with `tell`; `shown` replaces the answer in the report if all of it is too much. */
  async send({ menu, ...call }: MenuCall): Promise<Sent> {
    const sent = await this.#credentialAgent.callService(this.#credential, call);
    if (!sent.ok) return refused(writtenRefusal(sent.refusal));
    const answer = sent.value;
    const { draft, target } = this.#publishing;
    const tell = (message: string, shown?: unknown) => {
      this.exchanges.push({
        menu,
        name: menuName(draft.document, menu),
        method: call.method,
        url: `${target.baseUrl}${call.path}`,
        body: call.body === undefined ? null : { ...call.body },
        status: answer.kind === 'answer' ? answer.status : null,
        reply: answer.kind === 'answer' ? (shown ?? answer.reply) : null,
        message,
      });
    };
    return { ok: true, value: { answer, tell } };
  }
}

/** Why a menu was not stored, as a sentence; `credential` is the name of the one that was used. */
function whyNotStored(answer: ServiceAnswer, credential: string): string {
  if (answer.kind === 'not_sent') return publishingText.notSent(answer.message);
  if (answer.kind === 'lost') return publishingText.lost(answer.message);
  return publishRefusal({ status: answer.status, said: saidIn(answer.reply), credential });
}

/** Statuses after which the result is unknown: the service may have acted. */
const unclearStatuses: ReadonlySet<number> = new Set([408, 409, 425]);

/** Whether it is certain that a menu was not stored. */
function isRefusedForSure(answer: ServiceAnswer): boolean {
  if (answer.kind !== 'answer') return answer.kind === 'not_sent';
  return answer.status >= 300 && answer.status < 500 && !unclearStatuses.has(answer.status);
}

const longestWords = 200;

function saidIn(reply: unknown): string | null {
  if (typeof reply !== 'object' || reply === null) return null;
  const fields = reply as Record<string, unknown>;
  const words = [fields['Message'], fields['message'], fields['error']].find(
    (one): one is string => typeof one === 'string' && one !== '',
  );
  return (
    words
      ?.replace(/[\p{C}\s]+/gu, ' ')
      .slice(0, longestWords)
      .toWellFormed() ?? null
  );
}
