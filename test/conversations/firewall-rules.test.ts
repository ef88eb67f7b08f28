import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf, whisperAfter } from '../helpers/messages.ts';
import { startWorld, type World } from '../helpers/world.ts';

describe('the rules of a firewall', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  it('alice looks at the four of web-1, in private, and carol sees nothing of it', async () => {
    expect(await world.alice.types('/firewall show server:web-1')).toMatchInlineSnapshot(`
      "alice used /firewall show
      panelops: SUCCEEDED /firewall show · web-1 (101, production) (edited)
        │ The firewall of web-1 (101), primary interface, is **enabled** with 4 rules.
        │ 1. \`id=101001 direction=in action=accept protocol=tcp port=22 source=192.0.2.0/24\`
        │ 2. \`id=101002 direction=in action=accept protocol=tcp port=80 source=0.0.0.0/0\`
        │ 3. \`id=101003 direction=in action=accept protocol=tcp port=443 source=0.0.0.0/0\`
        │ 4. \`id=101004 direction=in action=accept protocol=icmp port="" source=0.0.0.0/0\`
        [Share]
        (only alice sees this)"
    `);
    expect(world.carol.sees()).toBe('');
    expect(world.panel.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /servers/101/firewall/primary',
    ]);
    expect(world.ledger()).toEqual([]);
  });

  it('she shares the card: carol sees it, without buttons', async () => {
    await world.alice.clicks('Share');
    expect(world.carol.sees()).toMatchInlineSnapshot(`
      "↪ reply to panelops: SUCCEEDED /firewall show · web-1 (101, …
      panelops: SUCCEEDED /firewall show · web-1 (101, production)
        Shared by @alice.
        │ The firewall of web-1 (101), primary interface, is **enabled** with 4 rules.
        │ 1. \`id=101001 direction=in action=accept protocol=tcp port=22 source=192.0.2.0/24\`
        │ 2. \`id=101002 direction=in action=accept protocol=tcp port=80 source=0.0.0.0/0\`
        │ 3. \`id=101003 direction=in action=accept protocol=tcp port=443 source=0.0.0.0/0\`
        │ 4. \`id=101004 direction=in action=accept protocol=icmp port="" source=0.0.0.0/0\`"
    `);
  });

  it('once, however often that is pressed', async () => {
    const card = world.discord.messages('alice', 'ops').find(({ ephemeral }) => ephemeral) ?? expect.fail('no card');
    const posted = () => world.discord.messages('carol', 'ops').length;
    const before = posted();
    const told = await whisperAfter(world, card, 'alice', () =>
      world.discord.click('alice', card.id, idOf(card, 'Share')),
    );
    expect(told).toContain('This card was shared already, and a card is shared once.');
    expect(posted()).toBe(before);
  });

  it('also after a restart', async () => {
    const card = world.discord.messages('alice', 'ops').find(({ ephemeral }) => ephemeral) ?? expect.fail('no card');
    const posted = () => world.discord.messages('carol', 'ops').length;
    const before = posted();
    await world.restart();
    const told = await whisperAfter(world, card, 'alice', () =>
      world.discord.click('alice', card.id, idOf(card, 'Share')),
    );
    expect(told).toContain('This card was shared already');
    expect(posted()).toBe(before);
  });

  it('carol may look as well, also at the secondary interface', async () => {
    expect(await world.carol.types('/firewall show server:101 interface:secondary')).toMatchInlineSnapshot(`
      "carol used /firewall show
      panelops: SUCCEEDED /firewall show · web-1 (101, production) (edited)
        │ The firewall of web-1 (101), secondary interface, is **enabled** with 2 rules.
        │ 1. \`id=1101001 direction=in action=accept protocol=tcp port=22 source=192.0.2.0/24\`
        │ 2. \`id=1101002 direction=in action=accept protocol=icmp port="" source=0.0.0.0/0\`
        [Share]
        (only carol sees this)"
    `);
  });

  it('bob may not replace them', async () => {
    expect(await world.bob.types('/firewall replace server:web-1 rulesets:1,2')).toContain('DENIED /firewall replace');
  });

  it('alice replaces them by two rulesets', async () => {
    expect(
      await world.alice.types('/firewall replace server:web-1 rulesets:1,2 reason:"back to the standard"'),
    ).toMatchInlineSnapshot(`
      "alice used /firewall replace
      panelops: QUESTION /firewall replace · web-1 (101, production) (edited)
        │ All firewall rules of web-1 (101), primary interface, will be removed, and rulesets 1 and 2 set instead. 4 rules are set now. The firewall is enabled.
        │ Applied to the running server at once.
        │ Not touched: the secondary interface, and every other server.
        │ Reason: \`back to the standard\`
        │ By @alice.
        │ Nothing is sent until @alice confirms. Runs out in 2 minutes.
        │ run R
        [Confirm] [Cancel]"
    `);
    expect(world.panel.effects).toEqual([]);
    expect(await world.alice.clicks('Confirm')).toMatchInlineSnapshot(`
      "alice used /firewall replace
      panelops: SUCCEEDED /firewall replace · web-1 (101, production) (edited)
        │ Primary interface: the rules were removed, and rulesets 1 and 2 set.
        │ There is no undo for this.
        │ Reason: \`back to the standard\`
        │ By @alice.
        │ run R"
    `);
    expect(world.panel.effects.map(({ path, body }) => [path, body])).toEqual([
      ['/servers/101/firewall/primary/rules?sync=true', { rulesets: [1, 2] }],
    ]);
  });

  it('what somebody changed in the panel meanwhile stops her next one: she decided on something else', async () => {
    await world.alice.types('/firewall replace server:web-1 rulesets:5');
    const { firewall } = world.panel.state.server(101).interfaces.primary;
    firewall.stored = { enabled: false, rules: [] };
    expect(await world.alice.clicks('Confirm')).toMatchInlineSnapshot(`
      "alice used /firewall replace
      panelops: NOT-SENT /firewall replace · web-1 (101, production) (edited)
        │ Nothing was sent, because what is set has changed since the question.
        │ enabled: true then, false now. rules: 3 then, 0 now.
        │ Ask again: the new question shows what is set now.
        │ By @alice.
        │ run R
        [Ask again]"
    `);
    expect(world.panel.effects).toHaveLength(1);
    expect(await world.alice.clicks('Ask again')).toContain('0 rules are set now. The firewall is disabled.');
    await world.alice.clicks('Cancel');
  });

  it("a ruleset that the panel does not have is refused in the panel's own words", async () => {
    await world.alice.types('/firewall replace server:web-1 rulesets:99');
    expect(await world.alice.clicks('Confirm')).toMatchInlineSnapshot(`
      "alice used /firewall replace
      panelops: REJECTED /firewall replace · web-1 (101, production) (edited)
        │ The panel refused what was sent (422).
        │ The panel says: \`rulesets: Ruleset 99 does not exist.\`
        │ Correct what the panel names, or wait until it is over, then ask again.
        │ By @alice.
        │ run R"
    `);
  });
});

describe('two hundred rules', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  it('alice pages through them, ten at a time', async () => {
    expect(await world.alice.types('/firewall show server:web-3')).toMatchInlineSnapshot(`
      "alice used /firewall show
      panelops: SUCCEEDED /firewall show · web-3 (103, staging) (edited)
        │ The firewall of web-3 (103), primary interface, is **enabled** with 200 rules.
        │ 1. \`id=103001 direction=in action=accept protocol=tcp port=20000 source=0.0.0.0/0\`
        │ 2. \`id=103002 direction=in action=accept protocol=tcp port=20001 source=0.0.0.0/0\`
        │ 3. \`id=103003 direction=in action=accept protocol=tcp port=20002 source=0.0.0.0/0\`
        │ 4. \`id=103004 direction=in action=accept protocol=tcp port=20003 source=0.0.0.0/0\`
        │ 5. \`id=103005 direction=in action=accept protocol=tcp port=20004 source=0.0.0.0/0\`
        │ 6. \`id=103006 direction=in action=accept protocol=tcp port=20005 source=0.0.0.0/0\`
        │ 7. \`id=103007 direction=in action=accept protocol=tcp port=20006 source=0.0.0.0/0\`
        │ 8. \`id=103008 direction=in action=accept protocol=tcp port=20007 source=0.0.0.0/0\`
        │ 9. \`id=103009 direction=in action=accept protocol=tcp port=20008 source=0.0.0.0/0\`
        │ 10. \`id=103010 direction=in action=accept protocol=tcp port=20009 source=0.0.0.0/0\`
        │ Showing 1–10 of 200 rules.
        [Next] [Share]
        (only alice sees this)"
    `);
    expect(await world.alice.clicks('Next')).toMatchInlineSnapshot(`
      "alice used /firewall show
      panelops: SUCCEEDED /firewall show · web-3 (103, staging) (edited)
        │ The firewall of web-3 (103), primary interface, is **enabled** with 200 rules.
        │ 11. \`id=103011 direction=in action=accept protocol=tcp port=20010 source=0.0.0.0/0\`
        │ 12. \`id=103012 direction=in action=accept protocol=tcp port=20011 source=0.0.0.0/0\`
        │ 13. \`id=103013 direction=in action=accept protocol=tcp port=20012 source=0.0.0.0/0\`
        │ 14. \`id=103014 direction=in action=accept protocol=tcp port=20013 source=0.0.0.0/0\`
        │ 15. \`id=103015 direction=in action=accept protocol=tcp port=20014 source=0.0.0.0/0\`
        │ 16. \`id=103016 direction=in action=accept protocol=tcp port=20015 source=0.0.0.0/0\`
        │ 17. \`id=103017 direction=in action=accept protocol=tcp port=20016 source=0.0.0.0/0\`
        │ 18. \`id=103018 direction=in action=accept protocol=tcp port=20017 source=0.0.0.0/0\`
        │ 19. \`id=103019 direction=in action=accept protocol=tcp port=20018 source=0.0.0.0/0\`
        │ 20. \`id=103020 direction=in action=accept protocol=tcp port=20019 source=0.0.0.0/0\`
        │ Showing 11–20 of 200 rules.
        [Previous] [Next] [Share]
        (only alice sees this)"
    `);
    expect(await world.alice.clicks('Next')).toContain('Showing 21–30 of 200 rules.');
    expect(await world.alice.clicks('Previous')).toContain('Showing 11–20 of 200 rules.');
  });

  it('the last page has no Next', async () => {
    world.minutePasses();
    const opened = await world.alice.types('/firewall show server:web-3');
    expect(opened).toContain('[Next] [Share]');
    for (let page = 2; page <= 20; page += 1) {
      if (page === 11) world.minutePasses();
      await world.alice.clicks('Next');
    }
    const [last = ''] = world.alice.sees().split('\n\n').slice(-1);
    expect(last).toContain('Showing 191–200 of 200 rules.');
    expect(last).toContain('  [Previous] [Share]\n');
  });

  it('a person has twenty reads a minute; who pages on and on is told to wait', async () => {
    let card = await world.bob.types('/firewall show server:web-3');
    for (let read = 2; read <= 20; read += 1) card = await world.bob.clicks(read % 2 === 0 ? 'Next' : 'Previous');
    expect(card).toContain('Showing 11–20 of 200 rules.');
    expect(await world.bob.clicks('Next')).toMatchInlineSnapshot(`
      "bob used /firewall show
      panelops: NOT-SENT /firewall show · web-3 (103, staging) (edited)
        │ You have used your 20 reads of this minute.
        │ Wait a moment, then ask again.
        [Ask again]
        (only bob sees this)"
    `);
  });

  it('after a minute he asks again, for the page where he was', async () => {
    world.minutePasses();
    expect(await world.bob.clicks('Ask again')).toContain('Showing 21–30 of 200 rules.');
  });

  it('carol, whose role is taken while she reads, gets no further page', async () => {
    await world.carol.types('/firewall show server:web-3');
    world.discord.setRoles('carol', []);
    const before = world.panel.requests.length;
    expect(await world.carol.clicks('Next')).toMatchInlineSnapshot(`
      "↪ reply to panelops: SUCCEEDED /firewall show · web-3 (103, …
      panelops: DENIED /firewall show
        │ You may not run this.
        │ It needs the permission \`firewall.show\`, which none of your roles has.
        │ Roles that may: \`viewer\`, \`on-call\` and \`lead\`.
        │ Nothing was sent.
        (only carol sees this)"
    `);
    expect(world.panel.requests).toHaveLength(before);
    await expect
      .poll(world.ledger)
      .toMatchObject([{ kind: 'denied', actor: { name: 'carol' }, command: 'firewall.show' }]);
  });
});
