import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { readBodyText, uploadedBytes } from './body.ts'
import type { ObjectFiles, ObjectHeaders, ObjectMeta } from './object-files.ts'
import { element, S3Error, xmlDocument } from './s3-error.ts'

/** The input of an operation on the bucket: an authorized request. */
export interface S3Call {
  request: IncomingMessage
  response: ServerResponse
  bucket: string
  key: string
  query: URLSearchParams
  files: ObjectFiles
}

const xmlns = 'http://s3.amazonaws.com/doc/2006-03-01/'
export const rootDocument = (name: string, children: string[]) =>
  xmlDocument(element(name, children).replace(`<${name}>`, `<${name} xmlns="${xmlns}">`))
const formatModified = ({ modifiedAtMs }: ObjectMeta) => new Date(modifiedAtMs).toISOString()

export function sendXml(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function requireObject({ files, key }: S3Call): ObjectMeta {
  const meta = files.find(key)
  if (!meta) throw new S3Error('NoSuchKey', { Key: key })
  return meta
}

/** @returns undefined for the whole object: no range, or one that S3 ignores */
function parseRange(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start >= size || start > end)
    throw new S3Error('InvalidRange', { RangeRequested: header ?? '', ActualObjectSize: size })
  return { start, end }
}

const overrides = {
  'response-content-type': 'content-type',
  'response-content-disposition': 'content-disposition',
  'response-cache-control': 'cache-control',
} as const

function buildHeaders(meta: ObjectMeta, query: URLSearchParams): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': meta.type,
    etag: meta.etag,
    'last-modified': new Date(meta.modifiedAtMs).toUTCString(),
    'accept-ranges': 'bytes',
    ...(meta.cacheControl !== undefined && { 'cache-control': meta.cacheControl }),
    ...(meta.disposition !== undefined && { 'content-disposition': meta.disposition }),
  }
  for (const [parameter, header] of Object.entries(overrides)) {
    const value = query.get(parameter)
    if (value === null) continue
    // oxlint-disable-next-line no-control-regex
    if (/[^\x00-\xff]/.test(value))
      throw invalidArgument('Header value cannot be represented using ISO-8859-1.', parameter, value)
    headers[header] = value
  }
  return headers
}

export async function getObject(call: S3Call): Promise<void> {
  const { request, response, query, files } = call
  const meta = requireObject(call)
  const headers = buildHeaders(meta, query)
  if (request.headers['if-none-match'] === meta.etag) {
    response.writeHead(304, headers).end()
    return
  }
  const expectedETag = header(request, 'if-match')
  if (expectedETag !== undefined && expectedETag !== '*' && !isSameETag(expectedETag, meta.etag))
    throw preconditionFailed('If-Match')
  const range = parseRange(request.headers.range, meta.size)
  const { start, end } = range ?? { start: 0, end: meta.size - 1 }
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'content-length': end - start + 1,
    ...(range && { 'content-range': `bytes ${start}-${end}/${meta.size}` }),
  })
  if (request.method === 'HEAD' || meta.size === 0) response.end()
  else await pipeline(files.read(meta, { start, end }), response)
}

/** `If-None-Match: *`: only when the object does not exist. */
function checkAbsent({ request, files, key }: S3Call): void {
  const condition = request.headers['if-none-match']
  if (condition === undefined) return
  if (condition !== '*') throw new S3Error('NotImplemented', { Header: 'If-None-Match' })
  if (files.find(key)) throw preconditionFailed('If-None-Match')
}

const preconditionFailed = (condition: string) => new S3Error('PreconditionFailed', { Condition: condition })

/** ETags with their quotes or without. */
const isSameETag = (a: string, b: string) => a.replaceAll('"', '') === b.replaceAll('"', '')

/**
 * `x-amz-copy-source-if-match`: only while the source has this ETag, with its quotes or without.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html
 */
function checkUnchanged(request: IncomingMessage, { etag }: ObjectMeta): void {
  const expectedETag = header(request, 'x-amz-copy-source-if-match')
  if (expectedETag !== undefined && !isSameETag(expectedETag, etag))
    throw preconditionFailed('x-amz-copy-source-If-Match')
}

const header = (request: IncomingMessage, name: string) => request.headers[name] as string | undefined

export function readObjectHeaders(request: IncomingMessage): ObjectHeaders {
  const cacheControl = header(request, 'cache-control')
  const disposition = header(request, 'content-disposition')
  return {
    type: request.headers['content-type'] ?? 'binary/octet-stream',
    ...(cacheControl !== undefined && { cacheControl }),
    ...(disposition !== undefined && { disposition }),
  }
}

export async function putObject(call: S3Call): Promise<void> {
  const { request, response, files, key, bucket } = call
  checkAbsent(call)
  const source = header(request, 'x-amz-copy-source')
  if (source !== undefined) {
    const [from = '', ...rest] = decodeURIComponent(source.replace(/^\//, '')).split('/')
    const meta = from === bucket ? files.find(rest.join('/')) : undefined
    if (!meta) throw new S3Error('NoSuchKey', { Key: rest.join('/') })
    checkUnchanged(request, meta)
    const replaces = header(request, 'x-amz-metadata-directive') === 'REPLACE'
    const copy = await files.put(
      key,
      await files.duplicate(meta),
      replaces ? readObjectHeaders(request) : meta,
    )
    sendXml(
      response,
      rootDocument('CopyObjectResult', [
        element('LastModified', formatModified(copy)),
        element('ETag', copy.etag),
      ]),
    )
    return
  }
  const received = await files.receive(uploadedBytes(request))
  const { etag } = await files.put(key, received, readObjectHeaders(request))
  response.writeHead(200, { etag, 'content-length': 0 }).end()
}

export async function deleteObject({ files, key, response }: S3Call): Promise<void> {
  await files.remove(key)
  response.writeHead(204).end()
}

const unescapeXml = (text: string) =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

export async function deleteObjects({ request, response, files }: S3Call): Promise<void> {
  const body = await readBodyText(request)
  const keys = [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => unescapeXml(key))
  if (keys.length === 0 || keys.length > 1_000) throw new S3Error('MalformedXML')
  for (const key of keys) await files.remove(key)
  const quiet = body.includes('<Quiet>true</Quiet>')
  const deleted = quiet ? [] : keys.map((key) => element('Deleted', [element('Key', key)]))
  sendXml(response, rootDocument('DeleteResult', deleted))
}

const listParameters = new Set([
  'list-type',
  'prefix',
  'max-keys',
  'continuation-token',
  'start-after',
  'encoding-type',
  'x-id',
])

const invalidArgument = (message: string, name: string, value: string) =>
  new S3Error('InvalidArgument', { ArgumentName: name, ArgumentValue: value }, message)

/** Tokens are opaque: one that this bucket did not issue is refused. */
const tokenPrefix = 'after:'
const tokenAfter = (key: string) => Buffer.from(`${tokenPrefix}${key}`).toString('base64url')
function keyInToken(token: string): string {
  const text = Buffer.from(token, 'base64url').toString()
  if (!text.startsWith(tokenPrefix) || tokenAfter(text.slice(tokenPrefix.length)) !== token)
    throw invalidArgument('The continuation token provided is incorrect', 'continuation-token', token)
  return text.slice(tokenPrefix.length)
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
export async function listObjects({ query, response, files, bucket }: S3Call): Promise<void> {
  for (const name of query.keys())
    if (!listParameters.has(name) && !name.startsWith('X-Amz-'))
      throw new S3Error('NotImplemented', { Parameter: name }, 'This parameter is not implemented here.')
  const prefix = query.get('prefix') ?? ''
  const maxKeys = query.get('max-keys') ?? '1000'
  if (!/^\d{1,10}$/.test(maxKeys))
    throw invalidArgument('Provided max-keys not an integer or within integer range', 'max-keys', maxKeys)
  const max = Math.min(Number(maxKeys), 1_000)
  const token = query.get('continuation-token')
  const after = token === null ? (query.get('start-after') ?? '') : keyInToken(token)
  const rest = files.list(prefix).filter(({ key }) => key > after)
  const page = rest.slice(0, max)
  const truncated = rest.length > page.length
  const encoded = query.get('encoding-type') === 'url'
  const name = (key: string) => (encoded ? encodeURIComponent(key).replaceAll('%2F', '/') : key)
  sendXml(
    response,
    rootDocument('ListBucketResult', [
      element('Name', bucket),
      element('Prefix', name(prefix)),
      element('KeyCount', String(page.length)),
      element('MaxKeys', String(max)),
      element('IsTruncated', String(truncated)),
      ...(token === null ? [] : [element('ContinuationToken', token)]),
      ...(encoded ? [element('EncodingType', 'url')] : []),
      ...(truncated ? [element('NextContinuationToken', tokenAfter(page.at(-1)?.key ?? ''))] : []),
      ...page.map((meta) =>
        element('Contents', [
          element('Key', name(meta.key)),
          element('LastModified', formatModified(meta)),
          element('ETag', meta.etag),
          element('Size', String(meta.size)),
          element('StorageClass', 'STANDARD'),
        ]),
      ),
    ]),
  )
}
