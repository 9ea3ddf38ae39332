import { gamma, linear, type Rgb } from "./hex.js";

export type Lab = [number, number, number];
type Matrix = readonly (readonly [number, number, number])[];

const TO_LMS: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const FROM_LAB: Matrix = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
];
const FROM_LMS: Matrix = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
];

function apply(m: Matrix, v: readonly number[]): Lab {
  return m.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as Lab;
}

export function toLab(colour: Rgb): Lab {
  return apply(TO_LAB, apply(TO_LMS, colour.map(linear)).map(Math.cbrt));
}

export function fromLab(lab: Lab): Rgb {
  return apply(FROM_LMS, apply(FROM_LAB, lab).map((v) => v ** 3)).map((v) => gamma(Math.max(0, v))) as Rgb;
}
