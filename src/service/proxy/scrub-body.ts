import { pipeline, type Readable, Transform } from 'node:stream';
import { OpenEnd } from '../../core/token/open-end.ts';
import { formsOf } from './answer-headers.ts';

/** Types of bodies that people and programs read as text; also without a type. */
export function isTextType(type: unknown): boolean {
  if (typeof type !== 'string') return true;
  return /^(?:text\/|application\/(?:.*\+)?(?:json|xml|javascript|x-www-form-urlencoded|x-ndjson|jsonl|yaml|x-yaml|toml|graphql)\b)/i.test(
    type.trim(),
  );
}

const star = 0x2a;

/**
 * The body of an answer, in which every form of the token is replaced by as many asterisks, so that its length stays the same.
 *
 * It is searched as it arrives. Only an end that could be the beginning of a form is held back until more arrives, so events
 * are not delayed and memory does not grow with the body.
 */
export function scrubbedBody(body: Readable, token: string, onFound: () => void): Readable {
  const forms = formsOf(token).map((form) => Buffer.from(form));
  const openEnds = forms.map((form) => new OpenEnd(form));
  let held: Buffer = Buffer.alloc(0);
  let isFound = false;

  const clean = (bytes: Buffer): Buffer => {
    let cleaned = bytes;
    for (const form of forms) {
      for (let at = cleaned.indexOf(form); at >= 0; at = cleaned.indexOf(form, at + form.length)) {
        // A copy: others may have the bytes, too.
        if (cleaned === bytes) cleaned = Buffer.from(bytes);
        cleaned.fill(star, at, at + form.length);
        if (!isFound) onFound();
        isFound = true;
      }
    }
    return cleaned;
  };
  const scrubbing = new Transform({
    transform(part: Buffer, _encoding, done) {
      const bytes = clean(held.length === 0 ? part : Buffer.concat([held, part]));
      const end = bytes.length - Math.max(0, ...openEnds.map((one) => one.lengthIn(bytes)));
      held = bytes.subarray(end);
      done(null, bytes.subarray(0, end));
    },
    flush(done) {
      done(null, held);
    },
  });
  // What ends one of them ends the other; the reply sees it.
  pipeline(body, scrubbing, () => undefined);
  return scrubbing;
}
