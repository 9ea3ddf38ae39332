// Compiles the native program after installation.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const args = ["-O2", "-o", join(folder, "crc"), join(folder, "crc.c")];

const compiler = ["cc", "gcc", "clang"].find((name) => {
  const result = spawnSync(name, args, { stdio: "inherit" });
  return result.status === 0;
});

// The bench works without the program, with one row less.
console.log(compiler ? `compiled with ${compiler}` : "no compiler found");
