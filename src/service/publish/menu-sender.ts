import type { NodeId, PublishExchange } from '../../contract/ivr-draft.ts';
import type {
  CredentialKeeper,
  ServiceAnswer,
  ServiceCall,
} from '../../core/credential/credential-keeper.ts';
import type { CredentialRefusal } from '../../core/credential/find-credential.ts';
import type { Result } from '../../core/result.ts';
import { menuName, type PublishingDraft } from './publishing-draft.ts';

/** A call on its way, about a menu. */
export interface MenuCall extends ServiceCall {
  readonly menu: NodeId;
}

/** A call to the service of the target's credential, and a line for whoever watches. */
export type Sent = Result<
  { readonly answer: ServiceAnswer; readonly tell: (message: string, shown?: unknown) => void },
  CredentialRefusal
>;

/** Sends menus to where a draft is published and keeps what was said. */
export class MenuSender {
  /** All that was sent, in order. */
  readonly exchanges: PublishExchange[] = [];
  readonly #keeper: CredentialKeeper;
  readonly #credential: string;
  readonly #publishing: PublishingDraft;

  constructor(keeper: CredentialKeeper, credential: string, publishing: PublishingDraft) {
    this.#keeper = keeper;
    this.#credential = credential;
    this.#publishing = publishing;
  }

  /** Whoever sends says what the answer means, by `tell`; `shown` is shown of the answer where all of it is too much. */
  async send({ menu, ...call }: MenuCall): Promise<Sent> {
    const sent = await this.#keeper.callService(this.#credential, call);
    if (!sent.ok) return sent;
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
