import { expect, it } from 'vitest';
import { refusalOf } from '../../src/redis/refusal.ts';

/** As servers and TLS say it: in scripts of Redis 6 and 7, at the ready check, in codes of Node. */
it.each([
  ["READONLY You can't write against a read only replica. script: 89, on @user_script:1.", '', /a replica/],
  ["ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write", '', /a replica/],
  ['UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)', '', /a replica/],
  ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", '', /a replica/],
  ["CROSSSLOT Keys in request don't hash to the same slot", '', /a Redis Cluster/],
  ['MOVED 3999 127.0.0.1:6381', '', /a Redis Cluster/],
  ['CLUSTERDOWN Hash slot not served', '', /a Redis Cluster/],
  ['ERR SELECT is not allowed in cluster mode', '', /a Redis Cluster/],
  ["OOM command not allowed when used memory > 'maxmemory'. script: 89, on @user_script:1.", '', /memory is full/],
  ['MISCONF Redis is configured to save RDB snapshots, but it is currently unable to', '', /cannot save its data/],
  ['NOREPLICAS Not enough good replicas to write.', '', /too few replicas/],
  ['LOADING Redis is loading the dataset in memory', '', /still loading/],
  ['BUSY Redis is busy running a script.', '', /a script that does not end/],
  ['ERR max number of clients reached', '', /maxclients is reached/],
  ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', /an authority that this machine does not know/],
  ['unable to verify the first certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /an authority that this machine/],
  ['certificate has expired', 'CERT_HAS_EXPIRED', /has expired/],
  ["Hostname/IP does not match certificate's altnames", 'ERR_TLS_CERT_ALTNAME_INVALID', /for another host/],
  ['802C:error:0A00045C:SSL routines', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /wants a certificate of the bot/],
])('what Redis says has words: %s', (message, code, words) => {
  expect(refusalOf(Object.assign(new Error(message), code === '' ? {} : { code }))?.problem).toMatch(words);
});

it.each([
  ['connect ECONNREFUSED 127.0.0.1:6379', 'ECONNREFUSED'],
  ['BUSYGROUP Consumer Group name already exists', ''],
  ['WRONGTYPE Operation against a key holding the wrong kind of value', ''],
])('anything else has none: %s', (message, code) => {
  expect(refusalOf(Object.assign(new Error(message), { code }))).toBeUndefined();
});
