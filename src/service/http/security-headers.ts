import type { FastifyReply, FastifyRequest } from 'fastify';
import { isIP } from 'node:net';
import type { Arrival } from '../guard/arrival.ts';

/**
 * What pages may load. Inline scripts are allowed only on the reference page, which is one file.
 *
 * That page runs a third-party viewer. `sandbox` without `allow-same-origin` gives it a separate origin, so that it can
 * read neither the service's answers nor the storage of the windows; and it may load nothing.
 */
export const contentSecurityPolicy = {
  windows:
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
    "media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  referencePage:
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; " +
    "img-src data: blob:; font-src data:; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

/** The permissions that the windows may request: only the microphone, to record a prompt. */
export const permissionsPolicy =
  'microphone=(self), camera=(), display-capture=(), geolocation=(), usb=(), serial=(), hid=(), midi=(), payment=()';

/** Sent with every answer that a page could embed: its type is not guessed, and no other origin may embed it. */
export const embeddingHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

export function addSecurityHeaders({ method }: FastifyRequest, reply: FastifyReply, next: () => void): void {
  if (method === 'GET' || method === 'HEAD') {
    for (const [name, value] of Object.entries(embeddingHeaders)) reply.raw.setHeader(name, value);
  }
  next();
}

const yearSeconds = 31_536_000;

export const transportSecurityHeader = 'strict-transport-security';

/**
 * What has browsers use https only for the name that they called; null where that is not asked for.
 *
 * Not for addresses, where the header means nothing, and not for `localhost`, where it would hold for every other program.
 */
export function transportSecurityOf({ isSecure, origin }: Arrival): string | null {
  if (!isSecure) return null;
  const { hostname } = new URL(origin);
  if (hostname.startsWith('[') || isIP(hostname) !== 0 || /(?:^|\.)localhost$/.test(hostname)) return null;
  return `max-age=${yearSeconds}`;
}
