import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { LocalCredentials } from '../../../infra/local/credentials.ts'
import { listen } from '../../../infra/local/listen.ts'
import { relayResponse } from '../../../infra/local/bedrock-relay.ts'
import { BedrockError, sendBedrockError } from './bedrock-response.ts'
import { type BedrockApi, checkModelAccess, type ModelFault } from './model-access.ts'
import { verifyBedrockRequest } from './verify-request.ts'

export interface BedrockDouble {
  /** for AWS_ENDPOINT_URL_BEDROCK_RUNTIME */
  readonly url: string
  /** models that answer with an error, by their id */
  readonly faults: Map<string, ModelFault>
  /** until when models can be used, by their id without a geography; ISO 8601 */
  readonly endOfLife: Map<string, string>
  /** path and model of each request whose signature was right */
  readonly requests: { path: string; model: string }[]
  /** requests whose signature was wrong or missing */
  countRejected(): number
  close(): Promise<void>
}

interface BedrockDoubleOptions {
  region: string
  /** undefined rejects every signature */
  credentials: () => LocalCredentials | undefined | Promise<LocalCredentials | undefined>
  /** answers for all models: a server with the paths of OpenAI and Anthropic, such as the demo model */
  model: { baseUrl: string; apiKey: string; name: string }
}

/** Paths of Bedrock's runtime endpoint, and of the server behind it: https://docs.aws.amazon.com/bedrock/latest/userguide/endpoints.html */
const operations: Readonly<Record<string, { api: BedrockApi; path: string }>> = {
  'POST /openai/v1/chat/completions': { api: 'openai', path: '/chat/completions' },
  'POST /openai/v1/responses': { api: 'openai', path: '/responses' },
  'POST /anthropic/v1/messages': { api: 'anthropic', path: '/messages' },
}

const unknownKey: LocalCredentials = { accessKeyId: '', secretAccessKey: '', sessionToken: '' }

/**
 * A double of Amazon Bedrock's runtime endpoint on a free loopback port. It verifies signatures and whether a model can be called, then
 * has another server answer.
 */
export async function startBedrockDouble(options: BedrockDoubleOptions): Promise<BedrockDouble> {
  const faults = new Map<string, ModelFault>()
  const endOfLife = new Map<string, string>()
  const requests: { path: string; model: string }[] = []
  let rejected = 0

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const { region, model } = options
    const credentials = (await options.credentials()) ?? unknownKey
    try {
      verifyBedrockRequest(request, body, { credentials, region })
    } catch (error) {
      rejected += 1
      throw error
    }
    const modelId = /^\/foundation-models\/([^/?]+)$/.exec(request.url ?? '')?.[1]
    if (request.method === 'GET' && modelId !== undefined)
      return sendModelDetails(response, decodeURIComponent(modelId), endOfLife)
    const operation = operations[`${request.method} ${request.url}`]
    if (!operation) throw new BedrockError(404, 'UnknownOperationException', 'Unknown operation')
    const id = readModel(body)
    requests.push({ path: request.url ?? '', model: id })
    checkModelAccess(id, { region, api: operation.api, fault: faults.get(id) })
    await forward(`${model.baseUrl}${operation.path}`, {
      request,
      response,
      body: JSON.stringify({ ...(JSON.parse(body.toString()) as object), model: model.name }),
      apiKey: model.apiKey,
    })
  }

  const server = await listen(
    createServer((request, response) => {
      serve(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy()
        else if (error instanceof BedrockError) sendBedrockError(response, error)
        else
          sendBedrockError(response, new BedrockError(500, 'InternalServerException', 'The double failed.'))
      })
    }),
  )
  return {
    url: server.url,
    faults,
    endOfLife,
    requests,
    countRejected: () => rejected,
    close: () => server.close(),
  }
}

/**
 * GetFoundationModel of the control plane, which has a host of its own at AWS. It knows models, and no inference profiles.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_GetFoundationModel.html
 * @throws BedrockError
 */
function sendModelDetails(
  response: ServerResponse,
  id: string,
  endOfLife: ReadonlyMap<string, string>,
): void {
  if (!endOfLife.has(id) && !/^(?:anthropic|openai)\./.test(id))
    throw new BedrockError(
      404,
      'ResourceNotFoundException',
      `Could not resolve the foundation model from the model identifier: ${id}`,
    )
  const endOfLifeTime = endOfLife.get(id)
  const modelLifecycle =
    endOfLifeTime === undefined ? { status: 'ACTIVE' } : { status: 'LEGACY', endOfLifeTime }
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ modelDetails: { modelId: id, modelLifecycle } }))
}

/** @throws BedrockError */
function readModel(body: Buffer): string {
  try {
    const { model } = JSON.parse(body.toString()) as { model?: unknown }
    if (typeof model === 'string') return model
  } catch {
    // below
  }
  throw new BedrockError(400, 'ValidationException', 'The provided model identifier is invalid.')
}

/** Passes a request on, and its answer back as it comes; a client that leaves ends the request. */
async function forward(
  url: string,
  {
    request,
    response,
    body,
    apiKey,
  }: { request: IncomingMessage; response: ServerResponse; body: string; apiKey: string },
): Promise<void> {
  const leaving = new AbortController()
  response.on('close', () => leaving.abort())
  const version = request.headers['anthropic-version']
  const upstream = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${apiKey}`,
      ...(typeof version === 'string' && { 'anthropic-version': version }),
    },
    body,
    signal: leaving.signal,
  })
  await relayResponse(upstream, response)
}
