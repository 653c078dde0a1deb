import type { ContentPart, Model, ModelMessage, PdfPart } from './model.ts'

const omittedImagesNote = '[The images could not be shown to you.]'

/** The data URLs of the images that a tool returned. */
export const listToolImages = (message: ModelMessage): string[] =>
  message.role === 'tool' ? (message.images ?? []).flatMap(({ url }) => url ?? []) : []

export const hasImages = (message: ModelMessage): boolean =>
  Array.isArray(message.content) || listToolImages(message).length > 0

const isPdf = (part: ContentPart): part is PdfPart => part.type === 'file'

export const listPdfs = ({ role, content }: ModelMessage): PdfPart[] =>
  role === 'user' && Array.isArray(content) ? content.filter(isPdf) : []

/** The message with pictures of pages in place of its PDFs. */
export function replacePdfs(message: ModelMessage): ModelMessage {
  if (listPdfs(message).length === 0 || !Array.isArray(message.content)) return message
  const content = message.content.flatMap((part) => (isPdf(part) ? part.instead : part))
  return { role: 'user', content }
}

/** The message with a note in place of its images. */
export function omitImages(message: ModelMessage): ModelMessage {
  if (message.role === 'tool' && hasImages(message)) {
    const { images: _, ...rest } = message
    return { ...rest, content: `${message.content}\n\n${omittedImagesNote}` }
  }
  if (message.role !== 'user' || typeof message.content === 'string') return message
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { ...message, content: [...texts, omittedImagesNote].join('\n\n') }
}

/** A model that is known to see no images: it is not sent any, and the reply says so. */
export const withoutVision = (model: Model): Model => ({
  takesPdfs: () => false,
  complete(call) {
    if (!call.messages.some(hasImages)) return model.complete(call)
    call.onOmit('images')
    return model.complete({ ...call, messages: call.messages.map(omitImages) })
  },
})
