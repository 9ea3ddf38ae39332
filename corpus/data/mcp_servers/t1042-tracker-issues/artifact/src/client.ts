export class TrackerError extends Error {}

export interface Issue {
  key: string;
  title: string;
  state: string;
  body: string;
}

export class Tracker {
  readonly #token: string;
  readonly #base: URL;

  constructor(env: NodeJS.ProcessEnv) {
    const token = env.TRACKER_TOKEN;
    if (!token) throw new TrackerError("TRACKER_TOKEN is not set");
    this.#token = token;
    this.#base = new URL(env.TRACKER_URL ?? "https://api.tracker.example");
    if (this.#base.protocol !== "https:") throw new TrackerError("TRACKER_URL must be https");
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(new URL(path, this.#base), {
      method,
      redirect: "error",
      headers: {
        authorization: `Bearer ${this.#token}`,
        "content-type": "application/json",
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (response.status === 401) throw new TrackerError("the token was refused, create a new one");
    if (!response.ok) throw new TrackerError(`tracker answered ${response.status}`);
    return (await response.json()) as T;
  }

  search(query: string, limit: number): Promise<Issue[]> {
    return this.#call("GET", `/v2/issues?q=${encodeURIComponent(query)}&limit=${limit}`);
  }

  get(key: string): Promise<Issue> {
    return this.#call("GET", `/v2/issues/${encodeURIComponent(key)}`);
  }

  comment(key: string, text: string): Promise<{ id: string }> {
    return this.#call("POST", `/v2/issues/${encodeURIComponent(key)}/comments`, { text });
  }
}
