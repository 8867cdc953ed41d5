import type { CallPort } from './ivr-call.ts';
import type { MenuNode, NodeId, ScenarioId } from './ivr-draft.ts';
import type { UnheardSound } from './ivr-reference.ts';
import type { IvrBody, IvrDestinationType } from './ivr.ts';
import type { SpeechProblem } from './speech.ts';

/** A field of the body that a menu of a draft holds as it is: not a list, and not a line to another node. */
export type BodyField = Exclude<
  keyof MenuNode & keyof IvrBody,
  'invalid_destination' | 'timeout_destination' | 'direct_dial'
>;

/** Where a call is at the end of a scenario; `menu` is a name, null where the menu no longer exists. */
export type ScenarioPlace =
  | { readonly kind: 'destination'; readonly destination: string }
  | { readonly kind: 'menu'; readonly menu: string | null };

/**
 * Everything that the checks of a call flow can find, with what each finding is about.
 *
 * `menu` and `scenario` are names, which may be blank. `text/menu/flow-findings.ts` makes the sentences.
 */
export interface IvrProblemParams {
  /** A value that the body needs is missing. */
  field_open:
    | { readonly of: 'menu'; readonly menu: string; readonly field: BodyField }
    | { readonly of: 'destination'; readonly type: IvrDestinationType }
    /** No schedule is chosen. */
    | { readonly of: 'hours' }
    | { readonly of: 'message'; readonly message: string }
    /** Callers may dial numbers, and none is named. */
    | { readonly of: 'numbers'; readonly menu: string };
  /** A value that the body does not allow. */
  field_not_allowed:
    | {
        readonly of: 'menu';
        readonly menu: string;
        readonly field: BodyField;
        readonly value: string | number;
      }
    | { readonly of: 'keys'; readonly menu: string; readonly keys: number; readonly most: number }
    | {
        readonly of: 'sms_template';
        readonly menu: string;
        readonly key: string;
        readonly longest: number;
      }
    | { readonly of: 'destination'; readonly type: IvrDestinationType }
    | { readonly of: 'message'; readonly message: string; readonly value: string }
    | {
        readonly of: 'message_name';
        readonly message: string;
        readonly longest: number;
      }
    | { readonly of: 'pattern'; readonly menu: string; readonly pattern: string; readonly why: PatternFault };
  /** The caller is not connected to a menu; `first` is a menu that it could be connected to, null without any. */
  no_start: { readonly first: string | null };
  no_keys: { readonly menu: string };
  key_not_allowed: { readonly menu: string; readonly key: string };
  key_twice: { readonly menu: string; readonly key: string };
  /** An outcome without a destination. `menu` is the name of the menu, the message, or the schedule of the opening hours. */
  destination_open: { readonly menu: string; readonly way: CallPort };
  /** A line to a node that no longer exists. */
  node_unknown:
    | { readonly from: 'caller'; readonly first: string | null }
    | { readonly from: 'menu'; readonly menu: string; readonly way: CallPort };
  /** No call ever comes here; `node` is a menu's name, or a destination as the body writes it. */
  unreachable: { readonly kind: 'menu' | 'destination' | 'hours' | 'message'; readonly node: string };
  /** From here a call can only go to other menus. `kind`: where it is no menu. */
  no_way_out: { readonly menu: string; readonly kind?: 'hours' | 'message' };
  /** These opening hours only lead to each other, so that a call never hears anything. Names of their schedules. */
  circle_unheard: { readonly hours: readonly string[] };
  message_to_itself: { readonly message: string };
  /** The schedule of opening hours is not stored here any more. */
  schedule_unknown: { readonly schedule: string };
  /** A schedule that is never open or never closed: only its switch can lead callers to the other exit. */
  hours_never: { readonly hours: string; readonly state: 'open' | 'closed' };
  /** A key leads only after the time for another digit, because a longer entry begins with it. */
  key_waits: {
    readonly menu: string;
    readonly key: string;
    readonly longer: string;
    readonly seconds: number;
  };
  /** A key is the same as a number that callers may dial: they reach what the key leads to. */
  number_is_key: { readonly menu: string; readonly key: string };
  /** Patterns let callers dial numbers that are not in the directory. `unlisted`: null where the directory is not known. */
  numbers_by_pattern: {
    readonly menu: string;
    readonly patterns: readonly string[];
    readonly numbers: number;
    readonly unlisted: number | null;
  };
  /** Numbers of the directory that no caller can dial, because they could leave the telephone system. `all`: no other is there. */
  numbers_not_dialled: {
    readonly menu: string;
    readonly numbers: readonly string[];
    readonly count: number;
    readonly all: boolean;
  };
  /** Another service has no place for it. */
  not_elsewhere:
    | {
        readonly what: 'hours' | 'message' | 'direct_dial' | 'long_key' | 'start';
        readonly name: string;
        readonly key: string | null;
      }
    /** A prompt or a destination, as the body writes it, in the menu `name`. */
    | { readonly what: 'reference'; readonly name: string; readonly reference: string };
  /** Callers who press no offered key go round these menus forever; `way` leads from the first to the next. */
  endless_without_key: {
    readonly menus: readonly [string, ...string[]];
    readonly way: Exclude<CallPort['kind'], 'key' | 'number'>;
  };
  /** A recording that no caller can hear. */
  never_played: { readonly menu: string; readonly recording: 'wrong_key' | 'retry' };
  /** No call can be led there, on any telephone system. `character`: the first that an extension cannot have. */
  destination_unreachable: {
    readonly type: IvrDestinationType;
    readonly id: string;
    readonly why:
      | { readonly code: 'character'; readonly character: string; readonly suggested: string | null }
      | { readonly code: 'too_long'; readonly most: number }
      /** Asterisk itself leads calls there, at a timeout for example, or no number is left of it. */
      | { readonly code: 'reserved' }
      /** An outside number that is not written as `+`, country and number. */
      | { readonly code: 'not_international'; readonly suggested: string | null }
      /** The settings allow no country. */
      | { readonly code: 'no_countries' }
      /** The number is in another country than those that are allowed; null: in none. ISO 3166. */
      | { readonly code: 'other_country'; readonly country: string | null }
      /** At premium, shared or personal rates. */
      | { readonly code: 'costly_number'; readonly country: string }
      /** Too long or too short for its country. */
      | { readonly code: 'no_such_number'; readonly country: string };
  };
  /** Written like an outside number, which the settings for those do not limit as long as it is of another type. */
  looks_outside: { readonly type: IvrDestinationType; readonly id: string };
  /** A telephone system has no place for destinations of this type. */
  destination_unrouted: { readonly type: IvrDestinationType; readonly id: string };
  /** Not in the directory: calls play the sound of the telephone system that has its name. */
  recording_unknown: { readonly menu: string; readonly recording: string } & UnheardSound;
  /** A telephone system has no sound of this name: callers hear nothing. */
  sound_unknown: { readonly menu: string; readonly sound: string; readonly pbx: string };
  /** No speech can be made of a text: callers hear nothing. `menu` is null for a prompt of all menus. */
  prompt_unspoken: {
    readonly menu: string | null;
    readonly text: string;
    readonly problem: SpeechProblem;
  };
  /** Letters of a text that no voice of the language can read: callers hear the rest. */
  letters_unspoken: {
    readonly menu: string | null;
    readonly letters: readonly string[];
    readonly language: string;
  };
  /** Not in the directory: it may be on the telephone system. */
  extension_unknown: { readonly extension: string };
  menu_unknown: { readonly menu_id: string };
  /** Opening hours or a message that no published call flow has. */
  part_unknown: { readonly kind: 'hours' | 'message'; readonly id: string };
  sms_template_unknown: { readonly menu: string; readonly key: string; readonly template: string };
  /** The menu sends SMS templates, and the setting for them is off. */
  sms_setting_off: { readonly menu: string };
  scenario_failed: {
    readonly scenario: string;
    readonly expected: ScenarioPlace;
    readonly came: ScenarioPlace;
  };
}
/** Why a pattern of numbers is not allowed. `first`: it would begin with 0, `*` or any digit. */
export type PatternFault = 'empty' | 'character' | 'first' | 'too_long' | 'service';

export type IvrProblemCode = keyof IvrProblemParams;

interface ProblemPlace {
  /**
   * An error blocks publishing; a warning does not. `todo` is an error that is merely not done yet, where that is told
   * apart (`core/ivr/finding-severity.ts`); the checks themselves never say it.
   */
  readonly severity: 'error' | 'todo' | 'warning';
  /** A path into the document, such as `nodes.reception.keys.0.to`. */
  readonly path: string;
  /** The node that it is about, for going there. */
  readonly node: NodeId | null;
  /** The field of the body, such as `destination[0]`, where there is one. */
  readonly field: string | null;
  readonly scenario: ScenarioId | null;
}

/** One finding of the checks, and where it is. */
export type IvrProblem = {
  [C in IvrProblemCode]: ProblemPlace & { readonly code: C; readonly params: IvrProblemParams[C] };
}[IvrProblemCode];

/** An id that another service gave a menu and that cannot be used: its beginning, its length, and what the schema says. */
export interface UnusableMenuId {
  readonly beginning: string;
  readonly characters: number;
  readonly rule: string;
}
