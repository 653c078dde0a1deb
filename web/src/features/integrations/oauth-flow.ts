import type { QueryClient } from '@tanstack/react-query'
import { oauthCallbackPath } from '#shared/oauth-client.ts'
import { showToast } from '../../components/ui/toast.ts'
import { callApi } from '../../lib/call-api.ts'
import type { CatalogueCard } from './catalogue.ts'
import { ConnectionRefused } from './connection-failure.ts'
import { integrationsChanged, integrationsQuery } from './user-integrations.ts'
import { connectedSince, forgetAttempt, rememberAttempt } from './oauth-attempt.ts'
import { popupOutcome, type PopupOutcome } from './oauth-popup.ts'

/** What people typed into the setup dialog. */
export interface OAuthValues {
  clientId: string
  clientSecret: string
  parameters: Record<string, string>
}

const initiateTimeoutMs = 30_000

/** SETUP-13, DEC-088 */
export const redirectUri = () => `${location.origin}${oauthCallbackPath}`

/**
 * Asks for the provider's address and shows it in the window that the click opened.
 * @returns the state of the flow, which its result will carry; undefined when the server wanted no sign-in and is connected
 * @throws ConnectionRefused, ApiError, NetworkError; the window is closed then
 */
export async function beginFlow(
  popup: Window,
  card: CatalogueCard,
  values: OAuthValues,
): Promise<string | undefined> {
  const clientId = values.clientId.trim()
  try {
    const { authUrl, mcpId } = await callApi(
      'oauth.handle',
      {
        body: {
          action: 'initiate',
          mcpId: card.entry.id,
          environment: card.environment,
          redirectUri: redirectUri(),
          ...(clientId !== '' && { clientId }),
          ...(values.clientSecret !== '' && { clientSecret: values.clientSecret }),
          ...(Object.keys(values.parameters).length > 0 && { parameters: values.parameters }),
        },
      },
      { timeoutMs: initiateTimeoutMs },
    )
    if (authUrl === undefined && mcpId !== undefined) {
      popup.close()
      return undefined
    }
    const address = authAddress(authUrl)
    rememberAttempt({ mcpId: card.id, clientId, environment: card.environment, timestamp: Date.now() })
    popup.location.replace(address.href)
    return address.searchParams.get('state') ?? ''
  } catch (error) {
    popup.close()
    throw error
  }
}

/** OAUTH-24, DEC-088: only https leaves this page; plain http where the page itself is of this machine. */
function authAddress(authUrl: string | undefined): URL {
  if (!authUrl) throw new ConnectionRefused('No authorization URL received')
  const address = URL.canParse(authUrl) ? new URL(authUrl) : undefined
  const local = location.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(location.hostname)
  if (address?.protocol === 'https:' || (local && address?.protocol === 'http:')) return address
  throw new ConnectionRefused('The provider’s address is not safe to open.')
}

/** Waits for the result and says what came of it; connected counts only what the stored row says (DEC-093, DEC-095). */
export async function finishFlow(
  popup: Window,
  state: string,
  card: CatalogueCard,
  { queryClient, userId }: { queryClient: QueryClient; userId: string },
): Promise<void> {
  const begun = Date.now()
  // a window that seemed closed may say so itself afterwards
  let told = false
  const conclude = async (outcome: PopupOutcome) => {
    forgetAttempt(card.id)
    try {
      if (outcome.kind === 'error') {
        showToast('error', 'Connection Failed', { description: outcome.error || 'Failed to connect' })
        await integrationsChanged(queryClient)
        return
      }
      await integrationsChanged(queryClient)
      const rows = await queryClient.fetchQuery({ ...integrationsQuery(userId), staleTime: 0 })
      const row = rows.find(({ mcp_id }) => mcp_id === card.id)
      if (connectedSince(row, begun)) {
        if (!told) connectedToast()
        told = true
      } else if (outcome.kind === 'success')
        showToast('error', 'Connection Failed', { description: 'Failed to connect' })
    } catch {
      showToast('error', 'Connection Error', {
        description: 'Failed to complete connection. Please try again.',
      })
    }
  }
  const late = (outcome: PopupOutcome) => void conclude(outcome)
  await conclude(await popupOutcome(popup, state, late))
}

/** INT-67 */
export function connectedToast(): void {
  showToast('success', 'Integration Connected', {
    description: 'Successfully connected to the integration',
  })
}
