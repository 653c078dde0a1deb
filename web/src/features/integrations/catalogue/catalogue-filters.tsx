import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuthType } from '#shared/contracts/connection-kinds.ts'
import { inputClass } from '../../../components/ui/field.tsx'
import { SearchField } from '../../../components/ui/search-field.tsx'
import { authTypeLabels, authTypes } from '../state/catalogue-cards.ts'
import { Select } from '../../../components/ui/select-field.tsx'
import { bind } from '../../../lib/input/text-input.ts'
import type { Input } from '../../../lib/input/use-input.ts'

/** What the catalogue is filtered by. */
export interface Filters {
  /** the text of the search field; empty for all */
  text: string
  /** undefined for all */
  authType: AuthType | undefined
  /** part of the provider's name; empty for all */
  provider: string
  connectedOnly: boolean
}

/** The limits of the API. */
const maxCharacters = { text: 200, provider: 100 }

interface CatalogueFiltersProps {
  filters: Input<Filters>
  isSearching: boolean
  /** whether there are, or can be, connections */
  hasConnectedFilter: boolean
  /** number of results or progress; announced */
  summary: ReactNode
}

/** The search field and three filters. */
export function CatalogueFilters({
  filters: input,
  isSearching,
  hasConnectedFilter,
  summary,
}: CatalogueFiltersProps) {
  const { value: filters, change: onChange } = input
  return (
    <div className="mb-5 flex flex-wrap items-center gap-2 max-sm:mb-4">
      <SearchField
        label={t`Search integrations`}
        clearLabel={t`Clear search`}
        input={input.at('text')}
        isSearching={isSearching}
        maxLength={maxCharacters.text}
        className="max-w-md min-w-60 flex-1 max-lg:max-w-none max-lg:min-w-52 max-sm:w-full max-sm:flex-none"
      />
      <span className="w-48 max-sm:w-full">
        <input
          type="text"
          aria-label={t`Provider`}
          autoComplete="off"
          spellCheck={false}
          maxLength={maxCharacters.provider}
          placeholder={t`Any provider`}
          {...bind(input.at('provider'))}
          className={clsx(inputClass, 'h-10 max-sm:h-11')}
        />
      </span>
      <Select
        aria-label={t`Sign-in type`}
        value={filters.authType ?? ''}
        options={[
          { value: '', label: t`All types` },
          ...authTypes.map((value) => ({ value, label: authTypeLabels[value] })),
        ]}
        onChange={(value) => onChange({ ...filters, authType: value === '' ? undefined : value })}
        // as high as the other filters
        className="w-44 max-sm:w-auto max-sm:max-w-[60%] max-sm:flex-auto sm:[&>select]:h-10"
      />
      {hasConnectedFilter && (
        <button
          type="button"
          aria-pressed={filters.connectedOnly}
          onClick={() => onChange({ ...filters, connectedOnly: !filters.connectedOnly })}
          className={clsx(
            'inline-flex h-10 items-center justify-center gap-1.5 rounded-md max-sm:flex-auto border px-3.5 font-medium transition-colors duration-(--duration-fast) max-sm:h-11',
            filters.connectedOnly
              ? 'border-accent-line bg-accent-soft text-accent-ink'
              : 'border-line-strong bg-surface-raised text-ink-muted hover:bg-surface-hover hover:text-ink',
          )}
        >
          {filters.connectedOnly && <Check aria-hidden size={16} />}
          {t({ message: 'Connected', context: 'filter' })}
        </button>
      )}
      <div role="status" className="ms-auto text-sm text-ink-faint max-lg:ms-0 max-lg:w-full">
        {summary}
      </div>
    </div>
  )
}
