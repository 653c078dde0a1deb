import { ShieldUser } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../components/ui/button.tsx'
import { useConfig } from '../../lib/config.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import * as texts from './notice-texts.tsx'

const storageKey = 'juno.admin-notice:'

const renderName = (name: string) => <code>{name}</code>

/** Tells an administrator that they are one, and who can sign up; until they have read it, in this browser. */
export function AdminNotice({ userId }: { userId: string }) {
  const config = useConfig()
  const [isRead, setIsRead] = useState(() => readStored('local', storageKey + userId) !== null)
  if (isRead || !config) return null
  const { identityProviders = [], mailbox, signUp } = config
  const dismiss = () => {
    writeStored('local', storageKey + userId, 'true')
    setIsRead(true)
  }
  return (
    <section
      aria-label={texts.youAreAdministrator}
      className="mx-auto flex max-w-(--width-chat) gap-3 px-4 py-3 text-sm"
    >
      <ShieldUser aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-accent" />
      <div className="min-w-0">
        <p className="font-medium">{texts.youAreAdministrator}</p>
        <p className="mt-1 text-ink-muted">
          {texts.whoMaySignUp[signUp]}{' '}
          {signUp !== 'open' && identityProviders.some(({ domains }) => domains.length > 0) && (
            <>{texts.providerUsers} </>
          )}
          {/* only a local installation has a mailbox */}
          {mailbox === undefined
            ? texts.changeByContext(renderName('signUp'))
            : texts.changeByVariable(renderName('SIGN_UP'))}{' '}
          {texts.inMenu}
        </p>
        <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button size="sm" variant="outline" onClick={dismiss}>
            {texts.gotIt}
          </Button>
          <Link to="/admin/users" className="link font-medium">
            {texts.openAdministration}
          </Link>
        </p>
      </div>
    </section>
  )
}
