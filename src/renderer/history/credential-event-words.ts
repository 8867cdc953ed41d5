import type { EventKind } from '../../contract/audit-event.ts';
import { type Data, joined, text, type Wording } from './wording.ts';

/** What happens to the tokens that are kept fresh. */
export const credentialWordings: Readonly<Record<Extract<EventKind, `credential.${string}`>, Wording>> = {
  'credential.added': {
    icon: 'key',
    tone: 'good',
    what: 'Token kept fresh from now on',
    detail: (data) => joined(text(data, 'name'), text(data, 'base_url')),
  },
  'credential.policy_changed': { icon: 'clock', tone: 'calm', what: 'Rotation policy changed', detail: none },
  'credential.paused': { icon: 'pause', tone: 'warn', what: 'Rotation paused', detail: none },
  'credential.resumed': { icon: 'key', tone: 'good', what: 'Rotation resumed', detail: none },
  'credential.rotation_begun': { icon: 'rotate', tone: 'calm', what: 'Rotation begun', detail: generation },
  'credential.rotation_failed': {
    icon: 'alert',
    tone: 'bad',
    what: 'Rotation failed',
    detail: (data) => text(data, 'message'),
  },
  'credential.checked': {
    icon: 'alert',
    tone: 'calm',
    what: 'Token checked',
    detail: checkWords,
  },
  'credential.rotated': {
    icon: 'rotate',
    tone: 'accent',
    what: 'New token in the vault',
    detail: generation,
  },
  'credential.value_replaced': {
    icon: 'key',
    tone: 'accent',
    what: 'Token brought by hand',
    detail: generation,
  },
  'credential.removed': {
    icon: 'cross',
    tone: 'warn',
    what: 'Token kept fresh no more',
    detail: (data) => text(data, 'name'),
  },
  'credential.target_added': { icon: 'key', tone: 'good', what: 'Delivery target added', detail: target },
  'credential.target_removed': { icon: 'cross', tone: 'calm', what: 'Delivery target removed', detail: none },
  'credential.delivered': { icon: 'key', tone: 'good', what: 'Delivered', detail: generationAndNote },
  'credential.delivery_failed': {
    icon: 'alert',
    tone: 'warn',
    what: 'Delivery failed',
    detail: (data) => text(data, 'message'),
  },
};

function none(): undefined {
  return undefined;
}

function checkWords(data: Data): string | undefined {
  const message = text(data, 'trouble', 'message');
  if (message !== undefined) return message;
  return data['can_rotate'] === true ? 'it works, and its service can rotate it' : undefined;
}

function generation(data: Data): string | undefined {
  const count = data['generation'];
  return typeof count === 'number' ? `value ${count}` : undefined;
}

function generationAndNote(data: Data): string | undefined {
  return joined(generation(data), text(data, 'note'));
}

function target(data: Data): string | undefined {
  return joined(
    text(data, 'target', 'kind'),
    text(data, 'target', 'path') ?? text(data, 'target', 'account') ?? text(data, 'target', 'command', '0'),
  );
}
