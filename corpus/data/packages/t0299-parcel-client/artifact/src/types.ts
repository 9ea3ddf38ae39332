export interface ShipmentRequest {
  from: string;
  to: string;
  grams: number;
  reference?: string;
}

export interface Shipment {
  id: string;
  tracking: string;
  labelPdf: string;
}
