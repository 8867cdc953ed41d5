import type { NodeId, PublishExchange } from '../../contract/menu/ivr-draft.ts';
import type { CredentialAgent, ServiceAnswer, ServiceCall } from '../../core/credential/credential-agent.ts';
import { refused, type Result } from '../../core/result.ts';
import { publishRefusal, publishText } from '../../text/menu/publishing.ts';
import { type WrittenRefusal, writtenRefusal } from '../http/refuse.ts';
import { menuName, type PublishingDraft } from './publishing-draft.ts';

/** A call about a menu. */
export interface MenuCall extends ServiceCall {
  readonly menu: NodeId;
}

/** A call to the service of the target's credential, with its entry in the report. */
export type Sent = Result<
  { readonly answer: ServiceAnswer; readonly tell: (message: string, shown?: unknown) => void },
  WrittenRefusal
>;

/** Sends menus to a target and records the replies. */
export class MenuSender {
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
export function whyNotStored(answer: ServiceAnswer, credential: string): string {
  if (answer.kind === 'not_sent') return publishText.notSent(answer.message);
  if (answer.kind === 'lost') return publishText.lost(answer.message);
  return publishRefusal({ status: answer.status, said: saidIn(answer.reply), credential });
}

/** Statuses after which the result is unknown: the service may have acted. */
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
