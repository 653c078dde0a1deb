import { limitReadingTime, type TimeOver } from '../../functions/documents/extracted-text.ts'

/** What a reader hands over when its time ends at once. */
export function readInNoTime(reader: () => unknown): string | undefined {
  limitReadingTime(-1)
  try {
    reader()
  } catch (error) {
    return (error as TimeOver).collector.end().text
  } finally {
    limitReadingTime(Infinity)
  }
  return undefined
}
