import type { Attachment } from '#shared/contracts/files.ts'
import type { Attached } from '../../files/file-links.ts'
import type { ReplyLog } from '../../runs/reply-log.ts'
import type { Progress } from '../progress.ts'
import { generateImageTool } from './generate-image-tool.ts'
import type { ImageModel } from '../model/image-model.ts'
import type { Spending } from '../reply-budget.ts'
import { readAttachmentTool } from './read-attachment-tool.ts'
import type { Tool } from '../../tools/tool.ts'

interface ForReply {
  sub: string
  said: readonly { attachments?: readonly Attachment[] }[]
  progress: Progress
  reply: ReplyLog
  spending: Spending
}

/**
 * The product's own tools for one reply: reading on in documents where the conversation has some, and making images where an image
 * model is configured.
 */
export function builtInTools(
  { attached, imageModel }: { attached: Attached; imageModel: ImageModel | undefined },
  { sub, said, progress, reply, spending }: ForReply,
): Tool[] {
  const hasDocuments = said.some(({ attachments = [] }) =>
    attachments.some(({ reading }) => reading !== undefined && reading.status !== 'failed'),
  )
  const onImage = (image: Attachment) => {
    progress.attachments.push(image)
    if (image.url) reply.push({ type: 'file', url: image.url, mediaType: image.type })
    reply.push({ type: 'data-attachment', data: image })
  }
  return [
    ...(hasDocuments ? [readAttachmentTool(attached, sub)] : []),
    ...(imageModel ? [generateImageTool(attached, { sub, imageModel, spending, onImage })] : []),
  ]
}
