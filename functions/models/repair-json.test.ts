import { expect, it } from 'vitest'
import { repairJson } from './repair-json.ts'
import { limitCpuTime } from '../../test/support/fuzz.ts'

it.each([
  ['line breaks and tabs', '{"text": "one\n\ttwo\u0000"}', 'one\n\ttwo\u0000'],
  ['a pattern', String.raw`{"text": "\d+\."}`, String.raw`\d+\.`],
  ['Markdown', String.raw`{"text": "a \* b \_c\_"}`, String.raw`a \* b \_c\_`],
  ['a path', String.raw`{"text": "C:\Windows\System"}`, String.raw`C:\Windows\System`],
  ['a letter without its number', String.raw`{"text": "\users"}`, String.raw`\users`],
  ['quotation marks beside a backslash', String.raw`{"text": "\"\d\\\""}`, '"\\d\\"'],
  ['a line break beside an escaped one', '{"text": "one\\n\ntwo"}', 'one\n\ntwo'],
])('%s in a text are as they were meant', (_, written, text) => {
  expect(JSON.parse(repairJson(written) ?? '')).toEqual({ text })
})

it('each text is repaired on its own', () => {
  const written = String.raw`{"pattern": "\d", "text": "one\ntwo"}`
  expect(JSON.parse(repairJson(written) ?? '')).toEqual({ pattern: String.raw`\d`, text: 'one\ntwo' })
})

// openclaw/openclaw#88918
it.each([String.raw`{"text": "C:\Windows\new"}`, String.raw`{"text": "C:\bin\App"}`, '{"text": "a"', '{}'])(
  'nothing is guessed in %s',
  (written) => {
    expect(repairJson(written)).toBeUndefined()
  },
)

it('takes a time that grows with the text', () => {
  const text = `{"text": "${String.raw`\d`.repeat(200_000)}"}`
  expect(() => limitCpuTime(() => repairJson(text), 2_000)).not.toThrow()
})
