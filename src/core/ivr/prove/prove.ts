import type { IvrProblem } from '../../../contract/ivr-problem.ts';
import { checkReferences } from './check-references.ts';
import { findNeverPlayed } from './find-never-played.ts';
import type { Flow, FlowMenu } from '../flow.ts';
import type { IvrDirectory } from '../ivr-directory.ts';
import { findUndefinedSteps } from './find-undefined-steps.ts';
import { proveExits } from './prove-exits.ts';

/**
 * What is wrong with phone menus that could run, found without a call.
 *
 * A proof without an error promises, for every call that can be made:
 * - it never comes to a step that is not defined: each menu that it is led to is in the flow;
 * - from every menu there is a way to a destination;
 * - whoever stops pressing used keys comes to a destination, after at most `incorrect_count + timeout_tries + 1` wrong keys
 *   and silences in each menu, and through no menu twice.
 * Whoever goes on pressing used keys may go round between menus for as long as they like: they can stop.
 *
 * It promises nothing about what is outside the flow: `ivr||…` counts as a way out, wherever that menu leads. Warnings
 * compare with the directory (null: nothing is known, nothing is compared). That every menu is reached is asked of the
 * drawing, in `find-unreachable.ts`.
 */
export function prove(flow: Flow, directory: IvrDirectory | null): readonly IvrProblem[] {
  return [...findUndefinedSteps(flow), ...proveExits(flow), ...proveMenus(flow.menus.values(), directory)];
}

/** The part that can be said of each menu alone, also of a drawing that is half wired. Warnings only. */
export function proveMenus(menus: Iterable<FlowMenu>, directory: IvrDirectory | null): IvrProblem[] {
  const all = [...menus];
  return [...all.flatMap(findNeverPlayed), ...(directory === null ? [] : checkReferences(all, directory))];
}
