/**
 * `VALUE_UNQUOTABLE`: no quotes carry the value. `NOT_TEXT`: not a file of lines. `QUOTES_ENTANGLED`: the file's open
 * quotes would make something else of the change. `TOO_MANY`: more assignments than a file of settings has.
 */
export type VariableRefusal = 'VALUE_UNQUOTABLE' | 'NOT_TEXT' | 'QUOTES_ENTANGLED' | 'TOO_MANY';

/** A variable cannot be set in this content. */
export class VariableRefused extends Error {
  readonly code: VariableRefusal;

  constructor(code: VariableRefusal) {
    super(`The variable cannot be set: ${code}`);
    this.name = 'VariableRefused';
    this.code = code;
  }
}
