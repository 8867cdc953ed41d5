/** What a person sees of a field: its label, what it is for, and how a sentence about it begins. */
export interface FieldText {
  readonly label: string;
  readonly hint?: string;
  readonly subject: string;
  /** Said instead where nothing was entered. */
  readonly missing?: string;
}

/** What is wrong with a field, from the words of a schema: `must have 1 to 100 characters`. */
export function fieldErrorText(subject: string, message: string): string {
  return `${subject} ${message}${message.endsWith('.') ? '' : '.'}`;
}

/** Said in a dialog when Esc would discard what was entered. */
export const unsavedText = 'What you entered is not saved. Press Esc again to discard it.';
