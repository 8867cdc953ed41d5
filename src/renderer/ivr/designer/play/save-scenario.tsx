import { useState } from 'react';

import type { ScenarioInput } from '../../../../contract/ivr-draft.ts';
import { putScenario } from '../../../../core/ivr/edit/edit-scenarios.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { Button } from '../../../kit/button.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { inputsWords } from '../scenarios/inputs-text.ts';
import { endWords } from '../scenarios/end-words.ts';
import { useDesigner } from '../use-designer.ts';
import styles from './play-phone.module.css';
import { comesOutAt, scenarioOfCall } from './scenario-of-call.ts';

/** Keeps what was just done, with where it came out, to be run on every edit from now on. */
export function SaveScenario({ flow, inputs }: { flow: Flow; inputs: readonly ScenarioInput[] }) {
  const { store, surroundings } = useDesigner();
  const [name, setName] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const end = endWords(store.state().document, comesOutAt(flow, inputs), surroundings);
  const proposed = `Caller ${inputsWords(inputs)}: ${end}`.slice(0, 100);

  function save(): void {
    const { document } = store.state();
    const scenario = scenarioOfCall(document, flow, { name: name ?? proposed, inputs });
    if (scenario === null) {
      setSaid('This call is too long for a scenario. Call again, and do less.');
      return;
    }
    store.edit('save a scenario', (drawn) => putScenario(drawn, scenario));
    setName(null);
    setSaid(`Saved as “${scenario.name}”.`);
  }

  return (
    <>
      <div className={styles['save']}>
        <TextField label="Save as scenario" value={name ?? proposed} onChange={setName} />
        <Button onPress={save}>Save</Button>
      </div>
      <p className={styles['saved']} role="status">
        {said}
      </p>
    </>
  );
}
