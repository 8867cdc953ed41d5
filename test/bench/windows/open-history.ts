import type { Page } from '@playwright/test';
import type { HistoryEvent } from '../../../src/contract/audit-event.ts';
import type { HistoryMatches } from '../../../src/contract/history.ts';
import type { HistoryPage } from '../../../src/contract/portal.ts';
import type { RunningRotavox } from '../contenders/rotavox.ts';
import type { Plan } from './look-at.ts';

const list = '[role="list"][aria-label^="Events"]';

/** The history as an owner opens it, with its first rows loaded. */
export async function openHistory(
  page: Page,
  { portal, port }: RunningRotavox,
  sought: readonly string[],
): Promise<Plan> {
  const { url } = (await portal('POST', '/portal/sign-in-links', {})) as { url: string };
  await page.goto(url);
  await page.goto(`http://127.0.0.1:${port}/history`);
  await page.waitForSelector(`${list} time`);
  const words = new Map<string, string>();
  for (const text of sought) {
    const query = new URLSearchParams({ text }).toString();
    const found = (await portal('GET', `/portal/history/matches?${query}`)) as HistoryMatches;
    const [count, all] = [found.count, found.last_seq].map((number) => number.toLocaleString('en-US'));
    words.set(text, `${count} of ${all} events`);
  }
  return {
    selector: list,
    sought,
    searchFor: (text) => ({
      field: 'input[type="search"]',
      count: 'h1 + div p',
      counted: words.get(text) ?? '',
      unread: `${list} [data-outline]`,
    }),
  };
}

/** The rows of the whole history as plain text. */
export async function readRows({ portal }: RunningRotavox): Promise<string[]> {
  const rows: string[] = [];
  let before = '';
  for (;;) {
    const page = (await portal('GET', `/portal/history?limit=1000${before}`)) as HistoryPage;
    rows.push(...page.events.map((event) => wordsOf(event, page.names ?? {})));
    if (page.next_before === null) return rows;
    before = `&before=${page.next_before}`;
  }
}

function wordsOf(
  { kind, subject, actor, data, at }: HistoryEvent,
  names: Readonly<Record<string, string>>,
): string {
  const address = actor.kind === 'bearer' ? actor.address : actor.kind;
  const reason = typeof data['reason'] === 'string' ? data['reason'] : '';
  return `${kind} ${names[subject] ?? subject} ${reason} ${address} ${at}`;
}
