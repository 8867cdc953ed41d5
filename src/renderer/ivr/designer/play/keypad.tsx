import type { CallState } from '../../../../core/ivr/call/call-state.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import styles from './play-phone.module.css';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;
const spoken: Readonly<Record<string, string>> = { '*': 'star', '#': 'hash' };

/** The keys of the phone; those that the menu uses are told by their edge, and by their name. */
export function Keypad({
  flow,
  call,
  onPress,
}: {
  flow: Flow;
  call: CallState;
  onPress: (key: string) => void;
}) {
  const used = call.kind === 'ended' ? undefined : flow.menus.get(call.menu)?.keys;
  return (
    <div className={styles['pad']} role="group" aria-label="Keypad">
      {keys.map((key) => {
        const isUsed = used?.has(key) === true;
        return (
          <button
            key={key}
            type="button"
            className={styles['key']}
            data-used={isUsed}
            aria-label={`Key ${spoken[key] ?? key}${isUsed ? '' : ', not used'}`}
            onClick={() => onPress(key)}
          >
            {key}
          </button>
        );
      })}
    </div>
  );
}
