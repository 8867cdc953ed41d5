import type { TokenRow } from '../../contract/token/token-list.ts';
import { Text } from '../kit/text.tsx';

/** What a token is called: as its credential where it has one, with its own name beside it where that differs. */
export function TokenName({
  token: { name, kept_fresh_by: credential },
}: {
  token: Pick<TokenRow, 'name' | 'kept_fresh_by'>;
}) {
  if (credential === null || credential === name) return <bdi>{name}</bdi>;
  return (
    <>
      <bdi>{credential}</bdi>{' '}
      <Text as="span" tone="soft" weight="regular">
        <bdi>{name}</bdi>
      </Text>
    </>
  );
}
