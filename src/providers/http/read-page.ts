import { cleanText } from './read-reply.ts';

/** An answer as it arrived; `body` undefined: it is no JSON. */
interface Heard {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * Whether a web page came where a service would answer with data: it is from a firewall, from the sign-in of a network, or from
 * the website at that address. The service itself may not have had the call at all.
 *
 * Pages of other statuses say what their status says, such as 404 and 502.
 */
export function isPageInstead({ status, body, text, headers }: Heard): boolean {
  const isAnswer = (status >= 200 && status < 300) || status === 403 || status === 511;
  if (!isAnswer || body !== undefined || text.trim() === '') return false;
  if (/^(text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '')) return true;
  // Without a type, or with a wrong one; a declaration or comments may come first.
  return text.trimStart().startsWith('<') && /<(!doctype html|html|head|body)\b/i.test(text.slice(0, 1000));
}

/** What a page calls itself, for display. Null where it has no title, or one with a word of what was sent. */
export function titleOf(page: string, sent: readonly string[]): string | null {
  const title = /<title[^<>]*>([^<]{1,1000})/i.exec(page)?.[1];
  if (title === undefined) return null;
  const words = sent.flatMap((one) => one.split(/[\s&=:]+/)).filter(({ length }) => length >= shortestSecret);
  const told = title.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_all, name: string) => entities[name] ?? '');
  return words.some((word) => told.includes(word)) ? null : cleanText(told);
}

/** Shorter words are in many titles. */
const shortestSecret = 8;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};
