import { expect, it } from 'vitest';
import { typed } from '../../src/setup/ask.ts';
import { serversIn } from '../../src/setup/ask-servers.ts';

const two = [
  { id: 101, name: 'web-1' },
  { id: 102, name: 'web-2' },
];

it.each([
  ['lines', '101 web-1\n102 web-2'],
  ['the other way round', 'web-1 101\nweb-2 102\n'],
  ['one line', '101=web-1, 102=web-2'],
  ['one line without signs', '101 web-1 102 web-2'],
  ['both ways in one line', '101=web-1, web-2 102'],
  ['colons and semicolons', '101: web-1; 102:web-2'],
  ['arrows', '101 -> web-1\r\n102 -> web-2\r\n'],
  ['CSV without a head', '101,web-1\n102,web-2\n'],
  ['CSV with a head, and columns that say nothing here', 'name;owner;id\n"web-1";5;101\nweb-2;;102\n'],
])('takes %s', (_, text) => {
  expect(serversIn(text)).toEqual({ servers: two });
});

it.each([
  ['a line', '101 web-1 production 192.0.2.101 2001:db8::1'],
  ['a line of CSV', '101,web-1,production,192.0.2.101,2001:db8::1'],
  ['CSV with a head', '\ufeffID,Name,Tier,IPs\n101,web-1,production,"192.0.2.101, 2001:db8::1"\n'],
])('takes tier and addresses of %s', (_, text) => {
  expect(serversIn(text)).toEqual({
    servers: [{ id: 101, name: 'web-1', tier: 'production', ips: ['192.0.2.101', '2001:db8::1'] }],
  });
});

it.each(['101=web-1 production, 102=web-2; 103 web-3 staging', 'web-1 production 101, web-2 102, web-3 staging 103'])(
  'takes servers with a tier and without in one line: %s',
  (text) => {
    expect(serversIn(text)).toEqual({
      servers: [
        { id: 101, name: 'web-1', tier: 'production' },
        { id: 102, name: 'web-2' },
        { id: 103, name: 'web-3', tier: 'staging' },
      ],
    });
  },
);

it('takes a Backspace at the beginning, and what a paste brings beside the signs, for nothing', () => {
  expect(typed('\u007f\u007f101 web-1\r\n\u200b102\tweb-2 ')).toBe('101 web-1\n102\tweb-2');
});

it('takes the group of CSV, where the head tells it from the id', () => {
  expect(serversIn('id,name,group\n101,web-1,2\n')).toEqual({ servers: [{ id: 101, name: 'web-1', group: 2 }] });
});

it.each([
  ['', 'Write an id and a name for each server, such as 101 web-1.'],
  ['101', '101: Write an id and a name for each server, such as 101 web-1.'],
  ['web-1 web-2', 'web-1 web-2: Write an id and a name for each server, such as 101 web-1.'],
  ['101 web-1, 102', '102: Write an id and a name for each server, such as 101 web-1.'],
  ['101 wéb', 'wéb: a name has letters, digits, dots and dashes, and is not a number.'],
  ['101 web-1, 101 web-2', '101 is listed twice.'],
  ['101 web-1, 102 WEB-1', 'WEB-1 is listed twice.'],
])('says what is wrong with %j', (text, rule) => {
  expect(serversIn(text)).toEqual({ rule });
});
