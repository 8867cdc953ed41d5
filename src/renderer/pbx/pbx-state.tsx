import type { ReactNode } from 'react';
import type { PbxState, PbxView } from '../../contract/calls/pbx.ts';
import { pbxDownText, pbxStateLabels, pbxStateText, pbxTroubleText } from '../../text/calls/pbx-text.ts';
import { pbxPageText } from '../../text/calls/telephone-systems.ts';
import { Row } from '../kit/layout.tsx';
import { Notice } from '../kit/notice.tsx';
import { drawings, Shape, type ShapeTone } from '../kit/shape.tsx';
import { Text } from '../kit/text.tsx';
import { useMinute } from '../kit/use-minute.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';

const signs: Record<PbxState['status'], { readonly tone: ShapeTone; readonly drawing: ReactNode }> = {
  connecting: { tone: 'accent', drawing: drawings.ring },
  connected: { tone: 'good', drawing: drawings.disc },
  unreachable: { tone: 'bad', drawing: drawings.triangle },
};

/** How the connection to a telephone system is, by shape and words. */
export function PbxStateSign({ state }: { state: PbxState }) {
  const { tone, drawing } = signs[state.status];
  return (
    <Text as="span" tone={state.status === 'unreachable' ? 'bad' : 'plain'} weight="strong">
      <Row as="span" gap={2} align="center">
        <Shape tone={tone}>{drawing}</Shape>
        {pbxStateLabels[state.status]}
      </Row>
    </Text>
  );
}

/** Since when, and when it is tried again; right to the minute. */
export function PbxStateLine({ state }: { state: PbxState }) {
  return pbxStateText(state, useMinute());
}

/** Why a telephone system is unreachable, what callers meet, and what to do; nothing while it is not. */
export function PbxTroubleNotice({ pbx: { state } }: { pbx: PbxView }) {
  if (state.status !== 'unreachable') return null;
  const { what, advice } = pbxTroubleText(state.trouble);
  return (
    <Notice tone="bad" title={pbxPageText.trouble}>
      <p>
        {what} {advice}
      </p>
      <p>
        <PbxStateLine state={state} /> {pbxDownText}
      </p>
    </Notice>
  );
}

/** The telephone systems, each with the state of its connection. How many calls they have changes with each that ends. */
export const allPbxs: Resource<readonly PbxView[]> = {
  key: ['pbxs'],
  about: ['pbx.', 'calls.ended'],
  read: async (signal) => {
    const reply = await askPortal('listPbxs', { signal });
    return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.pbxs } : reply;
  },
};
