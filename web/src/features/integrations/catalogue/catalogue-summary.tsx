import { plural, t } from '@lingui/core/macro'
import { formatCount } from '../../../lib/text/locale.ts'
import type { Catalogue } from './use-catalogue.ts'

/** Sandbox cards are counted apart: they are no further integrations. */
const formatWithSandboxes = (summary: string, sandboxes: number) =>
  plural(sandboxes, { one: `${summary}, plus # sandbox`, other: `${summary}, plus # sandboxes` })

/** The number of results, or the progress. */
export function CatalogueSummary({ catalogue }: { catalogue: Catalogue }) {
  if (catalogue.isLoading)
    return (
      <>
        <span>{t`Loading integrations...`}</span> <span>{t`Using cached data when available`}</span>
      </>
    )
  if (catalogue.isSearching) return t`Searching…`
  const { shownCount } = catalogue
  const total = Math.max(shownCount, catalogue.total ?? 0)
  const sandboxCount = catalogue.cards.length - shownCount
  const text =
    shownCount === total
      ? t`${formatCount(total)} shown`
      : t`Showing ${{ shown: formatCount(shownCount) }} of ${formatCount(total)}`
  return sandboxCount === 0 ? text : formatWithSandboxes(text, sandboxCount)
}
