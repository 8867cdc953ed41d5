import { expect, it } from 'vitest';
import { credentialListRow } from '../../src/text/cli/cli-credential.ts';
import { nextRotationText } from '../../src/text/cli/cli-rotation.ts';
import { toolsText } from '../../src/text/credential/tool-wait-text.ts';
import { localTime } from '../../src/text/time.ts';
import { nextRotationItem } from '../../src/text/window/tray.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';

const until = '2026-11-29T14:05:00.000Z';
const since = '2026-11-29T13:50:00.000Z';
const nowMs = Date.parse('2026-11-29T13:55:00.000Z');
const tool = (name: string, pid: number | null) => ({ name, pid, since });

it('tools are named with their pids where those are known, three at most', () => {
  const all = [tool('git', 1), tool('kubectl', null), tool('docker', 3), tool('helm', 4), tool('k9s', 5)];
  expect(toolsText(all.slice(0, 1))).toBe('git (pid 1)');
  expect(toolsText(all.slice(0, 3))).toBe('git (pid 1), kubectl and docker (pid 3)');
  expect(toolsText(all)).toBe('git (pid 1), kubectl, docker (pid 3) and 2 more');
});

it('a rotation that waits for tools is told with until when, wherever the next one is', () => {
  const waits = { until, tools: [tool('git', 4711)] };
  const one = credentialView({ state: 'due', next_rotation_at: until, waits_for_tools: waits });
  const latest = `until ${localTime(until)} at the latest`;
  expect(nextRotationText(one, nowMs)).toBe(`waits for git (pid 4711), ${latest} (in 10 min)`);
  expect(nextRotationItem(one, localTime)).toBe(`Rotation waits for git (pid 4711), ${latest}`);
  expect(credentialListRow(one, nowMs)).toContain(
    `${localTime(until)} at the latest, waits for git (pid 4711)`,
  );
});
