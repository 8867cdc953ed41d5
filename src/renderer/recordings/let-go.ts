/** Stops an audio element and lets go of what it loaded: one that is only dropped may go on loading. */
export function letGo(audio: HTMLAudioElement): void {
  audio.pause();
  audio.removeAttribute('src');
  audio.load();
}
