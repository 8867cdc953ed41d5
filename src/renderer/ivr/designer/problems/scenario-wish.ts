const wished = 'rotavox:show-scenarios';

/** Asks whoever shows the scenarios to bring them into sight. */
export function wishForScenarios(): void {
  dispatchEvent(new Event(wished));
}

/** Hears that wish. Returns how to stop. */
export function hearScenarioWish(onWish: () => void): () => void {
  addEventListener(wished, onWish);
  return () => removeEventListener(wished, onWish);
}
