import { parseRetryAfter } from '#shared/retry-after.ts'
import { isRecord, toFields, type Fields } from './fields.ts'

/** What stands before a time to wait. */
const lead =
  /\b(?:(?:try again|retry|retrying|resets?|available)(?: again)?(?: in| after)|wait(?: for)?(?: at least| another)?)[: ]{1,3}/gi
/** One part of it: `6m`, `30s`, `1.5 seconds`, `3 hours`. */
const part =
  /(\d{1,6}(?:\.\d{1,9})?) ?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)(?![a-z])(?:,? and |,? )?/iy
const maxCharacters = 4_000

const toSeconds = (unit: string): number =>
  /^m(s|illi)/i.test(unit) ? 0.001 : /^s/i.test(unit) ? 1 : /^m/i.test(unit) ? 60 : 3_600

/**
 * Seconds that the words of a rejection name. OpenAI: "Please try again in 1m30s", "in 345ms"; Gemini: "Please retry in 34.07s"; Azure:
 * "Please retry after 26 seconds"; GitHub: "Please wait 40000 seconds before retrying".
 */
function findWaitSeconds(message: string): number | undefined {
  const text = message.slice(0, maxCharacters)
  for (const { 0: found, index } of text.matchAll(lead)) {
    let seconds = 0
    part.lastIndex = index + found.length
    for (let one = part.exec(text); one; one = part.exec(text))
      seconds += Number(one[1]) * toSeconds(one[2] ?? '')
    if (seconds > 0) return Math.ceil(seconds)
  }
  return undefined
}

/** Seconds from now, of a time that is one already, or since 1970 in seconds or milliseconds. */
function toWait(reset: unknown): string | undefined {
  const time = Number(reset)
  if (!(time > 0)) return undefined
  const seconds =
    time > 1e11 ? time / 1_000 - Date.now() / 1_000 : time > 1e9 ? time - Date.now() / 1_000 : time
  return String(Math.max(0, Math.ceil(seconds)))
}

/**
 * The time to wait that the headers of an answer name, as `Retry-After` does. Azure: `retry-after-ms`; Hugging Face: `ratelimit:
 * "api";r=0;t=55` (https://github.com/huggingface/huggingface_hub/pull/4460).
 */
export function readWaitHeaders(headers: Headers): string | null {
  const named = headers.get('retry-after')
  if (named !== null) return named
  const ms = /^\d{1,12}$/.exec(headers.get('retry-after-ms') ?? '')?.[0]
  if (ms !== undefined) return String(Math.ceil(Number(ms) / 1_000))
  return /;\s?r=0;\s?t=(\d{1,9})\b/.exec(headers.get('ratelimit') ?? '')?.[1] ?? null
}

/**
 * The time to wait that the body of an error names in a field. OpenRouter has the headers in it
 * (https://github.com/Gitlawb/openclaude/issues/936), Gemini a `RetryInfo`.
 */
export function readWaitFields({ metadata, details }: Fields): string | undefined {
  const headers = toFields(toFields(metadata)['headers'])
  const delay = (Array.isArray(details) ? (details as unknown[]) : [])
    .filter(isRecord)
    .map(
      ({ retryDelay }) =>
        /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(typeof retryDelay === 'string' ? retryDelay : '')?.[1],
    )
    .find((seconds) => seconds !== undefined)
  const named = headers['Retry-After']
  return typeof named === 'string' ? named : (toWait(headers['X-RateLimit-Reset']) ?? delay)
}

/** The seconds to wait that a rejection names. */
export const readWait = ({
  retryAfter,
  message,
}: {
  retryAfter?: string | null | undefined
  message: string
}): number | undefined => parseRetryAfter(retryAfter) || findWaitSeconds(message)
