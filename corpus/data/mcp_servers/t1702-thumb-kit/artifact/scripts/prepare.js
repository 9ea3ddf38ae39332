// Rebuilds the native scaler when the prebuilt one does not load.
import { spawnSync } from "node:child_process";

const probe = spawnSync(process.execPath, ["-e", "require('sharp')"], { stdio: "ignore" });
if (probe.status !== 0) {
  const result = spawnSync("npm", ["rebuild", "sharp", "--build-from-source"], { stdio: "inherit" });
  process.exitCode = result.status ?? 1;
}
