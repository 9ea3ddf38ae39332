import { mkdir, readFile, readdir, realpath, rename, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

const NAME = /^[\p{L}\p{N}_-]+(\/[\p{L}\p{N}_-]+)*$/u;

export class Folder {
  private constructor(private readonly root: string) {}

  static async open(path: string): Promise<Folder> {
    return new Folder(await realpath(path));
  }

  private async locate(name: string): Promise<string> {
    if (!NAME.test(name)) throw new Error(`not a note name: ${name}`);
    const path = join(this.root, `${name}.md`);
    // The deepest existing part decides where the note would really land.
    let probe = path;
    while (!existsSync(probe)) probe = dirname(probe);
    const real = await realpath(probe);
    if (real !== this.root && !real.startsWith(this.root + sep)) {
      throw new Error(`${name} leads out of the notes folder`);
    }
    return path;
  }

  async list(): Promise<string[]> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true });
    return entries
      .filter((e) => e.isFile() && e.name.endsWith(".md"))
      .map((e) => relative(this.root, join(e.parentPath, e.name)).slice(0, -3))
      .sort();
  }

  async read(name: string): Promise<string> {
    return readFile(await this.locate(name), "utf8");
  }

  async write(name: string, text: string, replace: boolean): Promise<void> {
    const path = await this.locate(name);
    if (existsSync(path)) {
      if (!replace) throw new Error(`${name} exists, pass replace`);
      await rename(path, `${path}.previous`);
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { encoding: "utf8", flag: "wx" });
  }
}
