import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

export const maxAnswerBytes = 5 * 1024 * 1024;
/** The bot asks for none; a proxy and a panel may each add one. */
const maxCodings = 3;

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
const unzip: Unpack = promisify(zlib.gunzip);
const inflate: Unpack = promisify(zlib.inflate);
const inflateRaw: Unpack = promisify(zlib.inflateRaw);
const brotli: Unpack = promisify(zlib.brotliDecompress);

/** Some say that they pack, and do not. */
const gunzip: Unpack = async (bytes, options) =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? unzip(bytes, options) : bytes;

/** A zlib header: method 8, and both bytes a multiple of 31. Some send deflate without it. */
const isZlib = (bytes: Buffer): boolean => ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;

const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (bytes, options) => (bytes.length > 1 && isZlib(bytes) ? inflate : inflateRaw)(bytes, options),
  br: brotli,
};

type Header = string | string[] | undefined;

/** The text of an answer's body, unpacked and in its charset; or a code, if it cannot be read or is too large. */
export async function decodeBody(
  bytes: Buffer,
  headers: Readonly<Record<string, Header>>,
): Promise<{ text: string } | { code: string }> {
  const codings = String(headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity');
  if (codings.length > maxCodings) return { code: undecoded };
  let plain = bytes;
  try {
    // Some pack without saying so.
    for (const coding of [...codings.reverse(), 'gzip']) {
      const unpack = unpackers[coding];
      if (unpack === undefined) return { code: undecoded };
      if (plain.length > 0) plain = await unpack(plain, { maxOutputLength: maxAnswerBytes });
    }
    return { text: textOf(plain, headers['content-type']) };
  } catch (error) {
    const isTooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { code: isTooLarge ? tooLarge : undecoded };
  }
}

/** undici's code for an answer that is too large. */
export const tooLarge = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
export const undecoded = 'UNDECODED';

/** By its byte order mark, else by its label, else as UTF-8, which JSON always is. */
function textOf(bytes: Buffer, contentType: Header): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const [, label = 'utf-8'] = /charset="?([\w-]+)/i.exec(String(contentType)) ?? [];
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
