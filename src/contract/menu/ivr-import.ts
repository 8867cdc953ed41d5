import type { JsonError } from '../find-json-error.ts';
import type { FieldFinding } from '../field-problem.ts';
import type { IvrDestinationType } from './ivr.ts';
import type { BodyField } from './ivr-problem.ts';

/** What a value of a JSON file is. */
export type JsonKind = 'null' | 'list' | 'text' | 'number' | 'boolean' | 'object' | 'nothing';

/** What an import left out of a file or left open, with what that is about; `text/menu/flow-import.ts` makes the sentences. */
export interface ImportWarningParams {
  /** A field that a menu needs. */
  missing: null;
  /** The keys are there twice, in two forms; this field was not read. */
  not_read: { readonly unread: string };
  no_option: null;
  /** More entries than there are keys. */
  surplus: { readonly count: number };
  too_many_keys: { readonly count: number; readonly read: number };
  not_a_key: { readonly found: JsonKind };
  key_without_destination: null;
  /** Not written `<type>||<id>`; `of` is what stays without a destination. */
  not_a_destination: { readonly of: 'key' | 'menu'; readonly value: string };
  unknown_type: { readonly type: string };
  no_id: { readonly type: IvrDestinationType };
  not_a_template: null;
  /** The field is there under two names with two values; `other` was read. */
  contradicts: { readonly other: string };
  not_a_text: { readonly found: JsonKind };
  too_long: { readonly longest: number };
  /** Characters that no name may have; the name is read without them. */
  unfit_characters: null;
  /** `value` is null where it is not a text or a number. */
  not_a_number: { readonly value: string | null; readonly found: JsonKind };
  not_direct_dial: null;
  not_a_list: { readonly found: JsonKind };
  not_an_object: { readonly found: JsonKind };
  /** Two menus with one id; lines lead to the first. */
  id_twice: null;
}

/** A part of a menu that an import reads; `keys`, `destinations` and `sms_templates` are whole lists. */
export type ImportField =
  | BodyField
  | 'id'
  | 'invalid_destination'
  | 'direct_dial'
  | 'timeout_destination'
  | 'key'
  | 'destination'
  | 'sms_template'
  | 'keys'
  | 'destinations'
  | 'sms_templates';

/** Where in the file something is, as a person knows it. */
export interface ImportPlace {
  /** `number` is its place among the menus of the file, from 1. */
  readonly menu: { readonly name: string; readonly number: number };
  /** `label` is null where the file has no key that can be shown. */
  readonly key: { readonly label: string | null; readonly number: number } | null;
  readonly field: ImportField;
}

/** What an import has to say; `at` is the path into the file. */
export type ImportNote = {
  [C in keyof ImportWarningParams]: {
    readonly code: C;
    readonly at: string;
    readonly place: ImportPlace;
    readonly params: ImportWarningParams[C];
  };
}[keyof ImportWarningParams];

/** The notes of an import: the first of them, how many more there are, and fields that a menu does not have. */
export interface ImportWarnings {
  readonly notes: readonly ImportNote[];
  readonly more: number;
  readonly leftOut: readonly { readonly field: string; readonly times: number }[];
}

/** What other telephone systems and services write. It is named and not imported. */
export type ForeignFormat =
  | 'dialplan'
  | 'freeswitch'
  | 'studio_flow'
  | 'connect_flow'
  | 'cfd_flow'
  | 'genesys_flow'
  | 'kazoo_callflow'
  | 'voicexml'
  | 'twiml'
  | 'ncco'
  | 'picture'
  | 'web_page';

/** Why a file cannot be imported. */
export interface ImportRefusalParams {
  too_large: { readonly characters: number };
  /** Null where the place is not known. */
  not_json: JsonError | null;
  /** Another program has lost a character in this line. */
  replaced: { readonly line: number };
  foreign: { readonly format: ForeignFormat };
  wrong_format: { readonly format: string };
  wrong_version: { readonly version: number };
  too_many_nodes: { readonly most: number };
  /** Neither a menu nor something with menus in it. */
  no_menus: { readonly found: JsonKind };
  empty_list: null;
  /** An entry of a list that is not a menu. */
  not_a_menu: { readonly found: JsonKind };
  /** What the schema of a draft found. */
  field: FieldFinding;
}

/** `at` is a path into the file, blank for all of it. */
export type ImportRefusal = {
  [C in keyof ImportRefusalParams]: {
    readonly code: C;
    readonly at: string;
    readonly params: ImportRefusalParams[C];
  };
}[keyof ImportRefusalParams];
