import { readReference } from '../reference.ts';
import { commentText } from './comment-text.ts';
import { isPlainId } from './plain-names.ts';

/** The extension at which calls for a destination arrive; what cannot be known here is said in a comment above it. */
export function asteriskDestination(destination: string, name: string): string[] {
  const { application, fillIn } = arrival(destination);
  return [
    `; ${commentText(destination)}${fillIn === null ? '' : `. Fill in: ${fillIn}`}`,
    `exten => ${name},1,${application ?? 'Hangup()'}`,
    ...(application === null ? [] : [' same => n,Hangup()']),
  ];
}

interface Arrival {
  /** Null: the call ends here, until the owner says more. */
  readonly application: string | null;
  readonly fillIn: string | null;
}

function arrival(destination: string): Arrival {
  const { type, id } = readReference(destination) ?? { type: '', id: '' };
  if (type === 'hangup') return { application: null, fillIn: null };
  if (!isPlainId(id))
    return { application: null, fillIn: 'its name here, which no dialplan can hold as it is.' };
  switch (type) {
    case 'extension':
      return { application: `Dial(PJSIP/${id},30)`, fillIn: 'the technology, if it is not PJSIP.' };
    case 'voicemail':
      return {
        application: `VoiceMail(${id}@default,u)`,
        fillIn: 'the voicemail context, if it is not "default".',
      };
    case 'department':
      return { application: `Queue(${id})`, fillIn: 'the queue, if it has another name.' };
    case 'ivr':
      return { application: null, fillIn: 'Goto of the menu with this id.' };
    default:
      return { application: null, fillIn: 'GotoIfTime with the hours that are meant, and where it leads.' };
  }
}
