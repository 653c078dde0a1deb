import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { AppWindow, X } from 'lucide-react'
import { use, useRef, useState } from 'react'
import type { ToolCall } from '#shared/contracts/chat.ts'
import type { AppDomains } from '#shared/mcp-apps.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { Status } from '../../../components/ui/status.tsx'
import { getErrorMessage } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useConfig } from '../../../lib/api/config.ts'
import { appBlockers } from '../../../lib/browser/app-blockers.ts'
import { useStore } from '../../../lib/browser/create-store.ts'
import { readStored, writeStored } from '../../../lib/browser/storage.ts'
import { isFocusLost } from '../../../lib/input/focus-targets.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { stopFollowingEnd } from '../use-stick-to-bottom.ts'
import { AppContext, type AppConversation } from './app-context.ts'
import { AppFrame } from './app-frame.tsx'

/** Long: the service asks the server for the app. */
const openTimeoutMs = 30_000

/** Why an app was closed other than by the user. */
type CloseReason = 'takeover' | 'blocked' | 'unguarded'

/** A ref that takes the focus if the element that had it was removed. */
const takeLostFocus = (node: HTMLElement | null) => {
  if (isFocusLost()) node?.focus({ preventScroll: true })
}

interface OpenAppProps {
  /** the origin of the sandbox */
  origin: string
  call: ToolCall
  mcpId: string
  /** display name of the app's server */
  server: string
  context: AppConversation
  onClose: (reason?: CloseReason) => void
}

/** The frame of an opened app, with the button that closes it. */
function OpenApp({ server, onClose, ...app }: OpenAppProps) {
  const closeRef = useRef<() => Promise<void>>(undefined)
  const close = async () => {
    await closeRef.current?.()
    onClose()
  }
  return (
    <section
      ref={takeLostFocus}
      tabIndex={-1}
      aria-label={t`App from ${server}`}
      className="w-full overflow-hidden rounded-md bg-surface-raised hairline"
    >
      <header className="flex items-center gap-2 border-b border-line py-1 pe-1 ps-3 text-sm">
        <AppWindow aria-hidden size={16} className="shrink-0 text-ink-faint" />
        <span className="min-w-0 truncate font-medium max-sm:grow">{t`App from ${server}`}</span>
        <span className="min-w-0 grow truncate text-ink-faint max-sm:hidden">{t`Runs on its own, without access to this page`}</span>
        <IconButton size="sm" label={t`Close app`} icon={<X size={16} />} onClick={() => void close()} />
      </header>
      <LoadedApp {...app} server={server} closeRef={closeRef} onRefuse={() => onClose()} onClose={onClose} />
    </section>
  )
}

type AppProps = Parameters<typeof AppFrame>[0] & { server: string; onRefuse: () => void }

/** Loads the document of an app and shows the app. */
function LoadedApp(props: Omit<AppProps, 'app'>) {
  const { mcpId, call } = props
  const { data, error, refetch } = useQuery({
    queryKey: ['app', mcpId, call.tool],
    queryFn: ({ signal }) =>
      callApi(
        'apps.open',
        { body: { mcp_id: mcpId, tool: call.tool } },
        { signal, timeoutMs: openTimeoutMs },
      ),
    staleTime: Infinity,
    retry: false,
  })
  if (data) return <AppAfterConsent {...props} app={data} />
  if (error)
    return (
      <div className="p-3">
        <Callout
          variant="danger"
          error={error}
          action={{ label: t`Try again`, onClick: () => void refetch() }}
        >
          {getErrorMessage(error)}
        </Callout>
      </div>
    )
  return <AppLoading />
}

const AppLoading = () => (
  <Status className="flex items-center gap-2 p-3 text-sm text-ink-muted">
    <Spinner />
    {t`Loading the app`}
  </Status>
)

/** Shows the app if the user has agreed to apps of this server with these origins. Otherwise it asks first. */
function AppAfterConsent({ server, onRefuse, ...frame }: AppProps) {
  const { app, mcpId, context } = frame
  const consentScope = { userId: context.userId, mcpId }
  const [isShown, setShown] = useState(() => hasConsent(consentScope, app.domains))
  if (isShown) return <AppFrame {...frame} />
  const origins = [...new Set([...app.domains.connect, ...app.domains.resource])]
  return (
    <div className="grid gap-3 p-3.5 text-sm">
      <p>{t`${server} has an app that shows this result. It runs on its own and cannot see this page or your other chats. It gets what this call was sent and what it returned. It was made by ${server}: do not enter passwords in it.`}</p>
      {origins.length > 0 && (
        <div>
          <p>{t`It connects to:`}</p>
          <ul className="font-mono text-xs wrap-anywhere">
            {origins.map((origin) => (
              <li key={origin}>{origin}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="flex gap-2">
        <Button
          size="sm"
          variant="primary"
          onClick={({ currentTarget }) => {
            currentTarget.closest('section')?.focus({ preventScroll: true })
            storeConsent(consentScope, app.domains)
            setShown(true)
          }}
        >
          {t`Show app`}
        </Button>
        <Button size="sm" onClick={onRefuse}>
          {t`Not now`}
        </Button>
      </div>
    </div>
  )
}

/** The key under which the origins are stored to which the user has agreed. */
const getStorageKey = ({ userId, mcpId }: ConsentScope) => `juno.app.${userId}/${mcpId}`

/** Whose consent it is, and for the apps of which server. */
interface ConsentScope {
  userId: string
  mcpId: string
}

const serializeDomains = ({ connect, resource }: AppDomains) =>
  JSON.stringify([connect.toSorted(), resource.toSorted()])

/** Whether the user has agreed in this browser to apps of the server with these origins. */
const hasConsent = (scope: ConsentScope, domains: AppDomains): boolean =>
  readStored('local', getStorageKey(scope)) === serializeDomains(domains)

/** Stores the consent. In a browser without storage the user is asked again each time. */
const storeConsent = (scope: ConsentScope, domains: AppDomains): void =>
  void writeStored('local', getStorageKey(scope), serializeDomains(domains))

/**
 * The app that shows the result of a call (MCP Apps). It is loaded only when the user opens it. Renders nothing in a deployment without a sandbox
 * for apps, and outside of a conversation.
 */
export function AppCard({ call, mcpId }: { call: ToolCall; mcpId: string }) {
  const origin = useConfig()?.appsOrigin
  const context = use(AppContext)
  const [phase, setPhase] = useState<'offered' | 'open' | 'closed'>('offered')
  const [closeReason, setCloseReason] = useState<CloseReason>()
  const isBlocked = useStore(appBlockers) > 0
  const close = (reason?: CloseReason) => {
    setPhase('closed')
    setCloseReason(reason)
  }
  if (phase === 'open' && isBlocked) close('blocked')
  if (origin === undefined || !context) return null
  const server = revealHiddenCharacters(call.integration ?? mcpId)
  if (phase === 'open' && !isBlocked)
    return (
      <OpenApp origin={origin} call={call} mcpId={mcpId} server={server} context={context} onClose={close} />
    )
  return (
    <div className="grid justify-items-start gap-2">
      {closeReason && (
        <Callout variant="info">
          {closeReason === 'takeover'
            ? t`The app from ${server} was closed: it took the keyboard while you were elsewhere on this page.`
            : closeReason === 'unguarded'
              ? t`The app from ${server} was not opened: in this browser it might reach more addresses than it names.`
              : t`Apps are closed while a dialog or a field for a password or key is shown.`}
        </Callout>
      )}
      <Button
        // only if the user has closed it: otherwise the user was elsewhere, or a dialog or field is about to take the focus
        ref={phase === 'closed' && !closeReason ? takeLostFocus : undefined}
        size="sm"
        onClick={({ currentTarget }) => {
          stopFollowingEnd(currentTarget)
          if (isBlocked) return close('blocked')
          setCloseReason(undefined)
          setPhase('open')
        }}
      >
        <AppWindow aria-hidden size={16} />
        <span className="truncate">{t`Show app from ${server}`}</span>
      </Button>
    </div>
  )
}
