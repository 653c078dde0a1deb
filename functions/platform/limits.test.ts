import { expect, it } from 'vitest'
import { routes } from '#shared/routes.ts'
import { maxResponseBytes } from '../../test/support/response-limit.ts'
import * as limits from './limits.ts'

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxEventBytes = 6 * 1024 * 1024
/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const maxItemBytes = 400 * 1024

it('every accepted request body fits into the event of its function', () => {
  const tooLarge = Object.entries(routes).filter(([, { maxBodyBytes }]) => maxBodyBytes >= maxEventBytes)
  // docs/deploy.md tells the limit of recordings on AWS
  expect(tooLarge.map(([name]) => name)).toEqual(['speech.transcribe'])
})

it('a row and a response leave room for their other fields', () => {
  expect(maxItemBytes - limits.chunkBytes).toBeGreaterThan(16 * 1024)
  // a page may exceed its size by one message, and the largest takes six bytes for each of its own
  expect(maxResponseBytes - limits.pageBytes).toBeGreaterThan(5 * maxItemBytes)
})

it.each([
  ['a', 5],
  ['漢', 7],
  ['"', 8],
  ['\n', 7],
])('%j takes %i bytes of a response, including quotation marks', (text, bytes) => {
  // the outer quotation marks belong to the body
  expect(limits.responseBytes(text) - 2).toBe(bytes)
})
