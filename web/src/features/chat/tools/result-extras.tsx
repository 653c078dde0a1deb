import type { ResultExtras } from '#shared/contracts/chat.ts'
import { parseWebPage } from '../../../lib/web-page.ts'
import { revealHiddenCharacters } from './hidden-characters.ts'
import * as texts from './texts.ts'

/** The links that tools returned, each with its host, and what of their results was left out. */
export function ResultExtrasList({ results }: { results: readonly ResultExtras[] }) {
  const links = results.flatMap((result) => result.links ?? [])
  const notes = results.flatMap((result) => result.notes ?? [])
  if (links.length + notes.length === 0) return null
  return (
    <div className="grid max-w-full grid-cols-1 gap-1 text-sm">
      {links.length > 0 && (
        <ul aria-label={texts.resultLinks} className="grid grid-cols-1 gap-1">
          {links.map(({ url, title }, index) => {
            const page = parseWebPage(url)
            return (
              page && (
                <li
                  key={index}
                  className="flex min-w-0 items-baseline gap-1.5 max-sm:min-h-9 max-sm:items-center"
                >
                  <a
                    href={page.href}
                    target="_blank"
                    rel="noopener noreferrer"
                    title={page.href}
                    className="link min-w-0 truncate"
                  >
                    <bdi>{revealHiddenCharacters(title)}</bdi>
                  </a>
                  <span className="shrink-0 text-ink-faint">{page.host}</span>
                </li>
              )
            )
          })}
        </ul>
      )}
      {notes.map((note, index) => (
        <p key={index} className="[overflow-wrap:anywhere] text-ink-muted">
          {note}
        </p>
      ))}
    </div>
  )
}
