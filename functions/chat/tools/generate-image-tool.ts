import * as z from 'zod'
import type { Attachment } from '#shared/contracts/files.ts'
import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { deleteFile, saveRowOrDelete } from '../../files/delete-files.ts'
import { finishFile } from '../../files/finish-file.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { toLinkedAttachment, originalKey, type ReadingFileDeps } from '../../files/file-links.ts'
import { sanitizeFileName } from '../../files/file-name.ts'
import type { ImageModel } from '../../models/image-model.ts'
import { isUnbilled } from '../../models/model-errors.ts'
import type { Spending } from '../reply-budget.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'

const parameters = z.object({
  prompt: z.string().trim().min(1).max(4_000).describe('all that is to be seen'),
})

/** Image models take up to two minutes. */
const timeoutMs = 120_000
/** Free storage required before an image is generated. */
const typicalImageBytes = 4 * 1024 * 1024
const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const

const buildFileName = (prompt: string, extension: string) => {
  const words = prompt.match(/[\p{L}\p{N}]+/gu) ?? []
  return sanitizeFileName(`${words.slice(0, 6).join('-').toLowerCase().slice(0, 60) || 'image'}.${extension}`)
}

/**
 * Lets the model generate an image. It is stored as a file of the user, and becomes an attachment of the reply.
 * @param spending counts each image before it is drawn
 * @param onImage takes the attachment into the reply while that is still being written
 */
export function generateImageTool(
  { files, store, startReading }: ReadingFileDeps,
  {
    sub,
    imageModel,
    spending,
    onImage,
  }: {
    sub: string
    imageModel: ImageModel
    spending: Pick<Spending, 'reserveImage' | 'refundImage'>
    onImage: (image: Attachment) => void
  },
): Tool {
  async function draw(prompt: string, signal: AbortSignal) {
    // first: an image that has no room must not count
    await files.requireSpace(sub, typicalImageBytes)
    await spending.reserveImage()
    try {
      return await imageModel.generate(prompt, signal)
    } catch (error) {
      if (isUnbilled(error)) await spending.refundImage()
      throw error
    }
  }

  return {
    name: 'generate_image',
    title: 'Generate image',
    description: 'Draws one image (drawing, painting, photo, illustration, logo) and shows it to the user.',
    parameters: zodParameters(parameters),
    writes: false,
    activity: 'image_generation',
    timeoutMs,
    async run(input, signal) {
      const prompt = String(input['prompt'])
      const { bytes, type } = await draw(prompt, signal)
      const file: StoredFile = {
        id: crypto.randomUUID(),
        name: buildFileName(prompt, extensions[type]),
        type,
        size: bytes.length,
        state: 'ready',
        created_at: new Date().toISOString(),
        is_generated: true,
        prompt,
      }
      // the row first: an object without a row would never be deleted
      await files.put(sub, { ...file, state: 'incoming' })
      // loaded on demand: most replies generate no image
      const { putObject } = await import('../../platform/s3/object-writer.ts')
      try {
        const key = originalKey(sub, file.id)
        await putObject(store, { key, body: bytes, type })
        await saveRowOrDelete(store, [key], () => finishFile({ files, startReading }, sub, file))
      } catch (error) {
        // no reply shows it, and its row may be gone
        await deleteFile({ files, store }, sub, file.id).catch(() => undefined)
        throw error
      }
      onImage(await toLinkedAttachment(store, sub, file))
      return { attachmentId: file.id, name: file.name, shown: sayOwnTool('own_tool.image_shown') }
    },
  }
}
