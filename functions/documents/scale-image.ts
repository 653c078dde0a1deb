import { readImageFacts } from '#shared/image-facts.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { runChildProcess } from './child-process.ts'
import type { ScaleAnswer, ScaleRequest } from './scale-contract.ts'

/** Decoded, with four bytes each and twice for a moment, they need 600 MB. */
const maxPixels = 50_000_000
const limits = { timeMs: 15_000, maxMs: 20_000, heapMb: 256, memoryMb: 1_200 }

/** Makes a picture smaller in a separate process with limits on time and memory. Its size is read before anything decodes it. */
export async function scaleImage(request: ScaleRequest): Promise<ScaleAnswer> {
  const none: ScaleAnswer = { parts: [] }
  const { width, height } = readImageFacts(Buffer.from(request.image, 'base64')) ?? { width: 0, height: 0 }
  if (width === 0 || height === 0 || width * height > maxPixels) return none
  try {
    return await runChildProcess<ScaleAnswer>(new URL('./scale-child.ts', import.meta.url), request, limits)
  } catch (error) {
    logger.warn('a picture could not be made smaller', { error })
    return none
  }
}
