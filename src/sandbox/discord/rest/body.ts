import { Refusal } from '../refusal.ts';
import type { Upload } from '../world.ts';

/** The largest file a bot may send. */
const MAX_FILE = 10 * 1024 * 1024;

export interface Read {
  body: unknown;
  files: Upload[];
}

const badJson = () => new Refusal(400, 50109, 'The request body contains invalid JSON.');

/** Parses JSON, or multipart with `payload_json` and `files[n]`. A missing body is undefined. */
export async function readBody(type: string, bytes: Buffer): Promise<Read | Refusal> {
  try {
    return await parseBody(type, bytes);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

async function parseBody(type: string, bytes: Buffer): Promise<Read> {
  if (!type.startsWith('multipart/form-data')) {
    return { body: bytes.length === 0 ? undefined : parse(bytes.toString('utf8')), files: [] };
  }
  const form = await formOf(type, bytes);
  const files: Upload[] = [];
  let body: unknown;
  for (const [key, value] of form) {
    const slot = /^files\[(\d+)\]$/.exec(key)?.[1];
    if (typeof value === 'string') {
      if (key === 'payload_json') body = parse(value);
    } else if (slot !== undefined) {
      if (value.size > MAX_FILE) throw new Refusal(413, 40005, 'Request entity too large');
      const content = new Uint8Array(await value.arrayBuffer());
      files.push({ slot, name: value.name, type: value.type || 'application/octet-stream', bytes: content });
    }
  }
  return { body, files };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badJson();
  }
}

async function formOf(type: string, bytes: Buffer) {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  } catch {
    throw badJson();
  }
}
