import type { AddressInfo } from 'node:net';
import { createParser } from 'eventsource-parser';
import { eventStreamPath } from '../../src/contract/address.ts';
import { whenOver } from '../fixtures/when-over.ts';
import type { OpenService } from './open-service.ts';

/** What a window is told of a kind from now on, by the event stream of a service that listens. */
export async function readNotices<Notice>({ app, service }: OpenService, kind: string): Promise<Notice[]> {
  const { port } = app.server.address() as AddressInfo;
  const ending = new AbortController();
  whenOver(() => ending.abort());
  const { body } = await fetch(`http://127.0.0.1:${port}${eventStreamPath}`, {
    headers: { authorization: `Bearer ${service.sessions.portalKey}` },
    signal: ending.signal,
  });
  const notices: Notice[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === kind) notices.push(JSON.parse(data) as Notice);
    },
  });
  const read = async () => {
    for await (const text of body!.pipeThrough(new TextDecoderStream())) parser.feed(text);
  };
  read().catch(() => undefined); // it ends with the test
  return notices;
}
