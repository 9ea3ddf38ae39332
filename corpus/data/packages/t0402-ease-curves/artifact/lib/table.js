'use strict';

const POWERS = { Quad: 2, Cubic: 3, Quart: 4, Quint: 5 };

const BEZIER = {
  inSine: [0.12, 0, 0.39, 0],
  outSine: [0.61, 1, 0.88, 1],
  inOutSine: [0.37, 0, 0.63, 1],
  inQuad: [0.11, 0, 0.5, 0],
  outQuad: [0.5, 1, 0.89, 1],
  inOutQuad: [0.45, 0, 0.55, 1],
  inCubic: [0.32, 0, 0.67, 0],
  outCubic: [0.33, 1, 0.68, 1],
  inOutCubic: [0.65, 0, 0.35, 1],
};

module.exports = { BEZIER, POWERS };
