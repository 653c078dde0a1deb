import { t } from '@lingui/core/macro'
import { formatServerText } from '../../../lib/format-server-text.ts'
import { translateSentence } from '../../../lib/translate.ts'
import type { ResultExtras } from '#shared/contracts/chat.ts'
import { WebPageItem } from '../markdown/web-page-item.tsx'

/** The links that tools returned, each with its host, and notes on what was left out of their results. */
export function ResultExtrasList({ results }: { results: readonly ResultExtras[] }) {
  const links = results.flatMap((result) => result.links ?? [])
  const notes = results.flatMap(({ notes: sentences = [], noteCodes = [] }) =>
    sentences.map((text, index) => translateSentence({ ...noteCodes[index], text })),
  )
  if (links.length + notes.length === 0) return null
  return (
    <div className="grid max-w-full grid-cols-1 gap-1 text-sm">
      {links.length > 0 && (
        <ul aria-label={t`Links of tools`} className="grid grid-cols-1 gap-1">
          {links.map(({ url, title }, index) => (
            <WebPageItem key={index} url={url} title={title} />
          ))}
        </ul>
      )}
      {notes.map((note, index) => (
        <p key={index} className="wrap-anywhere text-ink-muted">
          {formatServerText(note)}
        </p>
      ))}
    </div>
  )
}
