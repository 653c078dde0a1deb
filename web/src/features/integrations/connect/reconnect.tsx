import { t } from '@lingui/core/macro'
import { CopyDetails } from '../../../components/ui/copy-details.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { Link } from '../../../lib/navigation/router.tsx'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import type { Connection } from '#shared/contracts/integrations.ts'
import { healthStatus } from '#shared/token-status.ts'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { allowEntry, toEntryId, type CatalogueCard } from '../state/catalogue-cards.ts'
import { entryQuery } from '../state/catalogue-queries.ts'
import { useConnectionActivity } from './connection-activity.ts'
import { invalidateIntegrations, integrationsQuery } from '../state/integrations-query.ts'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { integrationsPath } from '../../../lib/navigation/paths.ts'
import { noOAuthValues, type ManualRegistration } from '../oauth/oauth-flow.ts'
import type { FailedAttempt, SetupDialogProps } from './setup-dialog.tsx'
import { useConnections } from './use-connections.ts'

const SetupDialog = lazyComponent(() => import('./setup-dialog.tsx'), 'SetupDialog')

const CustomToolKey = lazyComponent(() => import('./custom-tool-key.tsx'), 'CustomToolKey')

interface ReconnectProps {
  userId: string
  mcpId: string
  name: string
  /** ISO 8601: only a connection made after this counts */
  since: string
  /** a custom tool whose key was rejected */
  needsKey: boolean
  busy: boolean
  onConnected: () => void
}

/** Reconnects an integration in the chat: a button, or a field for the key of a custom tool. */
export function Reconnect({ needsKey, ...props }: ReconnectProps) {
  const toolsAllowed = useToolsAllowed()
  if (toolsAllowed === 'none' || (needsKey && toolsAllowed !== 'all')) return <NotAllowed />
  return needsKey ? (
    <Suspense>
      <CustomToolKey {...props} />
    </Suspense>
  ) : (
    <ReconnectButton {...props} />
  )
}

const NotAllowed = () => <p>{t`Your administrator does not allow it.`}</p>

/**
 * The button that reconnects an integration in the chat: by the provider's popup, which opens on the click, or by the setup dialog if input
 * is needed. `onConnected` is called once when the connection works, wherever it was made, and when the user presses Continue.
 */
function ReconnectButton({
  userId,
  mcpId,
  name,
  since,
  busy,
  onConnected,
}: Omit<ReconnectProps, 'needsKey'>) {
  const entry = useQuery({ ...entryQuery(toEntryId(mcpId)), retry: 1 })
  const connection = useConnection(userId, mcpId)
  const getActivity = useConnectionActivity()
  const toolsAllowed = useToolsAllowed()
  const button = useRef<HTMLButtonElement>(null)
  const card: CatalogueCard | undefined = entry.data && {
    id: mcpId,
    ...allowEntry(entry.data, toolsAllowed),
    environment: mcpId === entry.data.id ? 'production' : 'sandbox',
    connection,
  }
  const { problem, reconnect, setup, openSetup } = useReconnection(userId, card, button)
  const isReconnected = connection !== undefined && isHealthySince(connection, since)
  useOnce(isReconnected, onConnected)

  const continueButton = (
    <Button variant="primary" busy={busy} onClick={onConnected}>
      {t`Continue`}
    </Button>
  )
  if (isReconnected) return continueButton
  if (card?.isAllowed === false) return <NotAllowed />
  // custom tool servers are not in the catalogue
  if (entry.isError)
    return (
      <>
        <Link to={integrationsPath} className={buttonClass()}>
          {t`Open integrations`}
        </Link>
        {continueButton}
      </>
    )
  return (
    <>
      <Button
        ref={button}
        variant="primary"
        busy={!card || getActivity(mcpId) !== undefined}
        disabled={busy}
        onClick={() => void reconnect()}
      >
        {t`Reconnect`}
      </Button>
      {problem !== undefined && (
        <p role="alert" className="order-last basis-full text-sm text-danger-ink">
          {problem.message}{' '}
          <button type="button" className="link font-medium" onClick={openSetup}>
            {t`Set up ${name} again`}
          </button>{' '}
          <CopyDetails error={problem.cause} />
        </p>
      )}
      {setup && (
        <Suspense>
          <SetupDialog {...setup} />
        </Suspense>
      )}
    </>
  )
}

/**
 * The connection, refetched on mount and when the page becomes visible: the cache may be outdated, and it
 * may be made in another window.
 */
function useConnection(userId: string, mcpId: string): Connection | undefined {
  const queryClient = useQueryClient()
  const { data } = useQuery(integrationsQuery(userId))
  useEffect(() => {
    const refetch = () => {
      if (!document.hidden) void invalidateIntegrations(queryClient)
    }
    refetch()
    document.addEventListener('visibilitychange', refetch)
    return () => document.removeEventListener('visibilitychange', refetch)
  }, [queryClient])
  return data?.find(({ mcp_id }) => mcp_id === mcpId)
}

const isHealthySince = ({ status, token_status, updated_at }: Connection, since: string) =>
  status === 'connected' &&
  healthStatus(token_status) === 'healthy' &&
  Date.parse(updated_at) > Date.parse(since)

/** Calls back when the condition first becomes true, and never again. */
function useOnce(condition: boolean, callback: () => void) {
  const wasCalled = useRef(false)
  const callLatest = useEffectEvent(callback)
  useEffect(() => {
    if (!condition || wasCalled.current) return
    wasCalled.current = true
    callLatest()
  }, [condition])
}

/**
 * Reconnects by a sign-in in a popup, or by the setup dialog if input is needed.
 * @param card undefined until the catalogue entry is loaded
 * @param button while it is shown, errors stand below it; otherwise toasts show them
 * @returns `setup`: the props of the setup dialog while it is open
 */
function useReconnection(
  userId: string,
  card: CatalogueCard | undefined,
  button: RefObject<HTMLElement | null>,
) {
  const { connect, startOAuth } = useConnections(userId)
  const [isSetupOpen, setIsSetupOpen] = useState(false)
  const [problem, setProblem] = useState<{ message: string; cause?: unknown }>()
  /** the input of the sign-in that failed in the popup */
  const [failedAttempt, setFailedAttempt] = useState<FailedAttempt>()
  const [manualRegistration, setManualRegistration] = useState<ManualRegistration>()
  const openSetup = () => setIsSetupOpen(true)

  /** @returns whether the error is shown here */
  const showProblem = (message: string, cause?: unknown) => {
    setProblem({ message, cause })
    return button.current !== null
  }
  const reconnect = async () => {
    if (!card) return
    if (!usesSignIn(card)) return openSetup()
    setProblem(undefined)
    const failure = await startOAuth(card, noOAuthValues, {
      onFailure: showProblem,
      onStartFailure: showProblem,
    })
    if (failure?.message !== undefined) setProblem({ cause: failure.cause, message: failure.message })
    setManualRegistration(failure?.manualRegistration)
  }
  const startFromDialog: SetupDialogProps['onStartOAuth'] = async (dialogCard, values) => {
    const onFailure = (message: string, cause?: unknown) => {
      setFailedAttempt({ message, values, cause })
      return showProblem(message, cause)
    }
    const failure = await startOAuth(dialogCard, values, { onFailure })
    if (failure?.manualRegistration) setManualRegistration(failure.manualRegistration)
    return failure
  }
  const setup: SetupDialogProps | undefined =
    isSetupOpen && card
      ? {
          card,
          manualRegistration,
          failedAttempt,
          open: true,
          onOpenChange: setIsSetupOpen,
          onConnect: connect,
          onStartOAuth: startFromDialog,
        }
      : undefined
  return { problem, reconnect, setup, openSetup }
}

/** Whether the integration is connected by a sign-in. A server that also takes a key may have been connected by either. */
const usesSignIn = ({ entry, connection }: CatalogueCard): boolean =>
  entry.auth_type === 'oauth2' || (entry.auth_type === 'unknown' && connection?.auth_type === 'oauth2')
