import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** A message has a hundred bytes; this many characters without an end do not come from the service. */
const longestMessage = 64 * 1024;

/**
 * The messages of an open event stream, until it ends.
 *
 * `onRetry` gets the delay that the service asks for before a reconnect, in milliseconds; `onTooLong` throws.
 */
export async function* readEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { onRetry, onTooLong }: { onRetry: (ms: number) => void; onTooLong: () => never },
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: longestMessage,
    onEvent: (message) => messages.push(message),
    onRetry,
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') onTooLong();
    },
  });
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* messages.splice(0);
    }
  } finally {
    // Also when the reader leaves its loop: the service has a limited number of streams.
    await reader.cancel().catch(() => undefined); // already broken, as intended
  }
}
