import type { EventKind } from '../../contract/history/audit-event.ts';
import { Icon, type IconName } from '../kit/icon.tsx';
import styles from './history-card.module.css';

interface Sign {
  readonly icon: IconName;
  readonly tone: 'good' | 'accent' | 'calm' | 'warn' | 'bad';
}

const signs: Record<EventKind, Sign> = {
  'token.issued': { icon: 'token', tone: 'good' },
  'token.rotated': { icon: 'rotate', tone: 'accent' },
  'token.refreshed': { icon: 'key', tone: 'calm' },
  'token.first_used': { icon: 'token', tone: 'calm' },
  'token.suspended': { icon: 'pause', tone: 'warn' },
  'token.resumed': { icon: 'token', tone: 'good' },
  'token.blacklisted': { icon: 'cross', tone: 'bad' },
  'token.expired': { icon: 'clock', tone: 'warn' },
  'token.reused': { icon: 'alert', tone: 'bad' },
  'token.reuse_ended': { icon: 'token', tone: 'good' },
  'token.reuse_dismissed': { icon: 'token', tone: 'calm' },
  'ivr.created': { icon: 'menu', tone: 'good' },
  'ivr.updated': { icon: 'menu', tone: 'accent' },
  'ivr.deleted': { icon: 'menu', tone: 'warn' },
  'draft.created': { icon: 'menu', tone: 'good' },
  'draft.saved': { icon: 'menu', tone: 'calm' },
  'draft.deleted': { icon: 'menu', tone: 'warn' },
  'draft.menu_sent': { icon: 'menu', tone: 'calm' },
  'draft.menu_refused': { icon: 'menu', tone: 'warn' },
  'draft.menu_stored': { icon: 'menu', tone: 'calm' },
  'draft.published': { icon: 'menu', tone: 'accent' },
  'recording.added': { icon: 'other', tone: 'good' },
  'recording.renamed': { icon: 'other', tone: 'calm' },
  'recording.replaced': { icon: 'other', tone: 'accent' },
  'recording.kept': { icon: 'other', tone: 'calm' },
  'recording.use_changed': { icon: 'other', tone: 'calm' },
  'pronunciations.changed': { icon: 'other', tone: 'calm' },
  'speech.begun': { icon: 'other', tone: 'calm' },
  'speech.ended': { icon: 'other', tone: 'calm' },
  'recording.removed': { icon: 'other', tone: 'warn' },
  'extensions.changed': { icon: 'other', tone: 'calm' },
  'sms_templates.changed': { icon: 'other', tone: 'calm' },
  'schedule.created': { icon: 'clock', tone: 'good' },
  'schedule.changed': { icon: 'clock', tone: 'calm' },
  'schedule.switched': { icon: 'clock', tone: 'accent' },
  'schedule.deleted': { icon: 'clock', tone: 'warn' },
  'settings.changed': { icon: 'other', tone: 'calm' },
  'credential.added': { icon: 'key', tone: 'good' },
  'credential.policy_changed': { icon: 'clock', tone: 'calm' },
  'credential.inputs_changed': { icon: 'clock', tone: 'calm' },
  'credential.address_changed': { icon: 'clock', tone: 'calm' },
  'credential.paused': { icon: 'pause', tone: 'warn' },
  'credential.resumed': { icon: 'key', tone: 'good' },
  'credential.rotation_begun': { icon: 'rotate', tone: 'calm' },
  'credential.rotation_failed': { icon: 'alert', tone: 'bad' },
  'credential.checked': { icon: 'alert', tone: 'calm' },
  'credential.rotated': { icon: 'rotate', tone: 'accent' },
  'credential.renewed': { icon: 'rotate', tone: 'accent' },
  'credential.retired': { icon: 'key', tone: 'calm' },
  'credential.retire_failed': { icon: 'alert', tone: 'warn' },
  'credential.standby_changed': { icon: 'key', tone: 'calm' },
  'credential.value_replaced': { icon: 'key', tone: 'accent' },
  'credential.used': { icon: 'key', tone: 'calm' },
  'credential.removed': { icon: 'cross', tone: 'warn' },
  'credential.target_added': { icon: 'key', tone: 'good' },
  'credential.target_removed': { icon: 'cross', tone: 'calm' },
  'credential.delivered': { icon: 'key', tone: 'good' },
  'credential.delivery_failed': { icon: 'alert', tone: 'warn' },
  'proxy.rule_added': { icon: 'key', tone: 'good' },
  'proxy.rule_removed': { icon: 'cross', tone: 'calm' },
  'proxy.token_issued': { icon: 'token', tone: 'good' },
  'proxy.token_revoked': { icon: 'cross', tone: 'calm' },
  'proxy.used': { icon: 'key', tone: 'calm' },
  'proxy.token_reflected': { icon: 'alert', tone: 'warn' },
  'connection.added': { icon: 'key', tone: 'good' },
  'connection.removed': { icon: 'cross', tone: 'calm' },
  'connection.token_refused': { icon: 'alert', tone: 'warn' },
  'pbx.added': { icon: 'menu', tone: 'good' },
  'pbx.changed': { icon: 'menu', tone: 'calm' },
  'pbx.removed': { icon: 'cross', tone: 'warn' },
  'calls.forgotten': { icon: 'cross', tone: 'calm' },
  'folder.move_confirmed': { icon: 'shield', tone: 'accent' },
  'owner.added': { icon: 'key', tone: 'good' },
  'owner.revoked': { icon: 'cross', tone: 'warn' },
  'owner.signed_in': { icon: 'key', tone: 'calm' },
  'owner.sign_in_failed': { icon: 'alert', tone: 'warn' },
  'journal.sealed': { icon: 'shield', tone: 'calm' },
  'journal.repaired': { icon: 'alert', tone: 'warn' },
};

const signByKind: ReadonlyMap<string, Sign> = new Map(Object.entries(signs));
const unknown: Sign = { icon: 'other', tone: 'calm' };

/** How a kind of event is drawn beside its title. One that only a newer service knows is drawn plainly, not left out. */
export function EventSign({ kind }: { kind: string }) {
  const { icon, tone } = signByKind.get(kind) ?? unknown;
  return (
    <span className={styles['sign']} data-tone={tone}>
      <Icon name={icon} />
    </span>
  );
}
