/**
 * The text of an answer, read as it arrives.
 *
 * Null when it has more than `mostBytes`: the rest is not read, so that an answer without an end costs no more memory than that.
 * Compressed bytes count as what they stand for. Rejects when the connection breaks.
 */
export async function readText({ body }: Response, mostBytes: number): Promise<string | null> {
  if (body === null) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > mostBytes) {
      await reader.cancel().catch(() => undefined); // already broken, as intended
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
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
