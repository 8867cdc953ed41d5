import type { OwnStep, StepState } from './rotation-run.ts';

type Words = Record<StepState | 'coming', string>;

/** What the service and the vault are called. */
export interface StepNames {
  readonly service: string;
  readonly vault: string;
}

/** A step in words: what is being done, what was done, what did not work, what is still to come. */
export function stepWords(step: OwnStep, state: StepState | 'coming', names: StepNames): string {
  return wordsOf(names)[step][state];
}

function wordsOf({ service, vault }: StepNames): Record<OwnStep, Words> {
  return {
    intent: {
      coming: 'Write the intent down',
      running: 'Writing the intent down',
      done: 'Intent written down',
      failed: 'The intent could not be written down',
    },
    vault_room: {
      coming: `Make room in the ${vault}`,
      running: `Making room in the ${vault}`,
      done: `Room made in the ${vault}`,
      failed: `No room could be made in the ${vault}`,
    },
    rotate: {
      coming: `Ask ${service} for the new token`,
      running: `Asking ${service} for the new token`,
      done: `New token received from ${service}`,
      failed: `No new token from ${service}`,
    },
    vault: {
      coming: `Put it into the ${vault}`,
      running: `Putting it into the ${vault}`,
      done: `In the ${vault}, and read back`,
      failed: `It could not be put into the ${vault}`,
    },
    verify: {
      coming: 'Try it',
      running: 'Trying it',
      done: 'Tried',
      failed: 'It could not be tried',
    },
    record: {
      coming: 'Record it',
      running: 'Recording it',
      done: 'Recorded',
      failed: 'It could not be recorded',
    },
  };
}

export const deliveryWords: Words = {
  coming: 'Bring it to',
  running: 'Bringing it to',
  done: 'Delivered to',
  failed: 'Not delivered to',
};
