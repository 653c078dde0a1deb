import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useId, useState } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { useNow } from '../../../lib/browser/use-now.ts'
import { useInput } from '../../../lib/input/use-input.ts'
import { useBackToChat } from '../../../lib/navigation/use-back-to-chat.ts'
import { useDocumentTitle } from '../../../lib/navigation/use-document-title.ts'
import { useConnections } from '../connect/use-connections.ts'
import type { CatalogueCard } from '../state/catalogue-cards.ts'
import { customToolsQuery, syncStatusQuery } from '../state/catalogue-queries.ts'
import { toolsQuery } from '../state/tools-query.ts'
import { LoadingCards } from './card-grid.tsx'
import { CardGroupSection } from './card-group-section.tsx'
import { CatalogueFilters, type Filters } from './catalogue-filters.tsx'
import { CatalogueHeader } from './catalogue-header.tsx'
import { CatalogueSummary } from './catalogue-summary.tsx'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { MoreResults } from './more-results.tsx'
import { NothingFound } from './nothing-found.tsx'
import { type Catalogue, useCatalogue } from './use-catalogue.ts'
import { useEscapeToLeave } from './use-escape-to-leave.ts'
import { useSetup } from './use-setup.ts'

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
