import type { NodeId, PublishExchange } from '../../contract/ivr-draft.ts';
import type {
  CredentialKeeper,
  ServiceAnswer,
  ServiceCall,
} from '../../core/credential/credential-keeper.ts';
import { refused, type Result } from '../../core/result.ts';
import { type WrittenRefusal, writtenRefusal } from '../refuse.ts';
import { menuName, type PublishingDraft } from './publishing-draft.ts';

/** A call on its way, about a menu. */
export interface MenuCall extends ServiceCall {
  readonly menu: NodeId;
}

/** A call to the service of the target's credential, and a line for whoever watches. */
export type Sent = Result<
  { readonly answer: ServiceAnswer; readonly tell: (message: string, shown?: unknown) => void },
  WrittenRefusal
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

/** Why a menu was not stored, and what to do; `credential` is the name of the one that was used. */
export function whyNotStored(answer: ServiceAnswer, credential: string): string {
  if (answer.kind === 'not_sent') return `${answer.message} Nothing was sent; publish again when it answers.`;
  if (answer.kind === 'lost') {
    return `${answer.message} It may have stored the menu: publish again, and it is looked for there before it is sent once more.`;
  }
  const { status, reply } = answer;
  const said = saidIn(reply);
  const quoted = said === null ? '' : `: “${said}”`;
  if (status === 401) {
    return `The service does not take the token of “${credential}” (401${quoted}). Test the credential: \`rotavox credential test ${credential}\`.`;
  }
  if (status === 403) {
    return `The token of “${credential}” may not do that there (403${quoted}). It needs the scope ivr:write, and ivr:read to look for what was sent before.`;
  }
  if (status === 404 || status === 405) {
    return `There is no such call at the service (${status}${quoted}). See whether the base_url of “${credential}” is right.`;
  }
  if (status >= 300 && status < 400) {
    return `The service sends on to another address, where the token was not sent (${status}). See whether the base_url of “${credential}” is right.`;
  }
  if (status === 429) return `The service wants to be asked less often (429${quoted}). Publish again later.`;
  if (status >= 500)
    return `The service failed (${status}${quoted}). It may have stored the menu all the same; publish again.`;
  return `The service refused it (${status}${quoted}). Its reply says what it does not like; change the draft and publish again.`;
}

/** Statuses after which nothing is certain: the service may have acted. */
const unclearStatuses: ReadonlySet<number> = new Set([408, 409, 425]);

/** Whether it is certain that a menu was not stored. */
export function isRefusedForSure(answer: ServiceAnswer): boolean {
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
