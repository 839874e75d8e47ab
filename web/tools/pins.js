// Makes the lock anew and leaves in it what pins: names, versions, hashes. npm would add whom one may give money to, by address.

import { execSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";

const LOCK = new URL("../package-lock.json", import.meta.url);

execSync("npm install --package-lock-only", { cwd: new URL("..", import.meta.url), stdio: "inherit" });
const lock = JSON.parse(await readFile(LOCK, "utf8"));
for (const each of Object.values(lock.packages)) delete each.funding;
await writeFile(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
