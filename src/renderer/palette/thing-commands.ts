import { type CredentialView, isDead, mayRotate } from '../../contract/credential/credential-view.ts';
import type { Ivr } from '../../contract/menu/ivr.ts';
import type { TokenRow } from '../../contract/token/token-list.ts';
import { rotatePath } from '../../contract/window/window-page.ts';
import { credentialPath, familyPath, menuPath } from '../kit/window-paths.ts';
import { readTokenToCopy } from '../credentials/read-credentials.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { copySecret } from '../kit/clipboard.ts';
import { type Change, problemText } from '../../text/window/connection.ts';
import { credentialLabel, tokenNameText } from '../../text/credential/credentials.ts';
import { commandText } from '../../text/window/palette.ts';
import { durationText } from '../../text/time.ts';
import { goTo } from '../kit/navigation.ts';
import type { PortalReply } from '../kit/portal-reply.ts';
import type { Command, CommandOutcome } from './match-commands.ts';

const hourMs = 60 * 60_000;

/** A credential's page, and what is urgent to do with it. */
export function credentialCommands(one: CredentialView, nowMs: number): Command[] {
  const { name, state, paused } = one;
  const leftMs = Date.parse(one.expires_at) - nowMs;
  const isWell = state === 'fine' || state === 'paused';
  const page: Command = {
    id: `credential:${name}`,
    group: 'credential',
    title: name,
    words: one.base_url,
    hint:
      isWell && leftMs > 0
        ? durationText(leftMs)
        : credentialLabel(state, one.trouble?.kind ?? null, one.provider.id),
    go: () => goTo(credentialPath(name)),
  };
  const rotate: Command = {
    id: `rotate:${name}`,
    group: 'action',
    title: commandText.rotate.title(name),
    words: commandText.rotate.words,
    // Its page asks before, and shows the steps.
    go: () => goTo(rotatePath(name)),
  };
  const copy: Command = {
    id: `copy:${name}`,
    group: 'action',
    title: commandText.copy.title(name),
    act: () => copyToken(name),
  };
  const pause: Command = {
    id: `pause:${name}`,
    group: 'action',
    title: commandText.pause.title(name),
    act: async () => {
      const until = new Date(Date.now() + hourMs).toISOString();
      const reply = await askPortal('pauseCredential', { params: { name }, body: { until } });
      return outcomeOf(reply, commandText.pause.done(name), 'rotation_paused');
    },
  };
  const resume: Command = {
    id: `resume:${name}`,
    group: 'action',
    title: commandText.resume.title(name),
    act: async () => {
      const reply = await askPortal('resumeCredential', { params: { name } });
      return outcomeOf(reply, commandText.resume.done(name), 'rotation_resumed');
    },
  };
  return [
    page,
    ...(mayRotate(one) ? [rotate] : []),
    ...(isDead(one) ? [] : [copy]),
    ...(mayRotate(one) ? [paused === null ? pause : resume] : []),
  ];
}

/** The page of a token: which ones are meant is for the service to say, it looks at more than names. */
export function familyCommand(token: TokenRow): Command {
  return {
    id: `family:${token.family_id}`,
    group: 'token',
    title: tokenNameText(token),
    hint: token.status,
    go: () =>
      goTo(token.kept_fresh_by === null ? familyPath(token.family_id) : credentialPath(token.kept_fresh_by)),
  };
}

export function menuCommand({ id, name, description }: Ivr): Command {
  return {
    id: `menu:${id}`,
    group: 'menu',
    title: name,
    words: description,
    go: () => goTo(menuPath(id)),
  };
}

async function copyToken(name: string): Promise<CommandOutcome> {
  const found = await readTokenToCopy(name);
  if (found.kind !== 'ok') return { tone: 'bad', words: problemText(found) };
  try {
    await copySecret(found.value.value, () => undefined);
  } catch {
    return { tone: 'bad', words: commandText.copy.refused };
  }
  return {
    tone: 'good',
    words: commandText.copy.done(name),
  };
}

/** `change` is what was asked for: it may have been done although no answer came. */
function outcomeOf(reply: PortalReply<unknown>, words: string, change: Change): CommandOutcome {
  return reply.kind === 'ok' ? { tone: 'good', words } : { tone: 'bad', words: problemText(reply, change) };
}
