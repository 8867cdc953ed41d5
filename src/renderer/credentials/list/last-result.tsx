import type { CredentialView } from '../../../contract/credential-view.ts';
import { Moment } from '../../kit/moment.tsx';
import { ServiceWords } from '../../kit/service-words.tsx';

/** What the last attempt came to. */
export function LastResult({ one }: { one: CredentialView }) {
  if (one.message !== null) return <ServiceWords said={one.message} />;
  if (one.last_rotated_at === null) return <>Not rotated yet</>;
  return (
    <>
      Rotated <Moment at={one.last_rotated_at} />
    </>
  );
}
