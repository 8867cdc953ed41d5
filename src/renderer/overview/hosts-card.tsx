import { hasSuccessor, isMissing } from '../../contract/service/host-state.ts';
import type { TeamHost, TeamStatus } from '../../contract/service/team.ts';
import { hostsCardText, hostStateText, noSuccessorText } from '../../text/service/team-host-text.ts';
import { Card } from '../kit/card.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { drawings, Shape } from '../kit/shape.tsx';
import { Text } from '../kit/text.tsx';

/** The hosts of a team: which one leads, how far the others are, and which are missing. */
export function HostsCard({ team, version }: { team: TeamStatus; version: string }) {
  return (
    <Card title={hostsCardText.title} aside={hostsCardText.count(team.hosts.length)}>
      <Stack gap={4}>
        <Stack as="ul" gap={3}>
          {team.hosts.map((host) => (
            <HostItem
              key={host.id}
              host={host}
              state={hostStateText(host, team)}
              otherVersion={host.version === version ? null : host.version}
            />
          ))}
        </Stack>
        {hasSuccessor(team) ? null : (
          <Row as="p" gap={3} align="start">
            <Shape tone="warn">{drawings.triangle}</Shape>
            <span>{noSuccessorText}</span>
          </Row>
        )}
      </Stack>
    </Card>
  );
}

function HostItem({
  host,
  state,
  otherVersion,
}: {
  host: TeamHost;
  state: string;
  /** Null: the version of the leader. */
  otherVersion: string | null;
}) {
  const { name, address, role } = host;
  const hasGone = isMissing(host);
  const { leads, follows, missing, version } = hostsCardText;
  const present = role === 'leader' ? leads : follows(state);
  return (
    <Row as="li" gap={3} align="start">
      <Shape tone={hasGone ? 'bad' : 'good'}>{hasGone ? drawings.cross : drawings.disc}</Shape>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Row gap={1} wraps align="baseline" justify="between">
          <Text as="strong" weight="bold" breaks>
            <bdi>{name}</bdi>
          </Text>
          <Text as="span" tone={hasGone ? 'bad' : 'soft'} size="small" isTabular>
            {hasGone ? missing(state) : present}
          </Text>
        </Row>
        <Row gap={1} wraps align="baseline" justify="between">
          <Text as="code" tone="soft" size="small" breaks style={{ userSelect: 'all' }}>
            {address}
          </Text>
          {otherVersion === null ? null : (
            <Text as="span" tone="soft" size="small">
              {version(otherVersion)}
            </Text>
          )}
        </Row>
      </div>
    </Row>
  );
}
