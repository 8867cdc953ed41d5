import { IvrBody } from '../../../contract/ivr.ts';
import { compileKeys } from './compile-keys.ts';
import { type BodyField, openWords } from './open-words.ts';
import type { FlowMenu } from '../flow.ts';
import { compileLine, type MenuInCompilation } from './menu-in-compilation.ts';

/**
 * Makes of a drawn menu one that may run, or null; everything that is wrong with it is told.
 *
 * Each value is judged by the very schema that the body has for it, so what compiles is a body that is accepted.
 */
export function compileMenu(compilation: MenuInCompilation): FlowMenu | null {
  const { menu, name } = compilation;
  // In the order of the spec, which is the order in which problems are told.
  const parts = {
    name: judge(compilation, 'name'),
    description: judge(compilation, 'description'),
    recording: judge(compilation, 'recording'),
    timeoutSeconds: judge(compilation, 'timeout'),
    keys: compileKeys(compilation),
    wrongKeyRetries: judge(compilation, 'incorrect_count'),
    wrongKeyRecording: judge(compilation, 'invalid_recording'),
    wrongKeyTo: compileLine(compilation, menu.invalid_destination, {
      field: 'invalid_destination',
      advice: `Draw a line from the wrong key of ${name}.`,
    }),
    retryRecording: judge(compilation, 'timeout_retry_recording'),
    lastRecording: judge(compilation, 'timeout_recording'),
    silenceTo: compileLine(compilation, menu.timeout_destination, {
      field: 'timeout_destination',
      advice: `Draw a line from the silence of ${name}.`,
    }),
    silenceRetries: judge(compilation, 'timeout_tries'),
  };
  if (!isWhole(parts)) return null;
  return {
    id: menu.id,
    name: parts.name,
    description: parts.description,
    recording: parts.recording,
    timeoutSeconds: parts.timeoutSeconds,
    keys: parts.keys,
    wrongKey: {
      recording: parts.wrongKeyRecording,
      retries: parts.wrongKeyRetries,
      to: parts.wrongKeyTo,
    },
    silence: {
      retries: parts.silenceRetries,
      retryRecording: parts.retryRecording,
      lastRecording: parts.lastRecording,
      to: parts.silenceTo,
    },
  };
}

/** The value that the body would have; null, and told, where it is open or not allowed. */
function judge<F extends BodyField>({ menu, name, tell }: MenuInCompilation, field: F): IvrBody[F] | null {
  const value = menu[field];
  if (field !== 'description' && (value === null || value === '')) {
    tell({ code: 'field_open', at: field, field, message: openWords[field](name) });
    return null;
  }
  const parsed = IvrBody.shape[field].safeParse(value);
  if (parsed.success) return parsed.data as IvrBody[F];
  const rule = parsed.error.issues[0]?.message ?? 'is not allowed';
  tell({ code: 'field_not_allowed', at: field, field, message: `${field} of ${name} ${rule}.` });
  return null;
}

function isWhole<T extends object>(parts: T): parts is { [K in keyof T]: NonNullable<T[K]> } {
  return Object.values(parts).every((part) => part !== null);
}
