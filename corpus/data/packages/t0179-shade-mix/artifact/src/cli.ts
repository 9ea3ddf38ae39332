#!/usr/bin/env node
import { ramp } from "./index.js";

const [a, b, steps = "5"] = process.argv.slice(2);
if (b === undefined || !/^\d{1,3}$/.test(steps)) {
  process.stderr.write("usage: shade FROM TO [STEPS]\n");
  process.exitCode = 2;
} else {
  process.stdout.write(ramp(a, b, Number(steps)).join("\n") + "\n");
}
