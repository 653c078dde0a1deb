import { t } from '@lingui/core/macro'
import { translateSentence } from '../../../lib/text/translate.ts'
import type { QueryClient } from '@tanstack/react-query'
import { oauthCallbackPath } from '#shared/oauth-client.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { showToast } from '../../../components/ui/toast.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import type { CatalogueCard } from '../state/catalogue-cards.ts'
import { ConnectionError } from '../state/connection-error.ts'
import { invalidateIntegrations, integrationsQuery, providerTimeoutMs } from '../state/integrations-query.ts'
import { isConnectedSince, removeAttempt, saveAttempt } from './oauth-attempt.ts'
import { confirmThirdPartySignIn } from './third-party-sign-in.tsx'
import { waitForOAuthResult, type OAuthResult, showLoadingMessage } from './oauth-popup.ts'

/** The values of the setup dialog. */
export interface OAuthValues {
  clientId: string
  clientSecret: string
  parameters: Record<string, string>
  /** the redirect URI that the user has registered the client with; by default `getRedirectUri()` */
  redirectUri?: string | undefined
}

/** The values of a sign-in that needs no input. */
export const noOAuthValues: OAuthValues = { clientId: '', clientSecret: '', parameters: {} }

/** What the user needs to register a client at a server that does not register clients. */
export type ManualRegistration = NonNullable<RouteResponse<'oauth.handle'>['manualRegistration']>

/**
 * The redirect URI for apps that users register by hand. The API uses others for servers that register
 * clients dynamically.
 */
export const getRedirectUri = () => `${location.origin}${oauthCallbackPath}`

/** The result of starting a flow; `state` identifies it. */
export type OAuthStart =
  | { kind: 'signing-in'; state: string; connectedAt: string | undefined }
  /** the server needs no sign-in */
  | { kind: 'connected' }
  /** the user declined to sign in with a third party */
  | { kind: 'cancelled' }
  | { kind: 'client-needed'; message: string; manualRegistration: ManualRegistration }

interface PageState {
  queryClient: QueryClient
  userId: string
}

/** When the integration was connected, by the cache of this page; undefined if it is not. */
const findConnectedAt = ({ queryClient, userId }: PageState, { id }: CatalogueCard) =>
  queryClient
    .getQueryData(integrationsQuery(userId).queryKey)
    ?.find(({ mcp_id, status }) => mcp_id === id && status === 'connected')?.connected_at

/**
 * Requests the authorization URL and opens it in the popup.
 * @throws ConnectionError, ApiError, NetworkError; the popup is closed then
 */
export async function startOAuthFlow(
  popup: Window,
  card: CatalogueCard,
  values: OAuthValues,
  page: PageState,
): Promise<OAuthStart> {
  const clientId = values.clientId.trim()
  const connectedAt = findConnectedAt(page, card)
  try {
    let response = await initiate(card, values)
    while (response.foreignSignIn) {
      const { foreignSignIn } = response
      const message = getMessage(response)
      if (!(await confirmThirdPartySignIn(popup, { message, ...foreignSignIn }))) {
        popup.close()
        return { kind: 'cancelled' }
      }
      showLoadingMessage(popup)
      response = await initiate(card, values, foreignSignIn.signsInAt)
    }
    const { authUrl, mcpId, manualRegistration } = response
    if (manualRegistration) {
      popup.close()
      return { kind: 'client-needed', message: getMessage(response), manualRegistration }
    }
    if (authUrl === undefined && mcpId !== undefined) {
      popup.close()
      return { kind: 'connected' }
    }
    const address = toAuthorizationUrl(authUrl)
    saveAttempt({
      mcpId: card.id,
      clientId,
      environment: card.environment,
      timestamp: Date.now(),
      connectedAt,
    })
    popup.location.replace(address.href)
    return { kind: 'signing-in', state: address.searchParams.get('state') ?? '', connectedAt }
  } catch (error) {
    popup.close()
    throw error
  }
}

const initiate = (card: CatalogueCard, values: OAuthValues, agreedTo?: string[]) =>
  callApi(
    'oauth.handle',
    {
      body: {
        action: 'initiate',
        mcpId: card.entry.id,
        environment: card.environment,
        redirectUri: values.redirectUri ?? getRedirectUri(),
        ...(values.clientId.trim() !== '' && { clientId: values.clientId.trim() }),
        ...(values.clientSecret !== '' && { clientSecret: values.clientSecret }),
        ...(Object.keys(values.parameters).length > 0 && { parameters: values.parameters }),
        ...(agreedTo && { agreedTo }),
      },
    },
    { timeoutMs: providerTimeoutMs },
  )

/** Accepts https, or the protocol of this page. */
function toAuthorizationUrl(authUrl: string | undefined): URL {
  if (!authUrl) throw new ConnectionError(t`No authorization URL received`)
  const address = URL.canParse(authUrl) ? new URL(authUrl) : undefined
  if (address?.protocol === 'https:' || address?.protocol === location.protocol) return address
  throw new ConnectionError(t`The provider’s address is not safe to open.`)
}

/** Receives an error message. @returns whether it shows the message, so that no toast is needed */
export type FailureListener = (message: string, cause?: unknown) => boolean

/**
 * Waits for the result and shows it by a toast. It is a success only if the service has the connection. A popup that was closed without one is
 * no failure, and shows nothing.
 * @param onFailure called with the error message, also for a result that arrives after the popup seemed closed
 */
export async function completeOAuthFlow(
  popup: Window,
  { state, connectedAt }: OAuthStart & { kind: 'signing-in' },
  card: CatalogueCard,
  {
    queryClient,
    userId,
    notify,
    onFailure,
  }: PageState & { notify: typeof showToast; onFailure?: FailureListener | undefined },
): Promise<void> {
  const startedAt = Date.now()
  // a popup that seemed closed may still report a result, so this may be handled twice
  let isNotified = false
  const fail = (title: string, message: string, cause?: unknown) => {
    if (onFailure?.(message, cause)) return
    // with an id, so that a second failure of the same flow replaces the first toast
    notify('error', title, { description: message, cause, id: `oauth ${state}` })
  }
  const handleResult = async (result: OAuthResult) => {
    removeAttempt(card.id, startedAt)
    try {
      if (result.kind === 'error') {
        fail(t`Connection Failed`, result.error || t`Failed to connect`, result.cause)
        await invalidateIntegrations(queryClient)
        return
      }
      await invalidateIntegrations(queryClient)
      const connections = await queryClient.fetchQuery({ ...integrationsQuery(userId), staleTime: 0 })
      const connection = connections.find(({ mcp_id }) => mcp_id === card.id)
      if (isConnectedSince(connection, connectedAt) && connection.token_status !== 'invalid') {
        if (!isNotified) showConnectedToast(notify)
        isNotified = true
      } else if (result.kind === 'success') fail(t`Connection Failed`, t`Failed to connect`)
    } catch (cause) {
      fail(t`Connection Error`, t`Failed to complete connection. Please try again.`, cause)
    }
  }
  const onLateResult = (result: OAuthResult) => void handleResult(result)
  await handleResult(await waitForOAuthResult(popup, state, onLateResult))
}

const getMessage = ({ message: text, code, params }: RouteResponse<'oauth.handle'>) =>
  translateSentence({ code, params, text })

/** Tells the user that the integration is connected. */
export function showConnectedToast(notify: typeof showToast): void {
  notify('success', t`Integration Connected`, {
    description: t`Successfully connected to the integration`,
  })
}
