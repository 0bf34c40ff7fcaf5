import { monotonicNow } from '@/lib/clock';

/** Two soft tones, the second one higher: frequency in Hz, and start in seconds. */
const TONES = [
  { frequency: 587, start: 0 },
  { frequency: 784, start: 0.2 },
] as const;
const TONE_SECONDS = 0.35;
const LOUDNESS = 0.12;

/** Minimum time between two sounds, in milliseconds. */
const APART_MILLISECONDS = 3000;
/** When the audio context is closed. The tones are over by then, and a sound that the browser blocked must not play at the next click. */
const OVER_AFTER_MILLISECONDS = 1500;

let lastAt = -Infinity;

/** Plays the sound for news. Browsers keep silent until the user has pressed something in the tab. */
export function playSound(): void {
  const now = monotonicNow();
  if (now - lastAt < APART_MILLISECONDS || typeof AudioContext === 'undefined') return;
  lastAt = now;
  const context = new AudioContext();
  for (const { frequency, start } of TONES) {
    const from = context.currentTime + start;
    const tone = new OscillatorNode(context, { type: 'sine', frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(LOUDNESS, from + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + TONE_SECONDS);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + TONE_SECONDS);
  }
  setTimeout(() => void context.close(), OVER_AFTER_MILLISECONDS);
}
