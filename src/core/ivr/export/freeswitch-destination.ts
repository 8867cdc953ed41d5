import { readReference } from '../reference.ts';
import { commentText } from './comment-text.ts';
import { action, extension } from './freeswitch-extensions.ts';
import { isPlainId } from './plain-names.ts';

/** The extension at which calls for a destination arrive; what cannot be known here is said in a comment above it. */
export function freeswitchDestination(destination: string, name: string): string[] {
  const { does, fillIn } = arrival(destination);
  const note = fillIn === null ? '' : `. Fill in: ${fillIn}`;
  return [
    `      <!-- ${commentText(destination)}${note} -->`,
    ...extension(`to_${name}`, [], [...(does === null ? [] : [does]), action('hangup')]),
  ];
}

interface Arrival {
  /** Null: the call ends here, until the owner says more. */
  readonly does: string | null;
  readonly fillIn: string | null;
}

function arrival(destination: string): Arrival {
  const { type, id } = readReference(destination) ?? { type: '', id: '' };
  if (type === 'hangup') return { does: null, fillIn: null };
  if (!isPlainId(id)) return { does: null, fillIn: 'its name here, which no dialplan can hold as it is.' };
  switch (type) {
    case 'extension':
      return { does: action('bridge', `user/${id}@\${domain_name}`), fillIn: null };
    case 'voicemail':
      return { does: action('voicemail', `default \${domain_name} ${id}`), fillIn: null };
    case 'department':
      return {
        does: action('callcenter', `${id}@default`),
        fillIn: 'the queue of mod_callcenter, if it has another name.',
      };
    case 'ivr':
      return { does: null, fillIn: 'transfer to the menu with this id.' };
    default:
      return { does: null, fillIn: 'conditions with the hours that are meant, and where they lead.' };
  }
}
