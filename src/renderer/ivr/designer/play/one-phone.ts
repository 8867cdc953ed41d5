const left = 'rotavox:leave-phone';

/** Has every phone of the window hang up and make room: one is enough, and the inspector may be needed in its place. */
export function leavePhones(): void {
  dispatchEvent(new Event(left));
}

/** Hears that request. Returns how to stop. */
export function hearLeaving(onLeave: () => void): () => void {
  addEventListener(left, onLeave);
  return () => removeEventListener(left, onLeave);
}
