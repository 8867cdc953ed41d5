import { describe, expect, it } from 'vitest';
import { credentialRows, credentialListRow, credentialText } from '../../src/text/cli/cli-credential.ts';
import { eventDetail } from '../../src/text/window/events.ts';
import { partText, rowText, standingText } from '../../src/text/window/lifeline-text.ts';
import { credentialExpiryText } from '../../src/text/window/tray.ts';
import { localTime } from '../../src/text/time.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';
import { credentialRow, noonMs } from '../renderer/overview/rows.ts';

const at = '2026-11-28T12:00:00.000Z';
const nowMs = Date.parse('2026-11-25T12:00:00.000Z');
const viewWith = (expiry_assumed?: 'not_said' | 'never' | 'not_usable') =>
  credentialView({ expires_at: at, ...(expiry_assumed === undefined ? {} : { expiry_assumed }) });

describe('an expiry that nobody has said', () => {
  it.each([
    [undefined, `${localTime(at)} (3 d left)`],
    ['not_said', `about ${localTime(at)} (3 d left), assumed: the service does not say`],
    ['never', `about ${localTime(at)} (3 d left), assumed: the service says that it never expires`],
    ['not_usable', `about ${localTime(at)} (3 d left), assumed: what the service says cannot be right`],
  ] as const)('is called assumed on the command line, with the reason (%s)', (assumed, expected) => {
    const view = viewWith(assumed);
    expect(credentialRows(view, nowMs)).toContainEqual(['Expires', expected]);
    expect(credentialListRow(view, nowMs)[2]).toBe(assumed === undefined ? '3 d' : 'about 3 d');
  });

  it('is called so after a rotation and in the tray', () => {
    const view = viewWith('not_said');
    expect(credentialText.rotated(view, nowMs)).toContain(
      `which expires about ${localTime(at)}, assumed: the service does not say; next rotation: `,
    );
    expect(credentialExpiryText(view, () => 'Saturday 12:00', nowMs)).toBe(
      'Expires about Saturday 12:00 (assumed)',
    );
    expect(credentialExpiryText(viewWith(), () => 'Saturday 12:00', nowMs)).toBe('Expires Saturday 12:00');
  });

  it('is called so in the lifeline', () => {
    const row = credentialRow({ state: 'reminder', expiry_assumed: true });
    expect(standingText(row, noonMs)).toMatch(/^Not rotated, expires about .* \(assumed\)$/);
    expect(rowText(row, noonMs)).toMatch(/Token 4 since .*, expires about .* \(assumed\)\./);
    const { facts } = partText(row, { kind: 'token', place: row.generations.length - 1 }, noonMs);
    expect(facts).toContainEqual(['Expires', expect.stringMatching(/^about .* \(assumed\)$/)]);
    const earlier = partText(row, { kind: 'token', place: 0 }, noonMs);
    expect(JSON.stringify(earlier.facts)).not.toContain('assumed');
  });

  it('is called so in the history', () => {
    const event = {
      seq: 1,
      at,
      kind: 'credential.rotated',
      subject: 'cred_a',
      actor: { kind: 'system' },
      data: { credential_id: 'cred_a', generation: 2, expires_at: at, expiry_assumed: 'not_said' },
    } as const;
    expect(eventDetail(event)).toBe('token 2 · expiry assumed: the service does not say');
    expect(eventDetail({ ...event, data: { ...event.data, expiry_assumed: undefined } })).toBe('token 2');
  });
});
