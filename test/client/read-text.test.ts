import { expect, it } from 'vitest';
import { readBytes, readText } from '../../src/client/read-text.ts';

/** An answer without an end; `cancelled` once nobody reads it any more. */
function endless() {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new Uint8Array(1000).fill(0xe2)),
    cancel() {
      cancelled = true;
    },
  });
  return { response: new Response(body), isCancelled: () => cancelled };
}

it('gives up an answer without an end', async () => {
  for (const read of [readBytes, readText]) {
    const { response, isCancelled } = endless();
    expect(await read(response, 2999)).toBeNull();
    expect(isCancelled()).toBe(true);
  }
});

it('reads one that is as long as it may be, whole, and characters that arrive in pieces', async () => {
  const bytes = new TextEncoder().encode('Grüße €');
  const inPieces = () =>
    new Response(
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      }),
    );
  expect(await readBytes(inPieces(), bytes.length)).toEqual(bytes);
  expect(await readText(inPieces(), bytes.length)).toBe('Grüße €');
  expect(await readText(new Response(null), 0)).toBe('');
});
