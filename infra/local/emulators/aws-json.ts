import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen, type LocalServer } from '../listen.ts'

/** An error of an AWS service, as its JSON protocol carries it: the SDK makes `error.name` of the type. */
export class AwsError extends Error {
  readonly type: string
  readonly status: number
  /** further members of the error, such as DynamoDB's `Item` */
  readonly members: Record<string, unknown>

  constructor(type: string, message: string, { status = 400, members = {}, cause }: AwsErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.type = type
    this.status = status
    this.members = members
  }
}

interface AwsErrorOptions {
  status?: number
  members?: Record<string, unknown>
  cause?: unknown
}

/** A parsed request body: the operations check the members they read. */
export type AwsInput = Record<string, unknown>

/** A member that is a string, or undefined. */
export function optionalText(input: AwsInput, member: string): string | undefined {
  const value = input[member]
  return typeof value === 'string' ? value : undefined
}

export interface AwsJsonService {
  contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1'
  maxBodyBytes: number
  /**
   * @param operation the part of `x-amz-target` behind the dot
   * @throws AwsError for everything the service refuses; anything else is answered as InternalServerError
   */
  handle(operation: string, input: AwsInput): Promise<object>
  /** further headers of every answer */
  headers?(): Record<string, string>
}

/** Serves one AWS service in the JSON protocol of its SDK client, on any free port of the loopback. */
export async function serveAwsJson(service: AwsJsonService): Promise<LocalServer> {
  const server = createServer((request, response) => {
    void answer(service, request, response)
  })
  return listen(server)
}

async function answer(service: AwsJsonService, request: IncomingMessage, response: ServerResponse) {
  let status = 200
  let body: object
  try {
    const text = await readBody(request, service.maxBodyBytes)
    body = request.method === 'POST' ? await service.handle(operationOf(request), parse(text)) : {}
  } catch (error) {
    // The client is gone before its request was complete: nobody is left to answer.
    if (request.destroyed && !request.complete) return
    const known =
      error instanceof AwsError
        ? error
        : new AwsError('InternalServerError', 'The emulator failed.', { status: 500, cause: error })
    if (known.status >= 500) process.stderr.write(`emulator: ${String((error as Error).stack ?? error)}\n`)
    status = known.status
    body = { __type: known.type, message: known.message, ...known.members }
    response.setHeader('x-amzn-errortype', known.type)
  }
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': service.contentType,
    'content-length': Buffer.byteLength(text),
    'x-amzn-requestid': randomUUID(),
    ...service.headers?.(),
  })
  response.end(text)
}

const operationOf = (request: IncomingMessage) =>
  String(request.headers['x-amz-target'] ?? '').split('.')[1] ?? ''

function parse(text: string): AwsInput {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as AwsInput
  } catch (error) {
    throw new AwsError('SerializationException', 'The body is not JSON.', { cause: error })
  }
  throw new AwsError('SerializationException', 'The body is not a JSON object.')
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
  }
  if (size > maxBytes)
    throw new AwsError('RequestEntityTooLargeException', 'The body is too large.', { status: 413 })
  return Buffer.concat(chunks).toString('utf8')
}
