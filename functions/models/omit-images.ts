import { modelErrors, ModelError } from './model-errors.ts'
import type { ContentPart, Model, ModelMessage, PdfPart } from './model.ts'
import { listImageTexts } from './named-parts.ts'

const omittedImagesNote = '[The images could not be shown to you.]'
const someImagesNote = '[Some of the images could not be shown to you.]'

/** The data URLs of the images that a tool returned. */
export const listToolImages = (message: ModelMessage): string[] =>
  message.role === 'tool' ? (message.images ?? []).flatMap(({ url }) => url ?? []) : []

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

const listImages = (message: ModelMessage): string[] =>
  Array.isArray(message.content)
    ? message.content.flatMap((part) => (part.type === 'image_url' ? part.image_url.url : []))
    : listToolImages(message)

/** The message with a note in place of its images. @param isOmitted which of them, by their data URL; all without it */
export function omitImages(message: ModelMessage, isOmitted?: (url: string) => boolean): ModelMessage {
  const images = listImages(message)
  const remaining = isOmitted ? images.filter((url) => !isOmitted(url)) : []
  if (isOmitted && remaining.length === images.length) return message
  const isPart = remaining.length > 0
  const note = isPart ? someImagesNote : omittedImagesNote
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
  const data = (rejection?.named ?? []).flatMap((parts) => listImageTexts(parts.at(-1)))
  if (!rejection || (code !== modelErrors.refused.code && data.length === 0)) return []
  const byMessage = messages.map((message) => listImages(message).filter((url) => !omitted.has(url)))
  const named = byMessage.flat().filter((url) => data.some((one) => url.endsWith(one)))
  const text = rejection.message.slice(0, 2_000).toLowerCase()
  if (named.length > 0 && !takesNoImages.test(text)) return named
  const withImages = byMessage.filter((urls) => urls.length > 0)
  if (withImages.length < 2 || !/\b(image|picture|photo)/.test(text) || isAboutAllImages.test(text)) return []
  return withImages.at(-1) ?? []
}

/** A model that is known to see no images: it is not sent any, and the reply says so. */
export const withoutVision = (model: Model): Model => ({
  takesPdfs: () => false,
  complete(call) {
    if (!call.messages.some(hasImages)) return model.complete(call)
    call.onOmit('images')
    return model.complete({ ...call, messages: call.messages.map((one) => omitImages(one)) })
  },
})
