import { expect, it } from 'vitest'
import { recordedCall } from '../../../test/support/recorded-call.ts'
import { RoundBuilder } from '../round-builder.ts'
import { ChatCalls } from './chat-calls.ts'

function open() {
  const { call, received } = recordedCall()
  const tools = ['find', 'find_all', 'send', 'gogo'].map((name) => ({
    type: 'function' as const,
    function: { name },
  }))
  const round = new RoundBuilder({ ...call, tools })
  return { round, received, calls: new ChatCalls(round) }
}
const part = (index: unknown, name: unknown, args: unknown, more: object = {}) => ({
  index,
  function: { name, arguments: args },
  ...more,
})
const [a, b] = [{ id: 'a' }, { id: 'b' }]

/** The calls that pieces come to, as `name arguments id`; an id that the server did not send is not shown. */
function read(pieces: readonly object[]) {
  const { calls, round } = open()
  for (const piece of pieces) calls.add(piece)
  calls.end()
  return [...round.endCalls().values()].map(({ name, arguments: args, id }) =>
    [name, args, ...(id.startsWith('call_') ? [] : [id])].join(' '),
  )
}

it.each<[string, object[], string[]]>([
  ['a name alone', [part(0, 'send', '', a)], ['send {} a']],
  [
    'arguments behind the name',
    [part(0, 'send', '', a), part(0, undefined, '{'), part(0, '', '}', { id: '' })],
    ['send {} a'],
  ],
  [
    'a name repeated behind the first arguments',
    [part(0, 'find', '{', a), part(0, 'find', '', a), part(0, 'find', '}', a)],
    ['find {} a'],
  ],
  [
    'arguments before the name',
    [part(0, null, '{', a), part(0, undefined, '"n"'), part(0, 'find', ':1}')],
    ['find {"n":1} a'],
  ],
  [
    'arguments at another place than the name: danny-avila/LibreChat#13987',
    [part(1, 'find', '', a), part(0, undefined, '{"n"'), part(0, undefined, ':1}')],
    ['find {"n":1} a'],
  ],
  [
    'arguments of two calls at another place than their names',
    [
      part(1, 'find', '', a),
      part(0, undefined, '{}'),
      part(2, 'send', '', b),
      part(0, undefined, '{"n"'),
      part(0, undefined, ':1}'),
    ],
    ['find {} a', 'send {"n":1} b'],
  ],
  [
    'a whole call again as a text: BerriAI/litellm#20480',
    [
      part(0, 'find', '{"n":', a),
      part(0, undefined, '"x"}', a),
      part(0, 'find', JSON.stringify('{"n":"x"}'), a),
    ],
    ['find {"n":"x"} a'],
  ],
  ['an id with the name', [part(0, '', '{}'), part(0, 'find', '', a)], ['find {} a']],
  ['an id behind the name', [part(0, 'find', ''), part(0, '', '{}', a)], ['find {} a']],
  [
    'a name that the request does not offer, behind the arguments',
    [part(0, '', '{}', a), part(0, 'other', '')],
    ['other {} a'],
  ],
  ['two calls without an id', [part(0, 'find', ''), part(1, 'send', '{}')], ['find {}', 'send {}']],
  ['the first id', [part(0, 'fin', '', a), part(0, 'd', '{}')], ['find {} a']],
  ['a call without a name', [part(0, '', '{}', a)], []],
  ['a name that may go on', [part(0, 'find', '', a)], ['find {} a']],
  ['a name in pieces', [part(0, 'fi', '', a), part(0, 'nd_', ''), part(0, 'all', '')], ['find_all {} a']],
  ['a name that is repeated', [part(0, 'find', '', a), part(0, 'find', '{}', a)], ['find {} a']],
  ['a name of two equal pieces', [part(0, 'go', '', a), part(0, 'go', '', a)], ['gogo {} a']],
  [
    'two calls, the first of which has no arguments',
    [part(0, 'find', '', a), part(1, 'send', '{"n":1}', b)],
    ['find {} a', 'send {"n":1} b'],
  ],
  [
    'two calls without arguments',
    [part(0, 'find', '', a), part(1, 'find', '', b)],
    ['find {} a', 'find {} b'],
  ],
  [
    'a name that comes after the next call',
    [part(0, '', '{"n":1}', a), part(1, 'send', '{}', b), part(0, 'find', '')],
    ['send {} b', 'find {"n":1} a'],
  ],
  [
    'two calls at one place',
    [part(0, 'find', '', a), part(0, 'send', '{"n":1}', b)],
    ['find {} a', 'send {"n":1} b'],
  ],
  [
    'two calls of one name at one place',
    [part(0, 'send', '{"n":1}', a), part(0, 'send', '{"n":2}', b)],
    ['send {"n":1} a', 'send {"n":2} b'],
  ],
  [
    'two calls of one name at one place, the second in pieces',
    [part(0, 'send', '{"n":1}', a), part(0, 'send', '', b), part(0, '', '{"n":2}', b)],
    ['send {"n":1} a', 'send {"n":2} b'],
  ],
  [
    'another id with each piece',
    [part(0, 'send', '{"n"', a), part(0, '', ':1}', b), part(0, '', '', { id: 'c' })],
    ['send {"n":1} a'],
  ],
  [
    'no place',
    [
      part(undefined, 'send', '{', a),
      part(undefined, '', '}'),
      { function: { arguments: '' } },
      part(null, 'find', '', b),
    ],
    ['send {} a', 'find {} b'],
  ],
  [
    'no place, and a known id',
    [
      part(undefined, 'send', '{', a),
      part(undefined, 'find', '{', b),
      part(undefined, '', '"n":1}', a),
      part(undefined, 'find', '}', b),
    ],
    ['send {"n":1} a', 'find {} b'],
  ],
  ['neither place nor name', [part(undefined, '', '{}', a)], []],
  ['neither place nor name nor id', [part(undefined, '', '{}')], []],
  [
    'neither place nor name, behind a call with a place',
    [part(0, 'send', '{', a), part(undefined, '', '}')],
    ['send {} a'],
  ],
  ['a place that is a text', [part('1', 'send', '{}', a), part(1, '', '')], ['send {} a']],
  [
    'a place that is no number',
    [part('x', 'send', '{}', a), part(1.5, 'find', '[]', b)],
    ['send {} a', 'find [] b'],
  ],
  ['a number as id', [part(0, 'send', '{}', { id: 7 })], ['send {} 7']],
  [
    'blanks around the id and the name',
    [part(0, ' send\n', '{}', { id: ' a ' }), part(1, 'send', '[]', { id: ' ' })],
    ['send {} a', 'send []'],
  ],
  ['an object as arguments', [part(0, 'send', { n: 1 }, a)], ['send {"n":1} a']],
  [
    'a name and arguments of the call itself',
    [{ index: 0, id: 'a', name: 'send', arguments: '{}' }],
    ['send {} a'],
  ],
  [
    'the name of the function rather than the call',
    [part(0, 'send', '{}', { ...a, name: 'x', arguments: 'y' })],
    ['send {} a'],
  ],
  // https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-task.cpp
  [
    'a call that comes again at another place',
    [part(0, 'send', '{}', a), part(1, 'send', '{}', a)],
    ['send {} a'],
  ],
  [
    'a call that came in pieces, and comes again whole',
    [part(0, 'send', '{', a), part(0, '', '}', a), part(undefined, 'send', '{}', a)],
    ['send {} a'],
  ],
  [
    'two calls of one id with other arguments, or another name',
    [part(0, 'send', '{}', a), part(1, 'send', '[]', a), part(2, 'find', '{}', a)],
    ['send {} a', 'send []', 'find {}'],
  ],
  ['two calls alike without an id', [part(0, 'send', '{}'), part(1, 'send', '{}')], ['send {}', 'send {}']],
])('%s', (_, pieces, expected) => {
  expect(read(pieces)).toEqual(expected)
})

it('a call is passed on once its name is complete', () => {
  const { calls, received } = open()
  calls.add(part(0, 'find', '', a))
  expect(received).toEqual([])
  calls.add(part(0, '', '{"n"', a))
  calls.add(part(0, '', ':1}', a))
  expect(received).toEqual([
    ['input', 'a', ''],
    ['input', 'a', '{"n"'],
    ['input', 'a', ':1}'],
  ])
  calls.add(part(1, 'find', '', b))
  calls.add(part(2, 'send', '', { id: 'c' }))
  // whoever begins another call has written the name of the one before
  expect(received.slice(3)).toEqual([
    ['input', 'b', ''],
    ['input', 'c', ''],
  ])
})

it('a call without an id is passed on, too', () => {
  const { calls, received } = open()
  calls.add(part(0, 'send', '{}'))
  calls.add(part(0, '', '', a))
  expect(received).toEqual([
    ['input', expect.stringMatching(/^call_/), ''],
    ['input', expect.stringMatching(/^call_/), '{}'],
  ])
})
