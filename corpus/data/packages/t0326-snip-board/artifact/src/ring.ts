export class Ring {
  constructor(
    private readonly size: number,
    readonly items: string[] = [],
  ) {}

  /** Put a text in front; false when it is there already. */
  add(text: string): boolean {
    if (text === "" || text === this.items[0]) return false;
    const at = this.items.indexOf(text);
    if (at >= 0) this.items.splice(at, 1);
    this.items.unshift(text);
    this.items.length = Math.min(this.items.length, this.size);
    return true;
  }

  at(number: number): string {
    const text = this.items[number - 1];
    if (text === undefined) throw new RangeError(`no text ${number}`);
    return text;
  }
}
