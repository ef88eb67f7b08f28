import { describe, expect, it } from 'vitest';
import { configFolder, real } from '../helpers/config.ts';

const { config, wrong } = configFolder();

describe("the port of health and metrics, and with the sandbox's Discord of the page", () => {
  it.each([
    ['0', 0],
    ['8137', 8137],
    ['65535', 65_535],
  ])('may be %s', (HTTP_PORT, httpPort) => {
    expect(config({ HTTP_PORT })).toMatchObject({ discord: { kind: 'sandbox' }, httpPort });
  });

  it('stays closed when it is left out', () => {
    expect(config({}).httpPort).toBeUndefined();
  });

  it.each(['65536', '-1', '80.5', '0x50', 'http'])('is not %s', (HTTP_PORT) => {
    expect(wrong({ HTTP_PORT })).toEqual(['HTTP_PORT: A port is a number from 0 to 65535 and nothing else.']);
  });

  it('is on loopback, unless HTTP_HOST says otherwise', () => {
    expect(config({ ...real, HTTP_PORT: '9464' }).httpHost).toBeUndefined();
    for (const HTTP_HOST of ['0.0.0.0', '::', '192.0.2.7'])
      expect(config({ ...real, HTTP_PORT: '9464', HTTP_HOST })).toMatchObject({ httpHost: HTTP_HOST });
  });

  it.each(['localhost', '192.0.2', 'http://0.0.0.0', '*', '0.0.0.0:80'])('is not at %s', (HTTP_HOST) => {
    expect(wrong({ ...real, HTTP_PORT: '9464', HTTP_HOST })).toEqual([
      'HTTP_HOST: It must be an IP address of this machine: 127.0.0.1, or :: for all that it has.',
    ]);
  });

  it('is needed where HTTP_HOST is set', () => {
    expect(wrong({ ...real, HTTP_HOST: '0.0.0.0' })).toEqual([
      'HTTP_HOST: HTTP_PORT is not set, so that nothing listens there. Set both, or neither.',
    ]);
  });

  it("stays on loopback with the sandbox's Discord: there anybody can be alice", () => {
    expect(config({ HTTP_PORT: '8137', HTTP_HOST: '0.0.0.0' }).httpHost).toBeUndefined();
  });
});

describe('where traces go', () => {
  it.each([
    ['http://127.0.0.1:4318', 'http://127.0.0.1:4318'],
    ['http://collector:4318/', 'http://collector:4318'],
    ['https://otlp.example.com/otlp/', 'https://otlp.example.com/otlp'],
  ])('may be %s', (OTEL_EXPORTER_OTLP_ENDPOINT, tracesUrl) => {
    expect(config({ ...real, OTEL_EXPORTER_OTLP_ENDPOINT })).toMatchObject({ tracesUrl });
  });

  it('is nowhere when it is left out', () => {
    expect(config(real)).toMatchObject({ tracesUrl: undefined, metricsUrl: undefined });
  });

  it('is where metrics are pushed to as well, unless those have an address of their own', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://otlp.example.com/otlp/';
    const OTEL_EXPORTER_OTLP_METRICS_ENDPOINT = 'http://127.0.0.1:9090/api/v1/otlp/v1/metrics';
    const metricsUrl = 'https://otlp.example.com/otlp/v1/metrics';
    expect(config({ ...real, OTEL_EXPORTER_OTLP_ENDPOINT })).toMatchObject({ metricsUrl });
    expect(config({ ...real, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT }).metricsUrl).toBe(
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
    );
    expect(config({ ...real, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT })).toMatchObject({
      tracesUrl: undefined,
      metricsUrl: OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
    });
    const OTEL_METRICS_EXPORTER = 'none';
    expect(config({ ...real, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_METRICS_EXPORTER })).toMatchObject({
      tracesUrl: 'https://otlp.example.com/otlp',
      metricsUrl: undefined,
    });
  });

  it.each([
    ['127.0.0.1:4318', 'The URL must begin with http:// or https://, as http://127.0.0.1:4318.'],
    ['grpc://127.0.0.1:4317', 'The URL must begin with http:// or https://, as http://127.0.0.1:4318.'],
    ['https://me:secret@otlp.example.com', 'The URL must not contain a user name or password.'],
    ['https://otlp.example.com?key=1', 'The URL must end after its path, without a query or fragment.'],
  ])('is not %s', (OTEL_EXPORTER_OTLP_ENDPOINT, rule) => {
    expect(wrong({ ...real, OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual([`OTEL_EXPORTER_OTLP_ENDPOINT: ${rule}`]);
  });
});
