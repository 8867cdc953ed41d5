import type { VaultProblem } from './vault-problem.ts';

/** How a command ended that did not succeed. */
export type HookEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'killed'; readonly signal: string }
  /** `systemCode`: ENOENT, EACCES or another. */
  | { readonly kind: 'not_started'; readonly systemCode: string }
  | { readonly kind: 'time_limit'; readonly seconds: number }
  | { readonly kind: 'stopped' };

/**
 * Why a value of a settings file is not set. `not_parsed`: the file has an error in its format. `missing`: there is no such value, and none is to be
 * added. `no_room`: there is none, and it cannot be added without changing more. `not_text`: it is a number, a list or the like.
 * `shared`: an anchor or alias of YAML is involved, so that other values would change. `duplicate`: the key is there twice. `several_lines`: its text
 * is. `comment`: what follows it is a comment for some programs and a part of it for others. `reference`: it names a variable of the environment.
 * `encrypted`: another program has encrypted it. `encrypted_file`: sops has encrypted other values, and its checksum is over this one, too.
 * `several_documents`: which of them is meant is not known. `not_utf8`. `too_large`. `unwritable`: the format cannot hold this token for all its readers.
 */
export type SettingReason =
  | 'not_parsed'
  | 'missing'
  | 'no_room'
  | 'not_text'
  | 'shared'
  | 'duplicate'
  | 'several_lines'
  | 'comment'
  | 'reference'
  | 'encrypted'
  | 'encrypted_file'
  | 'several_documents'
  | 'not_utf8'
  | 'too_large'
  | 'unwritable';

/** Why a target does not have the current token. `text/credential/delivery.ts` makes the sentences; no parameter holds a token. */
export type DeliveryProblem =
  /** Files. `path` is the target's, `own` one of Rotavox itself, `place` the real place of the file. */
  | { readonly code: 'own_file'; readonly path: string; readonly own: string }
  | { readonly code: 'not_absolute' | 'not_ordinary' | 'is_folder' | 'is_device'; readonly path: string }
  | { readonly code: 'too_large' | 'changed_meanwhile' | 'file_read_back'; readonly path: string }
  | { readonly code: 'owner_differs'; readonly place: string; readonly uid: string; readonly gid: string }
  /** There is no account of that name, or a file may not be given to it. */
  | {
      readonly code: 'no_such_account' | 'owner_not_allowed';
      readonly path: string;
      readonly wanted: string;
    }
  | { readonly code: 'file_system'; readonly path: string; readonly systemCode: string }
  /** Dotenv files. */
  | {
      readonly code: 'not_quotable' | 'quotes_open';
      readonly path: string;
      readonly variable: string;
    }
  | { readonly code: 'not_text'; readonly path: string }
  /** `line`: the first that no dotenv file has; null: the name of the file says that it is of another kind. */
  | { readonly code: 'not_dotenv'; readonly path: string; readonly line: number | null }
  /** `line`: the first value that another program has encrypted. */
  | { readonly code: 'encrypted'; readonly path: string; readonly variable: string; readonly line: number }
  | {
      readonly code: 'more_on_line' | 'goes_on';
      readonly path: string;
      readonly variable: string;
      readonly line: number;
    }
  | { readonly code: 'too_many_variables'; readonly path: string; readonly limit: number }
  /** Values of settings files. `line`: the one that shows it; null: none does. */
  | {
      readonly code: 'setting';
      readonly reason: SettingReason;
      readonly path: string;
      readonly key: string;
      readonly line: number | null;
    }
  /** Keychain entries. */
  | {
      readonly code: 'own_entry' | 'no_keychain' | 'entry_read_back';
      readonly service: string;
      readonly account: string;
    }
  | {
      readonly code: 'entry_not_written' | 'entry_not_readable';
      readonly service: string;
      readonly account: string;
      readonly problem: VaultProblem;
    }
  /** Commands. `output`: the end of what it printed, empty for nothing. */
  | { readonly code: 'nul_in_token'; readonly program: string }
  /** An older version let it be chosen. */
  | { readonly code: 'variable_not_allowed'; readonly program: string; readonly variable: string }
  | { readonly code: 'hook'; readonly program: string; readonly end: HookEnd; readonly output: string }
  /** Any target. */
  | { readonly code: 'stopped' }
  | { readonly code: 'no_current_token'; readonly name: string }
  | { readonly code: 'vault'; readonly problem: VaultProblem }
  /** A bug of ours; the log has more. */
  | { readonly code: 'internal' };
