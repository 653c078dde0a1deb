import * as z from 'zod'
import type { Attachment } from '#shared/contracts/files.ts'
import { putObject } from '../platform/object-writer.ts'
import type { StoredFile } from '../files/stored-file.ts'
import { asAttachment, originalKey, type Attached } from '../files/file-links.ts'
import { safeFileName } from '../files/file-name.ts'
import type { ImageModel } from './image-model.ts'
import { zodParameters, type Tool } from '../tools/tool.ts'

/** Models that draw may be silent for this long. */
const timeoutMs = 120_000
const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const

const fileNameOf = (prompt: string, extension: string) => {
  const words = prompt.match(/[\p{L}\p{N}]+/gu) ?? []
  return safeFileName(`${words.slice(0, 6).join('-').toLowerCase().slice(0, 60) || 'image'}.${extension}`)
}

/**
 * Lets the model make an image (CHAT-16): stored among the user's own files, and an attachment of the reply with its prompt.
 * @param onImage takes the attachment into the reply while that is still being written
 */
export function generateImageTool(
  { files, store }: Attached,
  { sub, imageModel, onImage }: { sub: string; imageModel: ImageModel; onImage: (image: Attachment) => void },
): Tool {
  return {
    name: 'generate_image',
    description: 'Draws one picture (drawing, painting, photo, illustration, logo) and shows it to the user.',
    parameters: zodParameters(
      z.object({ prompt: z.string().trim().min(1).max(4_000).describe('all that is to be seen') }),
    ),
    writes: false,
    activity: 'image_generation',
    timeoutMs,
    async run(input, signal) {
      const prompt = String(input['prompt'])
      const { bytes, type } = await imageModel.make(prompt, signal)
      const file: StoredFile = {
        id: crypto.randomUUID(),
        name: fileNameOf(prompt, extensions[type]),
        type,
        size: bytes.length,
        state: 'ready',
        created_at: new Date().toISOString(),
        is_generated: true,
        prompt,
      }
      // the row first: of an object without one nobody knows, and nobody would delete it
      await files.put(sub, { ...file, state: 'incoming' })
      await putObject(store, { key: originalKey(sub, file.id), body: bytes, type })
      await files.finish(sub, file)
      onImage(await asAttachment(store, sub, file))
      return { attachmentId: file.id, name: file.name, shown: 'The user sees the image now.' }
    },
  }
}
