import { useCallback, useState } from 'react'
import type { FailedAttempt, SetupDialogProps } from '../connect/setup-dialog.tsx'
import type { useConnections } from '../connect/use-connections.ts'
import type { ManualRegistration } from '../oauth/oauth-flow.ts'
import { getConnectMode, type CatalogueCard } from '../state/catalogue-cards.ts'

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

/** Connects the cards of the catalogue: at once where no input is needed, otherwise after the setup dialog. */
export function useSetup({
  connect,
  startOAuth,
}: Pick<ReturnType<typeof useConnections>, 'connect' | 'startOAuth'>) {
  const [setup, setSetup] = useState<Setup>()

  const openSetup = useCallback(
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
  const reopenAfterFailure = (card: CatalogueCard, failedAttempt: FailedAttempt) =>
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
  const connectCard = useCallback(
    (card: CatalogueCard) => {
      const mode = getConnectMode(card)
      if (mode === undefined) openSetup(card)
      else if (mode === 'direct') void connect(card, {}, {})
      else
        void startOAuth(card, { clientId: '', clientSecret: '', parameters: {} }).then((failure) => {
          if (failure?.needsSetup) openSetup(card, failure.message, failure.manualRegistration)
        })
    },
    [connect, openSetup, startOAuth],
  )
  const startOAuthFromDialog: SetupDialogProps['onStartOAuth'] = async (card, values) => {
    const onFailure = (message: string) => {
      reopenAfterFailure(card, { message, values })
      // the setup dialog and a toast report it
      return false
    }
    const failure = await startOAuth(card, values, { onFailure })
    // the authorization server has changed: the app has to be registered with another redirect URI
    if (failure?.manualRegistration) openSetup(card, failure.message, failure.manualRegistration)
    return failure?.message
  }

  const dialog = setup && {
    key: `${setup.card.id} ${setup.failureCount}`,
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
