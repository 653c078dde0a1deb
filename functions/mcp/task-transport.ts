import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client'

/** Identifier of the extension (SEP-2663). */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** The methods of the extension under names that the client lets through: it reserves the real ones for an earlier revision. */
const aliasPrefix = `${tasksExtension}:`
export const taskMethods = {
  get: `${aliasPrefix}tasks/get`,
  update: `${aliasPrefix}tasks/update`,
  cancel: `${aliasPrefix}tasks/cancel`,
} as const

/** Where the result of a call carries the task that a server has made of it. */
const taskMetaKey = `${tasksExtension}:created`

/** The task that a server has made of a call, as it was received; undefined for a result. */
export const findCreatedTask = ({ _meta }: Pick<CallToolResult, '_meta'>): unknown => _meta?.[taskMetaKey]

/** A result that the client can decode. Only calls of tools may become tasks: elsewhere a task is an invalid result. */
function toDecodable(method: string, result: Record<string, unknown>): Record<string, unknown> {
  if (method === 'tools/call') {
    if (result['resultType'] !== 'task') return result
    return { resultType: 'complete', content: [], _meta: { [taskMetaKey]: result } }
  }
  // examples of the specification have this type in responses to `tasks/get` too
  if (method.startsWith('tasks/') && result['resultType'] === 'task')
    return { ...result, resultType: 'complete' }
  return result
}

/** Whether a request carries the client's capabilities, as each does since 2026-07-28. */
const declaresCapabilities = (params: Record<string, unknown> | undefined): boolean =>
  CLIENT_CAPABILITIES_META_KEY in ((params?.['_meta'] ?? {}) as object)

/**
 * Lets a client that knows nothing of tasks speak the extension: the client rejects results of the type `task`, and does not send the
 * methods of the extension. Call it before the client connects.
 */
export function allowTasks(transport: Transport): void {
  const methods = new Map<string | number, string>()
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if (!('method' in message) || !('id' in message)) return send(message, options)
    const method = message.method.startsWith(aliasPrefix)
      ? message.method.slice(aliasPrefix.length)
      : message.method
    // the extension is not declared to servers of earlier revisions
    const mayBeTask = method === 'tools/call' && declaresCapabilities(message.params)
    if (mayBeTask || method.startsWith('tasks/')) methods.set(message.id, method)
    return send({ ...message, method }, options)
  }

  const receive = (message: JSONRPCMessage): JSONRPCMessage => {
    if ('method' in message || !('id' in message) || message.id === undefined) return message
    const method = methods.get(message.id)
    methods.delete(message.id)
    if (method === undefined || !('result' in message)) return message
    return { ...message, result: toDecodable(method, message.result) }
  }
  let onmessage = transport.onmessage
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => onmessage,
    set(handler: Transport['onmessage']) {
      onmessage = handler && ((message, extra) => handler(receive(message as JSONRPCMessage) as never, extra))
    },
  })
}
