// The seal of a winner: 勝, as paths within a square of 104 units.

export const SEAL = {
  edge: "M6 3 L99 5 Q102 50 100 99 L4 101 Q1 52 6 3Z",
  strokes: [
    "M20 20 V60 Q20 78 13 88 M20 20 H42 V82 Q42 89 34 86 M20 41 H42 M20 61 H42",
    "M56 15 L62 25 M86 14 L78 25 M52 34 H92 M49 48 H95 M72 18 Q72 52 50 66 M73 48 Q80 60 95 66",
    "M55 70 H87 Q87 88 78 89 L74 86 M71 60 Q70 82 51 92",
  ],
};
