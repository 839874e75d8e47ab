// The sounds of the table, synthesized from noise, knocks on wood, plucked strings and a drum. No recording is used.

export type Sound = "deal" | "lay" | "take" | "turn" | "close" | "yaku" | "cry" | "cloth" | "win";

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** Make a sound with a volume from 0 to 1. */
export function synth(what: Sound, loud: number): void {
  context ??= new AudioContext();
  void context.resume();
  noise ??= breath(context);
  const out = new GainNode(context, { gain: loud });
  out.connect(context.destination);
  SOUNDS[what](new Bench(context, noise, out, context.currentTime + 0.01));
}

// Some of the five tones of a koto.
const [D, G, A, B, HIGH] = [293.7, 392, 440, 466.2, 587.3] as const;

const SOUNDS: Record<Sound, (bench: Bench) => void> = {
  lay: (bench) => card(bench, 0, 1),
  take: (bench) => {
    card(bench, 0, 1);
    card(bench, 0.16, 0.8);
    bench.slide(0.3, 0.2);
  },
  turn: (bench) => {
    bench.slide(0, 0.12);
    card(bench, 0.12, 1.1);
    card(bench, 0.26, 0.8);
  },
  deal: (bench) => {
    for (let n = 0; n < 9; n += 1) bench.slide(n * 0.12, 0.09);
    card(bench, 1.05, 0.7);
  },
  close: (bench) => {
    card(bench, 0, 0.8);
    bench.pluck(0.15, A, 0.1);
  },
  yaku: (bench) => [D, G, A, HIGH].forEach((tone, n) => bench.pluck(n * 0.11, tone, 0.22)),
  cry: (bench) => {
    bench.clap(0, 0.5);
    bench.clap(0.22, 0.6);
  },
  cloth: (bench) => {
    bench.slide(0, 0.5);
    bench.drum(0.55, 0.5);
  },
  win: (bench) => {
    bench.drum(0, 0.5);
    bench.drum(0.3, 0.6);
    [D, A, B, HIGH].forEach((tone, n) => bench.pluck(0.5 + n * 0.09, tone, 0.2));
    bench.pluck(0.9, HIGH / 2, 0.2);
  },
};

/** A card laid on wood. */
function card(bench: Bench, at: number, loud: number): void {
  bench.hiss(at, 0.22 * loud, 0.07);
  bench.tone("sine", at, [150, 70], 0.18 * loud, 0.09);
}

/** The place of mixing; times count from the start of the sound. */
class Bench {
  constructor(
    private readonly context: AudioContext,
    private readonly noise: AudioBuffer,
    private readonly out: AudioNode,
    private readonly start: number,
  ) {}

  /** A burst of noise. */
  hiss(at: number, loud: number, seconds: number, frequency = 1900): void {
    const paper = new AudioBufferSourceNode(this.context, { buffer: this.noise, playbackRate: 0.9 + Math.random() * 0.2 });
    const colour = new BiquadFilterNode(this.context, { type: "bandpass", frequency, Q: 0.8 });
    paper.connect(colour).connect(this.#fade(at, loud, seconds));
    paper.start(this.start + at);
    paper.stop(this.start + at + seconds);
  }

  /** Paper sliding over paper. */
  slide(at: number, seconds: number): void {
    this.hiss(at, 0.09, seconds, 3200);
  }

  /** A tone that falls in pitch and fades. */
  tone(type: OscillatorType, at: number, [from, to]: [number, number], loud: number, seconds: number): void {
    const tone = new OscillatorNode(this.context, { type, frequency: from });
    tone.frequency.setValueAtTime(from, this.start + at);
    tone.frequency.exponentialRampToValueAtTime(to, this.start + at + seconds * 0.7);
    tone.connect(this.#fade(at, loud, seconds));
    tone.start(this.start + at);
    tone.stop(this.start + at + seconds);
  }

  /** A plucked string. */
  pluck(at: number, height: number, loud: number): void {
    this.tone("triangle", at, [height * 1.01, height], loud, 0.9);
    this.tone("sine", at, [height * 2.01, height * 2], loud / 3, 0.35);
  }

  /** Two pieces of wood struck together. */
  clap(at: number, loud: number): void {
    this.hiss(at, loud / 2, 0.04, 2600);
    this.tone("triangle", at, [1150, 1050], loud / 2, 0.12);
  }

  /** A large drum. */
  drum(at: number, loud: number): void {
    this.hiss(at, loud / 4, 0.05, 400);
    this.tone("sine", at, [110, 48], loud, 0.5);
  }

  #fade(at: number, loud: number, seconds: number): GainNode {
    const gain = new GainNode(this.context, { gain: 0 });
    gain.gain.setValueAtTime(loud, this.start + at);
    gain.gain.exponentialRampToValueAtTime(0.001, this.start + at + seconds);
    gain.connect(this.out);
    return gain;
  }
}

/** A second of noise. */
function breath(of: AudioContext): AudioBuffer {
  const buffer = of.createBuffer(1, of.sampleRate, of.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n += 1) samples[n] = Math.random() * 2 - 1;
  return buffer;
}
