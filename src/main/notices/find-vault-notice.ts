import type { VaultStatus } from '../../contract/credential-view.ts';
import { namesOf, textOf } from './phrases.ts';
import type { Sight } from './sight.ts';
import type { SubjectNotice } from './subject.ts';
import { isNews, type TellMemory } from './tell-memory.ts';
import { whenFirstExpires } from './trouble-words.ts';
import { isVaultMissed, stageOf, troubleOf } from './troubles.ts';

/**
 * One notice that the vault does not work, whatever number of credentials wait for it.
 *
 * Once until it has worked again, and once more whenever one of those has come to another stage with a failed attempt.
 */
export function findVaultNotice(memory: TellMemory, { glance, nowMs }: Sight): SubjectNotice[] {
  if (!isVaultMissed(glance)) return [];
  const waiting = glance.credentials.filter(({ trouble }) => trouble?.kind === 'vault');
  // One that has expired meanwhile is told as that.
  const isUrgent = waiting.some((one) => troubleOf(one) === 'vault' && isNews(memory, one));
  if (memory.vault && !isUrgent) return [];
  const { vault } = glance;
  const [only] = waiting.length === 1 ? waiting : [];
  return [
    {
      notice: {
        id: 'vault',
        title: titleOf(vault),
        body: textOf(
          waiting.length === 0
            ? 'New values cannot be brought to the apps that use them.'
            : `${namesOf(waiting.map(({ name }) => name))} cannot be rotated until it works.`,
          whenFirstExpires(waiting, nowMs),
          vault.status === 'locked' ? 'Unlock it; Rotavox goes on by itself.' : vault.message,
        ),
        action: only === undefined ? null : { kind: 'rotate', name: only.name },
        open: only === undefined ? { kind: 'home' } : { kind: 'credential', name: only.name },
        urgency: waiting.some((one) => stageOf(one) >= 3) ? 'critical' : 'normal',
      },
      about: ['vault'],
    },
  ];
}

function titleOf({ kind, status }: VaultStatus): string {
  const name = kind === 'keychain' ? 'The keychain' : 'The vault';
  if (status === 'locked') return `${name} is locked`;
  if (status === 'absent') return `${name} is not there`;
  return `${name} does not work`;
}
