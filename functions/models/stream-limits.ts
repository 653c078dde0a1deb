import { modelErrors, ModelError } from './model-errors.ts'
import type { ModelSettings } from './model.ts'

/** Without a byte for this long the model counts as failed, unless a setting says otherwise. */
const defaultSilenceSeconds = 45
/** Of a server on this computer, which may load the model first, and reads a prompt without a byte. */
const localSilenceSeconds = 300
/** Models send nothing while they reason, or only a summary now and then: more effort, longer silence. */
const idleTimeoutsMs: Readonly<Record<string, number>> = {
  medium: 90_000,
  high: 180_000,
  xhigh: 300_000,
  max: 300_000,
}
/**
 * Signs of life keep a connection open while a model is slow; after so long with nothing else it counts as failed. As long as the SDKs of OpenAI
 * and Anthropic wait for an answer; they pass over pings, and end no stream of them.
 */
const maxIdleSignsMs = 10 * 60_000
/** Of one answer: ten times what the longest comes to, with a token to an event. */
const maxResponseBytes = 64 * 1024 * 1024
/** Of one event, which is held until its line ends. */
const maxLineBytes = 48 * 1024 * 1024
/** What tools are called with, all calls of an answer together. */
const maxArgumentCharacters = 1_000_000
/** Of one answer: what a reply stores of its calls has to fit into one row. */
const maxCallsPerResponse = 128
/** Of one answer, as stored and sent back: a quarter of the longest context window. */
export const maxAnswerCharacters = 1_000_000

const isLoopback = (baseUrl: string | undefined) =>
  /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(URL.parse(baseUrl ?? '')?.hostname ?? '')

type Silence = Pick<ModelSettings, 'silenceSeconds' | 'baseUrl'>

/** @returns how long a model may be silent that reasons with this effort, in milliseconds */
export function toIdleTimeout(effort: string | undefined, { silenceSeconds, baseUrl }: Silence): number {
  const seconds = silenceSeconds ?? (isLoopback(baseUrl) ? localSilenceSeconds : defaultSilenceSeconds)
  return Math.max(seconds * 1_000, idleTimeoutsMs[effort ?? ''] ?? 0)
}

/**
 * A comment (https://html.spec.whatwg.org/multipage/server-sent-events.html), Anthropic's `ping`
 * (https://platform.claude.com/docs/en/build-with-claude/streaming#ping-events) or OpenAI's `keepalive`
 * (https://github.com/openai/openai-node/issues/1964).
 */
const idleLine = /^(?::|event: ?(?:ping|keepalive)\s*$|data: ?\{\s*"type"\s*:\s*"(?:ping|keepalive)")/

/** Whether a chunk, which is short then, has nothing but signs that the server is alive; blank lines are some: https://api-docs.deepseek.com/quick_start/rate_limit. */
const hasIdleSignsOnly = (bytes: Uint8Array) =>
  bytes.length < 1_000 &&
  Buffer.from(bytes)
    .toString('latin1')
    .split('\n')
    .every((line) => line.trim() === '' || idleLine.test(line))

/** Aborts its signal when no bytes arrive for the time that the effort allows, or nothing but signs of life for ten minutes. @throws ModelError from `onBytes`, for an answer that is too large */
export function watchStream(effort: string | undefined, settings: Silence) {
  const idle = new AbortController()
  const timeoutMs = toIdleTimeout(effort, settings)
  const endAfter = (detail: string, ms: number) =>
    setTimeout(() => idle.abort(new ModelError(modelErrors.silent, detail)), ms)
  const noByte = `no byte for ${timeoutMs} ms`
  const maxSignsMs = Math.max(maxIdleSignsMs, timeoutMs)
  let timer = endAfter(noByte, timeoutMs)
  let size = 0
  let lineBytes = 0
  let lastDataAtMs = Date.now()
  return {
    signal: idle.signal,
    onBytes: (bytes: Uint8Array) => {
      clearTimeout(timer)
      // an answer that begins has no bytes yet
      if (bytes.length === 0 || !hasIdleSignsOnly(bytes)) lastDataAtMs = Date.now()
      const leftMs = Math.max(0, maxSignsMs - (Date.now() - lastDataAtMs))
      timer =
        leftMs < timeoutMs
          ? endAfter(`nothing but signs of life for ${maxSignsMs} ms`, leftMs)
          : endAfter(noByte, timeoutMs)
      size += bytes.length
      const end = bytes.lastIndexOf(10)
      lineBytes = end === -1 ? lineBytes + bytes.length : bytes.length - end - 1
      if (size > maxResponseBytes || lineBytes > maxLineBytes)
        throw new ModelError(modelErrors.unreadable, `an answer of ${size} bytes, its last line ${lineBytes}`)
    },
    end: () => clearTimeout(timer),
  }
}

/** @throws ModelError when an answer calls more tools, or with more arguments, than one row of the reply can hold */
export function checkCallLimits(callCount: number, argumentCharacters: number): void {
  if (callCount > maxCallsPerResponse)
    throw new ModelError(modelErrors.unreadable, `more than ${maxCallsPerResponse} calls of tools`)
  if (argumentCharacters > maxArgumentCharacters)
    throw new ModelError(modelErrors.unreadable, `more than ${maxArgumentCharacters} characters of arguments`)
}
