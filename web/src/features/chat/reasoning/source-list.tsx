import { t } from '@lingui/core/macro'
import type { Source } from '#shared/contracts/chat.ts'
import { WebPageItem } from '../markdown/web-page-item.tsx'

/** The pages that a reply cites, with the numbers that its text may refer to. */
export function SourceList({ sources }: { sources: readonly Source[] }) {
  return (
    <section aria-label={t`Sources`} className="max-w-(--width-reading) text-sm">
      <ol className="grid grid-cols-1 gap-1">
        {sources.map(({ url, title }, index) => (
          <WebPageItem key={index} url={url} title={title} number={index + 1} />
        ))}
      </ol>
    </section>
  )
}
