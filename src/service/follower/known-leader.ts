import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** The host that leads, as another one reaches it. */
export interface KnownLeader {
  /** The id of its process. */
  readonly host: string;
  readonly epoch: number;
  /** `http://10.0.0.5:7682` or `https://…`, without a path. */
  readonly url: string;
  /** SHA-256 of its certificate, as Node prints it; null without TLS. */
  readonly fingerprint: string | null;
}

/** Who leads, as this host knows it. */
export interface LeaderWatch {
  /** Null while nobody is known to lead. */
  readonly leader: KnownLeader | null;
  /** `listener` is called after a change. Returns a function that ends this. */
  onChange(listener: () => void): () => void;
}

type Place = Pick<KnownLeader, 'host' | 'url' | 'fingerprint'>;

/**
 * The address of a host as it is stored in the database: signed with the key of the cluster, which the database never sees, so
 * that the database cannot send callers elsewhere.
 */
export function signAddress(key: KeyObject, { host, url, fingerprint }: Place): string {
  const facts = Buffer.from(JSON.stringify({ url, fingerprint })).toString('base64url');
  return `${facts}.${macOf(key, host, facts).toString('base64url')}`;
}

/** Null when the address is not signed by a host of the cluster, for this host. */
export function readAddress(key: KeyObject, host: string, address: string): Place | null {
  const [facts = '', mac = ''] = address.split('.');
  const expected = macOf(key, host, facts);
  const presented = Buffer.from(mac, 'base64url');
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return null;
  const { url, fingerprint } = JSON.parse(Buffer.from(facts, 'base64url').toString()) as Omit<Place, 'host'>;
  return { host, url, fingerprint };
}

function macOf(key: KeyObject, host: string, facts: string): Buffer {
  return createHmac('sha256', key).update(`rotavox host\n${host}\n${facts}`).digest();
}
