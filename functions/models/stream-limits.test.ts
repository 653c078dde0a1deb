import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { modelErrors } from './model-errors.ts'
import { checkCallLimits, watchStream } from './stream-limits.ts'

const megabyte = 1024 * 1024
const unreadable = expect.objectContaining({ code: modelErrors.unreadable.code }) as Error

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a stream', () => {
  it('may be silent after each byte for as long as its effort allows', () => {
    const watch = watchStream('medium', { baseUrl: undefined })
    vi.advanceTimersByTime(89_999)
    watch.onBytes(Buffer.from('x'))
    vi.advanceTimersByTime(89_999)
    expect(watch.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(watch.signal.reason).toMatchObject({ code: modelErrors.silent.code })
  })

  it.each([
    ['comments', ': keep-alive\n\n'],
    ['blank lines', '\n'],
    ['Anthropic’s pings', 'event: ping\ndata: {"type": "ping"}\n\n'],
    ['OpenAI’s signs of life', 'event: keepalive\ndata: {"type":"keepalive","sequence_number":3}\n\n'],
  ])('may have %s alone for ten minutes', (_, sign) => {
    const settings = { silenceSeconds: 45, baseUrl: undefined }
    const [idle, writing] = [watchStream(undefined, settings), watchStream(undefined, settings)]
    for (let seconds = 0; seconds < 600; seconds += 30) {
      expect(idle.signal.aborted).toBe(false)
      idle.onBytes(Buffer.from(sign))
      writing.onBytes(Buffer.from(`${sign}data: {}\n\n`))
      vi.advanceTimersByTime(30_000)
    }
    expect(idle.signal.reason).toMatchObject({
      code: modelErrors.silent.code,
      message: 'nothing but signs of life for 600000 ms',
    })
    expect(writing.signal.aborted).toBe(false)
    writing.end()
  })

  it.each([
    ['blank lines', '\n\n', true],
    ['a comment of 999 bytes', `:${'x'.repeat(998)}`, true],
    ['more in one piece', `:${'x'.repeat(999)}`, false],
    ['comments and blank lines', ': a\r\n\r\n: b\n \n', true],
    ['a comment before data', ': a\ndata: {}\n', false],
    ['a comment and a ping', ': a\r\n\r\nevent: ping\r\ndata: { "type" : "ping" }\r\n\r\n', true],
    ['a ping in pieces', 'data: {"type":"ping"}\n', true],
    ['text about a ping', 'data: {"type":"content_block_delta","delta":{"text":"ping"}}\n\n', false],
    ['an event whose name only begins so', 'data: {"type":"ping_result"}\n\n', false],
  ])('%s: %j is a sign of life alone: %s', (_, text, isComment) => {
    const watch = watchStream(undefined, { silenceSeconds: 600, baseUrl: undefined })
    vi.advanceTimersByTime(590_000)
    watch.onBytes(Buffer.from(text))
    vi.advanceTimersByTime(10_000)
    expect(watch.signal.aborted).toBe(isComment)
    watch.end()
  })

  it('with much effort may have comments alone for as long as that allows', () => {
    const watch = watchStream('max', { silenceSeconds: 900, baseUrl: undefined })
    for (let seconds = 0; seconds < 900; seconds += 300) {
      expect(watch.signal.aborted).toBe(false)
      watch.onBytes(Buffer.from(': keep-alive\n\n'))
      vi.advanceTimersByTime(300_000)
    }
    expect(watch.signal.aborted).toBe(true)
  })

  it('is not watched after its end', () => {
    const watch = watchStream(undefined, { baseUrl: undefined })
    watch.onBytes(Buffer.from('x'))
    watch.end()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('has lines of at most 48 MB', () => {
    const watch = watchStream(undefined, { baseUrl: undefined })
    const line = (size: number) => Buffer.alloc(size, 'x')
    watch.onBytes(line(10))
    watch.onBytes(Buffer.from('x\nxx'))
    watch.onBytes(line(48 * megabyte - 2))
    expect(() => watch.onBytes(line(1))).toThrow(unreadable)
    watch.end()
  })

  it('has at most 64 MB in all', () => {
    const watch = watchStream(undefined, { baseUrl: undefined })
    const lines = Buffer.alloc(32 * megabyte, '\n')
    watch.onBytes(lines)
    watch.onBytes(lines)
    expect(() => watch.onBytes(Buffer.from('\n'))).toThrow(unreadable)
    watch.end()
  })
})

it.each<[string, () => void, () => void]>([
  ['128 calls', () => checkCallLimits(128, 0), () => checkCallLimits(129, 0)],
  ['a million characters of arguments', () => checkCallLimits(0, 1e6), () => checkCallLimits(0, 1e6 + 1)],
])('a response has at most %s', (_, checkAtLimit, checkBeyondLimit) => {
  expect(checkAtLimit).not.toThrow()
  expect(checkBeyondLimit).toThrow(unreadable)
})
