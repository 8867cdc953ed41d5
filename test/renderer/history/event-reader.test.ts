import { describe, expect, it } from 'vitest';
import type { HistoryPage } from '../../../src/contract/service/portal.ts';
import { EventReader } from '../../../src/renderer/history/event-reader.ts';
import { MatchedRows } from '../../../src/renderer/history/matched-rows.ts';
import type { PortalReply } from '../../../src/renderer/kit/read-portal.ts';

function all(count: number): MatchedRows {
  return MatchedRows.of({}, { last_seq: count, count, runs: [0, count] });
}

/** A service that answers when the test wants it to. */
class Service {
  readonly asked: { readonly seqs: readonly number[]; readonly signal: AbortSignal | undefined }[] = [];
  #waiting: (() => void)[] = [];
  #onAsked: (() => void) | undefined;
  reply: (seqs: readonly number[]) => PortalReply<HistoryPage> = eventsOf;

  readonly read = (seqs: readonly number[], signal?: AbortSignal): Promise<PortalReply<HistoryPage>> => {
    this.asked.push({ seqs, signal });
    this.#onAsked?.();
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => resolve(this.reply(seqs)));
      signal?.addEventListener('abort', () => reject(new DOMException('withdrawn', 'AbortError')));
    });
  };

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

function eventsOf(seqs: readonly number[]): PortalReply<HistoryPage> {
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

function between(seqs: readonly number[]): [number, number] {
  return [Math.min(...seqs), Math.max(...seqs)];
}

/** Answers what is asked next and resolves when that is known. */
async function answerOf(service: Service, reader: EventReader): Promise<void> {
  const heard = told(reader);
  service.answer();
  await heard;
}

describe('the events of the rows in sight', () => {
  it('are read together, and with them some around', async () => {
    const service = new Service();
    const reader = new EventReader(service.read);
    show(reader, all(1000), 500, 519);
    await service.askedTimes(1);
    const { seqs = [] } = service.asked[0] ?? {};
    expect(seqs.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, place) => 500 - place));
    expect([seqs.length, ...between(seqs)]).toEqual([140, 421, 560]);
    await answerOf(service, reader);
    expect(reader.eventOf(500)).toMatchObject({ event: { seq: 500 }, name: 'name 500' });
    expect(reader.eventOf(300)).toBeUndefined();
  });

  it('are asked for once: rows that are there already ask for nothing', async () => {
    const service = new Service();
    const reader = new EventReader(service.read);
    const rows = all(1000);
    const leave = show(reader, rows, 0, 19);
    await service.askedTimes(1);
    await answerOf(service, reader);
    leave();
    const leaveNear = show(reader, rows, 30, 49);
    show(reader, rows, 70, 89);
    leaveNear();
    await service.askedTimes(2);
    expect(between(service.asked[1]?.seqs ?? [])).toEqual([1000 - 149, 1000 - 80]);
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
    expect(service.asked[0]?.signal?.aborted).toBe(true);
    await answerOf(service, reader);
    expect(reader.eventOf(4_990)).toBeDefined();
    expect(reader.eventOf(10_000)).toBeUndefined();
  });

  it('stay unread when they could not be read, until that is tried again', async () => {
    const service = new Service();
    const reader = new EventReader(service.read);
    service.reply = () => ({ kind: 'refused', reason: 'No.' });
    show(reader, all(10), 0, 9);
    await service.askedTimes(1);
    await answerOf(service, reader);
    expect(reader.problem()).toEqual({ kind: 'refused', reason: 'No.' });
    service.reply = eventsOf;
    reader.readSoon();
    await service.askedTimes(2);
    await answerOf(service, reader);
    expect(reader.problem()).toBeUndefined();
    expect(reader.eventOf(10)).toBeDefined();
  });

  it('are kept within bounds, and those in sight always', async () => {
    const service = new Service();
    const reader = new EventReader(service.read);
    const rows = all(10_000);
    show(reader, rows, 0, 0);
    for (let place = 0; place < 60; place += 1) {
      const first = 200 + place * 150;
      const leave = show(reader, rows, first, first + 9);
      await service.askedTimes(place + 1);
      await answerOf(service, reader);
      leave();
    }
    const kept = Array.from({ length: 10_000 }, (_, place) => reader.eventOf(place + 1)).filter(Boolean);
    expect(service.asked.flatMap(({ seqs }) => seqs).length).toBeGreaterThan(3_000);
    expect(kept.length).toBeLessThanOrEqual(3_000);
    expect(reader.eventOf(10_000)).toBeDefined();
  });
});

describe('one event', () => {
  it('is read by its number, and once', async () => {
    const service = new Service();
    const reader = new EventReader(service.read);
    const reading = reader.readOne(7);
    service.answer();
    await reading;
    await reader.readOne(7);
    expect(service.asked.map(({ seqs }) => seqs)).toEqual([[7]]);
    expect(reader.eventOf(7)?.event.seq).toBe(7);
  });
});
