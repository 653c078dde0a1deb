import { t } from '@lingui/core/macro'
import type { SignedInUser } from '../../lib/api/signed-in-user.ts'
import { getProviderLabel, loadConfig } from '../../lib/api/config.ts'
import { toAuthError } from './auth-errors.ts'
import { createHostedSignInUrl } from './hosted-sign-in.ts'
import { hasHostedUi } from './hosted-ui.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { ConfigError } from '../../lib/api/api-errors.ts'

/** Asks users of an identity provider to sign in again there. They then return to this page and repeat their action. */
export function ProviderSignInDialog({
  name,
  user,
  onCancel,
}: {
  name: string
  user: SignedInUser
  onCancel: () => void
}) {
  const label = getProviderLabel(name)
  const signIn = async () => {
    const config = await loadConfig()
    if (!hasHostedUi(config)) throw new ConfigError('no identity provider is set up')
    const returnPath = location.pathname + location.search + location.hash
    const options = { requiredSub: user.sub, returnPath, loginHint: user.email }
    location.assign(await createHostedSignInUrl(config, { name, label }, options))
  }

  return (
    <ActionDialog
      open
      onClose={onCancel}
      title={t`Sign in again`}
      description={t`You signed in a while ago. Please confirm that it is you.`}
      confirmLabel={t`Continue with ${label}`}
      onConfirm={signIn}
      // the page is being left
      onDone={() => undefined}
      describeError={(error) => toAuthError(error, 'sign-in').userMessage}
    >
      <p>{t`You sign in with ${label}. You will leave this page for a moment and then come back to it. After that, please try again.`}</p>
    </ActionDialog>
  )
}
