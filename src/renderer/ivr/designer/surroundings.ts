import { useMemo } from 'react';

import type { IvrDirectory } from '../../../core/ivr/ivr-directory.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { LiveView, Resource } from '../../kit/live/resource.ts';
import { useLive } from '../../kit/live/use-live.ts';
import type { PortalReply } from '../../kit/portal-reply.ts';
import { presentSettings } from '../../settings/read-settings.ts';
import type { Surroundings } from './use-designer.ts';

const recordings = resource('recordings', ['recording.'], async (signal) =>
  picked(await askPortal('listRecordings', { signal }), (reply) => reply.recordings),
);
const extensions = resource('extensions', ['extensions.', 'extension.'], async (signal) =>
  picked(await askPortal('listExtensions', { signal }), (reply) => reply.extensions),
);
const smsTemplates = resource('sms-templates', ['sms_templates.', 'sms_template.'], async (signal) =>
  picked(await askPortal('listSmsTemplates', { signal }), (reply) => reply.sms_templates),
);
const menus = resource('menus', ['ivr.'], async (signal) =>
  picked(await askPortal('portalListIvrs', { signal }), (reply) => reply.ivrs),
);

/**
 * What a drawing can refer to, kept up to date.
 *
 * Null until each list has come or has turned out not to: the designer is of use without one, and then says of more
 * references that it does not know them.
 */
export function useSurroundings(): Surroundings | null {
  const lists = {
    recordings: useLive(recordings),
    extensions: useLive(extensions),
    smsTemplates: useLive(smsTemplates),
    menus: useLive(menus),
    settings: useLive(presentSettings),
  };
  const isAsking = Object.values(lists).some(
    ({ known, connection }) => known === undefined && connection.kind === 'asking',
  );
  const [recorded, called, texts, stored] = [
    valueOf(lists.recordings),
    valueOf(lists.extensions),
    valueOf(lists.smsTemplates),
    valueOf(lists.menus),
  ];
  const smsTemplatesEnabled = lists.settings.known?.value.sms_templates_enabled ?? false;
  const surroundings = useMemo<Surroundings>(
    () => ({
      recordings: recorded,
      extensions: called,
      smsTemplates: texts,
      menus: stored,
      smsTemplatesEnabled,
    }),
    [recorded, called, texts, stored, smsTemplatesEnabled],
  );
  return isAsking ? null : surroundings;
}

/** The same by id, as the proof asks for it. */
export function directoryOf(surroundings: Surroundings): IvrDirectory {
  const ids = (list: readonly { readonly id: string }[]): ReadonlySet<string> =>
    new Set(list.map(({ id }) => id));
  return {
    recordings: ids(surroundings.recordings),
    extensions: ids(surroundings.extensions),
    menus: ids(surroundings.menus),
    smsTemplates: ids(surroundings.smsTemplates),
    smsTemplatesEnabled: surroundings.smsTemplatesEnabled,
  };
}

const nothing: readonly never[] = [];

function valueOf<T>({ known }: LiveView<readonly T[]>): readonly T[] {
  return known?.value ?? nothing;
}

function resource<T>(
  name: string,
  about: readonly string[],
  read: Resource<readonly T[]>['read'],
): Resource<readonly T[]> {
  return { key: ['designer', name], about, read };
}

function picked<T, U>(reply: PortalReply<T>, pick: (value: T) => U): PortalReply<U> {
  return reply.kind === 'ok' ? { kind: 'ok', value: pick(reply.value) } : reply;
}
