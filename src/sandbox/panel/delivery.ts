import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Answer } from './answer.ts';
import type { Fault } from './faults.ts';

const defaultMs = 1000;
const moreThanFiveMebibytes = 5 * 1024 * 1024 + 1;
const page = '<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>';

export interface Delivery {
  raw: ServerResponse;
  /** Called with the status just before the head is sent. */
  answering(status: number): void;
  /** Resolves when the faults that were active when the request came are cleared. */
  cleared: Promise<void>;
}

interface Written {
  status: number;
  headers: Record<string, string>;
  text: string;
}

function write({ status, body, headers }: Answer): Written {
  if (body === undefined) return { status, headers: { ...headers }, text: '' };
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  return { status, headers: { 'content-type': type, ...headers }, text: isText ? body : JSON.stringify(body) };
}

function head({ raw, answering }: Delivery, { status, headers }: Written, length: number): void {
  answering(status);
  // A 204 has neither body nor length.
  raw.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': String(length) });
}

function send(delivery: Delivery, answer: Answer): void {
  const written = write(answer);
  head(delivery, written, Buffer.byteLength(written.text));
  delivery.raw.end(written.status === 204 ? undefined : written.text);
}

/** The same answer with a body, for faults that need one to spoil. */
function withBody(answer: Answer): Answer {
  return { ...answer, status: answer.status === 204 ? 200 : answer.status, body: answer.body ?? { data: {} } };
}

function sendTruncated(delivery: Delivery, answer: Answer): void {
  const written = write(withBody(answer));
  head(delivery, written, Buffer.byteLength(written.text));
  delivery.raw.write(written.text.slice(0, Math.ceil(written.text.length / 2)), () => delivery.raw.destroy());
}

/** As a proxy does that packs what nobody asked it to. */
function sendPacked(delivery: Delivery, answer: Answer): void {
  const written = write(withBody(answer));
  const bytes = gzipSync(written.text);
  head(delivery, { ...written, headers: { ...written.headers, 'content-encoding': 'gzip' } }, bytes.length);
  delivery.raw.end(bytes);
}

function sendSlowly(delivery: Delivery, answer: Answer, ms: number): void {
  const written = write(withBody(answer));
  const bytes = Buffer.from(written.text);
  head(delivery, written, bytes.length);
  delivery.raw.flushHeaders();
  const begun = performance.now();
  let sent = 0;
  // One byte at a time; several if the timer is too coarse for the length of the body.
  const timer = setInterval(
    () => {
      const due = Math.min(
        bytes.length,
        Math.max(sent + 1, Math.floor(((performance.now() - begun) / ms) * bytes.length)),
      );
      delivery.raw.write(bytes.subarray(sent, due));
      sent = due;
      if (sent < bytes.length) return;
      clearInterval(timer);
      delivery.raw.end();
    },
    Math.max(1, ms / bytes.length),
  );
  delivery.raw.once('close', () => clearInterval(timer));
}

/** Waits for `ms`, or until the faults are cleared. */
async function wait({ cleared }: Delivery, ms: number): Promise<void> {
  const over = new AbortController();
  // Does not keep the process of a closed panel alive.
  const time = setTimeout(ms, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
  await Promise.race([time, cleared]);
  over.abort();
}

/** Waits until the faults are cleared (true) or the client disconnects (false). */
function hang({ raw, cleared }: Delivery): Promise<boolean> {
  return new Promise((resolve) => {
    void cleared.then(() => resolve(true));
    raw.once('close', () => resolve(false));
    if (raw.destroyed) resolve(false);
  });
}

const ordered = ({ status = 500, body, headers }: Fault): Answer => ({ status, body, ...(headers && { headers }) });

/** Applies a fault before the effect; true if the request ends there. */
async function spoilBefore(delivery: Delivery, fault: Fault): Promise<boolean> {
  switch (fault.kind) {
    case 'delay':
      await wait(delivery, fault.ms ?? defaultMs);
      return false;
    case 'hang-before':
      return !(await hang(delivery));
    case 'reset-before':
      delivery.raw.destroy();
      return true;
    case 'status-before':
      send(delivery, ordered(fault));
      return true;
    default:
      return false;
  }
}

async function spoilAfter(delivery: Delivery, answer: Answer, fault: Fault): Promise<void> {
  const answered = { ...answer, headers: { ...answer.headers, ...fault.headers } };
  switch (fault.kind) {
    case 'reset-after':
      delivery.raw.destroy();
      return;
    case 'status-after':
      return send(delivery, ordered(fault));
    case 'truncated':
      return sendTruncated(delivery, answered);
    case 'oversized':
      return send(delivery, { ...withBody(answered), body: { data: {}, filler: 'x'.repeat(moreThanFiveMebibytes) } });
    case 'slow':
      return sendSlowly(delivery, answered, fault.ms ?? defaultMs);
    case 'html': {
      const headers = { 'content-type': 'text/html; charset=utf-8', ...fault.headers };
      return send(delivery, { status: 200, headers, body: fault.body ?? page });
    }
    case 'gzip':
      return sendPacked(delivery, answered);
    case 'hang-after':
      if (await hang(delivery)) send(delivery, answered);
      return;
    default:
      return send(delivery, answered);
  }
}

/** Sends the answer of `work`, spoiled by the fault. `work` has the effect; it may never be called. */
export async function deliver(delivery: Delivery, work: () => Answer, fault: Fault | undefined): Promise<void> {
  if (!fault) return send(delivery, work());
  if (await spoilBefore(delivery, fault)) return;
  await spoilAfter(delivery, work(), fault);
}
