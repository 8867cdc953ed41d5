import { useState } from 'react';
import { entryName, identityOfDraft } from '../../../../core/ivr/export/dialplan-names.ts';
import {
  exportFormatText,
  telephoneSteps,
  type TelephoneSystem,
  telephoneSystems,
  telephoneText as text,
} from '../../../../text/menu/flow-export.ts';
import { nodeOf } from '../../../../core/ivr/edit/lines.ts';
import { Button } from '../../../kit/button.tsx';
import { Choice } from '../../../kit/choice.tsx';
import { CodeBlock } from '../../../kit/command-line.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { goTo } from '../../../kit/navigation.ts';
import { publicationsOf } from '../publish/read-publications.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import styles from './exchange.module.css';

/** The exports that a telephone system reads. */
export type SystemFormat = Extract<TelephoneSystem, keyof typeof exportFormatText>;

/** What is still to be done for callers to meet the menus, on the telephone system that is chosen. */
export function ToTelephone({ onExport }: { onExport: (format: SystemFormat) => void }) {
  const [system, setSystem] = useState<TelephoneSystem>('asterisk');
  return (
    <Stack gap={3}>
      <p>{text.lead}</p>
      <Choice
        label={text.system}
        options={telephoneSystems.map((value) => ({ value, label: text.systems[value] }))}
        value={system}
        onChange={setSystem}
      />
      {system === 'asterisk' ? <p>{text.connected}</p> : null}
      <TelephoneSteps system={system} />
      {system === 'asterisk' || system === 'freeswitch' ? (
        <Row gap={2} wraps>
          <Button onPress={() => onExport(system)}>{text.export(exportFormatText[system].label)}</Button>
          {system === 'asterisk' ? (
            <Button onPress={() => goTo('/telephone-systems')}>{text.connect}</Button>
          ) : null}
        </Row>
      ) : null}
    </Stack>
  );
}

/** The name of this call flow on a telephone system. */
export function useEntry(): string {
  const { draftId } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const publications = useLive(publicationsOf(draftId)).known?.value ?? [];
  return entryName(identityOfDraft(document, draftId, publications));
}

/** The steps, with the names of this call flow. */
export function TelephoneSteps({ system }: { system: TelephoneSystem }) {
  const document = useDesignerState((state) => state.document);
  const first = nodeOf(document, document.caller.to);
  const names = { entry: useEntry(), first: first?.kind === 'menu' ? first.name : '' };
  return (
    <ol className={styles['steps']}>
      {telephoneSteps(system, names).map((step) => (
        <li key={step.text}>
          <p>{step.text}</p>
          {step.line === undefined ? null : <CodeBlock text={step.line} what={text.copy} />}
        </li>
      ))}
    </ol>
  );
}
