export { Waybill } from "./client.js";
export { WaybillError } from "./errors.js";
export type { Shipment, ShipmentRequest } from "./types.js";
