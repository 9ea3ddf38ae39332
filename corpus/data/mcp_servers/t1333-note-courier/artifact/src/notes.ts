import { readFile, readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";

export class Notes {
  private constructor(private readonly root: string) {}

  static async open(path: string): Promise<Notes> {
    return new Notes(await realpath(path));
  }

  async names(): Promise<string[]> {
    return (await readdir(this.root)).filter((name) => name.endsWith(".md")).sort();
  }

  /** Text of a note; links to other folders are refused. */
  async read(name: string): Promise<string> {
    const path = await realpath(join(this.root, name));
    if (!path.startsWith(this.root + sep)) throw new Error(`${name} is outside of the folder`);
    return readFile(path, "utf8");
  }
}
