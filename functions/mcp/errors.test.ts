import { sayTool } from '#shared/sentences/tools.ts'
import { ProtocolError } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { AddressForbidden, OutboundFailed } from '../platform/net/outbound-http.ts'
import { toServerError } from './errors.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { ReconnectRequired } from '../providers/reconnect-required.ts'

const toNotesError = (error: unknown) => toServerError('Notes', error, undefined)
/** Wraps an error as the layers in between do. */
const nest = (cause: Error) => new Error('outer', { cause: new Error('inner', { cause }) })

it.each<[string, Error, string]>([
  [
    'an address that is not called',
    new AddressForbidden('not public'),
    'The address of Notes may not be called.',
  ],
  ['a server without an answer', new OutboundFailed('there was no answer'), 'Notes did not answer.'],
  [
    'a refusal of the protocol',
    new ProtocolError(-32_602, 'No\u202e such\u0000 city'),
    'Notes refused the call. It said: "No such city"',
  ],
])('%s is reported, however deeply it is nested', (_, cause, message) => {
  expect(toNotesError(nest(cause))).toBeInstanceOf(ProviderError)
  expect(toNotesError(nest(cause)).message).toBe(message)
  expect(toNotesError(cause).message).toBe(message)
})

it('the words of a server are cut to 1,000 characters, and come with their details', () => {
  expect(toNotesError(new ProtocolError(-32_602, 'x'.repeat(1_001))).message).toContain(
    `"${'x'.repeat(1_000)}…"`,
  )
  expect(toNotesError(new ProtocolError(-32_602, 'No.', { field: 'limit', max: 5 })).message).toContain(
    'It said: "No. Details: {"field":"limit","max":5}"',
  )
  for (const data of [null, {}, ''])
    expect(toNotesError(new ProtocolError(-32_602, 'No.', data)).message).not.toContain('Details')
})

it.each([[new Error('broken')], ['broken'], [undefined], [{ message: 'broken' }]])(
  'any other error is reported as an invalid MCP response: %s',
  (error) => {
    expect(toNotesError(error).message).toBe('Notes did not answer as an MCP server does.')
    expect(toNotesError(error).cause).toBe(error)
  },
)

it('an error with its own sentence stays unchanged', () => {
  const reconnectRequired = new ReconnectRequired({ mcpId: 'notes', name: 'Notes' })
  const providerError = new ProviderError(sayTool('tool_failed', { message: 'It did not work.' }), 400)
  expect(toNotesError(reconnectRequired)).toBe(reconnectRequired)
  expect(toNotesError(providerError)).toBe(providerError)
})

it('a lost connection says who has to reconnect what', () => {
  expect(new ReconnectRequired({ mcpId: 'notes', name: 'Notes' }).message).toBe(
    'Notes has to be connected again by the user.',
  )
})
