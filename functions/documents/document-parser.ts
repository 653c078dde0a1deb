import * as z from 'zod'
import { maxFileBytes } from '#shared/limits.ts'
import { encodeText } from '../files/stored-text.ts'
import { parseEnv } from '../platform/env.ts'
import { extract } from './extract.ts'
import { DocumentError } from './extracted-text.ts'
import { fetchObject, putSignedObject } from './bucket-object.ts'
import { indexText } from './index-text.ts'
import { markPlaces } from './mark-places.ts'
import {
  hasContent,
  parseRequest,
  type ParseRequest,
  type ParseResponse,
  toParsedDocument,
} from './parser-contract.ts'
import { scaleRequest, type ScaleAnswer } from './scale-contract.ts'
import { storedTypes } from './stored-types.ts'
import { queryRequest, type QueryAnswer } from './tables/query-contract.ts'

// Reads untrusted bytes with large libraries, makes pictures smaller, and runs statements that models write, so its role has no permissions: no table, no bucket, no
// secret (ADR 0028). It downloads one object from a presigned URL, and stores what it has read by signed forms, which limit its size.

const env = parseEnv({ BUCKET_ORIGIN: z.url() })

/** The Lambda handler. @throws Error if a URL is not of the bucket, or the bucket does not respond */
export async function handler(event: unknown): Promise<ParseResponse | QueryAnswer | ScaleAnswer> {
  const { origin } = new URL(env.BUCKET_ORIGIN)
  const requireOrigin = (addresses: readonly string[]) => {
    for (const address of addresses)
      if (new URL(address).origin !== origin) throw new Error('The address is not one of the bucket.')
  }
  if (typeof event === 'object' && event !== null && 'image' in event) {
    const { scaleImage } = await import('./scale-image.ts')
    return scaleImage(scaleRequest.parse(event))
  }
  if (typeof event === 'object' && event !== null && 'sql' in event) {
    const request = queryRequest.parse(event)
    requireOrigin([
      ...request.files.flatMap((file) => ('url' in file ? [file.url] : [])),
      ...(request.csvForm ? [request.csvForm.url] : []),
    ])
    const { runQuery } = await import('./tables/run-query.ts')
    return runQuery(request, { origin })
  }
  const request = parseRequest.parse(event)
  const { url, textForm, indexForm, picturesForm, tablesForm } = request
  requireOrigin([url, ...[textForm, indexForm, picturesForm, tablesForm].map((form) => form.url)])
  return parse(request, origin)
}

async function parse(
  { url, kind, pageUrl, textForm, indexForm, picturesForm, tablesForm }: ParseRequest,
  origin: string,
): Promise<ParseResponse> {
  try {
    const bytes = await fetchObject(url, { origin, maxBytes: maxFileBytes })
    if (!bytes) return { missing: true }
    const { text: found, tables } = await extract(kind, bytes, { pageUrl })
    const isText = hasContent(found.text)
    const extracted = isText ? markPlaces(found) : found
    const encoded = encodeText(extracted.text)
    const index = isText ? await indexText(extracted.text) : undefined
    if (isText)
      await Promise.all([
        putSignedObject(textForm, { origin, body: encoded.bytes }),
        index && putSignedObject(indexForm, { origin, body: index.bytes }),
      ])
    const shown = [...(extracted.pictures ?? []), ...(extracted.scans?.parts ?? [])]
    if (shown.length > 0) {
      const body = new Uint8Array(Buffer.concat(shown.map((one) => one.bytes)))
      await putSignedObject(picturesForm, { origin, body })
    }
    const isUnbuilt = tables === 'unbuilt' || (extracted.isCut && (kind === 'sheet' || kind === 'csv'))
    const built = tables === 'unbuilt' || !isText ? undefined : tables
    const isStored = built !== undefined && built.bytes.length <= storedTypes.tables.maxBytes
    if (isStored) await putSignedObject(tablesForm, { origin, body: built.bytes })
    const info = isStored ? built.info : isUnbuilt || built ? [] : undefined
    return { extracted: { ...toParsedDocument(extracted, encoded, index), ...(info && { tables: info }) } }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { problem: error.problem, ...(error.kind && { kind: error.kind }) }
  }
}
