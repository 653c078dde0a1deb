import { createHash } from 'node:crypto'
import { readImageFacts } from '#shared/image-facts.ts'
import { LruMap } from '../platform/lru-map.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { readDataUrl } from './image-data.ts'
import { ModelError } from './model-errors.ts'
import type { ModelMessage, ScaleImage } from './model.ts'
import { findImageLimit, listImages, rememberedImageMs } from './omit-images.ts'
import { RecentMap } from './recent-map.ts'

type Limits = Parameters<ScaleImage>[1]

/** Claude's servers take 8000 pixels, https://platform.claude.com/docs/en/build-with-claude/vision; others take more, or name no limit. */
const maxSentSide = 8_000
/** What Amazon Bedrock takes. As base64 it is 5 MB, which Claude's servers take. */
const maxSentBytes = 3.75 * 1024 * 1024
/** With more than 20 pictures Claude's servers take 2000 pixels of each. */
const fitting: Limits = { maxSide: 2_000, maxBytes: maxSentBytes }
/** For a server that has refused a larger one and has not said what it takes. */
const small: Limits = { maxSide: 1_000, maxBytes: 1024 * 1024 }
/** Less shows nothing. */
const minSide = 200

/** Pictures that are sent again with each round of a reply. */
const maxScaled = 10

/** What a picture is known by where it has no name: `400 × 9000 px, 12 KB`. */
function describeImage(url: string): string {
  const { facts, bytes } = measureImage(url)
  const size = `${Math.max(1, Math.round(bytes / 1024))} KB`
  return facts ? `${facts.width} × ${facts.height} px, ${size}` : size
}

function measureImage(url: string) {
  const { base64 = '' } = readDataUrl(url) ?? {}
  const facts = readImageFacts(Buffer.from(base64.slice(0, maxFactsCharacters), 'base64'))
  return { facts, base64, bytes: (base64.length * 3) / 4 }
}
/** In which the size of a picture stands. */
const maxFactsCharacters = 400_000

const isTooLarge = (url: string): boolean => {
  const { facts, bytes } = measureImage(url)
  return bytes > maxSentBytes || Math.max(facts?.width ?? 0, facts?.height ?? 0) > maxSentSide
}

/** What a server that refuses a picture for its size may take; undefined if it refuses it for something else. */
function findSmallerLimits(error: unknown): Limits | undefined {
  const { message = '' } = (error instanceof ModelError && error.rejection) || {}
  const limit = findImageLimit(error)
  if (limit === undefined)
    return /\b(too (large|big|tall|high|long|wide|many pixels)|dimensions?|resolution|exceed\w*|(image|file) size)\b/i.test(
      message.slice(0, 2_000),
    )
      ? small
      : undefined
  const side = /^([\d,.]+) (?:px|pixels)$/.exec(limit)?.[1]?.replaceAll(/[,.]/g, '')
  return side === undefined || Number(side) < minSide
    ? small
    : { ...small, maxSide: Math.min(fitting.maxSide, Number(side)) }
}

/** Shows parts in place of pictures. */
function replaceImages(message: ModelMessage, parts: ReadonlyMap<string, readonly string[]>): ModelMessage {
  if (!listImages(message).some((url) => parts.has(url))) return message
  const describe = (url: string) => {
    const { facts: { width = 0, height = 0 } = {} } = measureImage(url)
    const order = height > width ? 'from top to bottom' : 'from left to right'
    return `[An image of ${width} × ${height} px follows as ${parts.get(url)?.length} images, ${order}.]`
  }
  const isCut = (url: string) => (parts.get(url)?.length ?? 0) > 1
  if (message.role === 'tool') {
    const images = (message.images ?? []).flatMap((image) => {
      const shown = image.url === undefined ? undefined : parts.get(image.url)
      return shown ? shown.map((url) => ({ ...image, url })) : image
    })
    const notes = listImages(message).filter(isCut).map(describe)
    return { ...message, images, content: [message.content, ...notes].join('\n\n') }
  }
  if (message.role !== 'user' || typeof message.content === 'string') return message
  const content = message.content.flatMap((part) => {
    const shown = part.type === 'image_url' ? parts.get(part.image_url.url) : undefined
    if (part.type !== 'image_url' || !shown) return [part]
    const { url: whole } = part.image_url
    return [
      ...(isCut(whole) ? [{ type: 'text' as const, text: describe(whole) }] : []),
      ...shown.map((url) => ({ type: 'image_url' as const, image_url: { url } })),
    ]
  })
  return { role: 'user', content }
}

export type ImageFitter = ReturnType<typeof imageFitter>

/**
 * Makes pictures smaller that servers do not take, and those that this server has refused for their size. One that cannot be made
 * smaller is sent as it is.
 */
export function imageFitter(scaleImage: ScaleImage | undefined) {
  const scaled = new LruMap<string, readonly string[]>(maxScaled)
  const refused = new RecentMap<string, Limits>(rememberedImageMs)
  const toKey = (url: string) => createHash('sha256').update(url).digest('base64url')

  async function scale(url: string, limits: Limits, signal: AbortSignal): Promise<readonly string[]> {
    const key = `${toKey(url)} ${limits.maxSide} ${limits.maxBytes}`
    const known = scaled.get(key)
    if (known || !scaleImage) return known ?? []
    let parts: readonly string[] = []
    try {
      parts = await scaleImage(measureImage(url).base64, limits, signal)
    } catch (error) {
      signal.throwIfAborted()
      logger.warn('a picture could not be made smaller', { error })
    }
    scaled.set(key, parts)
    return parts
  }

  async function fitOne(url: string, signal: AbortSignal): Promise<readonly string[]> {
    const parts = isTooLarge(url) ? await scale(url, fitting, signal) : []
    const fit: string[] = []
    for (const part of parts.length > 0 ? parts : [url]) {
      const limits = refused.isEmpty ? undefined : refused.get(toKey(part))
      const smaller = limits ? await scale(part, limits, signal) : []
      fit.push(...(smaller.length > 0 ? smaller : [part]))
    }
    return fit
  }

  return {
    describe: describeImage,

    async fit(messages: readonly ModelMessage[], signal: AbortSignal): Promise<ModelMessage[]> {
      const parts = new Map<string, readonly string[]>()
      if (scaleImage)
        for (const url of new Set(messages.flatMap(listImages))) {
          const fit = await fitOne(url, signal)
          if (fit[0] !== url) parts.set(url, fit)
        }
      return parts.size > 0 ? messages.map((one) => replaceImages(one, parts)) : [...messages]
    },

    /** Remembers what a server takes of a picture that it has refused for its size. @returns whether it was made smaller, for the first time */
    async shrink(url: string, error: unknown, signal: AbortSignal): Promise<boolean> {
      const limits = findSmallerLimits(error)
      if (!limits || refused.get(toKey(url)) || (await scale(url, limits, signal)).length === 0) return false
      refused.set(toKey(url), limits)
      return true
    },
  }
}
