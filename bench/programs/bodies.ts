import { nextId } from './payloads.ts';

/** The JSON of a request; of one with files, its first part. */
export function read(body: Buffer, type: string): unknown {
  if (!type.startsWith('multipart/')) return body.length === 0 ? {} : JSON.parse(body.toString());
  const text = body.toString();
  const from = text.indexOf('\r\n\r\n', text.indexOf('name="payload_json"')) + 4;
  return JSON.parse(text.slice(from, text.indexOf('\r\n--', from)));
}

/** The files that came with posts, to be downloaded again: a backlog of the trail has one. */
export function createFiles(origin: () => string) {
  const files = new Map<string, string>();
  return {
    get: (id: string): string | undefined => files.get(id),
    /** The attachments of the message. */
    keep(body: Buffer, type: string): object[] {
      if (!type.startsWith('multipart/')) return [];
      const text = body.toString();
      const [, filename] = /name="files\[0\]"; filename="([^"]+)"/.exec(text) ?? [];
      if (filename === undefined) return [];
      const from = text.indexOf('\r\n\r\n', text.indexOf('name="files[0]"')) + 4;
      const file = text.slice(from, text.indexOf('\r\n--', from));
      const id = nextId();
      files.set(id, file);
      const url = `${origin()}/attachments/${id}`;
      return [{ id, filename, size: Buffer.byteLength(file), content_type: 'text/plain', url, proxy_url: url }];
    },
  };
}
