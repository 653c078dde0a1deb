import { useCallback, useState } from 'react'
import type { FailedAttempt, SetupDialogProps } from '../connect/setup-dialog.tsx'
import type { useConnections } from '../connect/use-connections.ts'
import type { StartError } from '../connect/use-start-oauth.ts'
import { noOAuthValues, type ManualRegistration } from '../oauth/oauth-flow.ts'
import { getConnectMode, type CatalogueCard } from '../state/catalogue-cards.ts'

/** What the setup dialog shows. It stays when the dialog closes, for the animation. */
interface Setup {
  card: CatalogueCard
  note?: string | undefined
  manualRegistration?: ManualRegistration | undefined
  failedAttempt?: FailedAttempt
  open: boolean
  /** how often the dialog was opened; each time it begins anew, with the values of a failed attempt or those entered before */
  openCount: number
}

/**
 * The dialog for a card. One that is already open for it shows the reason.
 * @param reason why the card cannot be connected without it; undefined if the user asked for it
 */
const toOpened = (before: Setup | undefined, card: CatalogueCard, reason: StartError | undefined): Setup => ({
  card,
  note: reason?.message,
  manualRegistration: reason?.manualRegistration,
  open: true,
  openCount: (before?.openCount ?? 0) + (before?.open && before.card.id === card.id ? 0 : 1),
})

/** The dialog with the values of an attempt that failed. One that is already open stays as it is; a toast reports the error. */
function toReopened(before: Setup | undefined, card: CatalogueCard, failedAttempt: FailedAttempt): Setup {
  if (before?.open) return before
  return {
    card,
    failedAttempt,
    manualRegistration: before?.card.id === card.id ? before.manualRegistration : undefined,
    open: true,
    openCount: (before?.openCount ?? 0) + 1,
  }
}

/** Connects the cards of the catalogue: at once where no input is needed, otherwise after the setup dialog. */
export function useSetup({
  connect,
  startOAuth,
}: Pick<ReturnType<typeof useConnections>, 'connect' | 'startOAuth'>) {
  const [setup, setSetup] = useState<Setup>()

  const openSetup = useCallback(
    (card: CatalogueCard, reason?: StartError) => setSetup((before) => toOpened(before, card, reason)),
    [],
  )
  const connectCard = useCallback(
    async (card: CatalogueCard) => {
      const mode = getConnectMode(card)
      if (mode === undefined) return openSetup(card)
      if (mode === 'direct') return void connect(card, {}, {})
      // opens the popup, which browsers block once something was awaited
      const failure = await startOAuth(card, noOAuthValues)
      if (failure?.needsSetup) openSetup(card, failure)
    },
    [connect, openSetup, startOAuth],
  )
  const startOAuthFromDialog: SetupDialogProps['onStartOAuth'] = async (card, values) => {
    const onFailure = (message: string, cause?: unknown) => {
      setSetup((before) => toReopened(before, card, { message, values, cause }))
      // the setup dialog and a toast report it
      return false
    }
    const failure = await startOAuth(card, values, { onFailure })
    // the authorization server has changed: the app has to be registered with another redirect URI
    if (failure?.manualRegistration) openSetup(card, failure)
    return failure
  }

  const dialog = setup && {
    key: setup.openCount,
    props: {
      card: setup.card,
      note: setup.note,
      manualRegistration: setup.manualRegistration,
      failedAttempt: setup.failedAttempt,
      open: setup.open,
      // another dialog may have been opened while this one was connecting
      onOpenChange: (open) =>
        setSetup((before) => (before?.card.id === setup.card.id ? { ...before, open } : before)),
      onConnect: connect,
      onStartOAuth: startOAuthFromDialog,
    } satisfies SetupDialogProps,
  }
  return { openSetup, connectCard, dialog }
}
