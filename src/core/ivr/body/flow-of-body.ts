import { NodeId } from '../../../contract/menu/ivr-draft.ts';
import type { IvrBody } from '../../../contract/menu/ivr.ts';
import type { FlowTarget } from '../../../contract/menu/ivr-call.ts';
import { type Flow, type FlowKey, menusOnly } from '../flow.ts';
import { readReference } from '../../../contract/menu/ivr-reference.ts';

/** The name of the only menu in a body's flow. */
const menu = NodeId.parse('menu');

/**
 * One body as a flow of one menu. `ownId` is the id that it has or will have: a destination with this id starts the
 * menu again.
 *
 * The body must be a result of `parseIvrBody`.
 */
export function flowOfBody(body: IvrBody, ownId?: string): Flow {
  return menusOnly(
    menu,
    new Map([
      [
        menu,
        {
          id: menu,
          name: body.name,
          description: body.description,
          recording: body.recording,
          timeoutSeconds: body.timeout,
          keys: new Map(body.option.map((key, place) => [key, keyAt(place)])),
          wrongKey: {
            recording: body.invalid_recording,
            retries: body.incorrect_count,
            to: target(body.invalid_destination),
          },
          timeout: {
            retries: body.timeout_tries,
            retryRecording: body.timeout_retry_recording,
            lastRecording: body.timeout_recording,
            to: target(body.timeout_destination),
          },
          directDial: body.direct_dial ?? null,
        },
      ],
    ]),
  );

  function keyAt(place: number): FlowKey {
    const template = body.sms_template?.[place] ?? '';
    return {
      // There is one for each option: `parseIvrBody` checked that.
      to: target(body.destination[place] ?? 'hangup'),
      smsTemplate: template === '' ? null : template,
    };
  }

  function target(destination: string): FlowTarget {
    const reference = readReference(destination);
    return reference?.type === 'ivr' && reference.id === ownId
      ? { kind: 'menu', menu }
      : { kind: 'destination', destination, node: null };
  }
}
