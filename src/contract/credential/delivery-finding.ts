import type { CredentialProblem } from './rotation-trouble.ts';
import type { DeliveryProblem } from './delivery-problem.ts';

/** The quotes around a value in a dotenv file; empty without any. */
export type Quote = '' | "'" | '"' | '`';

/** Why a file is written in place: a mount or a link of it elsewhere, or attributes that a new file would not have. */
export type InPlaceReason = 'asked' | 'mount' | 'link' | 'attributes';

/**
 * What a preview of a delivery found, one finding a sentence. `text/credential/delivery.ts` makes the sentences.
 *
 * `place` is the real place of a file; `lines` are line numbers.
 */
export type DeliveryFinding =
  | { readonly code: 'impossible'; readonly problem: DeliveryProblem }
  | { readonly code: 'target_exists' | 'target_taken'; readonly name: string }
  /** The target can take a token, but there is none to deliver now. */
  | { readonly code: 'nothing_to_deliver'; readonly problem: DeliveryProblem }
  | { readonly code: 'token_unusable'; readonly problem: CredentialProblem }
  | { readonly code: 'file_unchanged'; readonly place: string }
  | {
      readonly code: 'file_created';
      readonly place: string;
      readonly mode?: string;
      readonly newline?: false;
    }
  | {
      readonly code: 'file_replaced';
      readonly place: string;
      readonly lineCount: number;
      readonly newline?: false;
    }
  | {
      readonly code: 'variable_created';
      readonly place: string;
      readonly variable: string;
      readonly mode?: string;
    }
  | {
      readonly code: 'variable_unchanged';
      readonly place: string;
      readonly variable: string;
      readonly lines: readonly number[];
    }
  /** `needsLineBreak`: the last line of the file does not end. */
  | {
      readonly code: 'variable_added';
      readonly place: string;
      readonly variable: string;
      readonly lines: readonly number[];
      readonly needsLineBreak: boolean;
    }
  /** `lines`: all on which the variable is set. */
  | {
      readonly code: 'variable_changed';
      readonly place: string;
      readonly variable: string;
      readonly lines: readonly number[];
      readonly changed: readonly number[];
    }
  | {
      readonly code: 'setting_unchanged' | 'setting_changed' | 'setting_added';
      readonly place: string;
      readonly key: string;
      readonly line: number;
    }
  | {
      readonly code: 'setting_created';
      readonly place: string;
      readonly key: string;
      readonly mode?: string;
    }
  | {
      readonly code: 'line_keeps';
      readonly quote: Quote;
      readonly parts: readonly ('export' | 'quotes' | 'comment')[];
    }
  | { readonly code: 'line_gets_quotes'; readonly quote: Quote }
  | { readonly code: 'lines_joined'; readonly line: number; readonly lineCount: number }
  | { readonly code: 'rest_unchanged' }
  | { readonly code: 'through_link'; readonly path: string }
  /** It is written in place: as it was asked for, or because of what the file is. */
  | { readonly code: 'written_in_place'; readonly reason: InPlaceReason }
  | { readonly code: 'mode_kept'; readonly mode: string }
  | { readonly code: 'readable_by_others'; readonly place: string }
  | {
      readonly code: 'entry_unchanged' | 'entry_replaced' | 'entry_created';
      readonly service: string;
      readonly account: string;
    }
  /** `variable`: where the token is passed; null: on stdin. */
  | {
      readonly code: 'command_found';
      readonly program: string;
      readonly argumentCount: number;
      readonly seconds: number;
      readonly variable: string | null;
    };
