import { FlaskConical, PanelLeft } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { deferred } from '../components/lazy-component.tsx'
import { Brand } from '../components/page-frame.tsx'
import { IconButton } from '../components/ui/icon-button.tsx'
import { Skeleton } from '../components/ui/skeleton.tsx'
import { Tooltip } from '../components/ui/tooltip.tsx'
import type { SignedInUser } from '../lib/auth-tokens.ts'
import { useAuth } from '../features/auth/auth-context.ts'
import { whenIdle } from '../lib/when-idle.ts'
import { useConfig } from '../lib/config.ts'
import { requestLeave } from '../lib/leave-guard.ts'
import { usePerson } from '../lib/use-profile.ts'
import { AccountButton } from '../features/account/account-button.tsx'
import { showOverlay } from './open-dialog.ts'

const { Deferred: AccountMenu, preload: preloadAccountMenu } = deferred(() =>
  import('../features/account/account-menu.tsx').then((module) => module.AccountMenu),
)

/** Comes after the page can be used: the composer does not wait for it. */
const { Deferred: TopBarIntegrations } = deferred(async () => {
  await whenIdle()
  const module = await import('../features/integrations/top-bar/top-bar-integrations.tsx')
  return module.TopBarIntegrations
})

/** The bar above the conversation, in the order of TOP-01; what runs on stand-ins is said beside the brand. */
export function TopBar({ user, onOpenHistory }: { user: SignedInUser; onOpenHistory: () => void }) {
  return (
    <header className="sticky top-0 z-(--z-topbar) flex h-(--height-topbar) items-center gap-2 bg-surface pr-4 pl-3 max-sm:gap-1 max-sm:pr-3 max-sm:pl-1">
      <IconButton
        label="Your Conversations"
        onClick={onOpenHistory}
        icon={<PanelLeft size={20} strokeWidth={1.75} />}
        aria-haspopup="dialog"
      />
      <Brand />
      <DemoNote />
      <div className="flex-1" />
      <Suspense fallback={<Skeleton className="h-8! w-54 rounded-full! max-sm:w-24" />}>
        <TopBarIntegrations userId={user.sub} />
      </Suspense>
      <Account user={user} />
    </header>
  )
}

/** Says that the replies are not a real model's yet. */
function DemoNote() {
  const config = useConfig()
  if (!config?.demo.model) return null
  return (
    <Tooltip
      text="Replies come from the built-in demo model until a model key is configured."
      onPress="opens"
    >
      <button
        type="button"
        aria-label="Demo model"
        className="inline-flex h-[22px] shrink-0 items-center max-[359px]:hidden gap-1 rounded-[6px] px-2 text-xs font-medium whitespace-nowrap text-warning-ink cursor-help hairline [--hairline:var(--color-warning-line)]"
      >
        <FlaskConical aria-hidden size={12} strokeWidth={2.25} />
        <span className="max-sm:hidden">Demo model</span>
      </button>
    </Tooltip>
  )
}

/** The account's menu; its code loads after the page, and a click that came before opens it then. */
function Account({ user }: { user: SignedInUser }) {
  const { signOut } = useAuth()
  const person = usePerson(user)
  const [open, setOpen] = useState(false)
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    // a failure is met again with the first press
    void whenIdle().then(preloadAccountMenu).then(setLoaded)
  }, [])
  const placeholder = <AccountButton person={person} onClick={() => setOpen(true)} />
  if (!isLoaded && !open) return placeholder
  return (
    <Suspense fallback={placeholder}>
      <AccountMenu
        person={person}
        open={open}
        onOpenChange={setOpen}
        onShowShortcuts={() => showOverlay('shortcuts')}
        onSignOut={() => requestLeave(() => void signOut())}
      />
    </Suspense>
  )
}
