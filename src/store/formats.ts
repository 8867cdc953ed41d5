import { StoreError } from './store-error.ts';

/**
 * The format that this program writes, both for the state file and for journal segments.
 *
 * 1: tokens and IVRs. 2: credentials, who used a replaced token last, and blank space after the journal's last line.
 * 3: the designer's drafts, recordings, and the directories of extensions and SMS templates.
 * 4: what a service says of a token outside of a rotation, and whether it can rotate.
 * 5: the end of the use of replaced tokens, by the program itself or dismissed, with all who use them; and another address of
 *    a credential's service.
 * 6: credentials of other kinds of services, with renewals, a second token and tokens that work beside a newer one; rules and app
 *    tokens of the proxy.
 * 7: the programs to which tokens were handed out, and who used each credential; rules of the proxy that search answers for the
 *    token; tokens that are revoked after a person has entered another; another credential that helps one, chosen later;
 *    telephone systems, and how records of calls are kept.
 * 8: owners with a key each, and which of them did something.
 * 9: how calls leave the network and whose certificates are trusted, among the settings; client certificates of credentials, which
 *    services like this one have as an input, too; how files of targets are written; further reasons of the proxy to refuse.
 * 10: the sealing of a team's journal, whose lines have the mark of a host in the database from then on.
 * 11: that an expiry is assumed; where a service redirects to; that the move of a data folder was confirmed; types of destinations
 *    that a telephone system has no place for.
 * 12: what a recording was spoken of, and the language and the voice of spoken texts among the settings.
 * 13: how words are pronounced, that all texts are being spoken, since when a recording that the program made is not used, and that a
 *    person has kept one.
 * 14: opening hours.
 * 15: connected tools, and that they got a token.
 * A record of an older format is one of this format that lacks what was not there yet, so there is nothing to convert.
 */
export const currentFormat = 15;

/**
 * Refuses data of a newer program before anything is changed.
 *
 * For the next format: raise `currentFormat`, teach the readers in `checkpoint-records.ts` and `journal-line.ts`
 * to read older records, and keep a folder of the older format in the fixtures; the test that opens every fixture covers
 * the rest. A segment is never continued in another format: `open-store.ts` begins a new one.
 */
export function assertReadable(format: number, file: string): void {
  if (format >= 1 && format <= currentFormat) return;
  throw new StoreError({ code: 'FORMAT_TOO_NEW', file, format, newest: currentFormat });
}
