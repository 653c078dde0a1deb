import { logger } from '../platform/telemetry/logger.ts'

/** Has documents read in the background. It never throws: whoever needs the text starts the reading again. */
export type StartReading = (sub: string, ids: readonly string[]) => Promise<void>

/** What the function that has documents read is invoked with. */
export interface ReadingEvent {
  sub: string
  id: string
}

/** @param functionName of the function that has documents read; it is invoked asynchronously */
export const readingStarter =
  (functionName: string): StartReading =>
  async (sub, ids) => {
    try {
      // its code is a fifth of the chat function, and most messages have no file
      const { invokeInBackground } = await import('../platform/invoke-in-background.ts')
      await Promise.all(ids.map((id) => invokeInBackground(functionName, { sub, id } satisfies ReadingEvent)))
    } catch (error) {
      logger.warn('a reading could not be started', { error, count: ids.length })
    }
  }
