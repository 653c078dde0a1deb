import { expect } from 'vitest'
import type { RawReply } from './raw-http.ts'

interface Refusal {
  /** default: any 4xx */
  status?: number
  code?: string
  /** name of the case, for the message */
  about?: string
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> {
    /**
     * Expects an error response in the common shape: JSON with a sentence, a code and the request's id, not cacheable, without
     * internal details.
     */
    toRefuse(refusal?: Refusal): R
  }
}

/** The text of INT-41 has no full stop. */
const sentence = /^User not authenticated$|^[A-Z].{8,350}\.$/
const internals = /ZodError|Exception|node_modules|\.ts:|at \w+ \(/

function findProblems({ status, headers, text }: RawReply, expected: Refusal): string[] {
  const statusFits =
    expected.status === undefined ? status >= 400 && status < 500 : status === expected.status
  const problems = statusFits ? [] : [`its status is ${status}`]
  if (!headers['content-type']?.startsWith('application/json')) problems.push('it is not JSON')
  if (headers['cache-control'] !== 'no-store') problems.push('a cache may store it')
  if (headers['x-content-type-options'] !== 'nosniff') problems.push('it may be sniffed')
  if (internals.test(text)) problems.push('it shows internal details')
  const { success, error, code, params = {}, requestId, attachmentIds = [], ...more } = parse(text)
  if (
    success !== false ||
    typeof code !== 'string' ||
    typeof params !== 'object' ||
    !Array.isArray(attachmentIds) ||
    Object.keys(more).length > 0
  )
    problems.push('its fields are not those of an error')
  if (!sentence.test(String(error))) problems.push('its error is not a sentence')
  if (!/^[a-z]+(_[a-z]+)*$/.test(String(code))) problems.push('its code is not in snake case')
  if (expected.code !== undefined && code !== expected.code) problems.push(`its code is not ${expected.code}`)
  if (!/^[\w-]{8,}$/.test(String(requestId))) problems.push('it has no request id')
  return problems
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    // has a different shape
    return {}
  }
}

expect.extend({
  toRefuse(reply: RawReply, expected: Refusal = {}) {
    const problems = findProblems(reply, expected)
    const about = expected.about === undefined ? '' : ` (${expected.about.slice(0, 100)})`
    return {
      pass: problems.length === 0,
      message: () =>
        `expected a refusal ${JSON.stringify(expected)}${about}, but ${problems.join(', ') || 'it is one'}: ${reply.text.slice(0, 500)}`,
    }
  },
})
