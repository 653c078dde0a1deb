import * as z from 'zod'
import type { Attachment } from '#shared/contracts/files.ts'
import { deleteFiles } from '../../files/delete-files.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { asAttachment, originalKey, type Attached } from '../../files/file-links.ts'
import { safeFileName } from '../../files/file-name.ts'
import { AppError } from '../../platform/errors.ts'
import type { ImageModel } from '../model/image-model.ts'
import { isUnbilled } from '../model/model-errors.ts'
import type { Spending } from '../reply-budget.ts'
import { zodParameters, type Tool } from '../../tools/tool.ts'

/** Models that draw may be silent for this long. */
const timeoutMs = 120_000
/** Without room for so much nothing is drawn. */
const usualImageBytes = 4 * 1024 * 1024
const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const

const fileNameOf = (prompt: string, extension: string) => {
  const words = prompt.match(/[\p{L}\p{N}]+/gu) ?? []
  return safeFileName(`${words.slice(0, 6).join('-').toLowerCase().slice(0, 60) || 'image'}.${extension}`)
}

/**
 * Lets the model make an image (CHAT-16): stored among the user's own files, and an attachment of the reply with its prompt.
 * @param spending counts each picture before it is drawn
 * @param onImage takes the attachment into the reply while that is still being written
 */
export function generateImageTool(
  { files, store }: Attached,
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
  /** @throws Error with a sentence that the conversation's model may read */
  async function draw(prompt: string, signal: AbortSignal) {
    await Promise.all([files.requireRoom(sub, usualImageBytes), spending.reserveImage()]).catch(
      (error: unknown) => {
        throw error instanceof AppError ? new Error(error.sentence, { cause: error }) : error
      },
    )
    try {
      return await imageModel.make(prompt, signal)
    } catch (error) {
      if (error instanceof Error && isUnbilled(error.cause)) await spending.refundImage()
      throw error
    }
  }

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
      const { bytes, type } = await draw(prompt, signal)
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
      // loaded when there is an image to store: most replies draw nothing
      const { putObject } = await import('../../platform/s3/object-writer.ts')
      try {
        await putObject(store, { key: originalKey(sub, file.id), body: bytes, type })
        await files.finish(sub, file)
      } catch (error) {
        // no reply shows it, and its row may be gone
        await deleteFiles({ files, store }, sub, [file]).catch(() => undefined)
        throw error
      }
      onImage(await asAttachment(store, sub, file))
      return { attachmentId: file.id, name: file.name, shown: 'The user sees the image now.' }
    },
  }
}
