/** What a hostile client does with each of its connections, in the order of the measurements. */
export const hostileKinds = [
  'silent',
  'slow headers',
  'slow bodies',
  'unread /openapi.json',
  'unread /docs',
  'unread list of menus',
  'flood of /openapi.json',
  'flood of wrong tokens',
  'flood of large bodies',
  'come and go',
  'dropped event streams',
] as const;
export type HostileKind = (typeof hostileKinds)[number];

export interface HostileJob {
  readonly kind: HostileKind;
  readonly port: number;
  readonly connections: number;
  /** The token of an app that may only read menus. */
  readonly token: string;
  readonly portalKey: string;
}
