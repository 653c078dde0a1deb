import { SearchX } from 'lucide-react'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { deferred } from '../../../components/lazy-component.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx'
import { Notice } from '../../../components/ui/callout.tsx'
import { useBrand } from '../../../lib/config.ts'
import { authTypeLabels, cardName, connectsAtOnce, type CatalogueCard } from './catalogue-cards.ts'
import { CatalogueFilters, type Filters } from './catalogue-filters.tsx'
import { CatalogueHeader } from './catalogue-header.tsx'
import { CardSkeleton, IntegrationCard } from './integration-card.tsx'
import { syncStatusQuery } from './catalogue-queries.ts'
import type { FailedAttempt } from '../connect/setup-dialog.tsx'
import { useCatalogue } from './use-catalogue.ts'
import { disconnectConsequence, useConnections } from '../connect/use-connections.ts'
import { useEscapeHome } from './use-escape-home.ts'
import { useNow } from '../state/use-now.ts'
import { useSync } from './use-sync.ts'
import { toolsQuery } from '../state/tools-query.ts'

const { Deferred: SetupDialog } = deferred(() =>
  import('../connect/setup-dialog.tsx').then((module) => module.SetupDialog),
)
const { Deferred: CustomToolsDialog } = deferred(() =>
  import('../custom-tools/custom-tools-dialog.tsx').then((module) => module.CustomToolsDialog),
)

/** What the setup dialog is opened with. */
interface Setup {
  card: CatalogueCard
  note?: string | undefined
  failedAttempt?: FailedAttempt
  open: boolean
  /** how many attempts have failed: after each the dialog is a new one, with the values of that attempt */
  failures: number
}

const noFilters: Filters = { text: '', authType: undefined, provider: '', connectedOnly: false }
const skeletons = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']

/** The catalogue of integrations: find one, connect it, see how it stands (NAV-05, INT-01 to INT-36). */
export function IntegrationsPage({ userId }: { userId: string }) {
  const { brandName, assistantName } = useBrand()
  const navigate = useNavigate()
  const [filters, setFilters] = useState(noFilters)
  const [setup, setSetup] = useState<Setup>()
  const [disconnecting, setDisconnecting] = useState<CatalogueCard>()
  const [customOpen, setCustomOpen] = useState(false)
  const [customMet, setCustomMet] = useState(false)
  const catalogue = useCatalogue(userId, filters)
  const status = useQuery(syncStatusQuery)
  const { data: tools } = useQuery(toolsQuery(userId))
  const connections = useConnections(userId)
  const now = useNow()
  useEscapeHome(useCallback(() => void navigate('/'), [navigate]))
  useEffect(() => {
    document.title = `MCP Integrations · ${brandName}`
  }, [brandName])

  const { connect, startOAuth, disconnect, refresh } = connections
  const onSetup = useCallback((card: CatalogueCard, note?: string) => {
    setSetup((before) => ({ card, note, open: true, failures: before?.failures ?? 0 }))
  }, [])
  const onFailedAttempt = (card: CatalogueCard, failedAttempt: FailedAttempt) =>
    // a dialog that was opened meanwhile stays: the toast says what failed
    setSetup((before) =>
      before?.open ? before : { card, failedAttempt, open: true, failures: (before?.failures ?? 0) + 1 },
    )
  const onConnect = useCallback(
    (card: CatalogueCard) => {
      const way = connectsAtOnce(card)
      if (way === undefined) onSetup(card)
      else if (way === 'directly') void connect(card, {}, {})
      else
        void startOAuth(card, { clientId: '', clientSecret: '', parameters: {} }).then((failure) => {
          if (failure?.needsSetup) onSetup(card, failure.sentence)
        })
    },
    [connect, onSetup, startOAuth],
  )
  const onRefresh = useCallback((mcpId: string) => void refresh(mcpId), [refresh])
  const openCustom = () => {
    setCustomMet(true)
    setCustomOpen(true)
  }

  return (
    <div className="min-h-dvh">
      <CatalogueHeader
        available={catalogue.available}
        status={status.data}
        now={now}
        onAddCustom={openCustom}
      />
      <main
        aria-busy={catalogue.loading || undefined}
        className="mx-auto max-w-[calc(var(--width-grid)+3rem)] px-6 pt-6 pb-16 max-sm:px-4 max-sm:pt-4"
      >
        <CatalogueFilters
          filters={filters}
          onChange={setFilters}
          searching={catalogue.searching}
          summary={<Summary catalogue={catalogue} />}
        />
        {catalogue.connections.isLoadingError && (
          <div className="mb-4">
            <Notice
              tone="danger"
              action={{ label: 'Try again', onClick: () => void catalogue.connections.refetch() }}
            >
              Your connections could not be read, so cards may say “Not connected”.
            </Notice>
          </div>
        )}
        {catalogue.loading ? (
          <Grid>
            {skeletons.map((key) => (
              <CardSkeleton key={key} />
            ))}
          </Grid>
        ) : catalogue.cards.length === 0 ? (
          <NothingFound
            term={catalogue.term}
            provider={catalogue.provider}
            filters={filters}
            onClearFilters={() => setFilters({ ...noFilters, text: filters.text })}
          />
        ) : (
          <Grid>
            {catalogue.cards.map((card) => (
              <IntegrationCard
                key={card.id}
                card={card}
                tools={card.integration && tools?.find(({ id }) => id === card.id)}
                busy={connections.busy.get(card.id)}
                now={now}
                onConnect={onConnect}
                onSetup={onSetup}
                onDisconnect={setDisconnecting}
                onRefresh={onRefresh}
              />
            ))}
          </Grid>
        )}
        {catalogue.hasMore && (
          <div className="mt-6 grid place-items-center">
            <Button busy={catalogue.loadingMore} onClick={catalogue.loadMore}>
              {catalogue.loadingMore ? 'Loading...' : 'Load More'}
            </Button>
          </div>
        )}
      </main>
      <ConfirmDialog
        subject={disconnecting}
        title={(card) => `Disconnect ${cardName(card)}?`}
        confirmLabel="Disconnect"
        onConfirm={({ id }) => void disconnect(id)}
        onClose={() => setDisconnecting(undefined)}
      >
        {(card) => disconnectConsequence(cardName(card), assistantName)}
      </ConfirmDialog>
      {setup && (
        <Suspense>
          <SetupDialog
            key={`${setup.card.id} ${setup.failures}`}
            card={setup.card}
            note={setup.note}
            failedAttempt={setup.failedAttempt}
            open={setup.open}
            onOpenChange={(open) => setSetup({ ...setup, open })}
            onConnect={connect}
            onStartOAuth={async (card, values) => {
              const failure = await startOAuth(card, values, (sentence) =>
                onFailedAttempt(card, { sentence, values }),
              )
              return failure?.sentence
            }}
          />
        </Suspense>
      )}
      {customMet && (
        <Suspense>
          <CustomToolsDialog userId={userId} open={customOpen} onOpenChange={setCustomOpen} />
        </Suspense>
      )}
    </div>
  )
}

/** INT-13 */
function Grid({ children }: { children: React.ReactNode }) {
  return <div className="grid grid-cols-1 gap-4 max-sm:gap-3 md:grid-cols-2 lg:grid-cols-3">{children}</div>
}

/** INT-24, INT-25; else how many there are. */
function Summary({ catalogue }: { catalogue: ReturnType<typeof useCatalogue> }) {
  if (catalogue.loading)
    return (
      <>
        <span>Loading integrations...</span> <span>Using cached data when available</span>
      </>
    )
  if (catalogue.searching) return 'Searching...'
  const shown = catalogue.cards.filter(({ environment }) => environment === 'production').length
  const total = Math.max(shown, catalogue.total ?? 0)
  const sandboxes = catalogue.cards.length - shown
  const text =
    shown === total
      ? `${total.toLocaleString('en')} shown`
      : `Showing ${shown.toLocaleString('en')} of ${total.toLocaleString('en')}`
  // sandbox cards are not integrations of their own, but they are cards that one sees
  return sandboxes === 0 ? text : `${text}, plus ${sandboxes} sandbox`
}

/** INT-26 to INT-29 */
function NothingFound({
  term,
  provider,
  filters,
  onClearFilters,
}: {
  term: string
  provider: string
  filters: Filters
  onClearFilters: () => void
}) {
  const refresh = useSync('refresh')
  const { connectedOnly, authType } = filters
  const active = [
    connectedOnly && 'Connected',
    authType && authTypeLabels[authType],
    provider !== '' && `providers with "${provider}"`,
  ].filter((name) => typeof name === 'string')
  return (
    <div className="grid animate-fade justify-items-start gap-1 py-16">
      <SearchX aria-hidden size={24} strokeWidth={1.75} className="mb-3 text-ink-faint" />
      <h2 className="text-lg font-semibold tracking-tight">No integrations found</h2>
      <p className="wrap-anywhere text-ink-muted">
        {term !== ''
          ? `No results for "${term}"`
          : provider !== ''
            ? `No results of providers with "${provider}"`
            : connectedOnly
              ? 'Nothing is connected yet'
              : 'No integrations available'}
      </p>
      {active.length > 0 && (
        <p className="wrap-anywhere text-ink-muted">
          Filtered by {active.join(', ')}.{' '}
          <button type="button" onClick={onClearFilters} className="link font-medium">
            Clear filters
          </button>
        </p>
      )}
      {term === '' && active.length === 0 && (
        <Button busy={refresh.isPending} onClick={() => refresh.mutate()} className="mt-4">
          Refresh Integrations
        </Button>
      )}
    </div>
  )
}
