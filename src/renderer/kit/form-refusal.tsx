import { Box } from './box.tsx';
import { Icon } from './icon.tsx';

/** Why what was asked for was not done, read out when it appears. Its place is always there, or it could not be heard. */
export function FormRefusal({ reason }: { reason: string | undefined }) {
  return (
    <div role="alert">
      {reason === undefined ? null : (
        <Box tone="bad" sign={<Icon name="alert" />}>
          {reason}
        </Box>
      )}
    </div>
  );
}

let isPressed = false;

/** Notes from now on whether a mouse button or a finger is down. */
export function followPresses(): void {
  const set = (now: boolean) => () => {
    isPressed = now;
  };
  addEventListener('pointerdown', set(true), { capture: true });
  addEventListener('pointerup', set(false), { capture: true });
  addEventListener('pointercancel', set(false), { capture: true });
}

/**
 * Does something now, or when the press that is under way is over.
 *
 * For what is said by itself, as when a field is left: words that appear while the mouse button is down move what is being pressed
 * away from under it, and the press is lost.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) {
    act();
    return;
  }
  // After the press itself has been heard, which follows the button's way up.
  addEventListener('pointerup', () => setTimeout(act), { capture: true, once: true });
}
