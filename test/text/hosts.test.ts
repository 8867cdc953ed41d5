import { describe, expect, it } from 'vitest';
import type { PortalStatus } from '../../src/contract/service/portal.ts';
import type { TeamHost } from '../../src/contract/service/team.ts';
import { serveText, statusRows } from '../../src/text/cli/cli-service.ts';
import { follower, leader } from '../fixtures/team-hosts.ts';

/** What `rotavox status` prints of a team. */
function rowsOf(...hosts: TeamHost[]): string[][] {
  const status: PortalStatus = {
    version: '0.1.0',
    base_url: leader.address,
    data_dir: '/srv/rotavox',
    command_line: null,
    pid: 1,
    started_at: new Date(0).toISOString(),
    tokens: { Active: 0, Superseded: 0, Expired: 0, Suspended: 0, Blacklisted: 0 },
    ivrs: 0,
    store: { status: 'ok', last_seq: 7 },
    repairs: [],
    moved_from: null,
    team: { epoch: 3, hosts },
  };
  const rows = statusRows(status);
  return rows.slice(rows.findIndex(([label]) => label === 'Team'));
}

describe('the hosts of a team', () => {
  it('are listed with what each does and how far it is', () => {
    expect(rowsOf(leader, follower, { ...follower, last_seq: 6 }, { ...follower, last_seq: 5 })).toEqual([
      ['Team', '4 hosts, epoch 3'],
      ['Leads', 'https://10.0.0.5:7682 (alpha, 0.1.0), up to date'],
      ['Follows', 'https://10.0.0.6:7682 (beta, 0.1.0), up to date'],
      ['Follows', 'https://10.0.0.6:7682 (beta, 0.1.0), 1 event behind'],
      ['Follows', 'https://10.0.0.6:7682 (beta, 0.1.0), 2 events behind'],
    ]);
  });

  it('are missing after ten seconds without a report, and then cannot take over', () => {
    const missing = (seconds: number) => rowsOf(leader, { ...follower, seen_seconds_ago: seconds }).slice(2);
    expect(missing(9)).toHaveLength(1);
    const [row, note] = missing(30);
    expect(row).toEqual(['Missing', 'https://10.0.0.6:7682 (beta, 0.1.0), not seen for 30 seconds']);
    expect(note?.join(' ')).toContain('There is no second host that could take over');
    expect(missing(7_500)[0]?.[1]).toContain('not seen for 2 h 5 min');
  });

  it('are told from each other when they start', () => {
    const told = (role: 'leader' | 'follower', leaderUrl: string | null) =>
      serveText.runningInTeam('https://10.0.0.6:7682', { role, leaderUrl });
    expect(told('leader', null)).toContain(' and leads its team. ');
    expect(told('follower', leader.address)).toContain(` the host that leads, ${leader.address}. `);
    expect(told('follower', null)).toContain(' the host that leads. ');
  });
});
