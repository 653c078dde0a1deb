import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import type { FunctionName } from '../aws/table-access.ts'

/**
 * Tells the DynamoDB emulator which function sends a request. On AWS each function signs with its own role; here all of them run in one process
 * with one set of credentials.
 */
export const callerHeader = 'x-juno-function'

const callers = new AsyncLocalStorage<FunctionName>()
let isSubscribed = false

/** Runs a handler as this function: its requests to the table, and those of its asynchronous work, carry the function's name. */
export function runAs<Result>(name: FunctionName, work: () => Result): Result {
  if (!isSubscribed) {
    isSubscribed = true
    subscribe('http.client.request.created', (message) =>
      nameCaller((message as { request: ClientRequest }).request),
    )
  }
  return callers.run(name, work)
}

function nameCaller(request: ClientRequest): void {
  const caller = callers.getStore()
  const isForTable = String(request.getHeader('x-amz-target') ?? '').startsWith('DynamoDB_')
  if (caller && isForTable && !request.headersSent) request.setHeader(callerHeader, caller)
}
