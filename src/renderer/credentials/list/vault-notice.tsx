import type { VaultStatus } from '../../../contract/credential-view.ts';
import { Notice } from '../../kit/notice.tsx';
import { ServiceWords } from '../../kit/service-words.tsx';

const titles = {
  locked: 'The keychain is locked.',
  absent: 'There is no keychain here.',
  failed: 'The keychain does not work.',
} as const;

/** Says that values can be neither read nor kept, and what to do; nothing while the vault works. */
export function VaultNotice({ vault: { kind, status, description, message } }: { vault: VaultStatus }) {
  if (status === 'ok') return null;
  const title = kind === 'keychain' ? titles[status] : `The vault cannot be used: ${description}.`;
  return (
    <Notice tone="bad" title={title}>
      {message === null ? null : (
        <p>
          <ServiceWords said={message} />
        </p>
      )}
      <p>
        Until then no value can be copied or replaced. A rotation that is due waits, and is finished by
        itself.
      </p>
    </Notice>
  );
}
