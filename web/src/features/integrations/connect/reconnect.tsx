import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { deferred } from '../../../components/lazy-component.tsx'
import type { Integration } from '#shared/contracts/integrations.ts'
import { healthStatus } from '#shared/token-status.ts'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { entryIdOf, type CatalogueCard } from '../catalogue/catalogue-cards.ts'
import { entryQuery } from '../catalogue/catalogue-queries.ts'
import { useConnections } from './use-connections.ts'
import { integrationsChanged, integrationsQuery } from '../state/integrations-query.ts'

const { Deferred: SetupDialog } = deferred(() =>
  import('./setup-dialog.tsx').then((module) => module.SetupDialog),
)

/**
 * The button that connects an integration again where it was missed: by the provider's window, which opens in the click itself, or by
 * the dialog where something has to be typed. `onConnected` is called once when the connection is there, wherever it was made.
 */
export function Reconnect({
  userId,
  mcpId,
  name,
  since,
  busy,
  onConnected,
}: {
  userId: string
  mcpId: string
  name: string
  /** ISO 8601: a connection made after this counts */
  since: string
  busy: boolean
  onConnected: () => void
}) {
  const entry = useQuery({ ...entryQuery(entryIdOf(mcpId)), retry: 1 })
  const row = useRow(userId, mcpId)
  const { busy: connecting, connect, startOAuth } = useConnections(userId)
  const [typing, setTyping] = useState(false)
  const [problem, setProblem] = useState<string>()
  const connected = row !== undefined && isNewer(row, since)
  useOnce(connected, onConnected)

  const go = (
    <Button tone="primary" busy={busy} onClick={onConnected}>
      Continue
    </Button>
  )
  if (connected) return go
  // a tool server of the user's own is in no catalogue
  if (entry.isError)
    return (
      <>
        <Link to="/integrations" className={buttonClass()}>
          Open integrations
        </Link>
        {go}
      </>
    )
  const card: CatalogueCard | undefined = entry.data && {
    id: mcpId,
    entry: entry.data,
    environment: mcpId === entry.data.id ? 'production' : 'sandbox',
    integration: row,
  }
  const reconnect = async () => {
    if (!card) return
    if (card.entry.auth_type !== 'oauth2') return setTyping(true)
    setProblem(undefined)
    const failure = await startOAuth(card, { clientId: '', clientSecret: '', parameters: {} }, setProblem)
    setProblem(failure?.sentence)
  }
  return (
    <>
      <Button
        tone="primary"
        busy={!card || connecting.has(mcpId)}
        disabled={busy}
        onClick={() => void reconnect()}
      >
        Reconnect
      </Button>
      {problem !== undefined && (
        <p role="alert" className="order-last basis-full text-sm text-danger-ink">
          {problem}{' '}
          <button type="button" className="link font-medium" onClick={() => setTyping(true)}>
            Set up {name} anew
          </button>
        </p>
      )}
      {typing && card && (
        <Suspense>
          <SetupDialog
            card={card}
            open
            onOpenChange={setTyping}
            onConnect={connect}
            onStartOAuth={async (chosen, values) => {
              const failure = await startOAuth(chosen, values, setProblem)
              return failure?.sentence
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** The stored connection, asked for anew: the page may have known it when all was well, and it may be made in another window. */
function useRow(userId: string, mcpId: string): Integration | undefined {
  const queryClient = useQueryClient()
  const { data } = useQuery(integrationsQuery(userId))
  useEffect(() => {
    const look = () => {
      if (!document.hidden) void integrationsChanged(queryClient)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [queryClient])
  return data?.find(({ mcp_id }) => mcp_id === mcpId)
}

const isNewer = ({ status, token_status, updated_at }: Integration, since: string) =>
  status === 'connected' &&
  healthStatus(token_status) === 'healthy' &&
  Date.parse(updated_at) > Date.parse(since)

/** Calls back when a condition comes true, the first time only. */
function useOnce(condition: boolean, callback: () => void) {
  const latest = useRef(callback)
  const called = useRef(false)
  useEffect(() => {
    latest.current = callback
  })
  useEffect(() => {
    if (!condition || called.current) return
    called.current = true
    latest.current()
  }, [condition])
}
