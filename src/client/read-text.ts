/**
 * The bytes of an answer, read as they arrive.
 *
 * Null when there are more than `mostBytes`: the rest is not read, so that an answer without an end costs no more memory than that.
 * Compressed bytes count as what they stand for. Rejects when the connection breaks.
 */
export async function readBytes(
  { body }: Response,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> = body.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    bytes += value.length;
    if (bytes > mostBytes) {
      await reader.cancel().catch(() => undefined); // already broken, as intended
      return null;
    }
    pieces.push(value);
  }
}

/** The same as text. */
export async function readText(response: Response, mostBytes: number): Promise<string | null> {
  const bytes = await readBytes(response, mostBytes);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/** The longest refusal, in bytes: a sentence, and what is wrong with each field. */
const longestRefusal = 256 * 1024;

/** The JSON of a refusal; undefined where there is none, or too much. */
export async function readRefusalBody(response: Response): Promise<unknown> {
  try {
    return JSON.parse((await readText(response, longestRefusal)) ?? '');
  } catch {
    return undefined;
  }
}
