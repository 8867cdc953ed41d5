import { describe, expect, it } from 'vitest';
import type { HistoryPage } from '../../../src/contract/portal.ts';
import { EventReader, type EventRange } from '../../../src/renderer/history/event-reader.ts';
import { MatchedRows } from '../../../src/renderer/history/matched-rows.ts';
import type { PortalReply } from '../../../src/renderer/kit/portal-reply.ts';

function all(count: number, filters = {}): MatchedRows {
  return MatchedRows.of(filters, { last_seq: count, count, runs: [0, count] });
}

/** A service with so many events that answers when the test wants it to. */
class Service {
  readonly asked: (EventRange & { readonly signal: AbortSignal })[] = [];
  #waiting: (() => void)[] = [];
  #onAsked: (() => void) | undefined;
  reply: (range: EventRange) => PortalReply<HistoryPage> = (range) => this.page(range);

  readonly read = (range: EventRange, signal: AbortSignal): Promise<PortalReply<HistoryPage>> => {
    this.asked.push({ ...range, signal });
    this.#onAsked?.();
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => resolve(this.reply(range)));
      signal.addEventListener('abort', () => reject(new DOMException('withdrawn', 'AbortError')));
    });
  };

  page({ before, limit }: EventRange): PortalReply<HistoryPage> {
    const seqs = Array.from({ length: limit }, (_, place) => before - 1 - place).filter((seq) => seq > 0);
    const events = seqs.map((seq) => ({
      seq,
      at: '2026-01-10T12:00:00.000Z',
      kind: 'token.issued',
      subject: `fam_${seq}`,
      actor: { kind: 'owner' as const },
      data: {},
    }));
    const names = Object.fromEntries(events.map(({ subject, seq }) => [subject, `name ${seq}`]));
    return { kind: 'ok', value: { events, next_before: null, names } };
  }

  /** Resolves when so many questions have come in all. */
  async askedTimes(count: number): Promise<void> {
    while (this.asked.length < count) await new Promise<void>((resolve) => (this.#onAsked = resolve));
  }

  answer(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const answer of waiting) answer();
  }
}

function told(reader: EventReader): Promise<void> {
  return new Promise((resolve) => {
    const stop = reader.subscribe(() => {
      stop();
      resolve();
    });
  });
}

function show(reader: EventReader, rows: MatchedRows, from: number, to: number): () => void {
  const leaving = Array.from({ length: to - from + 1 }, (_, place) => reader.show(rows, from + place));
  return () => {
    for (const leave of leaving) leave();
  };
}

describe('the events of the rows in sight', () => {
  it('are read together, with some around them, under the filter of the rows', async () => {
    const service = new Service();
    const reader = new EventReader(service.read);
    show(reader, all(1000, { result: 'ok' }), 500, 519);
    await service.askedTimes(1);
    expect(service.asked[0]).toMatchObject({ filters: { result: 'ok' }, before: 561, limit: 140 });
    const heard = told(reader);
    service.answer();
    await heard;
    expect(reader.eventOf(500)).toMatchObject({ event: { seq: 500 }, name: 'name 500' });
    expect(reader.eventOf(300)).toBeUndefined();
  });

  it('are asked for once: rows that are there already ask for nothing', async () => {
    const service = new Service();
    const reader = new EventReader(service.read);
    const leave = show(reader, all(1000), 0, 19);
    await service.askedTimes(1);
    const heard = told(reader);
    service.answer();
    await heard;
    leave();
    show(reader, all(1000), 30, 49);
    const far = show(reader, all(1000), 400, 410);
    await service.askedTimes(2);
    expect(service.asked[1]).toMatchObject({ before: 921, limit: 391 });
    far();
  });

  it('are not waited for when the person has gone on elsewhere', async () => {
    const service = new Service();
    const reader = new EventReader(service.read);
    const rows = all(10_000);
    const leave = show(reader, rows, 0, 19);
    await service.askedTimes(1);
    leave();
    show(reader, rows, 5_000, 5_019);
    await service.askedTimes(2);
    expect(service.asked[0]?.signal.aborted).toBe(true);
    expect(service.asked[1]?.before).toBe(10_000 - 5_000 + 60 + 1);
    const heard = told(reader);
    service.answer();
    await heard;
    expect(reader.eventOf(4_990)).toBeDefined();
    expect(reader.eventOf(10_000)).toBeUndefined();
  });

  it('stay unread when they could not be read, until that is tried again', async () => {
    const service = new Service();
    const reader = new EventReader(service.read);
    service.reply = () => ({ kind: 'refused', reason: 'No.' });
    show(reader, all(10), 0, 9);
    await service.askedTimes(1);
    let heard = told(reader);
    service.answer();
    await heard;
    expect(reader.problem()).toEqual({ kind: 'refused', reason: 'No.' });
    service.reply = (range) => service.page(range);
    reader.readAgain();
    await service.askedTimes(2);
    heard = told(reader);
    service.answer();
    await heard;
    expect(reader.problem()).toBeUndefined();
    expect(reader.eventOf(10)).toBeDefined();
  });

  it('are there also when the filter lets one through no more, because it was renamed', async () => {
    const service = new Service();
    const reader = new EventReader(service.read);
    const isSearched = ({ filters }: EventRange): boolean => filters.text !== undefined;
    service.reply = (range) => {
      const page = service.page(range);
      if (page.kind !== 'ok' || !isSearched(range)) return page;
      return { kind: 'ok', value: { ...page.value, events: page.value.events.slice(1) } };
    };
    show(reader, all(3, { text: 'old name' }), 0, 2);
    await service.askedTimes(1);
    service.answer();
    await service.askedTimes(2);
    expect(service.asked[1]).toMatchObject({ filters: {}, before: 4, limit: 1 });
    service.answer();
    const heard = told(reader);
    await heard;
    expect([3, 2, 1].map((seq) => reader.eventOf(seq)?.event.seq)).toEqual([3, 2, 1]);
  });

  it('are kept within bounds, and those in sight always', async () => {
    const service = new Service();
    const reader = new EventReader(service.read);
    const rows = all(10_000);
    show(reader, rows, 0, 9);
    for (let place = 0; place < 80; place += 1) {
      const first = 200 + place * 100;
      const leave = show(reader, rows, first, first + 9);
      await service.askedTimes(place + 1);
      const heard = told(reader);
      service.answer();
      await heard;
      leave();
    }
    const kept = Array.from({ length: 10_000 }, (_, place) => reader.eventOf(place + 1)).filter(Boolean);
    expect(kept.length).toBeLessThanOrEqual(3_000);
    expect(reader.eventOf(10_000)).toBeDefined();
  });
});

describe('one event', () => {
  it('is read by its number, and once', async () => {
    const service = new Service();
    const reader = new EventReader(service.read);
    const reading = reader.readOne(7);
    await service.askedTimes(1);
    expect(service.asked[0]).toMatchObject({ filters: {}, before: 8, limit: 1 });
    service.answer();
    await reading;
    await reader.readOne(7);
    expect(service.asked).toHaveLength(1);
    expect(reader.eventOf(7)?.event.seq).toBe(7);
  });
});
