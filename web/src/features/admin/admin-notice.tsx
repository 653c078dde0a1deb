import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ShieldUser } from 'lucide-react'
import { useState } from 'react'
import type { SignUpMode } from '#shared/sign-up-policy.ts'
import { Button } from '../../components/ui/button.tsx'
import { useConfig } from '../../lib/api/config.ts'
import { readStored, writeStored } from '../../lib/browser/storage.ts'
import { adminPath, adminUsersPath } from '../../lib/navigation/paths.ts'
import { Link } from '../../lib/navigation/router.tsx'
import { useSignUpMode } from '../../lib/sign-in/site-state.ts'

const whoMaySignUp: Record<SignUpMode, string> = {
  open: t`Everybody who reaches this page can create an account.`,
  domains: t`People with an address at certain e-mail domains, and those you invite, can create an account.`,
  closed: t`Only people whom you invite can create an account.`,
}

const storageKeyPrefix = 'juno.admin-notice:'

/** Tells an administrator that they are one, and who can sign up; until they have read it, in this browser. */
export function AdminNotice({ userId }: { userId: string }) {
  const config = useConfig()
  const signUp = useSignUpMode()
  const [isRead, setIsRead] = useState(() => readStored('local', storageKeyPrefix + userId) !== null)
  if (isRead || !config) return null
  const { identityProviders = [] } = config
  const dismiss = () => {
    writeStored('local', storageKeyPrefix + userId, 'true')
    setIsRead(true)
  }
  return (
    <section
      aria-label={t`You are an administrator of this site`}
      className="mx-auto flex max-w-(--width-chat) gap-3 px-4 py-3 text-sm"
    >
      <ShieldUser aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-accent" />
      <div className="min-w-0">
        <p className="font-medium">{t`You are an administrator of this site`}</p>
        <p className="mt-1 text-ink-muted">
          {whoMaySignUp[signUp]}{' '}
          {signUp !== 'open' && identityProviders.some(({ domains }) => domains.length > 0) && (
            <>{t`Users of your identity providers are admitted, too.`} </>
          )}
          <Trans>
            <Link to={`${adminPath}/site`} className="link">
              Site
            </Link>{' '}
            in the administration changes that.
          </Trans>{' '}
          {t`Administration is in your account menu.`}
        </p>
        <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button size="sm" variant="outline" onClick={dismiss}>
            {t`Got it`}
          </Button>
          <Link to={adminUsersPath} className="link font-medium">
            {t`Open the administration`}
          </Link>
        </p>
      </div>
    </section>
  )
}
