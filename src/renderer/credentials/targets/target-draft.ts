import { defaultVariable, DeliveryTarget } from '../../../contract/credential.ts';
import { fieldErrorsOf } from '../../../text/field-errors.ts';

export const targetKinds = ['dotenv', 'file', 'keychain', 'hook'] as const satisfies DeliveryTarget['kind'][];

/** What stands in the targets editor, as it is typed: the fields of every kind, so that going back loses nothing. */
export interface TargetDraft {
  readonly kind: DeliveryTarget['kind'];
  readonly service: string;
  readonly account: string;
  readonly path: string;
  readonly variable: string;
  readonly program: string;
  /** One argument a line. */
  readonly args: string;
  readonly pass: 'stdin' | 'env';
  /** Seconds. */
  readonly timeLimit: string;
}

export const emptyTarget: TargetDraft = {
  kind: 'dotenv',
  service: '',
  account: '',
  path: '',
  variable: defaultVariable,
  program: '',
  args: '',
  pass: 'stdin',
  timeLimit: '30',
};

/** The places of the editor that can be wrong, in their order. */
export const targetFields = [
  'service',
  'account',
  'path',
  'variable',
  'program',
  'args',
  'timeLimit',
] as const;
export type TargetField = (typeof targetFields)[number];
export type TargetErrors = Partial<Record<TargetField, string>>;

/** What the fields of a kind are given. */
export interface FieldsProps {
  draft: TargetDraft;
  errors: TargetErrors;
  onChange: (changes: Partial<TargetDraft>) => void;
  onLeave: (field: TargetField) => void;
}

/** The target that the editor stands for, by the contract's own schema, and every error with its place. */
export function readTarget(draft: TargetDraft): {
  readonly target: DeliveryTarget | null;
  readonly errors: TargetErrors;
} {
  const written = writtenTarget(draft);
  const parsed = DeliveryTarget.safeParse(written);
  if (parsed.success) return { target: parsed.data, errors: {} };
  const errors: TargetErrors = {};
  for (const { field, message } of fieldErrorsOf(parsed.error, written)) {
    const place = placeOf(field);
    if (place !== undefined) errors[place] ??= `${subjects[place]} ${message}.`;
  }
  return { target: null, errors };
}

function writtenTarget(draft: TargetDraft): Record<string, unknown> {
  const { kind, service, account, variable, pass } = draft;
  const path = draft.path.trim();
  switch (kind) {
    case 'keychain':
      return { kind, service, account };
    case 'file':
      return { kind, path };
    case 'dotenv':
      return { kind, path, variable };
    case 'hook':
      return {
        kind,
        command: [draft.program.trim(), ...argumentsOf(draft.args)],
        pass,
        ...(pass === 'env' ? { variable } : {}),
        time_limit_seconds: /^\d+$/.test(draft.timeLimit.trim()) ? Number(draft.timeLimit) : Number.NaN,
      };
  }
}

/** Blanks inside a line belong to the argument: no shell reads it. */
function argumentsOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function placeOf(field: string): TargetField | undefined {
  if (field === 'command' || field === 'command[0]') return 'program';
  if (field.startsWith('command[')) return 'args';
  if (field === 'time_limit_seconds') return 'timeLimit';
  return targetFields.find((name) => name === field);
}

const subjects: Record<TargetField, string> = {
  service: 'The service',
  account: 'The account',
  path: 'The path',
  variable: 'The variable',
  program: 'The command',
  args: 'An argument',
  timeLimit: 'The time limit',
};
