// Loaded before a program: its clock, and that of the processes that it starts, is `ahead` of the machine's, in ms.
const ahead = Number(new URL(import.meta.url).searchParams.get('ahead'));
const now = Date.now;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now() + ahead] : args, self),
  get: (target, name) => (name === 'now' ? () => now() + ahead : Reflect.get(target, name)),
});
