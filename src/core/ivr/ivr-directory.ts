/** Ids that are known: a set of them, or what holds the things themselves. */
export interface KnownIds {
  has(id: string): boolean;
}

/**
 * What is known beside the flow: what its references can be compared with.
 *
 * A reference that is not here is no error: it may live on the telephone system.
 */
export interface IvrDirectory {
  readonly recordings: KnownIds;
  readonly extensions: KnownIds;
  readonly menus: KnownIds;
  readonly smsTemplates: KnownIds;
  readonly smsTemplatesEnabled: boolean;
}
