import { useState, type RefObject } from 'react'
import { noOAuthValues, type ManualRegistration } from '../oauth/oauth-flow.ts'
import type { CatalogueCard } from '../state/catalogue-cards.ts'
import type { FailedAttempt, SetupDialogProps } from './setup-dialog.tsx'
import { useConnections } from './use-connections.ts'

/**
 * Reconnects by a sign-in in a popup, or by the setup dialog if input is needed.
 * @param card undefined until the catalogue entry is loaded
 * @param button while it is shown, errors stand below it; otherwise toasts show them
 * @returns `setup`: the props of the setup dialog while it is open
 */
export function useReconnection(
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
