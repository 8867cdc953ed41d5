import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/contract/history/audit-event.ts';
import { ownUserAgent } from '../../src/contract/service/own-call.ts';
import type { Token } from '../../src/core/token/token-record.ts';
import { openStore } from '../../src/store/open-store.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { issued, moved, noon, rotated, tokenIdNamed } from '../fixtures/make-events.ts';

/** Tokens in every status that the owner or a rotation can cause, each changed a minute after the previous one. */
const story = [
  issued('active'),
  issued('suspended'),
  moved('token.suspended', 'suspended'),
  issued('resumed'),
  moved('token.suspended', 'resumed'),
  moved('token.resumed', 'resumed'),
  issued('blacklisted'),
  moved('token.blacklisted', 'blacklisted'),
  issued('rotated'),
  rotated('rotated', 1),
  issued('checked'),
  {
    kind: 'token.first_used',
    subject: 'fam_checked',
    actor: {
      kind: 'bearer',
      token_id: tokenIdNamed('checked'),
      address: '127.0.0.1',
      user_agent: ownUserAgent,
    },
    data: { token_id: tokenIdNamed('checked') },
  } satisfies EventDraft<'token.first_used'>,
];

async function writtenFolder(minuteMs: number): Promise<{ folder: string; tokens: Token[] }> {
  const folder = makeFolder();
  let nowMs = noon;
  const { store } = await openStore({ folder, clock: () => nowMs });
  for (const event of story) {
    nowMs += minuteMs;
    await store.transact(() => ({ events: [event], value: null }));
  }
  const tokens = [...store.state.tokens.values()];
  await store.close();
  return { folder, tokens };
}

describe('the state file', () => {
  it.each([60_000, 0])('gives tokens back as they were, with %d ms between the changes', async (minuteMs) => {
    const { folder, tokens } = await writtenFolder(minuteMs);
    const { store } = await openStore({ folder, clock: () => noon });
    expect([...store.state.tokens.values()]).toEqual(tokens);
    expect(tokens.filter(({ isOnlyChecked }) => isOnlyChecked)).toHaveLength(1);
    await store.close();
  });

  it('of an older program does not contain when a token was suspended, and the time stays unknown', async () => {
    const { folder } = await writtenFolder(60_000);
    const path = join(folder, 'state.json');
    const body = readFileSync(path, 'utf8').replace(/"crc32":\d+\}\n$/, '');
    const older = body.replace(/,"changed_at":"[^"]+"/g, '');
    expect(older).not.toBe(body);
    writeFileSync(path, `${older}"crc32":${crc32(older)}}\n`);
    const { store } = await openStore({ folder, clock: () => noon });
    const changedAtMs = (name: string) => store.state.tokens.get(tokenIdNamed(name))?.changedAtMs;
    expect(changedAtMs('suspended')).toBeNull();
    expect(changedAtMs('active')).toBe(noon + 60_000);
    expect(changedAtMs('rotated')).toBe(noon + 10 * 60_000);
    await store.close();
  });
});
