import { expect, it } from 'vitest'
import { limitCpuTime } from '../../test/support/fuzz.ts'
import { readGemmaCall } from './gemma-calls.ts'

it.each([
  ['call:find{}', {}],
  ['call:find{text:<|"|>ls -l, {a}: "b"<|"|>,n:2}', { text: 'ls -l, {a}: "b"', n: 2 }],
  ['call:find{ a : true , b:null, c:-1.5 }', { a: true, b: null, c: -1.5 }],
  // inclusionAI/AReno#35, Blaizzy/mlx-vlm#916, ddalcu/mlx-serve#16
  [
    'call:find{actions:[{action:<|"|>MOVE<|"|>,to:<|"|>UP<|"|>}],list:[<|"|>a<|"|>,<|"|>b<|"|>]}',
    { actions: [{ action: 'MOVE', to: 'UP' }], list: ['a', 'b'] },
  ],
  [
    'call:find{query:{text:<|"|>one\ntwo<|"|>,inner:{n:1}}}',
    { query: { text: 'one\ntwo', inner: { n: 1 } } },
  ],
  // jundot/omlx#1886
  ['call:find(text=<|"|>a<|"|>, n=2)', { text: 'a', n: 2 }],
  ['call:find{<|"|>text<|"|>:"a \\"b\\"",bare:word and more}', { text: 'a "b"', bare: 'word and more' }],
  // a backslash that is written as two does not hide the mark behind it
  ['call:find{path:"C:\\\\dir\\\\",n:1}', { path: 'C:\\dir\\', n: 1 }],
  // jundot/omlx#1854
  ["call:find{text:'a, b: {c}','n':2}", { text: 'a, b: {c}', n: 2 }],
  ["call:find(text='it\\'s \"a\", isn't it', n=2)", { text: 'it\'s "a", isn\'t it', n: 2 }],
  // hybridgroup/yzma#243
  ['call:find{text:<|"|>look<|"|>angle:90}', { text: 'look', angle: 90 }],
])('%s is a call', (text, input) => {
  expect(readGemmaCall(text)).toEqual({ name: 'find', arguments: JSON.stringify(input) })
})

it('numbers stay as they are written', () => {
  expect(readGemmaCall('call:find{id:12345678901234567890,list:[1.10]}')?.arguments).toBe(
    '{"id":12345678901234567890,"list":[1.10]}',
  )
})

it.each([
  'call:find',
  'find{}',
  'call:find{a}',
  'call:find{a:}',
  'call:find{a:1',
  'call:find{a:<|"|>b}',
  "call:find{a:'b}",
  'call:find{a:"1"b:2}',
  'call:find{a:1} and more',
  'call:find{a:1 {b}}',
  `call:find{a:${'['.repeat(50)}`,
])('%s is none', (text) => {
  expect(readGemmaCall(text)).toBeUndefined()
})

it.each(['a:1,', '[', '<|"|>', '"', '\\"', 'a:<|"|>b<|"|>,', "'", "a:'b,", "' "])(
  'takes a time that grows with the text: %s',
  (piece) => {
    for (const beginning of ['', 'a:']) {
      const text = `call:find{${beginning}${piece.repeat(100_000)}`
      expect(limitCpuTime(() => readGemmaCall(text), 1_000)).toBeUndefined()
    }
  },
)
