import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Faults of a call: `cut` closes the connection before the call reaches the service; `lost` after it took effect, without a
 * response; `broken` in the middle of the response; `refused` is an error response (503); `late` is a response after a long delay.
 * The capitalized forms affect every retry of the call by the SDK; `gone` cuts the call and every later one to the same service.
 */
const faultKinds = ['cut', 'lost', 'broken', 'late', 'Lost', 'Refused', 'gone'] as const
export type FaultKind = (typeof faultKinds)[number]

/** A read has no effect, so a lost response is not a separate fault. */
const isRead = (call: CallName) =>
  /^(?:dynamodb (?:Get|Query|BatchGet)|secrets Get|cognito GetUser|\w+ GET )/.test(call)

/** The kinds of fault that differ for a call. */
export const faultKindsFor = (call: CallName): readonly FaultKind[] =>
  isRead(call) ? ['Refused', 'late', 'gone'] : faultKinds

/** One call of a path: `dynamodb PutItem M #2` is the second such call since the recording started. */
export type CallName = string

export interface Fault {
  call: CallName
  kind: FaultKind
}

/** Longer than any path without waits takes. */
const lateMs = 400

/** The row kind in a DynamoDB request: the beginning of its sort key. */
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
  /** all attempts of a call have the same invocation id of the SDK */
  let attempts = new Map<string, CallName>()
  let goneService: string | undefined
  let hits = 0

  const nameCall = (service: string, request: IncomingMessage, head: string): CallName => {
    const attempt = String(request.headers['amz-sdk-invocation-id'] ?? '')
    const known = attempts.get(attempt)
    if (known) return known
    const operation = String(request.headers['x-amz-target'] ?? '').split('.')[1]
    const url = new URL(request.url ?? '/', 'http://localhost')
    const row = rowKind.exec(head)
    const what = operation
      ? [operation, row?.[1], row?.[2]]
      : [request.method, url.pathname, url.searchParams.has('delete') && 'delete', rpcMethod(head)]
    const shape = [service, ...what].filter(Boolean).join(' ').replace(id, '*')
    const count = (counts.get(shape) ?? 0) + 1
    counts.set(shape, count)
    const name = `${shape} #${count}`
    if (attempt !== '') attempts.set(attempt, name)
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
    if (goneService === service) return request.destroy()
    if (fault.call !== name) return pass()
    hits += 1
    const lasting = kind === 'Lost' || kind === 'Refused'
    if (hits > 1 && !lasting) return pass()
    if (kind === 'gone') goneService = service
    if (kind === 'cut' || kind === 'gone') return request.destroy()
    if (kind === 'Refused') return refuse(request, response)
    if (kind === 'late') return void setTimeout(pass, lateMs)
    loseAnswer(response, kind === 'broken')
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

  const begin = () => {
    counts = new Map()
    attempts = new Map()
    goneService = undefined
    hits = 0
  }
  return {
    /** Starts recording calls. @returns stops it and returns the calls in order */
    record(): () => CallName[] {
      begin()
      const recorded: CallName[] = []
      calls = recorded
      return () => {
        calls = undefined
        return recorded
      }
    },
    /** Starts injecting a fault into one call. @returns stops it and returns how often it was injected */
    arm(next: Fault): () => number {
      begin()
      fault = next
      return () => {
        fault = undefined
        return hits
      }
    },
    end() {
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
function loseAnswer(response: ServerResponse, half: boolean): void {
  const { socket } = response
  const send = response.write.bind(response)
  const cut = () => {
    socket?.destroy()
    return response
  }
  let sent = false
  const sendHalf = (chunk: unknown): boolean => {
    if (sent || !half || typeof chunk === 'function' || chunk === undefined || chunk === null) return true
    const bytes = Buffer.from(chunk as string)
    // a response in a single write is halved
    sent = true
    return send(
      response.hasHeader('content-length') || bytes.length > 1 ? bytes.subarray(0, bytes.length / 2) : bytes,
    )
  }
  response.write = ((chunk: unknown) => sendHalf(chunk)) as typeof response.write
  if (!half) response.flushHeaders = () => undefined
  response.end = ((chunk: unknown) => {
    sendHalf(chunk)
    if (half) setImmediate(cut)
    else cut()
    return response
  }) as typeof response.end
}
