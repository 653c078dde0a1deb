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
