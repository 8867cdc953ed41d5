import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * What pages may load. No inline script anywhere but on the reference page, which is one file.
 *
 * That page runs a viewer of others. `sandbox` without `allow-same-origin` gives it an origin of its own, so that it can
 * read neither what the service answers nor what the windows store in the browser; and it may load nothing.
 */
export const contentSecurityPolicy = {
  windows:
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
    "media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  referencePage:
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; " +
    "img-src data: blob:; font-src data:; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

/** What the windows may ask the browser for: the microphone, to record a prompt with, and nothing else that listens, looks or locates. */
export const permissionsPolicy =
  'microphone=(self), camera=(), display-capture=(), geolocation=(), usb=(), serial=(), hid=(), midi=(), payment=()';

/** On every answer that a page could embed: it is what it says it is, and no other origin may have it. */
export function addSecurityHeaders({ method }: FastifyRequest, reply: FastifyReply, next: () => void): void {
  if (method === 'GET' || method === 'HEAD') {
    reply.raw.setHeader('x-content-type-options', 'nosniff');
    reply.raw.setHeader('cross-origin-resource-policy', 'same-origin');
  }
  next();
}
