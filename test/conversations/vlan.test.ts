import { describe, expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

describe('VLAN settings', () => {
  const world = worldForAll();

  it('the native mode is of one VLAN', async () => {
    expect(await world.alice.types('/vlan set server:web-1 vlan:7 native-mode:1')).toShow(
      'QUESTION /vlan set · web-1 (101, production)',
      'VLAN entry 7 of web-1 (101), interface primary, will be changed now.',
      '**Cannot be undone.** Native mode: 1, this VLAN only.',
      'A wrong mode can cut the server off.',
      '[Set VLAN entry 7 of web-1] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'SUCCEEDED /vlan set · web-1 (101, production)',
      'Entry 7 (VLAN number 100) now has native mode 1; its whole interface has trunk 0.',
      'The bot cannot undo this: it cannot read what was set before.',
    );
    expect(world.panel.effects).toMatchObject([
      { method: 'PUT', path: '/servers/101/interfaces/primary/vlans/7', body: { nativeMode: 1 } },
    ]);
  });

  it('trunk is of all VLANs of the interface, here named by its tag', async () => {
    expect(await world.alice.types('/vlan set server:web-1 interface:4000001101 vlan:9 native-mode:0 trunk:2')).toShow(
      'QUESTION /vlan set · web-1 (101, production)',
      'VLAN entry 9 of web-1 (101), interface 4000001101, will be changed now.',
      '**Cannot be undone.** Native mode: 0, this VLAN only. Trunk: 2, **all VLANs of that interface**.',
      '[Set VLAN entry 9 of web-1] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'SUCCEEDED /vlan set · web-1 (101, production)',
      'Entry 9 (VLAN number 100) now has native mode 0; its whole interface has trunk 2.',
    );
    expect(world.panel.effects.at(-1)).toMatchObject({
      path: '/servers/101/interfaces/4000001101/vlans/9',
      body: { nativeMode: 0, trunk: 2 },
    });
  });
});
