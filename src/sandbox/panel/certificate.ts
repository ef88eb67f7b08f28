import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A server certificate for 127.0.0.1 and some names with its key, and its CA; all PEM. */
export interface Certificate {
  cert: string;
  key: string;
  ca: string;
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (text: string) => der(0x17, Buffer.from(text));
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const yes = der(0x01, Buffer.from([0xff]));

// RFC 5280 and RFC 5758: ecdsa-with-SHA256, commonName, and the three extensions.
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const commonName = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
const authority = [
  sequence(oid('551d13'), yes, der(0x04, sequence(yes))),
  sequence(oid('551d0f'), yes, der(0x04, der(0x03, Buffer.from([0x02, 0x04])))),
];
const namesOf = (names: readonly string[]): Buffer[] => [
  sequence(
    oid('551d11'),
    der(0x04, sequence(...names.map((name) => der(0x82, Buffer.from(name))), der(0x87, Buffer.from([127, 0, 0, 1])))),
  ),
];

interface Subject {
  name: string;
  key: KeyObject;
  /** When it ends, as UTCTime. */
  until: string;
  extensions: Buffer[];
}

function certify({ name, key, until, extensions }: Subject, issuer: string, issuerKey: KeyObject): string {
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time('200101000000Z'), time(until)),
    commonName(name),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signed = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, issuerKey)));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

const far = '491231235959Z';

/** A certificate under a new CA of that name, until a time such as 210101000000Z. Encoded by hand: RFC 5280. */
export function createCertificate(authorityName: string, until = far, names = ['localhost']): Certificate {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    ca: certify(
      { name: authorityName, key: root.publicKey, until: far, extensions: authority },
      authorityName,
      root.privateKey,
    ),
    cert: certify(
      { name: 'panelops sandbox panel', key: leaf.publicKey, until, extensions: namesOf(names) },
      authorityName,
      root.privateKey,
    ),
    key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
