import { createHash } from 'node:crypto'
import { modelErrors, ModelError } from './model-errors.ts'
import type { ContentPart, Model, ModelMessage, PdfPart } from './model.ts'
import { listNamedImages } from './named-parts.ts'
import { RecentMap } from './recent-map.ts'
import { listToolImages } from './token-estimate.ts'

const omittedImagesNote = '[The images could not be shown to you.]'

/** Whether a message may have images or PDFs: its content has parts, or its tool returned images. */
export const hasImages = (message: ModelMessage): boolean =>
  Array.isArray(message.content) || listToolImages(message).length > 0

const isPdf = (part: ContentPart): part is PdfPart => part.type === 'file'

/** The PDFs of a user's message. */
export const listPdfs = ({ role, content }: ModelMessage): PdfPart[] =>
  role === 'user' && Array.isArray(content) ? content.filter(isPdf) : []

/** The message with pictures of pages in place of its PDFs. */
export function replacePdfs(message: ModelMessage): ModelMessage {
  if (listPdfs(message).length === 0 || !Array.isArray(message.content)) return message
  const content = message.content.flatMap((part) => (isPdf(part) ? part.instead : part))
  return { role: 'user', content }
}

/** The data URLs of all images of a message. */
export const listImages = (message: ModelMessage): string[] =>
  Array.isArray(message.content)
    ? message.content.flatMap((part) => (part.type === 'image_url' ? part.image_url.url : []))
    : listToolImages(message)

/** The message with a note in place of its images. @param isOmitted which of them, by their data URL, and what they are called; all without it */
export function omitImages(
  message: ModelMessage,
  isOmitted?: (url: string) => boolean,
  describe: (url: string) => string = () => 'a picture',
): ModelMessage {
  const images = listImages(message)
  const remaining = isOmitted ? images.filter((url) => !isOmitted(url)) : []
  if (isOmitted && remaining.length === images.length) return message
  const isPart = remaining.length > 0
  const omitted = images.filter((url) => isOmitted?.(url))
  const note = isOmitted
    ? `[Images that could not be shown to you: ${omitted.map(describe).join('; ')}.]`
    : omittedImagesNote
  if (message.role === 'tool' && hasImages(message)) {
    const { images: _, ...rest } = message
    return {
      ...rest,
      ...(isPart && { images: remaining.map((url) => ({ url })) }),
      content: `${message.content}\n\n${note}`,
    }
  }
  if (message.role !== 'user' || typeof message.content === 'string') return message
  if (isPart) {
    const parts = message.content.filter(
      (part) => part.type !== 'image_url' || remaining.includes(part.image_url.url),
    )
    return { ...message, content: [...parts, { type: 'text', text: note }] }
  }
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { ...message, content: [...texts, note].join('\n\n') }
}

/** Words for a model that takes no images, whatever they show, also where a place is named. */
const takesNoImages =
  /\bno images\b|(must|should) be (a )?string|expected a string|not support.{0,30}(image|vision)|multimodal|vision|mmproj/
const isAboutAllImages =
  /\bno images\b|not support|unsupported|not accept|cannot (see|process|handle) images\b|text.only|multimodal|vision|mmproj|no endpoints|(content|output).{0,40}(string|type)/

/** Whether a server takes no images at all, so that it says nothing about one. */
export const refusesAllImages = (error: unknown): boolean => {
  const { message = '' } = (error instanceof ModelError && error.rejection) || {}
  const text = message.slice(0, 2_000).toLowerCase()
  return takesNoImages.test(text) || isAboutAllImages.test(text)
}

/**
 * Which images a server has refused for what they are: those that it names or, if it speaks of one and names none, those of the newest
 * message that has some, as the earlier ones were taken before.
 * @param omitted those that the request went without
 * @returns their data URLs; none if the error is about all images, or something else
 */
export function findRefusedImages(
  error: unknown,
  messages: readonly ModelMessage[],
  omitted: ReadonlySet<string>,
): string[] {
  const { code, rejection } = error instanceof ModelError ? error : {}
  const data = (rejection?.named ?? []).flatMap(listNamedImages)
  if (!rejection || (code !== modelErrors.refused.code && data.length === 0)) return []
  const byMessage = messages.map((message) => listImages(message).filter((url) => !omitted.has(url)))
  const named = byMessage.flat().filter((url) => data.some((one) => url.endsWith(one)))
  const text = rejection.message.slice(0, 2_000).toLowerCase()
  if (named.length > 0 && !takesNoImages.test(text)) return named
  const withImages = byMessage.filter((urls) => urls.length > 0)
  if (!/\b(image|picture|photo)/.test(text) || isAboutAllImages.test(text)) return []
  return withImages.at(-1) ?? []
}

/** Longer than most conversations. */
export const rememberedImageMs = 24 * 60 * 60_000

/** Remembers which pictures a server has refused: they are in all later requests of their conversation. */
export function refusedImageMemory() {
  const refused = new RecentMap<string, true>(rememberedImageMs)
  const toKey = (url: string) => createHash('sha256').update(url).digest('base64url')
  return {
    list: (messages: readonly ModelMessage[]): Set<string> =>
      new Set((refused.isEmpty ? [] : messages.flatMap(listImages)).filter((url) => refused.get(toKey(url)))),
    add: (url: string) => refused.set(toKey(url), true),
  }
}

const limitWords =
  /\b(?:max\w{0,10}|limits?|at most|exceeds?|allowed|larger than|up to|below)\D{0,40}(\d[\d,.]{0,10}) ?(pixels|px|megapixels|bytes|[kKmM]i?[bB])\b/

/** The limit of pictures that a server names: `8000 pixels`. */
export function findImageLimit(error: unknown): string | undefined {
  const { message = '' } = (error instanceof ModelError && error.rejection) || {}
  const [, count, unit] = limitWords.exec(message.slice(0, 2_000)) ?? []
  return count === undefined ? undefined : `${count} ${unit}`
}

/** A model that is not sent any images; the reply says so. */
export const withoutVision = (model: Model): Model => ({
  takesPdfs: () => false,
  complete(call) {
    if (!call.messages.some(hasImages)) return model.complete(call)
    call.onOmit('images')
    return model.complete({ ...call, messages: call.messages.map((one) => omitImages(one)) })
  },
})
