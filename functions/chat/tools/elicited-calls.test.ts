import { expect, it } from 'vitest'
import type { Elicitation } from '#shared/contracts/elicitation.ts'
import type { CallHistory, PendingCall } from '../../conversations/store/run.ts'
import { continueWithResponse, findInputLimitProblem, toElicitationRequest } from './pending-calls.ts'
import type { PreparedCall } from './run-tool.ts'

const form: Elicitation = { mode: 'form', key: 'a', message: 'm'.repeat(600), fields: [] }
const page: Elicitation = {
  mode: 'url',
  key: 'b',
  message: 'Sign in',
  url: 'https://example.org/x',
  host: 'example.org',
}
const pendingCall: PendingCall = {
  callId: 'c1',
  kind: 'elicitation',
  tool: 'book',
  title: 'Book',
  fingerprint: 'f',
  arguments: '{}',
  askedAtMs: 1,
}
const task = { id: 't', server: 's', createdAtMs: 1, pollMs: 1 }

it('a server may ask the user five times in a call', () => {
  const prepare = (history?: CallHistory, tool?: object) =>
    ({ call: {}, tool, input: {}, problem: undefined, history }) as unknown as PreparedCall
  expect(findInputLimitProblem(prepare())).toBeUndefined()
  expect(findInputLimitProblem(prepare({ rounds: 4 }))).toBeUndefined()
  const endReason = 'has asked the user for input 5 times in this call, so the call was ended.'
  expect(findInputLimitProblem(prepare({ rounds: 5 }, { integration: { name: 'Hotel' } }))?.text).toBe(
    `Hotel ${endReason}`,
  )
  expect(findInputLimitProblem(prepare({ rounds: 5 }, {}))?.text).toBe(`The server ${endReason}`)
})

it('a request for input is counted, and keeps only the sent values of the previous one', () => {
  expect(toElicitationRequest(pendingCall, { requests: [form] })).toStrictEqual({
    ...pendingCall,
    elicitations: [form],
    history: { rounds: 1 },
  })
  const history: CallHistory = {
    rounds: 1,
    approvedAtMs: 5,
    requestState: 'old',
    inputResponses: { a: { action: 'accept' } },
    elicited: [],
  }
  expect(
    toElicitationRequest({ ...pendingCall, history }, { requests: [page], requestState: '', task }),
  ).toStrictEqual({
    ...pendingCall,
    elicitations: [page],
    history: { rounds: 2, approvedAtMs: 5, elicited: [], requestState: '', task },
  })
})

it('an answer goes to all requests, with the values of forms', () => {
  const history: CallHistory = { rounds: 1, elicited: [{ message: 'Before', action: 'decline' }] }
  const response = { action: 'accept' as const, content: { a: { size: 2 }, b: { never: 'sent' } } }
  expect(
    continueWithResponse({ ...pendingCall, elicitations: [form, page], history, response }),
  ).toStrictEqual({
    rounds: 1,
    inputResponses: { a: { action: 'accept', content: { size: 2 } }, b: { action: 'accept' } },
    elicited: [
      { message: 'Before', action: 'decline' },
      { message: 'm'.repeat(500), action: 'accept', content: { size: 2 } },
      { message: 'Sign in', action: 'accept', host: 'example.org' },
    ],
  })
})

it.each([
  [undefined, 'cancel'],
  [{ action: 'decline' as const, content: { a: { size: 2 } } }, 'decline'],
  [{ action: 'accept' as const }, 'accept'],
])('the response %j sends no values', (response, action) => {
  expect(continueWithResponse({ ...pendingCall, elicitations: [form], response })).toStrictEqual({
    inputResponses: { a: { action } },
    elicited: [{ message: 'm'.repeat(500), action }],
  })
})
