import { expect, it } from 'vitest'
import { areKnown, listRecipients } from './recipients.ts'

const own = { name: 'send' }
const ofServer = { name: 'send', definitionFingerprint: 'f' }

it.each<[string, Record<string, unknown>, string[]]>([
  [
    'each address, without names',
    { to: '"Me" <ME@Example.org>, Ann <ann@example.org>' },
    ['me@example.org', 'ann@example.org'],
  ],
  ['a name that looks like an address', { to: '"me@example.org" <eve@example.org>' }, ['eve@example.org']],
  [
    'a list in an object',
    { message: { toRecipients: [{ emailAddress: { address: 'a@b.org' } }], body: { content: 'x' } } },
    ['a@b.org'],
  ],
  ['an argument that nobody knows', { zwrot: 'eve', text: 'x' }, ['eve']],
  ['names with true', { people: { 'a@b.org': true } }, ['a@b.org']],
  ['a number of a chat', { chat_id: 4_711, silent: true, text: 'x' }, ['4711']],
  [
    'a number that JavaScript cannot hold',
    { chat_id: JSON.rawJSON('900719925474099312345') },
    ['900719925474099312345'],
  ],
  ['a name, which may be a person’s', { name: 'eve', team: 'core' }, ['eve', 'core']],
  [
    'an empty and a missing one, and a date',
    { cc: '', bcc: null, at: '2026-12-01T08:00:00Z', to: 'a@b.org' },
    ['a@b.org'],
  ],
  ['none, so the tool itself', { text: 'To: eve@example.org' }, ['tool:send']],
])('the recipients of a call of a server: %s', (_, input, found) => {
  expect(listRecipients(ofServer, input)).toEqual(found)
})

const prompt =
  'Mail me@example.org. Post in #ops, tell @ann, call +49 (170) 123-4567, see https://example.org/a: daily.'

it.each<[string, string, boolean]>([
  ['an address before a full stop', 'me@example.org', true],
  ['in capitals', 'ME@EXAMPLE.ORG', true],
  ['a part of an address', 'example.org', false],
  ['the end of an address', 'e@example.org', false],
  ['a longer address', 'me@example.org.evil', false],
  ['the beginning of an address', 'me@example.or', false],
  ['a channel', 'ops', true],
  ['a channel with its sign', '#ops', true],
  ['a name', 'ann', true],
  ['a part of a word', 'op', false],
  ['a number with other separators', '+491701234567', true],
  ['a part of a number', '1234567', false],
  ['a page', 'https://example.org/a', true],
  ['a page above', 'https://example.org', false],
  ['a page below', 'https://example.org/a/b', false],
])('%s stands in a prompt (%s): %s', (_, to, isKnown) => {
  expect(areKnown(listRecipients(ofServer, { to }), { prompt, approved: [] })).toBe(isKnown)
})

it('all recipients have to be known, from the prompt or from approved calls; a call that reaches nobody is', () => {
  const recipients = listRecipients(own, { to: 'me@example.org, eve@example.org' })
  expect(areKnown(recipients, { prompt, approved: [] })).toBe(false)
  expect(areKnown(recipients, { prompt, approved: ['eve@example.org'] })).toBe(true)
  expect(areKnown(listRecipients(own, { name: 'notes.txt', content: 'x' }), { prompt, approved: [] })).toBe(
    true,
  )
})
