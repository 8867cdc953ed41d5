/**
 * What is known beside the flow: what its references can be compared with. Ids only.
 *
 * A reference that is not here is no error: it may live on the telephone system.
 */
export interface IvrDirectory {
  readonly recordings: ReadonlySet<string>;
  readonly extensions: ReadonlySet<string>;
  readonly menus: ReadonlySet<string>;
  readonly smsTemplates: ReadonlySet<string>;
  readonly smsTemplatesEnabled: boolean;
}
