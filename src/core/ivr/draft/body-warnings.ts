import type { IvrBody, IvrWarning } from '../../../contract/ivr.ts';
import type { State } from '../../state.ts';
import { flowOfBody } from '../body/flow-of-body.ts';
import { prove } from '../prove/prove.ts';
import { stateDirectory } from './state-directory.ts';

/**
 * What a stored menu should know about a body that was accepted: the engine's own findings, field by field.
 *
 * `ownId` is the id of the menu that the body is for, when it has one already.
 */
export function bodyWarnings(state: State, body: IvrBody, ownId?: string): IvrWarning[] {
  const problems = prove(flowOfBody(body, ownId), stateDirectory(state));
  return problems.map(({ field, message }) => ({ field: field ?? '', message }));
}
