// The one sound there is: a card laid on the table. It is made here, of a breath of noise and a dull knock.

import { settings } from "./settings.svelte";

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** A card is laid down, where sound is wished for. Browsers stay silent until somebody has pressed something. */
export function tap(): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  void context.resume();
  noise ??= breath(context);
  const now = context.currentTime;

  const paper = new AudioBufferSourceNode(context, { buffer: noise, playbackRate: 0.9 + Math.random() * 0.2 });
  const tone = new BiquadFilterNode(context, { type: "bandpass", frequency: 1900, Q: 0.8 });
  paper
    .connect(tone)
    .connect(fade(context, now, 0.22, 0.07))
    .connect(context.destination);
  paper.start(now);

  const knock = new OscillatorNode(context, { type: "sine", frequency: 150 });
  knock.frequency.exponentialRampToValueAtTime(70, now + 0.06);
  knock.connect(fade(context, now, 0.18, 0.09)).connect(context.destination);
  knock.start(now);
  knock.stop(now + 0.1);
}

function breath(of: AudioContext): AudioBuffer {
  const buffer = of.createBuffer(1, of.sampleRate * 0.1, of.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n += 1) samples[n] = Math.random() * 2 - 1;
  return buffer;
}

function fade(of: AudioContext, from: number, loud: number, seconds: number): GainNode {
  const gain = new GainNode(of, { gain: loud });
  gain.gain.setValueAtTime(loud, from);
  gain.gain.exponentialRampToValueAtTime(0.001, from + seconds);
  return gain;
}
