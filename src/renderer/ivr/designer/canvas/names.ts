import type { ReferenceData } from '../use-designer.ts';

/** How what a drawing refers to is called, by id. */
export interface Names {
  readonly recordings: ReadonlyMap<string, string>;
  readonly extensions: ReadonlyMap<string, string>;
  readonly menus: ReadonlyMap<string, string>;
  readonly smsTemplates: ReadonlyMap<string, string>;
}

export function namesOf({ recordings, extensions, menus, smsTemplates }: ReferenceData): Names {
  const byId = (
    list: readonly { readonly id: string; readonly name: string }[],
  ): ReadonlyMap<string, string> => new Map(list.map(({ id, name }) => [id, name]));
  return {
    recordings: byId(recordings),
    extensions: byId(extensions),
    menus: byId(menus),
    smsTemplates: byId(smsTemplates),
  };
}
