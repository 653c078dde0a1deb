import { t } from '@lingui/core/macro'
import { formatList } from '../../../lib/text/locale.ts'
import { SearchX } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import { authTypeLabels } from '../state/catalogue-cards.ts'
import type { Filters } from './catalogue-filters.tsx'
import { useSync } from './use-sync.ts'

function describeFilters(filters: readonly string[]) {
  const list = formatList(filters)
  return t`Filtered by ${list}.`
}

interface NothingFoundProps {
  /** the term of the last search, which lags behind the search field */
  term: string
  provider: string
  filters: Filters
  onClearFilters: () => void
  /** undefined: the user may add none */
  onAddCustom: (() => void) | undefined
}

/** Says why the catalogue shows no cards, and what to do next. */
export function NothingFound({ term, provider, filters, onClearFilters, onAddCustom }: NothingFoundProps) {
  const refresh = useSync('refresh')
  const { connectedOnly, authType } = filters
  const activeFilters = [
    connectedOnly && t({ message: 'Connected', context: 'filter' }),
    authType && authTypeLabels[authType],
    provider !== '' && t`providers with "${{ text: provider }}"`,
  ].filter((name) => typeof name === 'string')
  return (
    <div className="grid animate-fade justify-items-start gap-1 py-16">
      <SearchX aria-hidden size={24} strokeWidth={1.75} className="mb-3 text-ink-faint" />
      <h2 className="text-lg font-semibold tracking-tight">{t`No integrations found`}</h2>
      <p className="wrap-anywhere text-ink-muted">{describeNothing({ term, provider, filters })}</p>
      {activeFilters.length > 0 && (
        <p className="wrap-anywhere text-ink-muted">
          {describeFilters(activeFilters)}{' '}
          <button type="button" onClick={onClearFilters} className="link font-medium">
            {t`Clear filters`}
          </button>
        </p>
      )}
      {term !== '' && onAddCustom && (
        <p className="text-ink-muted">
          {t`Do you know the address of its MCP server?`}{' '}
          <button type="button" onClick={onAddCustom} className="link font-medium">
            {t`Add it as a custom tool`}
          </button>
        </p>
      )}
      {term === '' && activeFilters.length === 0 && (
        <Button busy={refresh.isBusy} onClick={() => refresh.start()} className="mt-4">
          {t`Refresh Integrations`}
        </Button>
      )}
    </div>
  )
}

function describeNothing({
  term,
  provider,
  filters,
}: Pick<NothingFoundProps, 'term' | 'provider' | 'filters'>) {
  if (term !== '') return t`No results for "${term}"`
  if (provider !== '') return t`No results of providers with "${{ text: provider }}"`
  if (!filters.connectedOnly) return t`No integrations available`
  return filters.authType ? t`Nothing with this sign-in type is connected` : t`Nothing is connected yet`
}
