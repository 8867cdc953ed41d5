import type { NodeId } from '../../../contract/ivr-draft.ts';
import { unreachable } from '../../unreachable.ts';
import type { CallHappening, CallPort, Prompt } from './step.ts';
import type { Flow, FlowTarget } from '../flow.ts';
import { quoted } from '../quoted.ts';
import { referenceWords } from '../reference-words.ts';

/** What happened in a call, as a sentence: a line of the log that the play panel and the CLI show. */
export function callWords(flow: Flow, happening: CallHappening): string {
  switch (happening.kind) {
    case 'entered':
      return `The call comes to ${menuName(flow, happening.menu)}.`;
    case 'playing':
      return `Plays ${referenceWords(happening.prompt.recording)}${why(happening.prompt)}.`;
    case 'waiting':
      return `Waits ${happening.seconds} ${happening.seconds === 1 ? 'second' : 'seconds'} for a key.`;
    case 'key':
      return happening.used
        ? `The caller presses ${happening.key}.`
        : `The caller presses ${happening.key}, which ${menuName(flow, happening.menu)} does not use.`;
    case 'silence':
      return 'The caller presses nothing.';
    case 'sms':
      return `Sends SMS template ${happening.template}.`;
    case 'led':
      return `${portWords(happening.port)} leads to ${targetWords(flow, happening.to)}.`;
    default:
      return unreachable(happening);
  }
}

function why({ cause }: Prompt): string {
  switch (cause) {
    case 'menu':
      return '';
    case 'wrong_key':
      return ', for the wrong key';
    case 'silence_retry':
      return ', before it tries again';
    case 'silence_last':
      return ', for no try is left';
    default:
      return unreachable(cause);
  }
}

function portWords(port: CallPort): string {
  switch (port.kind) {
    case 'key':
      return `Key ${port.key}`;
    case 'wrong_key':
      return 'One wrong key too many';
    case 'silence':
      return 'Silence';
    default:
      return unreachable(port);
  }
}

function targetWords(flow: Flow, to: FlowTarget): string {
  return to.kind === 'menu' ? menuName(flow, to.menu) : referenceWords(to.destination);
}

function menuName(flow: Flow, id: NodeId): string {
  return quoted(flow.menus.get(id)?.name ?? '');
}
