import {
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { Change } from '../../text/window/connection.ts';
import { unsavedText } from '../../text/window/window.ts';
import { Button, SubmitButton } from './button.tsx';
import styles from './dialog.module.css';
import { FormRefusal } from './form-refusal.tsx';
import { Stack } from './layout.tsx';
import type { PortalReply } from './read-portal.ts';
import { PathText, Text } from './text.tsx';
import { useAct } from './use-act.ts';

/**
 * A question above the window, in the browser's own dialog: it keeps the focus inside, ends with Esc, and gives the
 * focus back to where it was.
 *
 * Close it with `ref.current.close()`, and take it away only when `onClose` says that it is closed: a dialog that is
 * just removed gives no focus back. `mayClose` is asked on Esc; browsers let a person insist by pressing it again.
 */
export function Dialog({
  ref: given,
  title,
  mayClose,
  onClose,
  children,
}: {
  ref?: RefObject<HTMLDialogElement | null>;
  title: string;
  mayClose: () => boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const own = useRef<HTMLDialogElement>(null);
  const ref = given ?? own;

  useEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
  }, [ref]);

  function decide(event: SyntheticEvent): void {
    if (!mayClose()) event.preventDefault();
  }

  return (
    <dialog ref={ref} className={styles['dialog']} aria-labelledby={id} onCancel={decide} onClose={onClose}>
      <Text as="h2" id={id} size="large" breaks className={styles['title']}>
        <PathText path={title} />
      </Text>
      {children}
    </dialog>
  );
}

/**
 * The buttons at its end, the suggested one last. They stay in sight however long the dialog is.
 *
 * With `cancel`, the words of a button that closes the dialog, they also say why what was asked for was refused.
 */
export function DialogButtons({
  cancel,
  refusal,
  children,
}: {
  cancel?: string;
  refusal?: string | undefined;
  children?: ReactNode;
}) {
  const ref = useRef<HTMLDivElement>(null);
  return (
    <div ref={ref} className={styles['buttons']}>
      {cancel === undefined ? null : (
        <>
          <FormRefusal reason={refusal} />
          <Button onPress={() => ref.current?.closest('dialog')?.close()}>{cancel}</Button>
        </>
      )}
      {children}
    </div>
  );
}

/** What follows from a step, a point each. */
export function Consequences({ of = [], children }: { of?: readonly ReactNode[]; children?: ReactNode }) {
  return (
    <Stack as="ul" gap={2} className={styles['consequences']}>
      {of.map((consequence, place) => (
        <li key={place}>{consequence}</li>
      ))}
      {children}
    </Stack>
  );
}

/**
 * Asks whether to do one thing, says what follows from it, and does it. It closes when that is done, and stays open with the reason
 * when it was refused.
 */
export function QuestionDialog<T>({
  title,
  cancel,
  verb,
  pending = verb,
  isFinal = false,
  isReady = true,
  staysOpen = false,
  ask,
  change,
  onDone,
  onClose,
  children,
}: {
  title: string;
  cancel: string;
  /** On the button that does it. */
  verb: string;
  /** On that button, while it is under way. */
  pending?: string;
  /** Whether it cannot be undone. */
  isFinal?: boolean;
  /** Whether what is needed has been entered. */
  isReady?: boolean;
  /** Whether `onDone` shows something else here. */
  staysOpen?: boolean;
  /** Does it; null where a field has an error, which it then shows. */
  ask: () => Promise<PortalReply<T>> | null;
  /** What it changes. */
  change?: Change;
  onDone?: ((value: T) => void) | undefined;
  onClose: () => void;
  /** What follows from it, and fields where it needs any. */
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const isBusy = act.state.kind === 'busy';
  const entries = useEntries(isBusy);

  /** What was refused holds until something is changed. */
  function enter(): void {
    entries.onChange();
    if (act.refusal !== undefined) act.clear();
  }
  async function confirm(event: SyntheticEvent): Promise<void> {
    event.preventDefault(); // the policy allows no page to be sent anywhere
    const asked = isReady && !isBusy ? ask() : null;
    if (asked === null) return;
    const done = await act.run('confirm', () => asked, change);
    if (done === null) return;
    if (!staysOpen) ref.current?.close();
    onDone?.(done.value);
  }
  return (
    <Dialog ref={ref} title={title} mayClose={entries.mayClose} onClose={onClose}>
      <form noValidate onChange={enter} onSubmit={(event) => void confirm(event)}>
        <Stack gap={4}>
          {children}
          <DialogButtons cancel={cancel} refusal={act.refusal ?? entries.warning}>
            <SubmitButton isBusy={isBusy || !isReady} isFinal={isFinal}>
              {isBusy ? pending : verb}
            </SubmitButton>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Keeps Esc from closing a dialog while something is under way, and once when something was entered, with a warning. */
export function useEntries(isBusy: boolean) {
  const isEntered = useRef(false);
  const [isWarned, setWarned] = useState(false);
  return {
    warning: isWarned ? unsavedText : undefined,
    onChange: (): void => {
      isEntered.current = true;
      setWarned(false);
    },
    mayClose: (): boolean => {
      if (isBusy) return false;
      if (!isEntered.current || isWarned) return true;
      setWarned(true);
      return false;
    },
  };
}

/**
 * Gives the focus to an element when a dialog is gone and nothing else has it, also if the element comes later than that.
 *
 * The browser gives it back by itself as long as the button that was pressed is still there; what a dialog did may have
 * taken that away, and a window that was opened at the dialog's address had none.
 */
export function useReturnOfFocus(isOpen: boolean, ref: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(false);
  const isOwed = useRef(false);
  const had = useRef<HTMLElement | null>(null);
  // After each change: the button is there once the window knows where it belongs.
  useEffect(() => {
    if (isOpen !== wasOpen.current) isOwed.current = !isOpen;
    wasOpen.current = isOpen;
    // What the dialog did may be known only after the focus was given back, and then take it away again.
    if (had.current?.isConnected === false) isOwed.current = !isOpen;
    if (!isOwed.current || ref.current === null) return;
    // What it did may have moved it to another place of the page, which is not to scroll away.
    if (document.activeElement === document.body) ref.current.focus({ preventScroll: true });
    isOwed.current = false;
    had.current = ref.current;
  });
}
