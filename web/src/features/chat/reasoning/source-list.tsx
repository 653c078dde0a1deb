import type { Source } from '#shared/contracts/chat.ts'
import { parseWebPage } from '../../../lib/web-page.ts'
import * as texts from './source-texts.ts'

/** The pages that a reply cites, with the numbers its text may refer to. */
export function SourceList({ sources }: { sources: readonly Source[] }) {
  return (
    <section aria-label={texts.sources} className="max-w-[41.5rem] text-sm">
      <ol className="grid grid-cols-1 gap-1">
        {sources.map(({ url, title = '' }, index) => {
          const page = parseWebPage(url)
          return (
            page && (
              <li
                key={url}
                className="flex min-w-0 items-baseline gap-1.5 max-sm:min-h-9 max-sm:items-center"
              >
                <a
                  href={page.href}
                  target="_blank"
                  rel="noopener noreferrer"
                  title={page.href}
                  className="link min-w-0 truncate"
                >
                  [{index + 1}] <bdi>{title === '' ? page.hostname : title}</bdi>
                </a>
                {title !== '' && <span className="shrink-0 text-ink-faint">{page.hostname}</span>}
              </li>
            )
          )
        })}
      </ol>
    </section>
  )
}
