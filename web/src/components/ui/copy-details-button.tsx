import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { toErrorDetails, type ErrorDetails } from '../../lib/api/error-details.ts'
import { useCopy } from './use-copy.ts'

/** In English, for the logs and whoever reads them. */
const formatDetails = ({ atMs, code, requestId }: ErrorDetails) =>
  [
    `time: ${new Date(atMs).toISOString()}`,
    `code: ${code}`,
    ...(requestId === undefined ? [] : [`request id: ${requestId}`]),
  ].join('\n')

/** The button that copies time, code and request id of an error. */
export function CopyDetailsButton({ error }: { error: unknown }) {
  const [shown, setShown] = useState(() => ({ error, details: toErrorDetails(error) }))
  // another error has a time of its own
  if (shown.error !== error) setShown({ error, details: toErrorDetails(error) })
  const { copied, copy } = useCopy()
  return (
    <button
      type="button"
      className="link text-sm font-normal text-ink-muted print:hidden"
      onClick={() => void copy(formatDetails(shown.details))}
    >
      {copied ? t`Copied` : t`Copy details`}
    </button>
  )
}
