#!/usr/bin/env node
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { notice } from "./index";

const { values } = parseArgs({
  options: { allow: { type: "string" }, out: { type: "string", default: "NOTICE" } },
});

const result = notice(process.cwd(), values.allow === undefined ? {} : { allow: values.allow.split(",") });
for (const p of result.refused) {
  console.error(`notice-file: ${p.name} ${p.version} is under ${p.licence}`);
}
if (result.refused.length > 0) process.exitCode = 1;
else writeFileSync(values.out as string, result.text);
