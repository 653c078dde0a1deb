import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { listen, type LocalServer } from '../../listen.ts'
import { runHourly } from '../run-hourly.ts'
import { openObjectFiles, type ObjectFiles } from './object-files.ts'
import { multipartUploads, type MultipartUploads } from './multipart-uploads.ts'
import * as operations from './object-operations.ts'
import { postUpload } from './post-upload.ts'
import { errorXml, S3Error } from './s3-error.ts'
import type { LocalCredentials } from '../../credentials.ts'
import { verifyRequest } from './signature.ts'

export interface S3Options {
  dataDir: string
  /** the only bucket; private, like the product's own */
  bucket: string
  /** accepted for requests and presigned URLs */
  credentials: LocalCredentials
  region: string
  /** origins whose pages may upload and read */
  corsOrigins: readonly string[]
  /** the bucket's lifecycle rules: objects and incomplete multipart uploads under `prefix` are deleted `afterMs` */
  expirationRules?: readonly { prefix: string; afterMs: number }[]
}

/**
 * S3 for the SDK, and for browsers with presigned URLs, on a free port: put, get, head, copy, delete, list, multipart uploads, and
 * POST uploads whose policy is enforced. Objects are stored in `<dataDir>/objects`. Only path-style
 * URLs, which the SDK uses if the host is an IP address.
 */
export async function startS3Emulator(options: S3Options): Promise<LocalServer> {
  const files = await openObjectFiles(join(options.dataDir, 'objects'))
  const uploads = multipartUploads(files)
  const { expirationRules = [] } = options
  const hourlyCleanup = runHourly(async (nowMs) => {
    for (const { prefix, afterMs } of expirationRules) {
      for (const { key, modifiedAtMs } of files.list(prefix))
        if (modifiedAtMs < nowMs - afterMs) await files.remove(key)
      await uploads.abortOld(prefix, nowMs - afterMs)
    }
  })
  const server = createServer((request, response) => {
    hourlyCleanup.runIfDue()
    void respond({ options, files, uploads }, request, response)
  })
  // a large upload on a slow line may take longer than Node's own limit
  server.requestTimeout = 0
  const listening = await listen(server)
  return {
    ...listening,
    async close() {
      await listening.close()
      await hourlyCleanup.waitForEnd()
    },
  }
}

interface EmulatorContext {
  options: S3Options
  files: ObjectFiles
  uploads: MultipartUploads
}

async function respond(
  context: EmulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('x-amz-request-id', randomUUID())
  response.setHeader('server', 'AmazonS3')
  // Node's own Date header can be a second old, and the SDK corrects its clock by this header
  response.setHeader('date', new Date().toUTCString())
  try {
    allowOrigin(context.options, request, response)
    await route(context, request, response)
  } catch (error) {
    // the client disconnected before the request or the response was complete
    if (response.headersSent || (request.destroyed && !request.complete)) {
      response.destroy()
      return
    }
    const s3Error = error instanceof S3Error ? error : new S3Error('InternalError')
    if (s3Error.status >= 500) process.stderr.write(`emulator: ${String((error as Error).stack ?? error)}\n`)
    const body = request.method === 'HEAD' ? '' : errorXml(s3Error)
    response.writeHead(s3Error.status, { 'content-type': 'application/xml' })
    // the rest of the body is read, so that the client gets the response and not a reset
    request.resume()
    response.end(body)
  }
}

/** The bucket's CORS rules: these methods, from the origins of the product's pages. */
const corsMethods = 'GET, HEAD, POST'

function allowOrigin({ corsOrigins }: S3Options, request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers
  if (origin === undefined || !corsOrigins.includes(origin)) return
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', 'ETag')
  response.setHeader('vary', 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method')
}

function preflight(request: IncomingMessage, response: ServerResponse): void {
  const requestedMethod = request.headers['access-control-request-method'] ?? ''
  if (
    !response.hasHeader('access-control-allow-origin') ||
    !corsMethods.split(', ').includes(requestedMethod)
  )
    throw new S3Error('AccessForbidden', { Method: requestedMethod, ResourceType: 'OBJECT' })
  const headers = request.headers['access-control-request-headers']
  response.writeHead(200, {
    'access-control-allow-methods': corsMethods,
    ...(headers && { 'access-control-allow-headers': headers }),
    'access-control-max-age': '3000',
  })
  response.end()
}

async function route(
  { options, files, uploads }: EmulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '/', search = ''] = (request.url ?? '/').split('?')
  const query = new URLSearchParams(search)
  const [bucket = '', ...rest] = path.slice(1).split('/')
  const key = decodeURIComponent(rest.join('/'))
  const { method = 'GET' } = request
  const signer = { ...options.credentials, region: options.region, service: 's3' }
  if (method === 'OPTIONS') return preflight(request, response)
  if (bucket !== options.bucket) throw new S3Error('NoSuchBucket', { BucketName: bucket })
  if (method === 'POST' && key === '' && !query.has('delete')) {
    const { status, headers, body } = await postUpload(request, { files, bucket, signer })
    response.writeHead(status, headers).end(body)
    return
  }
  verifyRequest(signer, { method, path, query, headers: request.headers })
  const call = { request, response, bucket, key, query, files }
  if (key === '') {
    if (method === 'POST') return operations.deleteObjects(call)
    if (method === 'GET' && query.get('list-type') === '2') return operations.listObjects(call)
  } else if (query.has('uploads') || query.has('uploadId')) {
    if (method === 'POST') return query.has('uploads') ? uploads.create(call) : uploads.complete(call)
    if (method === 'PUT') return uploads.uploadPart(call)
    if (method === 'DELETE') return uploads.abort(call)
  } else {
    if (method === 'GET' || method === 'HEAD') return operations.getObject(call)
    if (method === 'PUT') return operations.putObject(call)
    if (method === 'DELETE') return operations.deleteObject(call)
  }
  throw new S3Error('MethodNotAllowed', { Method: method })
}
