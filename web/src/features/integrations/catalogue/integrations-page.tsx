import { plural, t } from '@lingui/core/macro'
import { Suspense, useCallback, useId, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { useBrand } from '../../../lib/config.ts'
import { getCardName, getConnectMode, type CatalogueCard } from '../state/catalogue-cards.ts'
import { CatalogueFilters, type Filters } from './catalogue-filters.tsx'
import { CatalogueHeader } from './catalogue-header.tsx'
import { CardSkeleton, IntegrationCard } from './integration-card.tsx'
import { syncStatusQuery } from '../state/catalogue-queries.ts'
import { NothingFound } from './nothing-found.tsx'
import type { FailedAttempt } from '../connect/setup-dialog.tsx'
import type { ManualRegistration } from '../oauth/oauth-flow.ts'
import { useCatalogue, type Connectedness } from './use-catalogue.ts'
import {
  describeDisconnect,
  useConnectionActivity,
  useConnections,
  useDisconnect,
} from '../connect/use-connections.ts'
import { useEscapeToLeave } from './use-escape-to-leave.ts'
import { useBackToChat } from '../../../lib/use-back-to-chat.ts'
import { useNow } from '../../../lib/use-now.ts'
import { toolsQuery } from '../state/tools-query.ts'
import { useDocumentTitle } from '../../../lib/use-document-title.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { useLast } from '../../../lib/use-last.ts'
import { formatCount } from '../../../lib/locale.ts'
import { getErrorMessage } from '../../../lib/api-errors.ts'
import { useInput } from '../../../lib/use-input.ts'

/** Sandbox cards are counted apart: they are no further integrations. */
const formatWithSandboxes = (summary: string, sandboxes: number) =>
  plural(sandboxes, { one: `${summary}, plus # sandbox`, other: `${summary}, plus # sandboxes` })

const SetupDialog = lazyComponent(() => import('../connect/setup-dialog.tsx'), 'SetupDialog')
const CustomToolsDialog = lazyComponent(
  () => import('../custom-tools/custom-tools-dialog.tsx'),
  'CustomToolsDialog',
)

/** What the setup dialog shows. It stays when the dialog closes, for the animation. */
interface Setup {
  card: CatalogueCard
  note?: string | undefined
  manualRegistration?: ManualRegistration | undefined
  failedAttempt?: FailedAttempt
  open: boolean
  /** number of failed attempts; each remounts the dialog with that attempt's values */
  failureCount: number
}

const noFilters: Filters = { text: '', authType: undefined, provider: '', connectedOnly: false }
const skeletons = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']

/** The catalogue of integrations: search, connect, see their status. */
export function IntegrationsPage({ userId }: { userId: string }) {
  const { assistantName } = useBrand()
  const { onBack } = useBackToChat()
  const filterInput = useInput(useId(), { stored: noFilters, onLeave: 'forget' })
  const filters = filterInput.value
  const [setup, setSetup] = useState<Setup>()
  const [cardToDisconnect, setCardToDisconnect] = useState<CatalogueCard>()
  const lastCard = useLast(cardToDisconnect)
  const [customOpen, setCustomOpen] = useState(false)
  const [hasCustomOpened, setHasCustomOpened] = useState(false)
  const catalogue = useCatalogue(userId, filters)
  const status = useQuery(syncStatusQuery)
  const { data: tools } = useQuery(toolsQuery(userId))
  const { connect, startOAuth, refresh } = useConnections(userId)
  const disconnect = useDisconnect()
  const getActivity = useConnectionActivity()
  const now = useNow()
  useEscapeToLeave(onBack)
  useDocumentTitle(t`MCP Integrations`)

  const onSetup = useCallback(
    (card: CatalogueCard, note?: string, manualRegistration?: ManualRegistration) => {
      setSetup((before) => ({
        card,
        note,
        manualRegistration,
        open: true,
        failureCount: before?.failureCount ?? 0,
      }))
    },
    [],
  )
  const onFailedAttempt = (card: CatalogueCard, failedAttempt: FailedAttempt) =>
    // keeps a dialog that is already open; a toast reports the error
    setSetup((before) =>
      before?.open
        ? before
        : {
            card,
            failedAttempt,
            manualRegistration: before?.card.id === card.id ? before.manualRegistration : undefined,
            open: true,
            failureCount: (before?.failureCount ?? 0) + 1,
          },
    )
  const onConnect = useCallback(
    (card: CatalogueCard) => {
      const mode = getConnectMode(card)
      if (mode === undefined) onSetup(card)
      else if (mode === 'direct') void connect(card, {}, {})
      else
        void startOAuth(card, { clientId: '', clientSecret: '', parameters: {} }).then((failure) => {
          if (failure?.needsSetup) onSetup(card, failure.message, failure.manualRegistration)
        })
    },
    [connect, onSetup, startOAuth],
  )
  const onRefresh = useCallback((mcpId: string) => void refresh(mcpId), [refresh])
  const openCustom = () => {
    setHasCustomOpened(true)
    setCustomOpen(true)
  }

  return (
    <div className="min-h-dvh">
      <CatalogueHeader
        availableCount={catalogue.availableCount}
        status={status.data}
        now={now}
        onAddCustom={openCustom}
      />
      <main
        aria-busy={catalogue.isLoading || undefined}
        className="mx-auto max-w-[calc(var(--width-grid)+3rem)] px-6 pt-6 pb-16 max-sm:px-4 max-sm:pt-4"
      >
        <CatalogueFilters
          filters={filterInput}
          searching={catalogue.isSearching}
          summary={<Summary catalogue={catalogue} />}
        />
        {catalogue.connections.isLoadingError && (
          <div className="mb-4">
            <Callout
              variant="danger"
              action={{ label: t`Try again`, onClick: () => void catalogue.connections.refetch() }}
            >
              {t`Your connections could not be loaded, so cards may show “Not connected”.`}
            </Callout>
          </div>
        )}
        {catalogue.isLoading ? (
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
            onClearFilters={() => filterInput.change({ ...noFilters, text: filters.text })}
            onAddCustom={openCustom}
          />
        ) : (
          catalogue.groups.map((group) => (
            <section key={String(group.isFirst)} aria-label={getHeading(group)} className="not-first:mt-8">
              <h2 className="mb-2 text-sm font-medium text-ink-muted">
                {getHeading(group)}{' '}
                <span className="font-normal text-ink-faint">{formatCount(group.cards.length)}</span>
              </h2>
              <Grid>
                {group.cards.map((card) => (
                  <IntegrationCard
                    key={card.id}
                    card={card}
                    tools={card.connection && tools?.find(({ id }) => id === card.id)}
                    activity={getActivity(card.id)}
                    now={now}
                    onConnect={onConnect}
                    onSetup={onSetup}
                    onDisconnect={setCardToDisconnect}
                    onRefresh={onRefresh}
                  />
                ))}
              </Grid>
            </section>
          ))
        )}
        {catalogue.hasMore && (
          <div className="mt-6 grid place-items-center gap-4">
            {catalogue.moreError && (
              <Callout variant="danger">
                {t`More could not be loaded.`} {getErrorMessage(catalogue.moreError)}
              </Callout>
            )}
            <Button busy={catalogue.isLoadingMore} onClick={catalogue.loadMore}>
              {catalogue.isLoadingMore ? t`Loading...` : t`Load More`}
            </Button>
          </div>
        )}
      </main>
      {lastCard && (
        <ActionDialog
          open={cardToDisconnect !== undefined}
          onClose={() => setCardToDisconnect(undefined)}
          title={t`Disconnect ${{ name: getCardName(lastCard) }}?`}
          confirmLabel={t`Disconnect`}
          isDestructive
          // closes at once: the card shows the progress, and a toast the result
          onConfirm={async () => void disconnect(lastCard.id)}
        >
          <p className="wrap-anywhere text-ink-muted">
            {describeDisconnect(getCardName(lastCard), assistantName)}
          </p>
        </ActionDialog>
      )}
      {setup && (
        <Suspense>
          <SetupDialog
            key={`${setup.card.id} ${setup.failureCount}`}
            card={setup.card}
            note={setup.note}
            manualRegistration={setup.manualRegistration}
            failedAttempt={setup.failedAttempt}
            open={setup.open}
            // another dialog may have been opened while this one was connecting
            onOpenChange={(open) =>
              setSetup((before) => (before?.card.id === setup.card.id ? { ...before, open } : before))
            }
            onConnect={connect}
            onStartOAuth={async (card, values) => {
              const failure = await startOAuth(card, values, (message) => {
                onFailedAttempt(card, { message, values })
                // the setup dialog and a toast report it
                return false
              })
              // the authorization server has changed: the app has to be registered with another redirect URI
              if (failure?.manualRegistration) onSetup(card, failure.message, failure.manualRegistration)
              return failure?.message
            }}
          />
        </Suspense>
      )}
      {hasCustomOpened && (
        <Suspense>
          <CustomToolsDialog userId={userId} open={customOpen} onOpenChange={setCustomOpen} />
        </Suspense>
      )}
    </div>
  )
}

/** A heading that is true of cards which stay where they are when they are connected or disconnected. */
function getHeading({ isFirst, connected }: { isFirst: boolean; connected: Connectedness }): string {
  switch (connected) {
    case 'all':
      return isFirst ? t`Connected` : t`Just connected`
    case 'some':
      return isFirst ? t`Connected, and just disconnected` : t`Available, and just connected`
    case 'none':
      return isFirst ? t`Just disconnected` : t`Available`
  }
}

function Grid({ children }: { children: React.ReactNode }) {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-3">{children}</div>
  )
}

/** The number of results, or the progress. */
function Summary({ catalogue }: { catalogue: ReturnType<typeof useCatalogue> }) {
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
  // sandbox cards are not counted as integrations, but they are visible
  return sandboxCount === 0 ? text : formatWithSandboxes(text, sandboxCount)
}
