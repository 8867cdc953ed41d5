import { isUpToPerson } from '../core/credential/attempt-rotation.ts';
import type { Credential } from '../core/credential/credential.ts';
import { wayOut } from '../core/credential/way-out.ts';
import { isoInstant } from '../core/iso-instant.ts';
import { unreachable } from '../core/unreachable.ts';
import { originOf } from './remote/answer-words.ts';
import type { Told } from './remote/ask-expiry.ts';
import type { EndpointFound } from './remote/ask-rotation.ts';

/** Ends that differ by less are the same end: clocks and the way of an answer. */
const sameEndMs = 60_000;

/** What a service's answer about a credential's present value means, and what to do. */
export function wordsOfKept(
  told: Told,
  {
    credential,
    baseUrl,
    endpoint,
  }: { readonly credential: Credential; readonly baseUrl: string; readonly endpoint: EndpointFound | null },
): string {
  const { name, life } = credential;
  const service = originOf(baseUrl);
  switch (told.kind) {
    case 'told': {
      const known = knownWords(told, service);
      if (Math.abs(told.expiresAtMs - life.expiresAtMs) < sameEndMs) return known;
      return (
        `${known} Here its end is written down as ${isoInstant(life.expiresAtMs)}. ` +
        `Rotate it now to put that right: \`rotavox credential rotate ${name}\`.`
      );
    }
    case 'refused':
      if (told.why === 'suspended') {
        return `${told.message} Resume the token in the portal of ${service}, then test it again: \`rotavox credential test ${name}\`.`;
      }
      return isFinal(told.why)
        ? `${told.message} The present value does not work there any more. ${wayOut(credential)}`
        : `${told.message} See in the portal of ${service} whether the token is suspended, or may not be used from this machine. Its rotation is tried again by itself.`;
    case 'unreachable':
      return `${told.message} That says nothing about the token, and a rotation that is due is tried again by itself. ${seeAddress}`;
    case 'silent':
      return endpoint?.outcome === 'cannot_rotate'
        ? `${service} did not say whether the token works: ${told.reason}. ${seeAddress}`
        : `${service} did not say whether the token works: ${told.reason}. Rotating it would show. ${seeAddress}`;
    default:
      return unreachable(told);
  }
}

/** The same about a value that a person wants to have kept. */
export function wordsOfBrought(
  told: Told,
  {
    baseUrl,
    keptAs,
    endpoint,
  }: { readonly baseUrl: string; readonly keptAs: string | null; readonly endpoint: EndpointFound | null },
): string {
  const service = originOf(baseUrl);
  switch (told.kind) {
    case 'told':
      return keptAs === null
        ? knownWords(told, service)
        : `${knownWords(told, service)} It is kept fresh already, as “${keptAs}”; add a delivery target there to have it in one more place.`;
    case 'refused':
      return isFinal(told.why)
        ? `${told.message} See whether the value was copied whole, whether it has been replaced since, and whether it was issued there.`
        : `${told.message} See in the portal of ${service} whether the token is suspended, or may not be used from this machine; then test it again.`;
    case 'unreachable':
      return `${told.message} That says nothing about the token. ${seeAddress}`;
    case 'silent':
      return endpoint?.outcome === 'cannot_rotate'
        ? `${service} did not say whether the token works: ${told.reason}. ${seeAddress}`
        : `${service} did not say whether the token works: ${told.reason}. It can be kept fresh all the same if you say when it expires. ${seeAddress}`;
    default:
      return unreachable(told);
  }
}

function isFinal(why: Extract<Told, { kind: 'refused' }>['why']): boolean {
  return why !== 'refused' && why !== 'suspended';
}

const seeAddress = 'See whether the address of the service is right, and test it again.';

function knownWords({ name, status, expiresAtMs }: Extract<Told, { kind: 'told' }>, service: string): string {
  const as = name === null ? 'the token' : `the token as “${name}”`;
  const is = status === null ? '' : ` (${status})`;
  return `It works: ${service} knows ${as}${is}, until ${isoInstant(expiresAtMs)}.`;
}

/** Why nothing was asked. */
export function busyWords({ name, rotation, trouble }: Credential): string {
  const since = rotation === null ? '' : ` since ${isoInstant(rotation.begunAtMs)}`;
  const open =
    `Nothing was asked: a rotation of “${name}” is open${since}, and its service may have replaced the present value ` +
    'already. It would take the call for a use of the old one.';
  if (trouble === null) return `${open} Wait for the end of the rotation and test again.`;
  const next = isUpToPerson(trouble.kind)
    ? ''
    : ` It is tried again by itself; to try at once: \`rotavox credential rotate ${name}\`.`;
  return `${open} The last attempt: ${trouble.message}${next}`;
}
