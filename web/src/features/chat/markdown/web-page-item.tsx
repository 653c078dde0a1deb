import { parseWebPage } from '../../../lib/browser/web-page.ts'
import { LinkNote } from './link-note.tsx'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'

/**
 * A list item with a web page that a model or a tool names: a link with its title, and its host. Renders nothing for other URLs.
 * @param number shown before the title
 */
export function WebPageItem({
  url,
  title = '',
  number,
}: {
  url: string
  title?: string | undefined
  number?: number
}) {
  const page = parseWebPage(url)
  if (!page) return null
  return (
    <li className="flex min-w-0 items-baseline gap-1.5 max-sm:min-h-9 max-sm:items-center">
      <a
        href={page.href}
        target="_blank"
        rel="noopener noreferrer"
        title={page.href}
        className="link min-w-0 truncate"
      >
        {number !== undefined && `[${number}] `}
        <bdi>{title === '' ? page.host : revealHiddenCharacters(title)}</bdi>
      </a>
      {title !== '' && <LinkNote>{page.host}</LinkNote>}
    </li>
  )
}
