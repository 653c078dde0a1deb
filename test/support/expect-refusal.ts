import { expect } from 'vitest'
import type { RawReply } from './raw-http.ts'

/**
 * Expects an answer in the one shape of errors: JSON with a sentence, a machine word and the request's id, of the given status
 * (or any of 4xx), stored by no cache, without a word about our inside.
 */
export function expectRefusal(
  reply: RawReply,
  { status, code }: { status?: number; code?: string } = {},
  about = reply.text.slice(0, 200),
): void {
  const isExpected =
    status === undefined ? reply.status >= 400 && reply.status < 500 : reply.status === status
  expect(isExpected, `${about}: status ${reply.status}`).toBe(true)
  expect(reply.headers['content-type'], about).toMatch(/^application\/json/)
  expect(reply.headers['cache-control'], about).toBe('no-store')
  expect(reply.headers['x-content-type-options'], about).toBe('nosniff')
  expect(JSON.parse(reply.text), about).toEqual({
    success: false,
    error: expect.stringMatching(/^[A-Z].{8,350}\.$/) as string,
    code: code ?? (expect.stringMatching(/^[a-z]+(_[a-z]+)*$/) as string),
    requestId: expect.stringMatching(/^[\w-]{8,}$/) as string,
  })
  expect(reply.text, about).not.toMatch(/ZodError|Exception|node_modules|\.ts:|at \w+ \(/)
}
