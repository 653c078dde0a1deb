import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { PageFrame } from '../../../components/page-frame.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { NetworkError } from '../../../lib/api/api-errors.ts'
import { refreshTokens } from '../../../lib/api/auth-tokens.ts'
import { twoFactorQuery } from './two-factor-queries.ts'
import { useDocumentTitle } from '../../../lib/navigation/use-document-title.ts'

const SetupWizard = lazyComponent(() => import('./setup-wizard.tsx'), 'SetupWizard')

interface RequiredTwoFactorProps {
  /** called with whether the wizard is open: until it is closed, this page has to stay, because the backup codes are shown only once */
  onOpenChange: (isOpen: boolean) => void
  /** called after the tokens were renewed */
  onRenewed: () => Promise<void>
  onSignOut: () => Promise<void>
}

/** The set-up for a user who needs a second factor. Until it is completed, the API rejects everything else. */
export function RequiredTwoFactor({ onOpenChange, onRenewed, onSignOut }: RequiredTwoFactorProps) {
  const { data, refetch } = useQuery(twoFactorQuery)
  const [isWizardOpen, setIsWizardOpen] = useState(false)
  // the current token still says that the factor is missing; a renewed one does not
  const renewal = useActionMutation('renew tokens', {
    run: async () => {
      if (!(await refreshTokens())) throw new NetworkError()
      await onRenewed()
    },
  })
  useDocumentTitle(t`Protect your account`)

  const setWizardOpen = (isOpen: boolean) => {
    setIsWizardOpen(isOpen)
    onOpenChange(isOpen)
  }
  const isSetUpDone = data?.enabled === true && !isWizardOpen
  const renew = useEffectEvent(() => renewal.start())
  useEffect(() => {
    // also if it was set up in another tab or on another device
    if (isSetUpDone) renew()
  }, [isSetUpDone])

  return (
    <PageFrame>
      <div className="m-auto grid max-w-md justify-items-start gap-4 p-6">
        <h1 className="text-2xl font-semibold">{t`Protect your account`}</h1>
        <p className="text-base text-pretty text-ink-muted">
          {isSetUpDone
            ? t`Two-factor authentication is on.`
            : t`This assistant may only be used with two-factor authentication. You need an authenticator app, such as Google Authenticator or 1Password, and about a minute.`}
        </p>
        {renewal.error && (
          <Callout variant="danger" error={renewal.error}>
            {t`Your sign-in could not be renewed. Please try again.`}
          </Callout>
        )}
        <div className="flex flex-wrap gap-3">
          {isSetUpDone ? (
            <Button variant="primary" busy={renewal.isBusy} onClick={() => renewal.start()}>
              {t`Continue`}
            </Button>
          ) : (
            <Button variant="primary" onClick={() => setWizardOpen(true)}>
              {t`Set up now`}
            </Button>
          )}
          <Button variant="ghost" onClick={() => void onSignOut()}>
            {t`Sign out`}
          </Button>
        </div>
      </div>
      {isWizardOpen && (
        <Suspense>
          <SetupWizard
            onCancel={() => setWizardOpen(false)}
            onEnabled={() => undefined}
            onDone={() => {
              setWizardOpen(false)
              void refetch()
            }}
            doneLabel={t`Continue`}
          />
        </Suspense>
      )}
    </PageFrame>
  )
}
