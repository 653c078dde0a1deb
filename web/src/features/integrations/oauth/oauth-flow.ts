import type { QueryClient } from '@tanstack/react-query'
import { oauthCallbackPath } from '#shared/oauth-client.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { callApi } from '../../../lib/call-api.ts'
import type { CatalogueCard } from '../catalogue/catalogue-cards.ts'
import { ConnectionRefused } from '../state/connection-error.ts'
import { integrationsChanged, integrationsQuery } from '../state/integrations-query.ts'
import { connectedSince, forgetAttempt, rememberAttempt } from './oauth-attempt.ts'
import { askForeignSignIn } from './third-party-sign-in.tsx'
import { popupOutcome, type PopupOutcome, sayOneMoment } from './oauth-popup.ts'

/** What people typed into the setup dialog. */
export interface OAuthValues {
  clientId: string
  clientSecret: string
  parameters: Record<string, string>
}

const initiateTimeoutMs = 30_000

/** Of apps that people make at a provider by hand. The API chooses others for servers that it registers with. */
export const redirectUri = () => `${location.origin}${oauthCallbackPath}`

/** What became of a click: the state is what the flow's result will carry. */
export type BegunFlow =
  | { kind: 'signing-in'; state: string }
  /** the server wanted no sign-in */
  | { kind: 'connected' }
  /** the person did not agree to sign in at somebody else's */
  | { kind: 'cancelled' }

/**
 * Asks for the provider's address and shows it in the window that the click opened.
 * @throws ConnectionRefused, ApiError, NetworkError; the window is closed then
 */
export async function beginFlow(popup: Window, card: CatalogueCard, values: OAuthValues): Promise<BegunFlow> {
  const clientId = values.clientId.trim()
  try {
    let answer = await initiate(card, values)
    while (answer.foreignSignIn) {
      const { message, foreignSignIn } = answer
      if (!(await askForeignSignIn(popup, { message, ...foreignSignIn }))) {
        popup.close()
        return { kind: 'cancelled' }
      }
      sayOneMoment(popup)
      answer = await initiate(card, values, foreignSignIn.signsInAt)
    }
    const { authUrl, mcpId } = answer
    if (authUrl === undefined && mcpId !== undefined) {
      popup.close()
      return { kind: 'connected' }
    }
    const address = authAddress(authUrl)
    rememberAttempt({ mcpId: card.id, clientId, environment: card.environment, timestamp: Date.now() })
    popup.location.replace(address.href)
    return { kind: 'signing-in', state: address.searchParams.get('state') ?? '' }
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
        redirectUri: redirectUri(),
        ...(values.clientId.trim() !== '' && { clientId: values.clientId.trim() }),
        ...(values.clientSecret !== '' && { clientSecret: values.clientSecret }),
        ...(Object.keys(values.parameters).length > 0 && { parameters: values.parameters }),
        ...(agreedTo && { agreedTo }),
      },
    },
    { timeoutMs: initiateTimeoutMs },
  )

/** Nobody leaves this page for a less protected one: https, or the protocol of the page itself. */
function authAddress(authUrl: string | undefined): URL {
  if (!authUrl) throw new ConnectionRefused('No authorization URL received')
  const address = URL.canParse(authUrl) ? new URL(authUrl) : undefined
  if (address?.protocol === 'https:' || address?.protocol === location.protocol) return address
  throw new ConnectionRefused('The provider’s address is not safe to open.')
}

/**
 * Waits for the result and says what came of it; connected counts only what the stored row says.
 * @param onFailure called with the reason when it failed, which may come after a window that seemed closed
 */
export async function finishFlow(
  popup: Window,
  state: string,
  card: CatalogueCard,
  {
    queryClient,
    userId,
    onFailure,
  }: { queryClient: QueryClient; userId: string; onFailure?: ((sentence: string) => void) | undefined },
): Promise<void> {
  const begun = Date.now()
  // a window that seemed closed may say so itself afterwards
  let told = false
  const fail = (title: 'Connection Failed' | 'Connection Error', sentence: string) => {
    showToast('error', title, { description: sentence })
    onFailure?.(sentence)
  }
  const conclude = async (outcome: PopupOutcome) => {
    forgetAttempt(card.id)
    try {
      if (outcome.kind === 'error') {
        fail('Connection Failed', outcome.error || 'Failed to connect')
        await integrationsChanged(queryClient)
        return
      }
      await integrationsChanged(queryClient)
      const rows = await queryClient.fetchQuery({ ...integrationsQuery(userId), staleTime: 0 })
      const row = rows.find(({ mcp_id }) => mcp_id === card.id)
      if (connectedSince(row, begun) && row.token_status !== 'invalid') {
        if (!told) connectedToast()
        told = true
      } else if (outcome.kind === 'success') fail('Connection Failed', 'Failed to connect')
    } catch {
      fail('Connection Error', 'Failed to complete connection. Please try again.')
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
