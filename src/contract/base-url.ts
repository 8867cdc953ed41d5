import { z } from 'zod';

const pattern =
  /^(?:https:\/\/[^\s\/?#@\\]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?)(?:\/[^\s?#\\]*)?$/i;
/** What nobody sees, or what turns the letters beside it around: an address is read by a person before it is trusted. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}]/u;

/** An address below which we fetch what must not be read or changed on its way: https, or http to loopback. */
function safeBase(what: string) {
  const error = `must be the address of ${what}: https (http on this machine only), no user, ? or #`;
  return z
    .url({ error, abort: true })
    .max(500, { error, abort: true })
    .regex(pattern, { error, abort: true })
    .refine((text) => !unseen.test(text), error);
}

/** The service that issued a value. A bearer goes there. */
export const BaseUrl = safeBase('a service, such as https://api.example.com').transform((text) =>
  text.replace(/\/+$/, ''),
);

/** Where new versions of this program are looked for. Programs come from there. */
export const UpdateFeed = safeBase('an update feed, such as https://downloads.example.com/rotavox');
