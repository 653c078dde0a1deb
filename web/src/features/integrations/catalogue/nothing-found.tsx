import { SearchX } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import { authTypeLabels } from './catalogue-cards.ts'
import type { Filters } from './catalogue-filters.tsx'
import { useSync } from './use-sync.ts'
import * as texts from './texts.ts'

interface NothingFoundProps {
  /** the term of the last search, which lags behind the search field */
  term: string
  provider: string
  filters: Filters
  onClearFilters: () => void
  onAddCustom: () => void
}

/** Says why the catalogue shows no cards, and what to do next. */
export function NothingFound({ term, provider, filters, onClearFilters, onAddCustom }: NothingFoundProps) {
  const refresh = useSync('refresh')
  const { connectedOnly, authType } = filters
  const activeFilters = [
    connectedOnly && texts.connectedOnly,
    authType && authTypeLabels[authType],
    provider !== '' && texts.providersWith(provider),
  ].filter((name) => typeof name === 'string')
  return (
    <div className="grid animate-fade justify-items-start gap-1 py-16">
      <SearchX aria-hidden size={24} strokeWidth={1.75} className="mb-3 text-ink-faint" />
      <h2 className="text-lg font-semibold tracking-tight">{texts.nothingFound}</h2>
      <p className="wrap-anywhere text-ink-muted">
        {term !== ''
          ? texts.noResults(term)
          : provider !== ''
            ? texts.noProviders(provider)
            : connectedOnly
              ? authType
                ? texts.noneConnectedOfType
                : texts.noneConnected
              : texts.noneAvailable}
      </p>
      {activeFilters.length > 0 && (
        <p className="wrap-anywhere text-ink-muted">
          {texts.filteredBy(activeFilters)}{' '}
          <button type="button" onClick={onClearFilters} className="link font-medium">
            {texts.clearFilters}
          </button>
        </p>
      )}
      {term !== '' && (
        <p className="text-ink-muted">
          {texts.knownServer}{' '}
          <button type="button" onClick={onAddCustom} className="link font-medium">
            {texts.addKnownServer}
          </button>
        </p>
      )}
      {term === '' && activeFilters.length === 0 && (
        <Button busy={refresh.isPending} onClick={() => refresh.mutate()} className="mt-4">
          {texts.refreshIntegrations}
        </Button>
      )}
    </div>
  )
}
