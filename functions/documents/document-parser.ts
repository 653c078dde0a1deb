import * as z from 'zod'
import { maxFileBytes } from '#shared/limits.ts'
import { parseEnv } from '../platform/env.ts'
import { extract } from './extract.ts'
import { DocumentError } from './extracted.ts'
import { fetchObject } from './fetch-object.ts'
import { fitIntoResponse, parseRequest, type ParseResponse } from './parser-contract.ts'

// Reads untrusted bytes with large libraries, so its role may do nothing: no table, no bucket, no secret (ADR 0028). It gets one
// object by a presigned address and gives its text back.

const env = parseEnv({ BUCKET_ORIGIN: z.url() })

/**
 * The Lambda handler, invoked by the documents function alone.
 * @throws Error for a request that is none, for an address that is not the bucket's, and when the bucket does not answer
 */
export async function handler(event: unknown): Promise<ParseResponse> {
  const { url, kind } = parseRequest.parse(event)
  try {
    const origin = new URL(env.BUCKET_ORIGIN).origin
    const bytes = await fetchObject(url, { origin, maxBytes: maxFileBytes })
    if (!bytes) return { missing: true }
    return { extracted: fitIntoResponse(await extract(kind, bytes)) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { problem: error.problem }
  }
}
