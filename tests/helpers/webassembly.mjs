// Instantiates the module of a file, and does what lines of its input say: JSON of a command and its arguments. Bytes are base64.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[2])));
const { memory } = exports;
const commands = {
    size: () => memory.buffer.byteLength,
    grow: (pages) => memory.grow(pages),
    read: (at, size) => Buffer.from(memory.buffer, at, size).toString("base64"),
    write: (at, body) => Buffer.from(body, "base64").copy(Buffer.from(memory.buffer), at),
    clear: (at, size) => void new Uint8Array(memory.buffer, at, size).fill(0),
    has: (name) => name in exports,
    call: (name, at) => exports[name](at),
    seconds: () => (({ user, system }) => (user + system) / 1e6)(process.cpuUsage()),
};
for await (const line of createInterface({ input: process.stdin })) {
    const [command, ...given] = JSON.parse(line);
    let answer;
    try {
        answer = { done: commands[command](...given) ?? null };
    } catch (error) {
        answer = { error: String(error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
}
