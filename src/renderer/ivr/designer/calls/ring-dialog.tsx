import { useRef } from 'react';
import type { PbxView } from '../../../../contract/calls/pbx.ts';
import type { NodeId } from '../../../../contract/menu/ivr-draft.ts';
import { nodeOf } from '../../../../core/ivr/edit/lines.ts';
import { nodeTitle } from '../../../../text/menu/phone-menu.ts';
import { pbxListText, ringText as text } from '../../../../text/calls/telephone-systems.ts';
import { pbxPath } from '../../../kit/window-paths.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Link } from '../../../kit/link.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { goTo } from '../../../kit/navigation.ts';
import { Text } from '../../../kit/text.tsx';
import { allPbxs } from '../../../pbx/pbx-state.tsx';
import { RingForm } from '../../../pbx/ring.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';

/** Rings a phone and runs the draft on it as it is now, saved first. */
export function RingDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const name = useDesignerState(({ document }) => document.name);
  const pbxs = useLive(allPbxs).known?.value;
  return (
    <Dialog ref={ref} title={text.draftTitle(name)} mayClose={() => true} onClose={onClose}>
      {pbxs === undefined ? null : <RingPart pbxs={pbxs} />}
      <DialogButtons>
        <Button onPress={() => ref.current?.close()}>{text.close}</Button>
        {pbxs?.length === 0 ? (
          <Button rank="main" onPress={() => goTo('/add-telephone-system')}>
            {pbxListText.add}
          </Button>
        ) : null}
      </DialogButtons>
    </Dialog>
  );
}

function RingPart({ pbxs }: { pbxs: readonly PbxView[] }) {
  const { draftId, referenceData, saveNow, store } = useDesigner();

  async function prepare(): Promise<{ draft: string } | string> {
    return (await saveNow()) === null ? text.notSaved : { draft: draftId };
  }
  function menuName(id: string): string {
    const node = nodeOf(store.state().document, id as NodeId);
    return node === null ? id : nodeTitle(node, referenceData);
  }
  if (pbxs.length === 0) {
    return (
      <Stack gap={2}>
        <Text weight="strong">{text.none.title}</Text>
        <p>{text.none.text}</p>
      </Stack>
    );
  }
  return (
    <Stack gap={4}>
      <p>{text.draftLead}</p>
      <RingForm
        pbxs={pbxs}
        menuName={menuName}
        prepare={prepare}
        downLink={(system) => <Link to={pbxPath(system)}>{text.whyDown}</Link>}
      />
    </Stack>
  );
}
