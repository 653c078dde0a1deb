import { t, plural } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useId, useState } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { useBackToChat } from '../../../lib/navigation/use-back-to-chat.ts'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { useDocumentTitle } from '../../../lib/navigation/use-document-title.ts'
import { useInput } from '../../../lib/input/use-input.ts'
import { useNow } from '../../../lib/browser/use-now.ts'
import { useConnections } from '../connect/use-connections.ts'
import { type CatalogueCard, getCardName, authTypeLabels } from '../state/catalogue-cards.ts'
import { customToolsQuery, syncStatusQuery } from '../state/catalogue-queries.ts'
import { toolsQuery } from '../state/tools-query.ts'
import { LoadingCards } from './card-grid.tsx'
import { CardGroupSection } from './card-group-section.tsx'
import { CatalogueFilters, type Filters } from './catalogue-filters.tsx'
import { CatalogueHeader } from './catalogue-header.tsx'
import { useCatalogue, type Catalogue } from './use-catalogue.ts'
import { useEscapeToLeave } from './use-escape-to-leave.ts'
import { useSetup } from './use-setup.ts'
import { Button } from '../../../components/ui/button.tsx'
import { getErrorMessage } from '../../../lib/api/api-errors.ts'
import type { NextPage } from './catalogue-view.ts'
import { formatCount, formatList } from '../../../lib/text/locale.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { useBrand } from '../../../lib/api/config.ts'
import { useLast } from '../../../lib/browser/use-last.ts'
import { describeDisconnect, useDisconnect } from '../connect/use-disconnect.ts'
import { SearchX } from 'lucide-react'
import { useSync } from './use-sync.ts'

const SetupDialog = lazyComponent(() => import('../connect/setup-dialog.tsx'), 'SetupDialog')
const CustomToolsDialog = lazyComponent(
  () => import('../custom-tools/custom-tools-dialog.tsx'),
  'CustomToolsDialog',
)

const allowedText = {
  catalogue: t`Your administrator does not allow servers of your own.`,
  built_in: t`Your administrator allows built-in integrations only.`,
  none: t`Your administrator does not allow tools. What you connected before is not used any more; you can disconnect it.`,
}

const noFilters: Filters = { text: '', authType: undefined, provider: '', connectedOnly: false }

/** The catalogue of integrations: search, connect, see their status. */
export function IntegrationsPage({ userId }: { userId: string }) {
  const { onBack } = useBackToChat()
  const filterInput = useInput(useId(), { stored: noFilters, onLeave: 'forget' })
  const filters = filterInput.value
  const catalogue = useCatalogue(userId, filters)
  const { data: syncStatus } = useQuery(syncStatusQuery)
  const { data: tools } = useQuery(toolsQuery(userId))
  const connections = useConnections(userId)
  const setup = useSetup(connections)
  const [cardToDisconnect, setCardToDisconnect] = useState<CatalogueCard>()
  /** undefined until it is first opened */
  const [isCustomOpen, setIsCustomOpen] = useState<boolean>()
  const now = useNow()
  useEscapeToLeave(onBack)
  useDocumentTitle(t`MCP Integrations`)

  const { refresh } = connections
  const onRefresh = useCallback((mcpId: string) => void refresh(mcpId), [refresh])
  const { connectCard } = setup
  const onConnect = useCallback((card: CatalogueCard) => void connectCard(card), [connectCard])
  const openCustom = () => setIsCustomOpen(true)
  const toolsAllowed = useToolsAllowed()
  const isCustomAllowed = toolsAllowed === 'all'
  // those that were added before can be deleted
  const { data: customTools = [] } = useQuery({ ...customToolsQuery(userId), enabled: !isCustomAllowed })
  const ownToolsLabel = customTools.length > 0 ? t`Custom Tools` : undefined
  const customLabel = isCustomAllowed ? t`Add Custom` : ownToolsLabel

  return (
    <div className="min-h-dvh">
      <CatalogueHeader
        availableCount={catalogue.availableCount}
        status={syncStatus}
        now={now}
        customLabel={customLabel}
        onAddCustom={openCustom}
      />
      <main
        aria-busy={catalogue.isLoading || undefined}
        className="mx-auto max-w-[calc(var(--width-grid)+3rem)] px-6 pt-6 pb-16 max-sm:px-4 max-sm:pt-4"
      >
        <CatalogueFilters
          filters={filterInput}
          isSearching={catalogue.isSearching}
          hasConnectedFilter={
            toolsAllowed !== 'none' || filters.connectedOnly || catalogue.connectionsQuery.data?.length !== 0
          }
          summary={<CatalogueSummary catalogue={catalogue} />}
        />
        {toolsAllowed !== 'all' && (
          <div className="mb-4">
            <Callout variant="info">{allowedText[toolsAllowed]}</Callout>
          </div>
        )}
        <LoadErrors catalogue={catalogue} />
        {catalogue.isLoading && <LoadingCards />}
        {!catalogue.isLoading && !catalogue.error && catalogue.cards.length === 0 && (
          <NothingFound
            term={catalogue.term}
            provider={catalogue.provider}
            filters={filters}
            onClearFilters={() => filterInput.change({ ...noFilters, text: filters.text })}
            onAddCustom={toolsAllowed === 'all' ? openCustom : undefined}
          />
        )}
        {!catalogue.isLoading &&
          catalogue.groups.map((group) => (
            <CardGroupSection
              key={String(group.isFirst)}
              group={group}
              tools={tools}
              now={now}
              onConnect={onConnect}
              onSetup={setup.openSetup}
              onDisconnect={setCardToDisconnect}
              onRefresh={onRefresh}
            />
          ))}
        {catalogue.nextPage && <MoreResults nextPage={catalogue.nextPage} />}
      </main>
      <DisconnectDialog card={cardToDisconnect} onClose={() => setCardToDisconnect(undefined)} />
      {setup.dialog && (
        <Suspense>
          <SetupDialog key={setup.dialog.key} {...setup.dialog.props} />
        </Suspense>
      )}
      {isCustomOpen !== undefined && (
        <Suspense>
          <CustomToolsDialog userId={userId} open={isCustomOpen} onOpenChange={setIsCustomOpen} />
        </Suspense>
      )}
    </div>
  )
}

/** Says what could not be loaded: the connections, or the integrations. */
function LoadErrors({ catalogue: { connectionsQuery, isLoading, error, retry } }: { catalogue: Catalogue }) {
  return (
    <>
      {connectionsQuery.isLoadingError && (
        <div className="mb-4">
          <Callout
            variant="danger"
            error={connectionsQuery.error}
            action={{ label: t`Try again`, onClick: () => void connectionsQuery.refetch() }}
          >
            {t`Your connections could not be loaded, so cards may show “Not connected”.`}
          </Callout>
        </div>
      )}
      {error && !isLoading && (
        <div className="mb-4">
          <Callout variant="danger" error={error} action={{ label: t`Try again`, onClick: retry }}>
            {t`Integrations could not be loaded.`}
          </Callout>
        </div>
      )}
    </>
  )
}

/** Loads the next page of the catalogue. */
function MoreResults({ nextPage: { isLoading, error, load } }: { nextPage: NextPage }) {
  return (
    <div className="mt-6 grid place-items-center gap-4">
      {error && (
        <Callout variant="danger" error={error}>
          {t`More could not be loaded.`} {getErrorMessage(error)}
        </Callout>
      )}
      <Button busy={isLoading} onClick={load}>
        {isLoading ? t`Loading...` : t`Load More`}
      </Button>
    </div>
  )
}

/** Sandbox cards are counted apart: they are no further integrations. */
const formatWithSandboxes = (summary: string, sandboxes: number) =>
  plural(sandboxes, { one: `${summary}, plus # sandbox`, other: `${summary}, plus # sandboxes` })

/** The number of results, or the progress. */
function CatalogueSummary({ catalogue }: { catalogue: Catalogue }) {
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

/** Asks whether an integration is disconnected. @param card undefined while nothing is asked */
function DisconnectDialog({ card, onClose }: { card: CatalogueCard | undefined; onClose: () => void }) {
  const { assistantName } = useBrand()
  const disconnect = useDisconnect()
  const shownCard = useLast(card)
  if (!shownCard) return null
  const name = getCardName(shownCard)
  return (
    <ActionDialog
      open={card !== undefined}
      onClose={onClose}
      title={t`Disconnect ${name}?`}
      confirmLabel={t`Disconnect`}
      isDestructive
      // closes at once: the card shows the progress, and a toast the result
      onConfirm={async () => void disconnect(shownCard.id)}
    >
      <p className="wrap-anywhere text-ink-muted">{describeDisconnect(name, assistantName)}</p>
    </ActionDialog>
  )
}

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
function NothingFound({ term, provider, filters, onClearFilters, onAddCustom }: NothingFoundProps) {
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
