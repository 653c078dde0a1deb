import { t } from '@lingui/core/macro'
import type { Attachment } from '#shared/contracts/files.ts'
import { translateSentences } from '../lib/text/translate-sentences.ts'

/** How much of a document the service has read, or that it is being read. Undefined for a file of which nothing is known. */
export function describeReading({ reading }: Pick<Attachment, 'reading'>): string | undefined {
  if (reading?.note !== undefined) return translateSentences(reading.note, reading.codes, '; ')
  return reading?.state === 'pending' ? t`is being read` : undefined
}
