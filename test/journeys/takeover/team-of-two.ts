import { ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import { startTeam, type Team, type TeamHost } from '../../team/team.ts';
import { Owner } from '../owner.ts';

/** Two hosts over a real PostgreSQL, each at an address of its own with a certificate of its own. */
export class TeamOfTwo {
  readonly team: Team;
  readonly leader: TeamHost;
  /** Where people work. It follows until the other one is lost. */
  readonly follower: TeamHost;
  /** At the machine of the host that follows. */
  readonly owner: Owner;

  private constructor(team: Team, leader: TeamHost, follower: TeamHost) {
    this.team = team;
    this.leader = leader;
    this.follower = follower;
    this.owner = new Owner(follower.dataDir);
  }

  /** A fixture of a journey. */
  static async use(use: (hosts: TeamOfTwo) => Promise<void>): Promise<void> {
    await ensureBuilt({ tell: console.error });
    const closings: (() => Promise<void>)[] = [];
    try {
      const team = await startTeam({
        hosts: 2,
        isOverTls: true,
        atEnd: (close) => void closings.unshift(close),
      });
      const leader = await team.leader();
      const follower = team.hosts.find((host) => host !== leader);
      if (follower === undefined) throw new Error('Nobody follows.');
      await use(new TeamOfTwo(team, leader, follower));
    } finally {
      for (const close of closings) await close();
    }
  }

  async addOwner(name: string): Promise<string> {
    return (await this.owner.ask('addOwner', { body: { name } })).key;
  }

  /** A failure says what the hosts have said. */
  async addCredential(name: string): Promise<void> {
    try {
      const { access_token: value } = await this.owner.issueToken({
        name: `token of ${name}`,
        validity_days: 7,
      });
      await this.owner.ask('addCredential', { body: { name, value } });
    } catch (cause) {
      throw new Error(`${String(cause)}\n${this.team.said()}`, { cause });
    }
  }

  /** Kills the leader, and resolves when the other host leads. */
  async takeOver(): Promise<void> {
    await this.leader.kill();
    await this.team.leader();
  }
}
