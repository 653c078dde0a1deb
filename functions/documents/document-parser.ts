import * as z from 'zod'
import { maxFileBytes } from '#shared/limits.ts'
import { parseEnv } from '../platform/env.ts'
import { extract } from './extract.ts'
import { DocumentError } from './extracted-text.ts'
import { fetchObject } from './fetch-object.ts'
import { fitIntoResponse, parseRequest, type ParseResponse } from './parser-contract.ts'

// Reads untrusted bytes with large libraries, so its role has no permissions: no table, no bucket, no secret (ADR 0028). It downloads
// one object from a presigned URL and returns its text.

const env = parseEnv({ BUCKET_ORIGIN: z.url() })

/**
 * The Lambda handler, invoked only by the documents function.
 * @throws Error if the request is not valid, the URL is not of the bucket, or the bucket does not respond
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
    return { problem: error.problem, ...(error.kind && { kind: error.kind }) }
  }
}
