import type { FastifyInstance } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { AuditEvent, HistoryEvent } from '../../contract/history/audit-event.ts';
import type { ChangeNotice } from '../../contract/service/portal.ts';
import { eventStreamPath } from '../../contract/address.ts';
import { HistoryUnreadable } from '../../core/ledger.ts';
import { refusalText } from '../../text/service/service-text.ts';
import { refuse } from '../http/refuse.ts';
import type { ServiceContext } from '../service-context.ts';

const heartbeatMs = 25_000;
const maxStreams = 64;
/** A reader this far behind, in bytes, is disconnected; it reconnects and receives what it missed. */
const maxBehindBytes = 1024 * 1024;
/** How often uses of one credential are told, in milliseconds. */
const useEveryMs = 1_000;
/** How many missed changes are sent one by one; a reader that missed more has to request everything again. */
const maxMissed = 1000;

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * The stream of changes (Server-Sent Events): every durable change as a `change` event.
 *
 * A reader that reconnects with `Last-Event-ID` first receives what it missed, or `reset` if that is too much. `reset`
 * is also sent when the store or the vault starts to fail and when it works again, when the tokens were moved, when a rotation begins or ends to wait for connected tools, when it was confirmed
 * that the data are used here, and when a provider file was added, changed or removed, for which there is no event. The steps of a rotation are `step` events without an id, because they are not
 * repeated, and so are `use` events: a token was used, or a command that runs with it began or ended, told once a second at
 * most for each credential. So are `calls` events, ten times a second at most, and `pbx` events: a connection to a telephone
 * system was made or broke, `windows` events: who has a draft open, `speech` events: how far speaking all texts is, and `voices`
 * events: how far adding a voice is, and that there are other voices now.
 */
export function addEventStream(
  app: FastifyInstance,
  {
    ledger,
    credentialAgent,
    sessions,
    uses,
    draftWindows,
    providerFiles,
    telephony,
    speakEverything,
    addingVoice,
    origin,
  }: ServiceContext,
): void {
  /**
   * Each reader from its admission until its connection is closed; while it receives what it missed, it gets no live changes.
   */
  const streams = new Map<ServerResponse, 'catching up' | 'live'>();

  /** Removes the subscriptions when the last listener is gone; undefined without listeners. */
  let rest: (() => void) | undefined;
  app.addHook('preClose', () => {
    rest?.();
    for (const stream of streams.keys()) stream.end();
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: eventStreamPath,
    config: { family: 'portal' },
    onRequest: sessions.guard,
    handler: async (request, reply) => {
      if (request.method === 'HEAD') return reply.headers(streamHeaders).send();
      if (streams.size >= maxStreams) {
        return refuse(reply, 'conflict', { message: refusalText.tooManyWindows(maxStreams) });
      }
      const lastSeen = /^\d{1,15}$/.exec(String(request.headers['last-event-id'] ?? ''))?.[0];
      reply.hijack();
      const stream = reply.raw;
      streams.set(stream, 'catching up');
      stream.writeHead(200, streamHeaders);
      const release = sessions.endStreamWithSession(request, () => stream.end());
      stream.on('close', () => {
        release();
        streams.delete(stream);
        if (streams.size > 0) return;
        rest?.();
        rest = undefined;
      });
      stream.write('retry: 1000\n\n');
      // First the missed changes, then the live ones; what happens in between is requested again.
      let told = lastSeen === undefined ? latestSeq() : Number(lastSeen);
      // Checked after each wait: a reader that disconnected has released its slot, and must not get another.
      while (streams.has(stream) && told < latestSeq()) {
        const latest = latestSeq();
        const missed = latest - told > maxMissed ? null : await missedSince(told, latest);
        if (missed === null) send(stream, resetText(latest));
        else for (const event of missed) send(stream, changeText(event));
        told = latest;
      }
      if (streams.has(stream)) {
        streams.set(stream, 'live');
        rest ??= wake();
      }
      return reply;
    },
  });

  /** The heartbeat and the subscriptions run only while there are listeners. */
  function wake(): () => void {
    const heartbeat = setInterval(() => {
      sessions.endOverdue();
      draftWindows.endOverdue();
      tell(': still here\n\n');
    }, heartbeatMs).unref();
    const stopChanges = ledger.subscribe((event) => tell(changeText(event)));
    const readAgain = (): void => tell(resetText(latestSeq()));
    const stopHealth = ledger.onHealth(readAgain);
    const stopVault = credentialAgent.onVaultChange(readAgain);
    const stopToolWaits = credentialAgent.onToolWait(readAgain);
    const stopProviders = providerFiles.onChange(readAgain);
    const stopOrigin = origin?.onConfirmed(readAgain);
    const used = new Set<string>();
    let gathering: NodeJS.Timeout | undefined;
    const tellUses = (): void => {
      gathering = used.size === 0 ? undefined : setTimeout(tellUses, useEveryMs).unref();
      for (const subject of used) tell(`event: use\ndata: ${JSON.stringify({ subject })}\n\n`);
      used.clear();
    };
    const stopUses = uses.onUse((subject) => {
      used.add(subject);
      if (gathering === undefined) tellUses();
    });
    const stopCalls = telephony.onCalls((notice) =>
      tell(`event: calls\ndata: ${JSON.stringify(notice)}\n\n`),
    );
    const stopPbxs = telephony.onPbxState(() => tell('event: pbx\ndata: {}\n\n'));
    const stopWindows = draftWindows.onChange((now) =>
      tell(`event: windows\ndata: ${JSON.stringify(now)}\n\n`),
    );
    const stopSpeech = speakEverything.onProgress((job) =>
      tell(`event: speech\ndata: ${JSON.stringify(job)}\n\n`),
    );
    const stopVoices = addingVoice?.onChange((notice) =>
      tell(`event: voices\ndata: ${JSON.stringify(notice)}\n\n`),
    );
    const stopSteps = credentialAgent.onStep((step) =>
      tell(`event: step\ndata: ${JSON.stringify(step)}\n\n`),
    );
    return () => {
      clearInterval(heartbeat);
      stopChanges();
      stopHealth();
      stopVault();
      stopToolWaits();
      stopProviders();
      stopOrigin?.();
      stopSteps();
      stopWindows();
      stopSpeech();
      stopVoices?.();
      stopUses();
      stopCalls();
      stopPbxs();
      clearTimeout(gathering);
    };
  }

  function tell(text: string): void {
    for (const [stream, state] of streams) if (state === 'live') send(stream, text);
  }

  function latestSeq(): number {
    return ledger.health().last_seq;
  }

  /** Null when they cannot be read from disk. */
  async function missedSince(told: number, latest: number): Promise<HistoryEvent[] | null> {
    try {
      const events = await ledger.history({ before: latest + 1, limit: latest - told });
      return events.reverse();
    } catch (error) {
      if (error instanceof HistoryUnreadable) return null;
      throw error;
    }
  }
}

/** Makes a reader request everything again. */
function resetText(seq: number): string {
  return `event: reset\nid: ${seq}\ndata: {}\n\n`;
}

function changeText({ seq, at, kind, subject, data }: HistoryEvent | AuditEvent): string {
  const notice: ChangeNotice = { seq, at, kind, subject };
  if (kind === 'draft.saved') notice.revision = (data as AuditEvent<'draft.saved'>['data']).revision;
  return `event: change\nid: ${seq}\ndata: ${JSON.stringify(notice)}\n\n`;
}

function send(stream: ServerResponse, text: string): void {
  if (stream.writableEnded) return;
  if (stream.writableLength > maxBehindBytes) stream.destroy();
  else stream.write(text);
}
