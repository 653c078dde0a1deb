import type { Attachment } from '#shared/contracts/files.ts'
import type { MessageFileDeps } from '../../files/file-links.ts'
import type { ReplyLog } from '../../conversations/store/reply-log.ts'
import { generateImageTool } from './generate-image-tool.ts'
import type { ImageModel } from '../model/image-model.ts'
import type { Spending } from '../reply-budget.ts'
import { readAttachmentTool } from './read-attachment-tool.ts'
import type { Tool } from '../../tools/calls/tool.ts'

interface AssistantToolsInput {
  sub: string
  history: readonly { attachments?: readonly Attachment[] }[]
  events: ReplyLog
  spending: Spending
}

/**
 * The product's own tools for one reply: reading on in documents if the conversation has some, and generating images if an image
 * model is configured.
 */
export function assistantTools(
  { fileDeps, imageModel }: { fileDeps: MessageFileDeps; imageModel: ImageModel | undefined },
  { sub, history, events, spending }: AssistantToolsInput,
): Tool[] {
  const hasDocuments = history.some(({ attachments = [] }) =>
    attachments.some(({ reading }) => reading !== undefined && reading.status !== 'failed'),
  )
  const onImage = (image: Attachment) => {
    if (image.url) events.push({ type: 'file', url: image.url, mediaType: image.type })
    events.push({ type: 'data-attachment', data: image })
  }
  return [
    ...(hasDocuments ? [readAttachmentTool(fileDeps, sub)] : []),
    ...(imageModel ? [generateImageTool(fileDeps, { sub, imageModel, spending, onImage })] : []),
  ]
}
