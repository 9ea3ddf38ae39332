import { baseUrl, findToken } from "./credentials.js";
import { WaybillError } from "./errors.js";
import type { Shipment, ShipmentRequest } from "./types.js";

export class Waybill {
  private constructor(
    private readonly base: URL,
    private readonly token: string,
  ) {}

  static async fromEnvironment(token?: string): Promise<Waybill> {
    return new Waybill(baseUrl(), await findToken(token));
  }

  createShipment(request: ShipmentRequest): Promise<Shipment> {
    return this.send<Shipment>("POST", "/v2/shipments", request);
  }

  shipment(id: string): Promise<Shipment> {
    return this.send<Shipment>("GET", `/v2/shipments/${encodeURIComponent(id)}`);
  }

  cancel(id: string): Promise<void> {
    return this.send<void>("DELETE", `/v2/shipments/${encodeURIComponent(id)}`);
  }

  private async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await fetch(new URL(path, this.base), {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        "content-type": "application/json",
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: "error",
    });
    if (!reply.ok) {
      const info = (await reply.json().catch(() => ({}))) as { code?: string; message?: string };
      throw new WaybillError(reply.status, info.code ?? "unknown", info.message ?? reply.statusText);
    }
    return reply.status === 204 ? (undefined as T) : ((await reply.json()) as T);
  }
}
