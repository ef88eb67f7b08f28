/** The sums of the permissions in docs/install.md, which says what each is for. */
const permissions = { usual: '309237894144', withPins: '2252109051579392' };

/** Where a bot is invited to a guild. `pins`: with the right to pin messages. */
export const inviteLink = (application: string, pins: boolean): string =>
  `https://discord.com/oauth2/authorize?client_id=${application}&scope=bot+applications.commands&permissions=${
    pins ? permissions.withPins : permissions.usual
  }`;
