import * as z from 'zod'
import { maxFileBytes } from '#shared/limits.ts'
import { encodeText } from '../files/stored-text.ts'
import { parseEnv } from '../platform/env.ts'
import { extract } from './extract.ts'
import { DocumentError } from './extracted-text.ts'
import { fetchObject } from './fetch-object.ts'
import { indexText } from './index-text.ts'
import { parseRequest, type ParseResponse } from './parser-contract.ts'
import { toParsedDocument } from './parsed-document.ts'
import { putSignedObject } from './put-object.ts'
import { indexType, picturesType, textType } from './stored-types.ts'

// Reads untrusted bytes with large libraries, so its role has no permissions: no table, no bucket, no secret (ADR 0028). It downloads
// one object from a presigned URL, and stores its text and the index of it by two more.

const env = parseEnv({ BUCKET_ORIGIN: z.url() })

/**
 * The Lambda handler, invoked only by the function that has documents read.
 * @throws Error if the request is not valid, a URL is not of the bucket, or the bucket does not respond
 */
export async function handler(event: unknown): Promise<ParseResponse> {
  const { url, kind, textUrl, indexUrl, picturesUrl } = parseRequest.parse(event)
  const origin = new URL(env.BUCKET_ORIGIN).origin
  for (const address of [url, textUrl, indexUrl, picturesUrl])
    if (new URL(address).origin !== origin) throw new Error('The address is not one of the bucket.')
  try {
    const bytes = await fetchObject(url, { origin, maxBytes: maxFileBytes })
    if (!bytes) return { missing: true }
    const extracted = await extract(kind, bytes)
    const encoded = encodeText(extracted.text)
    const { hasContent } = toParsedDocument(extracted, encoded, undefined)
    const index = hasContent ? await indexText(extracted.text) : undefined
    if (hasContent)
      await Promise.all([
        putSignedObject(textUrl, { origin, type: textType, body: encoded.bytes }),
        index && putSignedObject(indexUrl, { origin, type: indexType, body: index.bytes }),
      ])
    const shown = [...(extracted.pictures ?? []), ...(extracted.scans?.parts ?? [])]
    if (shown.length > 0) {
      const body = new Uint8Array(Buffer.concat(shown.map((one) => one.bytes)))
      await putSignedObject(picturesUrl, { origin, type: picturesType, body })
    }
    return { extracted: toParsedDocument(extracted, encoded, index) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { problem: error.problem, ...(error.kind && { kind: error.kind }) }
  }
}
