export { normalise } from "./normalise.js";
export { validate, entropyOf } from "./validate.js";
export type { Verdict } from "./validate.js";
