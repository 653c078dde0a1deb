import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Faults of a call:
 * - `request-lost`: the connection closes before the call reaches the service
 * - `response-lost`: the call takes effect, and the connection closes without a response
 * - `response-cut`: the connection closes in the middle of the response
 * - `delayed`: the call reaches the service late
 * - `every-response-lost`, `every-try-refused` (status 503): for each retry of the call by the SDK too
 * - `service-down`: the connection of this call and of every later one to the same service closes
 */
export const faultKinds = [
  'request-lost',
  'response-lost',
  'response-cut',
  'delayed',
  'every-response-lost',
  'every-try-refused',
  'service-down',
] as const
export type FaultKind = (typeof faultKinds)[number]

const isRead = (call: CallName) =>
  /^(?:dynamodb (?:Get|Query|BatchGet)|secrets Get|cognito GetUser|\w+ GET )/.test(call)

/** The faults that have different effects on a call. A read has no effect, so a lost response is like a refusal. */
export const faultKindsFor = (call: CallName): readonly FaultKind[] =>
  isRead(call) ? ['every-try-refused', 'delayed', 'service-down'] : faultKinds

/** One call of a scenario of write-paths.ts: `dynamodb PutItem M #2` is the second such call since the recording started. */
export type CallName = string

export interface Fault {
  call: CallName
  kind: FaultKind
}

/** Longer than any scenario without waits takes. */
const delayMs = 400

/** The row kind in a DynamoDB request: the beginning of its sort key, with the second part of those that have several rows. */
const rowKind = /"(?:SK|:prefix|:from)":\{"S":"([A-Za-z]+)(?:#(NEW|TRIES))?/
const id = /[0-9a-f]{8}-[0-9a-f-]{27}|client-[0-9a-f]{24}|[0-9a-f]{24,}/g

/**
 * Intercepts the requests to servers of this process: counts and names the calls, and injects a fault into the chosen one. Without a
 * fault nothing changes.
 * @param services name by port
 */
export function interceptCalls(services: ReadonlyMap<number, string>) {
  const emit = Reflect.get(Server.prototype, 'emit') as (
    this: Server,
    event: string | symbol,
    ...args: unknown[]
  ) => boolean
  let calls: CallName[] | undefined
  let fault: Fault | undefined
  let counts = new Map<string, number>()
  /** by the SDK's invocation id, which all tries of a call have */
  let namesByInvocation = new Map<string, CallName>()
  let downService: string | undefined
  let triesSeen = 0

  const nameCall = (service: string, request: IncomingMessage, head: string): CallName => {
    const invocationId = String(request.headers['amz-sdk-invocation-id'] ?? '')
    const known = namesByInvocation.get(invocationId)
    if (known) return known
    const operation = String(request.headers['x-amz-target'] ?? '').split('.')[1]
    const url = new URL(request.url ?? '/', 'http://localhost')
    const row = rowKind.exec(head)
    const what = operation
      ? [operation, row?.[1], row?.[2]]
      : [request.method, url.pathname, url.searchParams.has('delete') && 'delete', rpcMethod(head)]
    const nameWithoutCount = [service, ...what].filter(Boolean).join(' ').replace(id, '*')
    const count = (counts.get(nameWithoutCount) ?? 0) + 1
    counts.set(nameWithoutCount, count)
    const name = `${nameWithoutCount} #${count}`
    if (invocationId !== '') namesByInvocation.set(invocationId, name)
    return name
  }

  const handle = async (
    server: Server,
    service: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    const name = nameCall(service, request, await readHead(request))
    if (calls && !calls.includes(name)) calls.push(name)
    const pass = () => void emit.call(server, 'request', request, response)
    if (!fault) return pass()
    const { kind } = fault
    if (downService === service) return request.destroy()
    if (fault.call !== name) return pass()
    triesSeen += 1
    const isLasting = kind === 'every-response-lost' || kind === 'every-try-refused'
    if (triesSeen > 1 && !isLasting) return pass()
    if (kind === 'service-down') downService = service
    if (kind === 'request-lost' || kind === 'service-down') return request.destroy()
    if (kind === 'every-try-refused') return refuse(request, response)
    if (kind === 'delayed') return void setTimeout(pass, delayMs)
    breakResponse(response, { sendsBeginning: kind === 'response-cut' })
    pass()
  }

  Server.prototype.emit = function interceptedEmit(this: Server, event: string | symbol, ...args: unknown[]) {
    const service =
      calls || fault ? services.get((this.address() as AddressInfo | null)?.port ?? 0) : undefined
    if (event !== 'request' || !service) return Reflect.apply(emit, this, [event, ...args]) as boolean
    const [request, response] = args as [IncomingMessage, ServerResponse]
    void handle(this, service, request, response)
    return true
  }

  const reset = () => {
    counts = new Map()
    namesByInvocation = new Map()
    downService = undefined
    triesSeen = 0
  }
  return {
    /** Starts recording calls. @returns stops it and returns the calls in order */
    record(): () => CallName[] {
      reset()
      const recorded: CallName[] = []
      calls = recorded
      return () => {
        calls = undefined
        return recorded
      }
    },
    /** Starts injecting a fault into one call. @returns stops it and returns how many tries of the call there were */
    arm(next: Fault): () => number {
      reset()
      fault = next
      return () => {
        fault = undefined
        return triesSeen
      }
    },
    restore() {
      Server.prototype.emit = emit
    },
  }
}

export type CallInterceptor = ReturnType<typeof interceptCalls>

/** The beginning of a body, which stays readable. */
async function readHead(request: IncomingMessage): Promise<string> {
  if (request.headers['content-length'] === '0' || request.method === 'GET') return ''
  const hasBody = request.headers['content-length'] ?? request.headers['transfer-encoding']
  if (hasBody === undefined) return ''
  await new Promise<void>((resolve) => {
    request.once('readable', resolve)
    request.once('close', resolve)
  })
  const head = request.read() as Buffer | null
  if (!head) return ''
  request.unshift(head)
  return head.toString('utf8', 0, 4_096)
}

/** The JSON-RPC method of a call to an MCP server. */
const rpcMethod = (head: string) => /"method":"([\w/]+)"/.exec(head)?.[1]

function refuse(request: IncomingMessage, response: ServerResponse): void {
  request.resume()
  const type = 'InternalServerError'
  const body = JSON.stringify({ __type: type, message: 'Not now.', error: { message: 'Not now.' } })
  response.writeHead(503, { 'content-type': 'application/json', 'x-amzn-errortype': type }).end(body)
}

/** The service goes on as usual, but none or only the beginning of its response arrives. */
function breakResponse(response: ServerResponse, { sendsBeginning }: { sendsBeginning: boolean }): void {
  const { socket } = response
  const send = response.write.bind(response)
  const cut = () => {
    socket?.destroy()
    return response
  }
  let sent = false
  const sendBeginning = (chunk: unknown): boolean => {
    if (sent || !sendsBeginning || typeof chunk === 'function' || chunk === undefined || chunk === null)
      return true
    const bytes = Buffer.from(chunk as string)
    // half of the first write, so that a response in a single write is incomplete too
    sent = true
    return send(
      response.hasHeader('content-length') || bytes.length > 1 ? bytes.subarray(0, bytes.length / 2) : bytes,
    )
  }
  response.write = ((chunk: unknown) => sendBeginning(chunk)) as typeof response.write
  if (!sendsBeginning) response.flushHeaders = () => undefined
  response.end = ((chunk: unknown) => {
    sendBeginning(chunk)
    if (sendsBeginning) setImmediate(cut)
    else cut()
    return response
  }) as typeof response.end
}
