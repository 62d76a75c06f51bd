/** An isolated instance with its own URL, data and tokens. */
export class World {
  name: string;
  /** Base URL, without a slash at the end. */
  url: string;
  username: string;
  password: string;
  /** Token of the administrator. */
  token: string;
  /** Tokens of the users of the test data, by username. */
  tokens: Record<string, string>;
  reset(): Promise<unknown>;
  settle(timeout?: number): Promise<{ seconds: number }>;
  forward(seconds: number): Promise<Clock>;
  setClock(now: Date): Promise<Clock>;
  realTime(): Promise<Clock>;
  fault(fault: Fault): Promise<Fault & { id: number; matched: number; applied: number }>;
  clearFaults(): Promise<void>;
  requests(query?: { method?: string; path?: string; status?: number; count?: number; timeout?: number }): Promise<ReceivedRequest[]>;
  mails(query?: { to?: string; count?: number; timeout?: number }): Promise<Mail[]>;
  webhooks(query?: { event?: string; count?: number; timeout?: number }): Promise<Webhook[]>;
  delete(): Promise<void>;
}

/** A running service; it is also its world main. */
export class Service extends World {
  controlUrl: string;
  version: string;
  data: string;
  world(members?: { name?: string; seed?: number; fixtures?: string; token_ttl?: number; send_webhooks?: boolean }): Promise<World>;
  stop(): Promise<void>;
}

export function start(options?: { args?: string[]; binary?: string }): Promise<Service>;

export interface Clock {
  now: string;
  ahead: number;
  frozen: boolean;
}

export interface Fault {
  kind: "status" | "delay" | "cut" | "slow" | "stale";
  method?: string;
  path?: string;
  status?: number;
  body?: string;
  headers?: Record<string, string>;
  retry_after?: number;
  delay?: number;
  after_bytes?: number;
  bytes_per_second?: number;
  every?: number;
  count?: number;
}

export interface ReceivedRequest {
  id: number;
  method: string;
  path: string;
  query: string;
  headers: Record<string, string[]>;
  body: string;
  body_truncated: boolean;
  status: number;
  seconds: number;
  fault: number | null;
  received_at: string;
}

export interface Mail {
  id: number;
  message_id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  sent_at: string;
}

export interface Webhook {
  id: number;
  url: string;
  headers: Record<string, string[]>;
  body: string;
  status: number;
  error: string;
  sent_at: string;
}
